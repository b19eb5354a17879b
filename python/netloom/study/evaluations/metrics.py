"""`metrics`: size, distances and cut of a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...results import Column
from .base import NETWORK, Evaluation, Made, Option

if TYPE_CHECKING:
    from ..scenario import Scenario

COLUMNS = (
    Column("switches", "", "number of switches"),
    Column("endpoints", "", "number of endpoints"),
    Column("switch_links", "", "full-duplex cables between switches"),
    Column("endpoint_links", "", "full-duplex cables between endpoints and switches"),
    Column("degree_min", "", "fewest switch-to-switch ports of a switch"),
    Column("degree_max", "", "most switch-to-switch ports of a switch"),
    Column("diameter", "hops", "largest distance between two switches"),
    Column("aspl", "hops", "mean distance over ordered pairs of distinct switches"),
    Column("bisection_lower", "cables", "no halving of the switches cuts fewer cables (option bisection)"),
    Column("bisection_upper", "cables", "a halving that cuts this many was found (option bisection)"),
)


def run(scenario: Scenario, options: dict[str, Any]) -> Made:
    """Cost: see `netloom.describe`."""
    network = scenario.network
    found = network.metrics(progress=scenario.progress)
    row = {column.name: found.get(column.name) for column in COLUMNS}
    if options["bisection"]:
        cut = network.bisection()
        row["bisection_lower"], row["bisection_upper"] = cut.get("lower"), cut.get("upper")
    return Made(row)


EVALUATION = Evaluation(
    name="metrics",
    summary="Size, degree, diameter and average distance of a network",
    axes=(NETWORK,),
    columns=COLUMNS,
    options=(Option("bisection", False, "also bound the bisection, which costs more than all else"),),
    run=run,
)
