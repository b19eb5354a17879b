"""What the scheduling of a study asks of a place where runs are computed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Protocol

from ...base import interrupt
from ..sealed import Record
from ..work import Ticket


class Lost(Exception):
    """The worker of a run is gone: killed, out of memory, out of time. The run may be tried again."""


class Backend(Protocol):
    """Workers. A future ends with the run's record, `Lost`, `Interrupted`, or a `NetloomError` of the environment."""

    #: Runs that it is given at a time: enough that no worker waits.
    room: int
    #: Cores of all workers, and those that one run may take at most.
    cores: int
    widest: int
    #: How often a run is tried again whose worker died.
    retries: int
    #: Where its workers can be watched; empty for nowhere.
    place: str

    def submit(self, one: Ticket) -> Future[Record]:
        """Compute a run somewhere."""

    def tend(self) -> None:
        """Called about every second while runs are under way, to see to workers that are gone."""

    def stop(self) -> None:
        """Give up what is under way, soon."""

    def close(self) -> None:
        """Let the workers go."""


class Pooled:
    """Gives runs to a pool of threads; where no thread is to be had, computes them one after another itself."""

    def __init__(self, pool: Executor, compute: Callable[[Ticket], Record]) -> None:
        self._pool, self._compute, self._alone = pool, compute, False

    def submit(self, one: Ticket) -> Future[Record]:
        """Compute a run."""
        if not self._alone:
            try:
                return self._pool.submit(self._compute, one)
            except RuntimeError:
                self._alone = True
        interrupt.require_go_on()
        future: Future[Record] = Future()
        try:
            future.set_result(self._compute(one))
        except BaseException as error:
            future.set_exception(error)
        return future
