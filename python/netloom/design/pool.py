"""Jobs in order, here or in several processes: the results do not depend on how many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..base import interrupt
from ..base.stopping import require_time
from ..base.workers import Workers
from .measure import Done, Job, measure

#: Endpoints times jobs that are worth the start of other processes.
WORTH = 1 << 16


@dataclass
class Pool:
    """Does jobs.

    Attributes
    ----------
    workers
        Processes; 1 for this one alone.
    endpoints
        Of the networks: small ones are no work for other processes.
    plugins, machines
        Files and folders that a fresh process loads first.
    said
        Called with the jobs done and those that are known of.
    """

    workers: int
    endpoints: int
    plugins: tuple[str, ...] = ()
    machines: tuple[str, ...] = ()
    said: Callable[..., object] | None = None
    done: int = 0
    planned: int = 0
    _workers: Workers | None = field(default=None, repr=False)

    def map(self, jobs: Sequence[Job]) -> list[Done]:
        """Results in the order of the jobs.

        Raises
        ------
        Stopped
            Where the time is over.
        """
        if self.workers > 1 and (self._workers is not None or self.endpoints * self.planned >= WORTH) and len(jobs) > 1:
            return self._together(jobs)
        made = []
        for job in jobs:
            made.append(measure(job))
            self._tell()
        return made

    def _tell(self) -> None:
        self.done += 1
        self.planned = max(self.planned, self.done)
        if self.said is not None:
            self.said(self.done, self.planned)
        _go_on()

    def _together(self, jobs: Sequence[Job]) -> list[Done]:
        if self._workers is None:
            self._workers = Workers(self.workers, _begin, self.plugins, self.machines)
        workers, made = self._workers, []
        for future in [workers.submit(measure, job) for job in jobs]:
            made.append(workers.result(future, _go_on))
            self._tell()
        return made

    def close(self) -> None:
        """Ends the other processes."""
        if self._workers is not None:
            self._workers.close()
            self._workers = None


def _go_on() -> None:
    require_time()
    interrupt.require_go_on()


def _begin(plugins: tuple[str, ...], machines: tuple[str, ...]) -> None:
    """What a fresh process does first."""
    from .. import plugin
    from ..machine import search_in

    for path in plugins:
        plugin.load(path)
    if machines:
        search_in(*machines)
