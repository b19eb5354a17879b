"""One file: the rank whose it is, its kernels that communicate, and when its GPU computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeGuard

from ....base.errors import Fault, NetloomError
from ..streams import Compute, Kernel
from .calls import CallReader, numbers_of
from .splitter import EVENTS, Splitter

#: What runs on the GPU, by category.
_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")
#: The side of the host of a call: its arguments, where the kernel has none.
_HOST = "record_param_comms"
#: What a user named, such as the steps of a profiler: on the GPU, on the host.
_NAMED = ("gpu_user_annotation", "user_annotation")
_NCCL = ("ncclKernel", "ncclDevKernel", "ncclSymk", "rcclKernel")
NAME = "Collective name"


@dataclass
class Profile:
    """A file.

    Attributes
    ----------
    kernels, host
        What communicates: on the GPU, and as the host says it.
    unread
        Kernels of the library whose arguments no event has, and calls of no known name, by name.
    origin_ns
        Where its times begin, nanoseconds.
    marks
        What its user named, of what is asked for: those of the GPU where it has any.
    """

    path: Path
    rank: int = -1
    world: int = 0
    groups: dict[str, tuple[int, ...]] = field(default_factory=dict)
    kernels: list[Kernel] = field(default_factory=list)
    host: list[Kernel] = field(default_factory=list)
    compute: Compute = field(default_factory=Compute)
    unread: dict[str, int] = field(default_factory=dict)
    repaired: int = 0
    origin_ns: int = 0
    assumed: set[str] = field(default_factory=set)
    marks: list[tuple[str, float]] = field(default_factory=list)


class _Event:
    """A kernel, or the host's side of one, until its arguments are known."""

    __slots__ = ("args", "begin", "end", "name", "stream", "thread")

    def __init__(self, event: dict[str, object], begin: float, end: float) -> None:
        self.begin, self.end, self.name = begin, end, str(event.get("name", ""))
        args = event.get("args")
        self.args: dict[str, object] = args if isinstance(args, dict) else {}
        self.stream = self.args.get("stream", event.get("tid", 0))
        self.thread = event.get("tid", 0)


def read_profile(path: Path, is_asked: Callable[[str], bool]) -> Profile:
    """A file of Kineto. Memory: its kernels that communicate, and two numbers of every other one.

    Raises
    ------
    NetloomError
        NL-F003 for a file that is cut, NL-F009 for events that end before they begin, NL-F010 for one that does not say
        whose it is.
    """
    made, splitter = Profile(path), Splitter(path)
    kept = _Kept(made.compute, is_asked)
    number, base_ns = 0, 0
    for key, value in splitter.values():
        if key == EVENTS:
            number += 1
            if isinstance(value, dict) and value.get("ph") == "X":
                kept.add(value, f"{path}, event {number}")
        elif key == "distributedInfo" and isinstance(value, dict):
            _distributed(made, value)
        elif key == "baseTimeNanoseconds" and isinstance(value, int) and 0 <= value < 1 << 63:
            base_ns = value
    made.marks = next((marks for marks in kept.marks.values() if marks), [])
    made.repaired, made.origin_ns = splitter.repaired, base_ns + 1000 * kept.offset
    if made.rank < 0:
        hint = "profile after torch.distributed.init_process_group: each file then says its rank"
        raise NetloomError([Fault("NL-F010", str(path), "does not say whose it is (distributedInfo)", "", hint)])
    _understand(made, kept.kernels, kept.host)
    return made


class _Kept:
    """What matters of the events of a file; times count from the first of them, in seconds."""

    def __init__(self, compute: Compute, is_asked: Callable[[str], bool]) -> None:
        self.is_asked = is_asked
        self.marks: dict[str, list[tuple[str, float]]] = {name: [] for name in _NAMED}
        self.kernels: list[_Event] = []
        self.host: list[_Event] = []
        self.compute = compute
        #: Of the first event, microseconds: a double of seconds since 1970 does not hold a tenth of one.
        self.offset = 0
        self._is_first = True

    def add(self, event: dict[str, object], place: str) -> None:
        category, name, args = str(event.get("cat", "")).lower(), event.get("name", ""), event.get("args")
        is_host = name == _HOST
        is_mark = category in _NAMED and self.is_asked(str(name))
        if category not in _DEVICE and not is_host and not is_mark:
            return
        begin, length = event.get("ts"), event.get("dur", 0)
        if not _is_time(begin) or not _is_time(length) or length < 0:
            hint = "the clock ran backwards, or the file was changed: profile again"
            raise NetloomError(
                [Fault("NL-F009", place, "a time and a length from 0 on", f"{begin!r}, {length!r}"[:80], hint)]
            )
        if self._is_first:
            self.offset, self._is_first = int(begin), False
        begin_s = (begin - self.offset) * 1e-6
        end_s = begin_s + length * 1e-6
        if is_mark:
            self.marks[category].append((str(name), begin_s))
        elif is_host:
            self.host.append(_Event(event, begin_s, end_s))
        elif category == "kernel" and (str(name).startswith(_NCCL) or (isinstance(args, dict) and NAME in args)):
            self.kernels.append(_Event(event, begin_s, end_s))
        else:
            self.compute.add(begin_s, end_s)


def _is_time(value: object) -> TypeGuard[int | float]:
    return isinstance(value, (int, float)) and abs(value) < 1e18


def _distributed(made: Profile, about: dict[str, object]) -> None:
    rank, world = about.get("rank"), about.get("world_size")
    if isinstance(rank, int) and 0 <= rank < 1 << 20:
        made.rank = rank
    if isinstance(world, int) and 0 < world <= 1 << 20:
        made.world = world
    groups = about.get("pg_config")
    for group in groups if isinstance(groups, list) else ():
        if isinstance(group, dict):
            made.groups[str(group.get("pg_name"))] = numbers_of(group.get("ranks"))


def _understand(made: Profile, found: list[_Event], host: list[_Event]) -> None:
    """Calls of the kernels, by their own arguments or by those of the host that has the same number."""
    reader = CallReader(made.rank, made.world, made.groups, str(made.path), made.assumed)
    by_number = {one.args.get("External id"): one for one in host if NAME in one.args}
    streams: dict[object, int] = {}
    for one in sorted(found, key=lambda event: (event.begin, event.end)):
        args = one.args if NAME in one.args else _args_of(by_number.get(one.args.get("External id")))
        call = None if args is None else reader.call(args)
        if call is None:
            name = str(args.get(NAME)) if args else one.name.partition("(")[0]
            made.unread[name] = made.unread.get(name, 0) + 1
            made.compute.add(one.begin, one.end)
            continue
        stream = streams.setdefault((one.args.get("device"), one.stream), len(streams))
        made.kernels.append(Kernel(one.begin, one.end, stream, (call,)))
    threads: dict[object, int] = {}
    for one in sorted(host, key=lambda event: (event.begin, event.end)) if not found else []:
        if NAME in one.args and (call := reader.call(one.args)) is not None:
            made.host.append(Kernel(one.begin, one.end, threads.setdefault(one.thread, len(threads)), (call,)))


def _args_of(event: _Event | None) -> dict[str, object] | None:
    return None if event is None else event.args
