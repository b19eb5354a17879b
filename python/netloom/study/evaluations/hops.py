"""`hops`: hop counts of a workload under a mapping, which an optimiser may improve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...results import Column
from .base import NETWORK, ORDER, PLACEMENT, RANKS, ROOT, SIZE, WORKLOAD, Evaluation, Made, Option

if TYPE_CHECKING:
    from ..scenario import Scenario

COLUMNS = (
    Column("messages", "", "number of messages"),
    Column("total_hops", "hops", "sum over all messages"),
    Column("mean_hops", "hops", "per message"),
    Column("max_hops", "hops", "of the farthest message"),
    Column("steps", "", "communication steps"),
    Column("total_bytes", "B", "sum over all messages"),
    Column("hop_bytes", "B", "sum of bytes times hops"),
    Column("average_hops_per_byte", "hops", "hop_bytes / total_bytes"),
    Column("average_bytes_per_link", "B", "hop_bytes / directed switch links"),
    Column("start_value", "", "objective before an optimiser"),
    Column("value", "", "objective after an optimiser"),
    Column("bound", "", "no mapping can have a smaller objective"),
    Column("evaluations", "", "mappings that the optimiser evaluated"),
)

STEPS = (Column("step", "", "from 1"), Column("messages", "", "in this step"), Column("hops", "hops", "in this step"))
TRACE = (Column("evaluations", "", "mappings evaluated so far"), Column("value", "", "best objective so far"))


def run(scenario: Scenario, options: dict[str, Any]) -> Made:
    """Cost: O(messages) after the network's distances are known."""
    mapping = scenario.mapping
    found = scenario.hops()
    row = {column.name: found.get(column.name) for column in COLUMNS}
    row["steps"] = len(found["steps"]) if scenario.is_schedule else None
    row["total_bytes"] = found["bytes"]
    made = Made(row)
    if scenario.search is not None:
        row |= {key: scenario.search.get(key) for key in ("start_value", "value", "bound", "evaluations")}
        if options["trace"]:
            trace = scenario.search["trace"]
            made.tables["trace"] = [{"evaluations": int(at), "value": _number(value)} for at, value in trace]
    if options["steps"] and found.get("steps"):
        rows = enumerate(found["steps"], start=1)
        made.tables["steps"] = [{"step": i, "messages": s["messages"], "hops": s["hops"]} for i, s in rows]
    assert len(mapping) == scenario.ranks
    return made


def _number(value: Any) -> int | float:
    return int(value) if float(value).is_integer() else float(value)


EVALUATION = Evaluation(
    name="hops",
    summary="Hop counts of a collective or traffic under a mapping",
    axes=(NETWORK, RANKS, PLACEMENT, ORDER, WORKLOAD, SIZE, ROOT),
    columns=COLUMNS,
    options=(
        Option("trace", False, "also a table `trace` of the optimiser's best value over its evaluations"),
        Option("steps", False, "also a table `steps` of messages and hops per step"),
    ),
    tables={"trace": TRACE, "steps": STEPS},
    run=run,
    maps=True,
)
