"""`link-load`: bytes on every directed switch link under a routing."""

from __future__ import annotations

from ... import _core
from ...base.arrays import ndarray
from ...results import Column
from ...scenario import Bound
from .. import core
from ..answer import Answer, cells
from ..base import ROUTED, SEARCH, Evaluator, Option, Options

COLUMNS = (
    *core.columns("loads", "max_bytes", "mean_bytes", "used_links"),
    Column("links", "", "directed switch links"),
    *core.columns("loads", "endpoint_max_bytes"),
    Column("contentions", "", "messages of one step that share a link with another (option contentions)"),
    *SEARCH,
)


def run(bound: Bound, options: Options) -> Answer:
    """Cost: O(messages × path length)."""
    load = bound.listed
    counted = options["contentions"] and isinstance(load, _core.Schedule)
    asked = core.alone(bound, load, bound.routing_of(default=bound.one_path if counted else None))
    found = _core.evaluate(asked, "loads", {"hottest": 0}, bound.progress)
    row = cells(COLUMNS, found["record"])
    row["links"] = 2 * bound.network.switch_links
    if counted:
        row["contentions"] = _core.evaluate(asked, "contentions", {}, bound.progress)["record"]["contentions"]
    if bound.search is not None:
        row |= bound.search.numbers()
    column = found["tables"]["links"]["bytes"]
    return Answer(row, more={"bytes": ndarray(column)[: 2 * bound.network.switch_links]})


EVALUATOR = Evaluator(
    name="link-load",
    summary="Bytes on the links of the network under a routing",
    axes=ROUTED,
    columns=COLUMNS,
    options=(Option("contentions", False, "also count messages of one step that share a link"),),
    run=run,
    model="expected bytes in the routing's shares",
    assumptions=("All messages of the workload count together; there is no time.",),
    maps=True,
    either=("workload",),
)
