"""`link-load`: bytes on every directed switch link under a routing."""

from __future__ import annotations

from typing import Any

from ... import _core
from ...results import Column
from ...scenario import Bound
from ..answer import Answer, Row
from ..base import ROUTED, SEARCH, Evaluator, Option

COLUMNS = (
    Column("max_bytes", "B", "on the most loaded link (Jain 2016, equation 2.6)"),
    Column("mean_bytes", "B", "over all directed switch links"),
    Column("used_links", "", "directed switch links that carry anything"),
    Column("links", "", "directed switch links"),
    Column("endpoint_max_bytes", "B", "on the most loaded link of an endpoint"),
    Column("contentions", "", "messages of one step that share a link with another (option contentions)"),
    *SEARCH,
)


def run(bound: Bound, options: dict[str, Any]) -> Answer:
    """Cost: O(messages × path length)."""
    routing, load = bound.routing_of(default="single-minimal"), bound.listed
    found = _core.link_loads(bound.network, bound.mapping, load, routing)
    row: Row = {column.name: found.get(column.name) for column in COLUMNS}
    row["links"] = 2 * bound.network.switch_links
    if options["contentions"] and isinstance(load, _core.Schedule):
        row["contentions"] = _core.contentions(bound.network, bound.mapping, load, routing)
    if bound.search is not None:
        row |= bound.search.numbers()
    return Answer(row, more={"bytes": found["bytes"]})


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
