"""`cost`: cable lengths on a floor of cabinets, and what the network's parts cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...results import Column
from .base import NETWORK, AxisSpec, Evaluation, Made, Option

if TYPE_CHECKING:
    from ..scenario import Scenario

COLUMNS = (
    Column("switches", "", "number of switches"),
    Column("cables", "", "full-duplex cables between switches"),
    Column("cable_length_total_m", "m", "sum over all switch cables"),
    Column("cable_length_mean_m", "m", "per switch cable"),
    Column("cable_length_max_m", "m", "of the longest"),
    Column("cable_cost_usd", "USD", "price of the switch cables"),
    Column("switch_cost_usd", "USD", "price of the switches"),
    Column("total_usd", "USD", "price of switches and cables"),
)


def run(scenario: Scenario, options: dict[str, Any]) -> Made:
    """Cost: O(links)."""
    cost = scenario.cost(**options).to_dict()
    cost["switches"] = scenario.network.switches
    return Made({column.name: cost[column.name] for column in COLUMNS})


EVALUATION = Evaluation(
    name="cost",
    summary="Cable lengths and price of a network laid out in cabinets",
    axes=(
        NETWORK,
        AxisSpec("cabinets", "text", "row-major", "how switches fill the cabinets: an order of netloom.cost"),
        AxisSpec(
            "model", "cost_model", "", "cost model: a shipped name, or the path of a TOML file; empty for the default"
        ),
        AxisSpec("layout_seed", "int", 0, "seed of a random order of cabinets"),
    ),
    columns=COLUMNS,
    options=(
        Option("endpoint_ports", True, "a switch needs a port for each of its endpoints"),
        Option("endpoint_cables", False, "the cables to the endpoints are paid for"),
    ),
    run=run,
)
