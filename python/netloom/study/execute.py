"""Runs a plan: threads over runs, a journal line per finished run, and a clean stop."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from ..base import interrupt
from ..base.errors import NetloomError, no_text, printable
from ..evaluate import answer
from ..scenario import Interrupted, Workshop
from .journal import Journal
from .plan import Part, Plan, Run
from .sealed import Record

#: Called with (finished runs, all runs, name of the experiment of the last finished one).
Report = Callable[[int, int, str], None]


def default_jobs() -> int:
    """Processors that this process may use."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return max(1, os.cpu_count() or 1)


def execute(plan: Plan, journal: Journal, *, jobs: int = 0, report: Report | None = None) -> dict[str, Record]:
    """Compute every run that is not in the journal.

    Parameters
    ----------
    jobs
        Threads; 0 for one per processor. The results do not depend on it.

    Returns
    -------
    dict
        Record per run key: `status` is `done` (with `row` and `tables`), or `refused` or `failed` (with `faults`).

    Raises
    ------
    KeyboardInterrupt
        After the runs that were under way have stopped; finished ones are in the journal.
    NetloomError
        If the journal cannot be written.
    """
    waiting: dict[str, tuple[Part, Run]] = {}
    for part, run in plan.runs():
        if run.key not in journal.done:
            waiting.setdefault(run.key, (part, run))
    unique = len({run.key for _, run in plan.runs()})
    finished = unique - len(waiting)
    notify = report or (lambda *_: None)
    notify(finished, unique, "")
    if waiting:
        with interrupt.held():
            _Pool(plan, journal, notify, finished, unique).work(waiting, jobs or default_jobs())
    return journal.done


class _Pool:
    def __init__(self, plan: Plan, journal: Journal, notify: Report, finished: int, total: int) -> None:
        self.workshop = Workshop(plan.calls)
        self.journal, self.notify, self.finished, self.total = journal, notify, finished, total
        self.stop = threading.Event()

    def work(self, waiting: dict[str, tuple[Part, Run]], jobs: int) -> None:
        queue = iter(_by_network(waiting))
        pool = ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="netloom-run")
        running: dict[Future[Record], Part] = {}

        def refill() -> None:
            while len(running) < 2 * jobs:
                item = next(queue, None)
                if item is None:
                    return
                running[pool.submit(self.compute, *item)] = item[0]

        try:
            refill()
            while running:
                # A bounded wait lets signals in on every platform.
                done, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
                interrupt.require_go_on()
                for future in done:
                    part = running.pop(future)
                    self._keep(future.result())
                    self.finished += 1
                    self.notify(self.finished, self.total, part.spec.name)
                refill()
        except BaseException:
            self.stop.set()
            for future in running:
                future.cancel()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            if self.stop.is_set():
                self._keep_finished(running)

    def _keep_finished(self, running: dict[Future[Record], Part]) -> None:
        """Runs that ended while the study was stopping."""
        for future in running:
            if not future.cancelled() and future.exception() is None:
                try:
                    self._keep(future.result())
                except NetloomError:
                    return

    def _keep(self, record: Record) -> None:
        # A failure that is not the input's fault may succeed next time: it is not recorded.
        if record["status"] == "failed":
            self.journal.done[record["key"]] = record
        else:
            self.journal.add(record)

    def progress(self, done: int, total: int) -> None:
        if self.stop.is_set():
            raise Interrupted

    def compute(self, part: Part, run: Run) -> Record:
        if self.stop.is_set():
            raise Interrupted
        try:
            scenario = run.scenario(self.workshop.calls.folder)
            made = answer(part.evaluation, scenario, self.workshop, part.options, self.progress)
            row, tables = made.record, made.tables
        except NetloomError as error:
            if any(fault.code.startswith("NL-X") for fault in error.faults):
                raise  # The environment's fault, not the run's: it may be well next time.
            faults: list[object] = [[f.code, f.place, f.expected, f.got, f.hint] for f in error.faults]
            return {"key": run.key, "status": "refused", "calls": run.calls, "faults": faults}
        except (Interrupted, KeyboardInterrupt):
            raise
        except UnicodeEncodeError as error:
            f = no_text(error)
            faults = [[f.code, f.place, f.expected, printable(f.got), f.hint]]
            return {"key": run.key, "status": "refused", "calls": run.calls, "faults": faults}
        except Exception as error:
            return {"key": run.key, "status": "failed", "calls": run.calls, "faults": [_failure(error)]}
        record = {"key": run.key, "status": "done", "calls": run.calls, "row": row, "tables": tables}
        # Through JSON at once: fresh and resumed results are the same objects.
        text = json.dumps(record, default=_plain)
        return dict(json.loads(text))


def _failure(error: Exception) -> list[str]:
    """One run's failure as a fault: the others go on."""
    if isinstance(error, MemoryError):
        return ["NL-X011", "run", "not enough memory", "", "choose smaller sizes, or fewer jobs (-j)"]
    if os.environ.get("NETLOOM_DEBUG"):
        raise error
    words = " ".join(f"{type(error).__name__}: {error}".split())
    return ["NL-X013", "run", f"internal error: {words[:200]}", "", "this is a bug; please report the study"]


def _plain(value: object) -> object:
    """NumPy scalars as Python numbers."""
    return value.item() if hasattr(value, "item") else str(value)


def _by_network(waiting: dict[str, tuple[Part, Run]]) -> list[tuple[Part, Run]]:
    """Runs on one network side by side, so that its distances are at hand."""
    groups: dict[object, list[tuple[Part, Run]]] = {}
    for part, run in waiting.values():
        groups.setdefault(run.values.get("network", ""), []).append((part, run))
    return [item for group in groups.values() for item in group]
