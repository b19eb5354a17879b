"""`time`: simulated time of a collective, a traffic or an application under a mapping."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum, isnan, nan
from typing import TYPE_CHECKING, TypeVar, cast

from ...base.quantities import time_text
from ...results import Column
from ...results.rows import known_cell
from ...scenario import Question
from .. import channels
from ..answer import Answer, Row
from ..answers import TimeAnswer
from ..base import MACHINE, ROUTED, SEARCH, STOP, Evaluator, Option, Options, axes
from ..notes import notes
from ..properties import RUNGS
from . import left_out
from .calls import COLUMNS as CALLS
from .calls import calls
from .communicators import BANDWIDTH, communicators, mean_bandwidth
from .communicators import COLUMNS as COMMUNICATORS
from .of_core import recorded
from .run import simulated, without_bound

if TYPE_CHECKING:
    from ...base.arrays import Column as Ends
    from ...base.records import Found
    from ...jobs import PlacedJob
    from ...workload import Workload
    from ..records import JobTime

Timed = TypeVar("Timed", bound=Answer)

#: What the time of a critical path goes into, in the core's order, in words.
SHARES = {
    "compute": "compute",
    "combine": "combining what arrived",
    "copy": "copies in memory",
    "call": "entering collectives",
    "overhead": "time of processors for messages",
    "gap": "waiting until the rank or its NIC may start a message",
    "rendezvous": "handshakes",
    "software": "latency of software",
    "latency": "latency of routes",
    "bandwidth": "transfers as long as they take alone",
    "contention": "contention",
    "waiting": "waiting",
}

#: Of every answer in simulated time; between them stand those of the work it took.
TIMES = (
    Column("time_s", "s", "end of the last rank, all repetitions"),
    Column("repetition_s", "s", "time_s / repetitions"),
    Column("first_s", "s", "end of the first rank"),
    Column("mean_s", "s", "end of a rank, mean"),
    Column("mop_per_s", "Mop/s", "counted operations per time (applications)"),
    Column("messages", "", "messages that arrived"),
    Column("total_bytes", "B", "sum over all messages"),
    BANDWIDTH,
)
PATH = tuple(
    Column(f"{share}_s", "s", f"{words} on the critical path (option critical_path)") for share, words in SHARES.items()
)
COLUMNS = (
    *TIMES,
    Column("solves", "", "instants at which rates changed"),
    Column("folded_ranks", "", "classes of ranks that behave alike, one rank of each was simulated; empty: all were"),
    Column("periods_skipped", "", "periods of what repeats (rounds, steps, iterations) that were not simulated again"),
    *PATH,
    *SEARCH,
)
OPTIONS = (
    Option("critical_path", False, "record the run, and say what the time of its critical path goes into"),
    Option("trace", False, "record every message and what every rank does, for pictures"),
    Option("calls", False, "record the run; also a table `calls` of the time that ranks spend in each call of MPI"),
    Option("communicators", False, "also a table `communicators` of collectives that run side by side"),
    STOP,
)
#: What only flows know.
OF_FLOWS = (
    *OPTIONS,
    Option("fold", True, "simulate once what repeats, of ranks and of rounds, where that pays; false: all"),
)
AXES = (*ROUTED, *axes("variant", "seed", "jobs", "first_node", "repetitions", "background"), *MACHINE)
#: The core's counts of its work.
WORK = ("solves", "fillings", "entries", "changes")
#: How far it was spared.
SPARED = ("folded_ranks", "periods_skipped")
#: Of a job's row: axes of a study have these names.
SAID = ("workload", "ranks", "repetitions")
JOBS = (
    Column("job", "", "name"),
    Column("job_workload", "", "what it communicates"),
    Column("job_ranks", "", "number of ranks"),
    Column("start_s", "s", "when its ranks begin"),
    Column("job_repetitions", "", "how often the workload is done"),
    Column("time_s", "s", "from its start to the end of its last rank"),
    Column("first_s", "s", "end of its first rank"),
    Column("mean_s", "s", "end of a rank, mean"),
    Column("last_s", "s", "end of its last rank"),
    Column("mop_per_s", "Mop/s", "counted operations per time (applications)"),
)
#: Longer tables of every answer in simulated time.
TABLES = {"jobs": JOBS, "calls": CALLS, "communicators": COMMUNICATORS}


def run(bound: Question, options: Options) -> TimeAnswer:
    """Cost per message: its path, and the rates that its start and end change."""
    return answered(TimeAnswer, bound, options, COLUMNS, WORK)


def answered(
    kind: type[Timed],
    bound: Question,
    options: Options,
    columns: tuple[Column, ...],
    work: tuple[str, ...],
    more_tables: Callable[[Found, Row], dict[str, list[Row]]] | None = None,
) -> Timed:
    """The answer of one of the core's evaluators of time, with those of its counts that `work` names.

    `more_tables` makes tables of what the core found, and may fill columns of the row. The answer notes a default that
    replaces another routing, and an overloaded link: two passes over the messages, later.
    """
    found, loads, routing = simulated(bound, "time" if kind is TimeAnswer else "packet", options)
    record, made = found["record"], recorded(found)
    ends = made["finish_s"]
    every = [float(end) for job in ends for end in job]
    row: Row = dict.fromkeys(column.name for column in columns)
    row |= {key: record[key] for key in ("time_s", "messages", "mop_per_s", *work, *SPARED) if key in row}
    # Not known of a run that was stopped.
    whole_s = nan if record["time_s"] is None else cast("float", record["time_s"])
    row |= {
        "time_s": whole_s,
        "repetition_s": whole_s / bound.repetitions,
        "first_s": _first(every),
        "mean_s": _mean(every),
        "total_bytes": record["bytes"],
    }
    if options["critical_path"]:
        row |= {f"{share}_s": made["critical_path"]["shares_s"][share] for share in SHARES}
    if not bound.several and bound.place.search is not None:
        row |= bound.place.search.numbers()
    together = communicators(bound.jobs, loads, ends)
    row[BANDWIDTH.name] = mean_bandwidth(together)
    rows = [_job(job, load, end) for job, load, end in zip(bound.jobs, loads, ends, strict=True)]
    more: dict[str, object] = {"bytes": record["bytes"], "work": {key: record[key] for key in work}}
    more |= {key: record[key] for key in work if key not in row}
    more |= {key: value for key, value in made.items() if key != "finish_s"}
    more |= {"routing": routing or bound.site.routing_of(), "variant": bound.site.variant}
    more |= {"stopped_s": record["stopped_s"], "ranks_ended": record["ranks_ended"]}
    more |= {"finish_s": ends if bound.several else ends[0], "jobs": rows, "workloads": loads}
    # A table has no value there, where the answer has NaN.
    more |= {key: value for key, value in row.items() if known_cell(value) is None and value is not None}
    row = {key: known_cell(value) for key, value in row.items()}
    cells = [cast("Row", one) for one in rows]
    table: list[Row] = [
        {f"job_{key}" if key in SAID else key: known_cell(value) for key, value in one.items()} for one in cells
    ]
    tables = {"jobs": table} | (more_tables(found, row) if more_tables else {})
    if options["calls"]:
        tables["calls"] = calls(made["trace"], [(job.name, job.ranks) for job in bound.jobs])
    if options["communicators"]:
        tables["communicators"] = together
    said = [] if record["stopped_s"] is None else [_stopped(found, len(every))]
    said += [line for line in (without_bound(bound, options.get("switch")), left_out.sentence(record)) if line]
    if routing:
        said.append(f"In this run {channels.sentence(bound.network.default_routing)}.")
    return kind(row, tables, more, lambda: [*said, *notes(bound, loads)])


def _stopped(found: Found, ranks: int) -> str:
    """What a part of a run is."""
    record = found["record"]
    at_s, ended = record["stopped_s"], record["ranks_ended"]
    assert isinstance(at_s, float)
    return (
        f"Stopped in time, after {time_text(at_s)} of simulated time: {ended} of {ranks} ranks had ended, "
        f"{record['messages']} messages had arrived; how long it takes is not known."
    )


def _first(ends: Sequence[float]) -> float:
    """The least end: of a part of a run too, where some rank ended."""
    return min((end for end in ends if not isnan(end)), default=nan)


def _mean(ends: Sequence[float]) -> float:
    """NaN where the end of a rank is not known."""
    return nan if any(map(isnan, ends)) else fsum(ends) / len(ends)


def _job(job: PlacedJob, load: Workload, found: Ends) -> JobTime:
    ends = [float(end) for end in found]
    last = nan if any(map(isnan, ends)) else max(ends)
    took = last - job.start_s
    counted = getattr(load, "counted_operations", 0) * job.repetitions
    return {
        "job": job.name,
        "workload": load.label,
        "ranks": len(ends),
        "start_s": job.start_s,
        "repetitions": job.repetitions,
        "time_s": took,
        "first_s": _first(ends),
        "mean_s": _mean(ends),
        "last_s": last,
        "mop_per_s": counted / took / 1e6 if counted and took > 0 else None,
    }


EVALUATOR = Evaluator(
    name="time",
    summary="Simulated time of a collective, a traffic or an application: messages share links max-min fairly",
    axes=AXES,
    columns=COLUMNS,
    options=OF_FLOWS,
    tables=TABLES,
    headline="time_s",
    run=run,
    model=RUNGS["time"].model,
    assumptions=RUNGS["time"].sentences(),
    maps=True,
    either=("workload", "jobs"),
)
