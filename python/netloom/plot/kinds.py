"""The kinds of charts: one table for reports, printed figures and notebooks.

A row says what the columns must hold and what draws a panel on paper; the page draws the same panels
(`report/assets/charts.js`). Adding a kind: its function in `panels.py`, its row here, its function in the script.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize

    from .tidy import Panel, Tidy

    Draw = Callable[[Axes, Tidy, Panel, Normalize | None], None]


@dataclass(frozen=True)
class Kind:
    """One kind of chart.

    Attributes
    ----------
    name, shows
        As studies and scripts write it, and what it is for.
    x
        ``numbers``, ``names``, or ``either``.
    draw
        A panel, with matplotlib.
    cells
        `y` names the rows of a heat map, `value` has its numbers.
    apart
        Every row of the table is a point of its own; otherwise rows that share a place are one, with their mean.
    polar
        On spokes instead of axes.
    """

    name: str
    shows: str
    x: str
    draw: Draw
    cells: bool = False
    apart: bool = False
    polar: bool = False


KINDS: tuple[Kind, ...] = (
    Kind("line", "a number over another one, with a band where rows share a place", "either", panels.line),
    Kind("bar", "a number by name, grouped, with whiskers where rows share a place", "names", panels.bar),
    Kind("box", "minimum, quartiles and maximum of the rows at each place", "names", panels.box),
    Kind("scatter", "a point for each row", "numbers", panels.scatter, apart=True),
    Kind("heat", "a number by two names, as colour and in the cell", "names", panels.heat, cells=True),
    Kind("choice", "times over the best of their column: which row wins where", "names", panels.choice, cells=True),
    Kind("area", "parts of a whole over time, on top of each other", "numbers", panels.area),
    Kind(
        "pareto", "two measures of which less is better, and what no other beats", "numbers", panels.pareto, apart=True
    ),
    Kind(
        "radar",
        "several measures relative to the best or to one of them, best outside",
        "names",
        panels.radar,
        polar=True,
    ),
)
BY_NAME: dict[str, Kind] = {kind.name: kind for kind in KINDS}
NAMES: tuple[str, ...] = tuple(BY_NAME)
