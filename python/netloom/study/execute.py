"""Runs a plan: workers over runs, a journal line per finished run, and a clean stop."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait

from ..base import interrupt
from ..base.errors import NetloomError
from . import codes
from .backends import Backend, Lost, backend
from .journal import Journal
from .plan import Part, Plan
from .records import Records
from .runs import Run
from .sealed import Record
from .work import Ticket, failed, ticket

#: Called with (finished runs, all runs, name of the experiment of the last finished one).
Report = Callable[[int, int, str], None]


def default_jobs() -> int:
    """Processors that this process may use."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return max(1, os.cpu_count() or 1)


def execute(
    plan: Plan,
    journal: Journal,
    *,
    jobs: int = 0,
    on: str = "threads",
    only: Collection[str] | None = None,
    report: Report | None = None,
) -> Records:
    """Compute every run that is not in the journal.

    Parameters
    ----------
    jobs
        Workers; 0 for one per processor. The results do not depend on it.
    on
        Where; see `backends`. The results do not depend on it.
    only
        Keys of the runs to compute; all by default.

    Returns
    -------
    Records
        By run key: `status` is `done` (with `row` and `tables`), or `refused` or `failed` (with `faults`).

    Raises
    ------
    KeyboardInterrupt
        After the runs that were under way have stopped; finished ones are in the journal.
    NetloomError
        If the journal cannot be written, and what the backend refuses.
    """
    wanted = {run.key: (part, run) for part, run in plan.runs() if only is None or run.key in only}
    waiting = {key: item for key, item in wanted.items() if key not in journal.done}
    finished = len(wanted) - len(waiting)
    notify = report or (lambda *_: None)
    notify(finished, len(wanted), "")
    if waiting:
        with interrupt.held():
            workers = backend(on, plan.calls, jobs or default_jobs())
            scheduling = _Scheduling(workers, journal, notify, finished, len(wanted))
            scheduling.work(ticket(plan, *item) for item in by_network(waiting.values()))
    return journal.done


class _Scheduling:
    """Keeps workers busy, and what they find."""

    def __init__(self, workers: Backend, journal: Journal, notify: Report, finished: int, total: int) -> None:
        self.workers, self.journal = workers, journal
        self.notify, self.finished, self.total = notify, finished, total
        self.running: dict[Future[Record], Ticket] = {}
        self.lost: dict[str, int] = {}

    def work(self, tickets: Iterable[Ticket]) -> None:
        queue = iter(tickets)
        stopped = True
        try:
            self.refill(queue)
            while self.running:
                # A bounded wait lets signals in on every platform.
                done, _ = wait(self.running, timeout=0.2, return_when=FIRST_COMPLETED)
                interrupt.require_go_on()
                for future in done:
                    self.take(future, self.running.pop(future))
                self.refill(queue)
            stopped = False
        finally:
            if stopped:
                self.workers.stop()
                for future in self.running:
                    future.cancel()
            self.workers.close()
            if stopped:
                self.keep_finished()

    def refill(self, queue: Iterable[Ticket]) -> None:
        for one in queue:
            self.running[self.workers.submit(one)] = one
            if len(self.running) >= self.workers.room:
                return

    def take(self, future: Future[Record], one: Ticket) -> None:
        """A run that ended: kept, or tried again."""
        try:
            record = future.result()
        except Lost as error:
            tries = self.lost[one.key] = self.lost.get(one.key, 0) + 1
            if tries <= self.workers.retries:
                self.running[self.workers.submit(one)] = one
                return
            hint = "give workers more memory or time; the same command tries it again"
            record = failed(one, codes.LOST, f"lost {tries} times: {error}", hint)
        self.keep(record)
        self.finished += 1
        self.notify(self.finished, self.total, one.experiment)

    def keep_finished(self) -> None:
        """Runs that ended while the study was stopping."""
        for future in self.running:
            if future.done() and not future.cancelled() and future.exception() is None:
                try:
                    self.keep(future.result())
                except NetloomError:
                    return

    def keep(self, record: Record) -> None:
        # A failure that is not the input's fault may succeed next time: it is not recorded.
        if record["status"] == "failed":
            self.journal.done.add_failed(record)
        else:
            self.journal.add(record)


def by_network(waiting: Iterable[tuple[Part, Run]]) -> list[tuple[Part, Run]]:
    """Runs on one network side by side, so that its distances are at hand."""
    groups: dict[object, list[tuple[Part, Run]]] = {}
    for part, run in waiting:
        groups.setdefault(run.network, []).append((part, run))
    return [item for group in groups.values() for item in group]
