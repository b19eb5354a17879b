"""`hops`: hop counts of a workload under a mapping, which an optimiser may improve."""

from __future__ import annotations

from typing import Any

from ... import _core
from ...results import Column
from ...scenario import Bound
from ..answer import Answer, Row
from ..base import JOB, SEARCH, Evaluator, Option

COLUMNS = (
    Column("messages", "", "number of messages"),
    Column("total_hops", "hops", "sum over all messages"),
    Column("mean_hops", "hops", "per message"),
    Column("max_hops", "hops", "of the farthest message"),
    Column("steps", "", "communication steps"),
    Column("total_bytes", "B", "sum over all messages"),
    Column("hop_bytes", "B", "sum of bytes times hops"),
    Column("average_dilation", "hops", "hops per message of a flow, mean over flows (Jain 2016, equation 2.3)"),
    Column("average_hops_per_byte", "hops", "hop_bytes / total_bytes"),
    Column("average_bytes_per_link", "B", "hop_bytes / directed switch links"),
    *SEARCH,
)
STEPS = (Column("step", "", "from 1"), Column("messages", "", "in this step"), Column("hops", "hops", "in this step"))
TRACE = (Column("evaluations", "", "mappings evaluated so far"), Column("value", "", "best objective so far"))


def run(bound: Bound, options: dict[str, Any]) -> Answer:
    """Cost: O(messages) after the network's distances are known."""
    found = _core.hops(bound.network, bound.mapping, bound.listed, bound.distance, bound.progress)
    steps = found.pop("steps", None) or []
    row: Row = {column.name: found.get(column.name) for column in COLUMNS}
    row |= {"steps": len(steps) if isinstance(bound.listed, _core.Schedule) else None, "total_bytes": found["bytes"]}
    more = {"workload": bound.listed.label, "ranks": len(bound.mapping), "steps": steps}
    made = Answer(row, more=more | {key: found[key] for key in ("histogram", "bytes")})
    if bound.search is not None:
        row |= bound.search.numbers()
        if options["trace"]:
            trace = bound.search.trace
            made.tables["trace"] = [{"evaluations": int(at), "value": _number(value)} for at, value in trace]
    if options["steps"] and steps:
        rows = enumerate(steps, start=1)
        made.tables["steps"] = [{"step": i, "messages": s["messages"], "hops": s["hops"]} for i, s in rows]
    return made


def _number(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)


EVALUATOR = Evaluator(
    name="hops",
    summary="Hop counts of a collective or traffic under a mapping",
    axes=JOB,
    columns=COLUMNS,
    options=(
        Option("trace", False, "also a table `trace` of the optimiser's best value over its evaluations"),
        Option("steps", False, "also a table `steps` of messages and hops per step"),
    ),
    tables={"trace": TRACE, "steps": STEPS},
    run=run,
    model="shortest distances",
    assumptions=(
        "Every message takes a shortest path; links have no load.",
        "Ranks of one switch are 0 hops apart.",
    ),
    maps=True,
    either=("workload",),
)
