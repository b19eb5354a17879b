"""What the scheduling of a study asks of a place where runs are computed."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Protocol

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
