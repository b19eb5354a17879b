"""Networks, distances and workloads that runs of one study share, within a bound on memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar, cast

from .. import _core
from ..base.errors import NetloomError
from ..network import network, read_network
from ..workload import Workload, by_collective, resolve
from .canonical import Calls

if TYPE_CHECKING:
    from ..machine.calibration import Calibration

T = TypeVar("T")
Progress = Callable[[int, int], object]
#: Cache key: the kind of object, then what it is made from.
Key = tuple[object, ...]

#: Bytes cached for later runs, in addition to what a run holds itself.
KEPT_BYTES = 512 << 20


class Workshop:
    """Makes things once, also when several threads ask at the same time."""

    def __init__(self, calls: Calls, kept_bytes: int = KEPT_BYTES) -> None:
        self.calls = calls
        self._kept_bytes = kept_bytes
        self._lock = threading.Lock()
        self._large = threading.Lock()
        self._things: OrderedDict[Key, tuple[_Making, int]] = OrderedDict()
        #: Bytes of all of them.
        self._held_bytes = 0

    def network(self, text: str, format: str = "", part: str = "") -> _core.Network:
        """The network of call text or of a file, or one of its parts."""
        if part:
            return self._once(
                ("part", text, format, part), lambda: self.network(text, format).part(part), _network_bytes
            )
        path = self.calls.network_path(text)
        make = lambda: network(text, format or None) if path is None else read_network(path, text, format or None)  # noqa: E731
        return self._once(("network", text, format), make, _network_bytes)

    def workload(self, text: str, ranks: int | None, root: int, size_bytes: int, algorithms: str) -> Workload:
        """A schedule, a pattern, programs or a file; `algorithms` such as `"alltoall:bruck; allreduce:ring"`."""
        key = ("workload", text, ranks, root, size_bytes, algorithms)
        named = by_collective(algorithms)

        def make() -> Workload:
            return resolve(text, ranks, root=root, size_bytes=size_bytes, algorithms=named, folder=self.calls.folder)

        return self._once(key, make, _workload_bytes)

    def calibration(self, text: str) -> Calibration:
        """A calibration that is shipped, or a file."""
        from ..machine import calibration

        path = str(self.calls.folder / text) if text.endswith(".toml") else text
        return self._once(("calibration", text), lambda: calibration.load(path), lambda _: 1024)

    def slotted(self, text: str, cores: int, node: str = "", format: str = "", part: str = "") -> _core.Network:
        """The network with `cores` slots per endpoint, with what is behind these."""
        network = self.network(text, format, part)
        if cores == 1:
            return network
        make = lambda: network.with_slots(cores, _core.Node(node) if node else None)  # noqa: E731
        return self._once(("slots", text, format, part, cores, node), make, _network_bytes)

    def damaged(self, text: str, failures: str, format: str = "", part: str = "") -> _core.Network:
        """The network without what the lines of `failures` name."""
        whole = self.network(text, format, part)
        if not failures:
            return whole
        key = ("damaged", text, format, part, failures)
        return self._once(key, lambda: whole.without(failures, "fail"), _network_bytes)

    @contextmanager
    def alone(self, progress: Progress) -> Iterator[None]:
        """For a run that fills memory and all processors by itself: one at a time. `progress` may raise to give up."""
        while not self._large.acquire(timeout=0.2):
            progress(0, 0)
        try:
            yield
        finally:
            self._large.release()

    def _once(self, key: Key, make: Callable[[], T], size: Callable[[T], int]) -> T:
        with self._lock:
            held = self._things.get(key)
            if held is not None:
                self._things.move_to_end(key)
            else:
                making = _Making()
                self._things[key] = (making, 0)
        if held is not None:
            return cast(T, held[0].result())
        try:
            made = make()
        except BaseException as error:
            with self._lock:
                self._things.pop(key, None)
            # A fault belongs to the thing; an interruption only to the thread that met it.
            making.end(None, error if isinstance(error, NetloomError) else Interrupted())
            raise
        making.end(made)
        with self._lock:
            if key in self._things:
                self._things[key] = (making, size(made))
                self._held_bytes += size(made)
            self._evict(key)
        return made

    def _evict(self, newest: Key) -> None:
        """The longest unused go first. O(what goes), but for things that are being made."""
        while self._held_bytes > self._kept_bytes:
            oldest = next((key for key, (making, _) in self._things.items() if key != newest and making.done()), None)
            if oldest is None:
                return
            self._held_bytes -= self._things.pop(oldest)[1]


class _Making:
    """A thing that one thread makes and others wait for. As `concurrent.futures.Future`, which takes 5 ms to import."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._made: object = None
        self._error: BaseException | None = None

    def end(self, made: object, error: BaseException | None = None) -> None:
        self._made, self._error = made, error
        self._ended.set()

    def done(self) -> bool:
        return self._ended.is_set()

    def result(self) -> object:
        self._ended.wait()
        if self._error is not None:
            raise self._error
        return self._made


class Interrupted(Exception):
    """Work was given up because the study is to stop."""


def _network_bytes(network: _core.Network) -> int:
    return 32 * network.switch_links + 16 * network.switches + 8 * network.endpoints


def _workload_bytes(load: Workload) -> int:
    if isinstance(load, _core.Programs):
        return 24 * load.actions
    return (
        1024 if isinstance(load, _core.Sends) or getattr(load, "is_cyclic", False) else 24 * min(load.messages, 1 << 27)
    )
