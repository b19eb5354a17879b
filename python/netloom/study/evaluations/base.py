"""What an evaluation is: which axes and options it takes, which columns it gives, and the function that makes a row."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...results import Column, Table
from ...results.table import Cell

if TYPE_CHECKING:
    from ..scenario import Scenario

Row = dict[str, Cell]


@dataclass(frozen=True)
class AxisSpec:
    """An axis that an evaluation takes.

    Parameters
    ----------
    kind
        `network`, `placement`, `order`, `workload`, `collective`, `routing` (call texts), `calibration`, `ranks`,
        `bytes`, `seconds`, `duplex`, `int` (from 0), `count` (from 1), `traffic`, `jobs`, `path_choice`, `variant`,
        `failures`, or `text`.
    default
        Value of a study that does not name the axis; None makes it required.
    """

    name: str
    kind: str
    default: str | int | None
    help: str


@dataclass(frozen=True)
class Option:
    """A setting of an evaluation that is the same for all its runs. Numbers are finite and at least `least`."""

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    least: int = 0

    def accepts(self, value: Any) -> str:
        """What is wrong with a value, or nothing."""
        wanted = type(self.default)
        if self.choices:
            return "" if value in self.choices else "one of " + ", ".join(self.choices)
        good = type(value) in (int, float) if wanted is float else type(value) is wanted
        if good and wanted in (int, float):
            good = self.least <= value < (2**63 if wanted is int else math.inf)
        words = {bool: "true or false", int: f"an integer >= {self.least}", float: f"a number >= {self.least}"}
        return "" if good else words.get(wanted, "text")


@dataclass
class Made:
    """What one run gives: a row, and rows of the evaluation's longer tables."""

    row: Row
    tables: dict[str, list[Row]] = field(default_factory=dict)


@dataclass(frozen=True)
class Evaluation:
    """One row of the registry."""

    name: str
    summary: str
    axes: tuple[AxisSpec, ...]
    columns: tuple[Column, ...]
    run: Callable[[Scenario, dict[str, Any]], Made]
    options: tuple[Option, ...] = ()
    tables: dict[str, tuple[Column, ...]] = field(default_factory=dict)
    #: True if the run's mapping can be written as rank files.
    maps: bool = False
    #: Axes of which a study names at least one.
    either: tuple[str, ...] = ()
    #: Names of `tables` whose rows compare runs, and what makes their rows from the other tables.
    compared: dict[str, Callable[[Table, dict[str, Table], list[str]], list[Row]]] = field(default_factory=dict)

    def axis(self, name: str) -> AxisSpec | None:
        """The axis of that name."""
        return next((axis for axis in self.axes if axis.name == name), None)


NETWORK = AxisSpec("network", "network", None, "call text of a topology, or a network file beside the study")
RANKS = AxisSpec("ranks", "ranks", "all", 'number of ranks, or "all" for one per endpoint')
PLACEMENT = AxisSpec("placement", "placement", "linear", "which endpoints the job gets")
ORDER = AxisSpec("order", "order", "draw", "which rank runs on which of them: an order or an optimiser")
WORKLOAD = AxisSpec(
    "workload", "workload", None, "collective:algorithm, a traffic pattern, an application, or mix(...)"
)
SIZE = AxisSpec("size_bytes", "bytes", 1, 'bytes of the collective, in MPI\'s meaning of its count; "1 KiB" works')
ROOT = AxisSpec("root", "int", 0, "root rank of a rooted collective")
ROUTING = AxisSpec("routing", "routing", "single-minimal", "which paths messages take")
