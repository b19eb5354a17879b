"""`hops`: hop counts of a workload under a mapping, which an optimiser may improve."""

from __future__ import annotations

from ... import _core
from ...results import Column
from ...scenario import Question
from ...scenario.effect import of_wire
from .. import ahead, core
from ..answer import Row
from ..answers import HopsAnswer
from ..base import JOB, SEARCH, Evaluator, Option, Options, axes
from ..properties import RUNGS

COLUMNS = (
    *core.columns("hops", bytes="total_bytes"),
    Column("steps", "", "communication steps"),
    *SEARCH,
)
STEPS = (Column("step", "", "from 1"), Column("messages", "", "in this step"), Column("hops", "hops", "in this step"))
TRACE = (Column("evaluations", "", "mappings evaluated so far"), Column("value", "", "best objective so far"))


def run(bound: Question, options: Options) -> HopsAnswer:
    """Cost: O(messages) after the network's distances are known."""
    ahead.say(ahead.of_hops(bound, bound.messages))
    found = _core.evaluate(core.alone(bound, bound.messages), "hops", {}, bound.progress)
    steps = list(core.rows(found["tables"]["steps"]))
    row: Row = dict(found["record"])
    row["total_bytes"] = total = row.pop("bytes")
    row["steps"] = len(steps) if isinstance(bound.messages, _core.Schedule) else None
    row |= dict.fromkeys(column.name for column in SEARCH)
    histogram = list(found["tables"]["histogram"]["messages"])
    more = {"workload": bound.messages.label, "ranks": len(bound.mapping), "steps": steps}
    made = HopsAnswer(row, more=more | {"histogram": histogram, "bytes": total})
    if bound.place.search is not None:
        row |= bound.place.search.numbers()
        if options["trace"]:
            trace = bound.place.search.trace
            made.tables["trace"] = [{"evaluations": int(at), "value": _number(value)} for at, value in trace]
    if options["steps"] and steps:
        rows = enumerate(steps, start=1)
        made.tables["steps"] = [{"step": i, "messages": s["messages"], "hops": s["hops"]} for i, s in rows]
    return made


def _inside(bound: Question) -> str:
    """A node counts by its seats and its NICs."""
    counts = "cores" not in bound.scenario or (bound.site.node is not None and bound.site.node.nics > 1)
    return "" if counts else "hops are between switches, and the ranks of an endpoint are given by cores"


def _number(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)


EVALUATOR = Evaluator(
    name="hops",
    summary="Hop counts of a collective or traffic under a mapping",
    axes=(*JOB, *axes("wire")),
    columns=COLUMNS,
    options=(
        Option("trace", False, "also a table `trace` of the optimiser's best value over its evaluations"),
        Option("steps", False, "also a table `steps` of messages and hops per step"),
    ),
    tables={"trace": TRACE, "steps": STEPS},
    headline="mean_hops",
    run=run,
    model=RUNGS["hops"].model,
    assumptions=RUNGS["hops"].sentences(),
    maps=True,
    idle={"node": _inside, "wire": of_wire},
    either=("workload",),
)
