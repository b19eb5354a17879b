"""Runs a plan: workers over runs, a journal line per finished run, and a clean stop."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass

from ..base import ahead, interrupt, stopping
from ..base.errors import Fault, NetloomError
from ..base.quantities import counted
from . import codes
from .backends import Backend, Lost, backend, walltime
from .costs import Costs, time_text
from .journal import Journal
from .plan import Pair, Part, Plan
from .records import Records
from .runs import Run
from .sealed import Record
from .standing import Forecast, Report, Standing, UnderWay
from .work import MEMORY, SECONDS, THREADS, Ticket, failed, ticket

#: The runs that the end of the run with this key makes necessary.
After = Callable[[str], Iterable[tuple[Ticket, "Waiting"]]]
#: Seconds between two looks at the runs under way, and most letters of the name of one.
BEAT, NAME = 1.0, 80


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
    """Compute every run that the plan asks for and that is not in the journal.

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
    asked = _Asked(plan, journal)
    waiting = asked.more(plan.first(journal.done, only))
    standing = Standing(len(asked.seen) - len(waiting), len(asked.seen))
    notify = report or (lambda _: None)
    if not waiting:
        notify(standing)
    else:
        costs = Costs.kept()
        queue = longest_first(waiting, costs)
        require_time(on, queue)
        announce(queue, jobs or default_jobs())
        with interrupt.held():
            workers = backend(on, plan.calls, jobs or default_jobs())
            standing.place = workers.place
            scheduling = _Scheduling(workers, journal, notify, standing, costs, forecast(queue))
            spare = max(1, workers.cores // len(queue))

            def tickets(queue: Iterable[Waiting]) -> Iterator[tuple[Ticket, Waiting]]:
                return ((ticket(plan, one.part, one.run, width(one.run, spare, workers.widest)), one) for one in queue)

            def after(key: str) -> Iterator[tuple[Ticket, Waiting]]:
                return tickets(longest_first(asked.more(plan.after(key, journal.done)), costs))

            scheduling.work(tickets(queue), after)
        if len(scheduling.short) == len(asked.seen):
            # Not one of them fits: that is no matter of the study.
            raise NetloomError([Fault(*scheduling.short[0])])
    return journal.done


class _Asked:
    """The runs that a plan asks for, each once."""

    def __init__(self, plan: Plan, journal: Journal) -> None:
        self.plan, self.journal = plan, journal
        self.seen: set[str] = set()

    def more(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Those that were not asked for yet, and are not in the journal."""
        waiting = []
        for part, run in pairs:
            if run.key not in self.seen:
                self.seen.add(run.key)
                if run.key not in self.journal.done:
                    waiting.append((part, run))
        return waiting


class _Scheduling:
    """Keeps workers busy, and what they find."""

    def __init__(
        self, workers: Backend, journal: Journal, notify: Report, standing: Standing, costs: Costs, forecast: Forecast
    ) -> None:
        self.workers, self.journal, self.costs = workers, journal, costs
        self.notify, self.standing, self.forecast = notify, standing, forecast
        #: Runs that the workers were given, those that they have first; and those, as of the last look.
        self.running: dict[Future[Record], tuple[Ticket, Waiting]] = {}
        self.under_way: dict[Future[Record], UnderWay] = {}
        self.looked = 0.0
        self.lost: dict[str, int] = {}
        #: The fault of each run that had too little memory.
        self.short: list[list[str]] = []
        #: Runs at a time: fewer after one had too little memory while others ran.
        self.most = workers.room
        #: The run that comes next, and whether any so far takes several cores.
        self.next: tuple[Ticket, Waiting] | None = None
        self.wide = False
        #: Runs that the end of others made necessary: they come first, as others may depend on them.
        self.later: deque[tuple[Ticket, Waiting]] = deque()
        self.after: After = lambda _: ()

    def work(self, tickets: Iterable[tuple[Ticket, Waiting]], after: After) -> None:
        """Compute runs, and those that `after` names when one of them has ended."""
        queue, self.after = iter(tickets), after
        stopped = True
        try:
            self.refill(queue)
            self.look()
            while self.running:
                # A bounded wait lets signals in on every platform.
                done, _ = wait(self.running, timeout=0.2, return_when=FIRST_COMPLETED)
                interrupt.require_go_on()
                stopping.require_time()
                others = len(self.running) - 1 if self.workers.cores > 1 else 0
                for future in done:
                    self.take(future, *self.running.pop(future), others)
                self.refill(queue)
                if time.monotonic() - self.looked >= BEAT:
                    self.workers.tend()
                    self.look()
            stopped = False
        finally:
            if stopped:
                self.workers.stop()
                for future in self.running:
                    future.cancel()
            self.workers.close()
            if stopped:
                self.keep_finished()
            self.costs.save()

    def refill(self, queue: Iterator[tuple[Ticket, Waiting]]) -> None:
        while True:
            self.next = self.next or (self.later.popleft() if self.later else next(queue, None))
            if self.next is None or not self.has_room(self.next[0]):
                return
            self.running[self.workers.submit(self.next[0])] = self.next
            self.next = None

    def has_room(self, one: Ticket) -> bool:
        """Workers are given some runs ahead, unless runs of several cores would take those of others."""
        self.wide = self.wide or one.width > 1
        if len(self.running) >= self.most:
            return False
        if not self.wide:
            return True
        taken = sum(other.width for other, _ in self.running.values())
        return not self.running or taken + one.width <= self.workers.cores

    def look(self) -> None:
        """What the workers have: the first of what they were given, as far as their cores go."""
        self.looked = time.monotonic()
        before, self.under_way = self.under_way, {}
        cores = max(self.workers.cores, 1)
        for future, (one, waiting) in self.running.items():
            if cores <= 0:
                break
            if not future.done():
                cores -= one.width
                self.under_way[future] = before.get(future) or UnderWay(waiting.name())
        self.standing.under_way = self.under_way.values()
        self.tell()

    def tell(self) -> None:
        self.standing.left_s, self.standing.guessed = self.forecast.left(self.workers.cores), self.forecast.guessed
        self.notify(self.standing)

    def take(self, future: Future[Record], one: Ticket, waiting: Waiting, others: int) -> None:
        """A run that ended while `others` were under way: kept, or tried again."""
        self.under_way.pop(future, None)
        try:
            record = future.result()
        except Lost as error:
            tries = self.lost[one.key] = self.lost.get(one.key, 0) + 1
            if tries <= self.workers.retries:
                self.running[self.workers.submit(one)] = (one, waiting)
                return
            hint = "give workers more memory or time; the same command tries it again"
            record = failed(one, codes.LOST, f"lost {tries} times: {error}", hint)
        short = [fault for fault in record.get("faults", ())[:1] if fault[0] == MEMORY]
        if short and others:
            # It may fit when one of the others has ended.
            self.most = max(1, min(self.most - 1, others))
            self.later.append((one, waiting))
            return
        self.most = min(self.most + 1, self.workers.room)
        took = float(record.get(SECONDS, 0.0))
        self.keep(record)
        if record["status"] == "done":
            self.costs.learn(one.evaluation, one.calls, took)
        self.forecast.ended(waiting.seconds)
        now = self.standing
        now.done, now.experiment = now.done + 1, one.experiment
        now.failed += record["status"] == "failed"
        self.short += short
        now.spent_s += took
        for further in self.after(one.key):
            self.later.append(further)
            self.forecast.ahead += further[1].seconds
            now.total += 1
        self.tell()

    def keep_finished(self) -> None:
        """Runs that ended while the study was stopping."""
        for future in self.running:
            if future.done() and not future.cancelled() and future.exception() is None:
                try:
                    self.keep(future.result())
                except NetloomError:
                    return

    def keep(self, record: Record) -> None:
        # How long it took is no part of the result.
        record.pop(SECONDS, None)
        # A failure that is not the input's fault may succeed next time: it is not recorded.
        if record["status"] == "failed":
            self.journal.done.add_failed(record)
        else:
            self.journal.add(record)


def width(run: Run, spare: int, widest: int) -> int:
    """Cores of a run: its option `threads`, or those that are left over where it is 0; no more than a worker has."""
    return min(int(run.options.get(THREADS, 1) or spare), widest)


@dataclass(slots=True)
class Waiting:
    """A run to come, and the seconds that it is thought to take."""

    part: Part
    run: Run
    seconds: float
    measured: bool

    def name(self) -> str:
        """The experiment, and the axes by which its runs differ."""
        own = [f"{axis}={label}" for axis, label in self.run.labels.items() if len(self.part.labels[axis]) > 1]
        return f"{self.part.spec.name} {', '.join(own)}".strip()[:NAME]


def forecast(queue: Collection[Waiting]) -> Forecast:
    """What all runs of a queue are thought to take."""
    whole = sum(one.seconds for one in queue)
    known = sum(one.seconds for one in queue if one.measured)
    return Forecast(whole, max(one.seconds for one in queue), guessed=known < whole / 2)


def longest_first(waiting: Iterable[Pair], costs: Costs) -> list[Waiting]:
    """Runs on one network side by side, so that its distances are at hand; the network of the longest run first."""
    groups: dict[object, list[Waiting]] = {}
    for part, run in waiting:
        one = Waiting(part, run, *costs.seconds(part.evaluation.name, run.calls))
        groups.setdefault(run.network, []).append(one)
    for group in groups.values():
        group.sort(key=lambda one: -one.seconds)
    return [one for group in sorted(groups.values(), key=lambda group: -group[0].seconds) for one in group]


def require_time(on: str, queue: Collection[Waiting]) -> None:
    """Refuses workers whose time ends before the longest run does, as far as such runs were measured.

    Raises
    ------
    NetloomError
        `NL-S024`.
    """
    limit = walltime(on)
    longest = max((one.seconds for one in queue if one.measured), default=0.0)
    if limit is not None and longest > limit:
        expected = f"at least {time_text(longest)}, what the longest run is thought to take"
        hint = "give a longer walltime; a run that is cut off is lost"
        raise NetloomError([Fault(codes.WALLTIME, "slurm.walltime", expected, time_text(limit), hint)])


def announce(queue: Collection[Waiting], jobs: int) -> None:
    """Say how long `jobs` workers are estimated to take for all runs, if that is long."""
    whole, longest = sum(one.seconds for one in queue), max(one.seconds for one in queue)
    guess = ", a guess: no such runs were measured here yet" if forecast(queue).guessed else ""
    counts = f"{counted(len(queue), 'run')}, {time_text(whole)} of one core{guess}"
    ahead.announce(max(whole / jobs, longest), counts, "more workers, or fewer values on the axes")


def by_network(groups: Iterable[list[Pair]]) -> list[list[Pair]]:
    """Groups of runs on one network side by side, in the order of the plan: the same on every machine."""
    found: dict[object, list[list[Pair]]] = {}
    for group in groups:
        found.setdefault(group[0][1].network, []).append(group)
    return [group for side_by_side in found.values() for group in side_by_side]
