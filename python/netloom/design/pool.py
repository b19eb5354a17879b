"""Jobs in order, here or in several processes: the results do not depend on how many."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field

from ..base import interrupt
from ..base.errors import Fault, NetloomError
from ..base.stopping import require_time
from .measure import Done, Job, measure

#: Endpoints times jobs that are worth the start of other processes.
WORTH = 1 << 16
#: Seconds between two looks for Ctrl-C.
LOOK_S = 0.1
#: A fresh interpreter: threads of the core do not outlive a fork.
_CONTEXT = multiprocessing.get_context("spawn")


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
    _pool: ProcessPoolExecutor | None = field(default=None, repr=False)

    def map(self, jobs: Sequence[Job]) -> list[Done]:
        """Results in the order of the jobs.

        Raises
        ------
        Stopped
            Where the time is over.
        """
        if self.workers > 1 and (self._pool is not None or self.endpoints * self.planned >= WORTH) and len(jobs) > 1:
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
        require_time()
        interrupt.require_go_on()

    def _together(self, jobs: Sequence[Job]) -> list[Done]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.workers, _CONTEXT, _begin, (self.plugins, self.machines))
        futures = [self._pool.submit(measure, job) for job in jobs]
        made = []
        for future in futures:
            while not wait([future], LOOK_S).done:
                require_time()
                interrupt.require_go_on()
            try:
                made.append(future.result())
            except BrokenProcessPool:
                interrupt.require_go_on()
                hint = "choose smaller sizes, or fewer jobs (-j)"
                raise NetloomError([Fault("NL-X011", "--jobs", "a process was ended from outside", "", hint)]) from None
            self._tell()
        return made

    def close(self) -> None:
        """Ends the other processes."""
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.kill()
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def _begin(plugins: tuple[str, ...], machines: tuple[str, ...]) -> None:
    """A child's start: the parent decides what Ctrl-C means."""
    from .. import plugin
    from ..base.threads import limit_threads
    from ..machine import search_in

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # As many processes as there are cores work already.
    limit_threads(1)
    for path in plugins:
        plugin.load(path)
    if machines:
        search_in(*machines)
