"""Definition of an evaluator: its axes, options, columns, and the function that answers."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from .. import _core
from ..results import Column, Table
from ..results.rows import Cell
from ..scenario import Axis, Question
from ..scenario.axes import BY_NAME
from ..scenario.effect import Reason
from ..scenario.parameters import axis_of, input_of, is_parameter
from .answer import Answer, Row

if TYPE_CHECKING:
    from ..base.records import Param
    from ..report import Section
    from ..report.pictures import ChartRequest, Pictures


@dataclass(frozen=True)
class Option:
    """A setting of an evaluation, the same for all its runs unless an axis of a study has its name.

    Numbers are finite, from `least` to `most`. `kind` is the type of one that may be left out: its default is None.
    """

    name: str
    default: Cell
    help: str
    choices: tuple[str, ...] = ()
    least: float = 0
    most: float = math.inf
    kind: type[int] | type[float] | None = None

    def accepts(self, value: object) -> str:
        """Why a value is invalid; empty if it is valid."""
        wanted = self.kind or type(self.default)
        if value is None and self.default is None:
            return ""
        if self.choices:
            return "" if value in self.choices else "one of " + ", ".join(self.choices)
        good = type(value) in (int, float) if wanted is float else type(value) is wanted
        if good and isinstance(value, (int, float)) and wanted in (int, float):
            good = self.least <= value <= min(self.most, sys.float_info.max if wanted is float else 2**63 - 1)
        span = f">= {self.least}" if math.isinf(self.most) else f"in {self.least}..{self.most}"
        words = {bool: "true or false", int: f"an integer {span}", float: f"a number {span}"}
        return "" if good else words.get(wanted, "text")


#: What a run may take.
STOP = Option("stop_after_s", None, "seconds after which what is found so far is the answer", kind=float)
#: The options of one evaluation by name, as `Option.accepts` lets them through.
Options = Mapping[str, Cell]


def core_options(name: str, *, without: tuple[str, ...] = ()) -> tuple[Option, ...]:
    """Options of one of the core's evaluators; defaults, ranges and meanings are defined there."""
    (row,) = (row for row in _core.catalogue("evaluators") if row["name"] == name)
    return tuple(_option(param) for param in row["params"] if param["name"] not in without)


def _option(param: Param) -> Option:
    text = param["default"]
    if param["type"] == "bool":
        return Option(param["name"], text == "true", param["help"])
    if param["type"] == "choice":
        words = param["kind"].removeprefix("one of ").split(", ")
        return Option(param["name"], text, param["help"], choices=tuple(words))
    if param["type"] == "text":
        return Option(param["name"], text, param["help"])
    assert param["range"] is not None
    least, most = param["range"]
    kind: type[int] | type[float] = {"int": int, "float": float}[param["type"]]
    if not text:
        return Option(param["name"], None, param["help"], (), least, most, kind)
    return Option(param["name"], kind(text), param["help"], (), least, most)


#: Rows that compare runs, from the main table, the longer ones and the axes of a study.
Compared = Callable[[Table, dict[str, Table], list[str]], list[Row]]


@dataclass(frozen=True)
class ChartKind:
    """A chart kind provided by an evaluator.

    Parameters
    ----------
    draw
        From a table of runs, the chart, the name of its files and where they go, to a section of the report.
    needs
        Columns of the table that it reads.
    x, series
        Whether the chart names its columns x and series itself.
    """

    draw: Callable[[Table, ChartRequest, str, Pictures], Section]
    needs: tuple[str, ...]
    x: bool = False
    series: bool = True


@dataclass(frozen=True)
class Evaluator:
    """One row of the registry: all that Python, commands, studies, reports and docs know about an evaluator.

    Parameters
    ----------
    axes
        Inputs of the scenario that it uses.
    run
        The answer for a scenario and the options.
    options
        Its own settings, the same for all runs of a study.
    columns, tables
        Of the record, and of the longer tables by name.
    model, assumptions
        What answers, and what it takes for granted, a sentence each.
    maps
        True if the run's mapping can be written as rank files.
    either
        Axes of which one must be given.
    compared
        Names of `tables` whose rows compare runs, and what makes their rows.
    charts
        Its own chart kinds.
    headline
        The column that answers by its least value; "" if none does.
    idle, idle_options
        By axis and by option, why a given one changes nothing in a scenario, where the general reasons do not say it.
    """

    name: str
    summary: str
    axes: tuple[Axis, ...]
    columns: tuple[Column, ...]
    run: Callable[[Question, Options], Answer]
    model: str
    assumptions: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    tables: dict[str, tuple[Column, ...]] = field(default_factory=dict)
    maps: bool = False
    either: tuple[str, ...] = ()
    compared: dict[str, Compared] = field(default_factory=dict)
    charts: dict[str, Callable[[], ChartKind]] = field(default_factory=dict)
    headline: str = ""
    idle: Mapping[str, Reason] = field(default_factory=dict)
    idle_options: Mapping[str, Reason] = field(default_factory=dict)

    @cached_property
    def _axes(self) -> dict[str, Axis]:
        return {axis.name: axis for axis in self.axes}

    def axis(self, name: str) -> Axis | None:
        """The axis of that name, or of a part of one: `node.nics`."""
        return axis_of(name) if is_parameter(name) and input_of(name) in self._axes else self._axes.get(name)


def axes(*names: str) -> tuple[Axis, ...]:
    """Rows of the table of axes."""
    return tuple(BY_NAME[name] for name in names)


#: Inputs of all who evaluate one job under a mapping.
JOB = axes(
    *(
        "machine",
        "network",
        "format",
        "part",
        "fail",
        "ranks",
        "nodes",
        "ranks_per_node",
        "cores",
        "node",
        "placement",
        "order",
        "search",
        "mapping",
        "mapping_format",
        "seats",
    ),
    *("workload", "library", "size_bytes", "root", "algorithms"),
)
#: What the load on links and time need besides.
ROUTED = (*JOB, BY_NAME["routing"])
MACHINE = axes("calibration", "wire", "software", "duplex", "switch_latency", "flops_per_s")
SEARCH = (
    Column("start_value", "", "objective before an optimiser"),
    Column("value", "", "objective after an optimiser"),
    Column("bound", "", "no mapping can have a smaller objective"),
    Column("evaluations", "", "mappings that the optimiser evaluated"),
)
__all__ = ["JOB", "MACHINE", "ROUTED", "SEARCH", "ChartKind", "Evaluator", "Option", "Options", "axes"]
