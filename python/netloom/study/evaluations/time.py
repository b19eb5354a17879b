"""`time`: simulated time of a collective, a traffic or an application under a mapping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...results import Column
from .base import (
    NETWORK,
    ORDER,
    PLACEMENT,
    RANKS,
    ROOT,
    ROUTING,
    SIZE,
    WORKLOAD,
    AxisSpec,
    Evaluation,
    Made,
    Option,
    Row,
)

if TYPE_CHECKING:
    from ..scenario import Scenario

SHARES = ("compute", "overhead", "latency", "bandwidth", "contention", "waiting")

COLUMNS = (
    Column("time_s", "s", "end of the last rank, all repetitions"),
    Column("repetition_s", "s", "time_s / repetitions"),
    Column("first_s", "s", "end of the first rank"),
    Column("mean_s", "s", "end of a rank, mean"),
    Column("mop_per_s", "Mop/s", "counted operations per time (applications)"),
    Column("messages", "", "messages that arrived"),
    Column("total_bytes", "B", "sum over all messages"),
    Column("solves", "", "instants at which rates changed"),
    *(Column(f"{share}_s", "s", f"{share} on the critical path (option critical_path)") for share in SHARES),
    Column("start_value", "", "objective before an optimiser"),
    Column("value", "", "objective after an optimiser"),
    Column("evaluations", "", "mappings that the optimiser evaluated"),
)


def run(scenario: Scenario, options: dict[str, Any]) -> Made:
    """Cost per message: its path, and the rates that its start and end change."""
    found = scenario.simulate(
        flops_per_s=float(options["flops_per_s"]),
        algorithms=options["algorithms"],
        trace=options["critical_path"],
    )
    finish = found["finish_s"]
    row: Row = dict.fromkeys(column.name for column in COLUMNS)
    row |= {key: found[key] for key in ("time_s", "messages", "solves", "mop_per_s")}
    row |= {
        "repetition_s": found["time_s"] / scenario.repetitions,
        "first_s": float(finish.min()),
        "mean_s": float(finish.mean()),
        "total_bytes": found["bytes"],
    }
    if options["critical_path"]:
        row |= {f"{share}_s": found["critical_path"]["shares_s"][share] for share in SHARES}
    if scenario.search is not None:
        row |= {key: scenario.search.get(key) for key in ("start_value", "value", "evaluations")}
    return Made(row)


EVALUATION = Evaluation(
    name="time",
    summary="Simulated time of a collective, a traffic or an application: messages share links max-min fairly",
    axes=(
        NETWORK,
        RANKS,
        PLACEMENT,
        ORDER,
        WORKLOAD,
        SIZE,
        ROOT,
        ROUTING,
        AxisSpec("calibration", "calibration", "pure", "shipped name or TOML file: see docs/reference/calibrations.md"),
        AxisSpec("duplex", "duplex", "full", '"full", or "half": both directions of a cable share its bandwidth'),
        AxisSpec("switch_latency", "seconds", "0", 'added per switch that a message passes, such as "100 ns"'),
        AxisSpec("repetitions", "count", 1, "how often the workload is done, without a barrier"),
        AxisSpec("cores", "count", 1, "ranks that share an endpoint; the order then names slots, rank r on slot r"),
    ),
    columns=COLUMNS,
    options=(
        Option("flops_per_s", 1e11, "speed of a rank"),
        Option("algorithms", "", 'what an application uses, such as "alltoall:bruck; allreduce:ring"; else as MPICH'),
        Option("critical_path", False, "record the run, and say what the time of its critical path goes into"),
    ),
    run=run,
    maps=True,
)
