"""`metrics`: size, distances and cut of a network."""

from __future__ import annotations

from ...results import Column
from ...scenario import Question
from ..answer import cells
from ..answers import MetricsAnswer
from ..base import Evaluator, Option, Options, axes

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


def run(bound: Question, options: Options) -> MetricsAnswer:
    """Cost: see `netloom.describe`."""
    network = bound.network
    found = network.metrics(progress=bound.progress)
    row = cells(COLUMNS, found)
    if options["bisection"]:
        cut = network.bisection()
        row["bisection_lower"], row["bisection_upper"] = cut.get("lower"), cut.get("upper")
    return MetricsAnswer(row, more=found)


EVALUATOR = Evaluator(
    name="metrics",
    summary="Size, degree, diameter and average distance of a network",
    axes=axes("machine", "network", "format", "part", "fail"),
    columns=COLUMNS,
    options=(Option("bisection", False, "also bound the bisection, which costs more than all else"),),
    headline="aspl",
    run=run,
    model="breadth-first search from every switch",
    assumptions=("Distances are between switches; cables of endpoints are no hops.",),
)
