"""One run as plain data, and how it is computed: the same in a thread, in another process, on another machine."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .. import plugin
from ..base import memory
from ..base.ahead import announced
from ..base.errors import Fault, NetloomError, no_text, printable
from ..base.processes import build
from ..evaluate import answer, evaluator
from ..evaluate.base import Options
from ..scenario import Interrupted, Progress, Scenario, Workshop
from ..scenario.canonical import Calls
from . import codes
from .plan import Part, Plan
from .runs import Run
from .sealed import UNUSED, Record
from .values import Scalar

#: Key under which a record that comes from a worker has how long it took.
SECONDS = "seconds"
#: Option of evaluators that compute one run in several threads: the same bytes with any number.
THREADS = "threads"
#: The fault of what needs more memory than there is.
MEMORY = "NL-X011"


@dataclass(frozen=True)
class Ticket:
    """All that a worker must know of one run. It can be pickled.

    Parameters
    ----------
    build
        Version and digest of the core that the study was planned with.
    folder
        Where file names of the study start; workers on other machines see it under the same path.
    plugins
        Files of the user's own classes, and their digest.
    width
        Cores that the run takes: its threads.
    memory
        Bytes that one network, file or search may take; None for what the worker has free.
    """

    key: str
    experiment: str
    evaluation: str
    options: Options
    inputs: dict[str, object]
    calls: dict[str, Scalar]
    build: str
    folder: str
    plugins: tuple[str, ...] = ()
    width: int = 1
    memory: int | None = None


def ticket(plan: Plan, part: Part, run: Run, width: int = 1) -> Ticket:
    """A run of a plan as plain data; `width` cores are its own, where it can use several."""
    options = run.options
    if THREADS in options:
        options = {**options, THREADS: width}
    source = plan.loaded.source.folder.resolve()
    own = tuple(str(source / name) for name in plan.loaded.study.plugins)
    return Ticket(
        run.key, part.spec.name, part.evaluation.name, options, run.inputs(), run.calls, plan.version,
        str(source), own, width, memory.given(),
    )  # fmt: skip


def compute(one: Ticket, workshop: Workshop, progress: Progress) -> Record:
    """The record of a run: `done`, `refused` by the evaluation, or `failed` by a fault of ours; and its `SECONDS`.

    Raises
    ------
    NetloomError
        What is the environment's fault and may be well next time (`NL-X...`).
    Interrupted
        If `progress` says so.
    """
    begin = time.perf_counter()
    record = _compute(one, workshop, progress)
    record[SECONDS] = time.perf_counter() - begin
    return record


def _compute(one: Ticket, workshop: Workshop, progress: Progress) -> Record:
    record: Record = {"key": one.key, "status": "done", "calls": one.calls}
    try:
        scenario = Scenario.from_dict(one.inputs, Path(one.folder))
        # What all runs take was said before.
        with announced():
            made = answer(evaluator(one.evaluation), scenario, workshop, one.options, progress)
    except NetloomError as error:
        if all(fault.code == MEMORY for fault in error.faults):
            # Of this run: the others go on, and on another machine it may fit.
            return record | {"status": "failed", "faults": [_listed(fault) for fault in error.faults]}
        if any(fault.code.startswith("NL-X") for fault in error.faults):
            raise
        faults = [_listed(fault) for fault in error.faults]
        return record | {"status": "refused", "faults": faults}
    except (Interrupted, KeyboardInterrupt):
        raise
    except UnicodeEncodeError as error:
        f = no_text(error)
        return record | {"status": "refused", "faults": [[f.code, f.place, f.expected, printable(f.got), f.hint]]}
    except Exception as error:
        return record | {"status": "failed", "faults": [_failure(error)]}
    # Through JSON at once: fresh and resumed results are the same objects.
    found = {"row": made.record, "tables": made.tables}
    unused = {UNUSED: made.without_effect} if made.without_effect else {}
    text = json.dumps(record | found | unused, default=_plain)
    # What is no finite number is not known: a table has no cell for it.
    return dict(json.loads(text, parse_constant=lambda _: None))


def _listed(fault: Fault) -> list[str]:
    return [fault.code, fault.place, fault.expected, fault.got, fault.hint]


def failed(one: Ticket, code: str, expected: str, hint: str) -> Record:
    """The record of a run that no worker could finish."""
    return {"key": one.key, "status": "failed", "calls": one.calls, "faults": [[code, "run", expected, "", hint]]}


def compute_here(one: Ticket) -> Record | list[Fault]:
    """`compute` in a worker process, which keeps what runs share. Faults of the environment are returned.

    A worker with another core than the planner's refuses by name: its numbers could differ.
    """
    if one.build != build():
        expected = f"the netloom of the planner, {one.build}"
        return [Fault(codes.WORKER, "worker", expected, build(), "install the same netloom on all workers")]
    memory.limit_memory(one.memory)
    try:
        return compute(one, _workshop(one.folder, one.plugins), lambda *_: None)
    except NetloomError as error:
        return list(error.faults)


@cache
def _workshop(folder: str, plugins: tuple[str, ...]) -> Workshop:
    """What the runs of one study share in this process."""
    for path in plugins:
        plugin.load(Path(path))
    return Workshop(Calls(Path(folder)))


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
