"""Runs in threads of this process: the default, on one machine the quickest, since runs share networks and the core
computes without Python's lock."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor

from ...scenario import Interrupted, Workshop
from ...scenario.canonical import Calls
from ..sealed import Record
from ..work import Ticket, compute
from .base import Pooled


class Threads:
    """One pool, one workshop. A thread does not die alone, so that nothing is tried again."""

    retries = 0
    place = ""

    def __init__(self, calls: Calls, count: int) -> None:
        self.room, self.cores, self.widest = 2 * count, count, count
        self._workshop = Workshop(calls)
        self._pool = ThreadPoolExecutor(max_workers=count, thread_name_prefix="netloom-run")
        self._stopped = threading.Event()
        self._given = Pooled(self._pool, self._compute)

    def submit(self, one: Ticket) -> Future[Record]:
        return self._given.submit(one)

    def tend(self) -> None:
        """Nothing: a worker is there as long as this process."""

    def stop(self) -> None:
        self._stopped.set()

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _progress(self, done: int, total: int) -> None:
        if self._stopped.is_set():
            raise Interrupted

    def _compute(self, one: Ticket) -> Record:
        self._progress(0, 0)
        return compute(one, self._workshop, self._progress)
