"""`link-load`: bytes on every directed switch link under a routing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...results import Column
from .base import NETWORK, ORDER, PLACEMENT, RANKS, ROOT, ROUTING, SIZE, WORKLOAD, Evaluation, Made, Option, Row

if TYPE_CHECKING:
    from ..scenario import Scenario

COLUMNS = (
    Column("max_bytes", "B", "on the most loaded link (Jain 2016, equation 2.6)"),
    Column("mean_bytes", "B", "over all directed switch links"),
    Column("used_links", "", "directed switch links that carry anything"),
    Column("links", "", "directed switch links"),
    Column("endpoint_max_bytes", "B", "on the most loaded link of an endpoint"),
    Column("contentions", "", "messages of one step that share a link with another (option contentions)"),
)


def run(scenario: Scenario, options: dict[str, Any]) -> Made:
    """Cost: O(messages × path length)."""
    row: Row = dict(scenario.link_loads())
    row["links"] = 2 * scenario.network.switch_links
    row["contentions"] = scenario.contentions() if options["contentions"] else None
    return Made({column.name: row.get(column.name) for column in COLUMNS})


EVALUATION = Evaluation(
    name="link-load",
    summary="Bytes on the links of the network under a routing",
    axes=(NETWORK, RANKS, PLACEMENT, ORDER, WORKLOAD, SIZE, ROOT, ROUTING),
    columns=COLUMNS,
    options=(Option("contentions", False, "also count messages of one step that share a link"),),
    run=run,
    maps=True,
)
