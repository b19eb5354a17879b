"""Shared parts of link-load pictures: bytes on an axis, square heat maps, limits."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from ...base.errors import Fault, NetloomError
from ...plot import codes
from ...plot.figure import _categories, _rc, require
from ...plot.style import HEAT
from ...plot.text import powers
from ...plot.trace import Floats, nothing
from ...plot.units import value_text
from .columns import blocks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

#: Most rows and columns of a heat map that are drawn one by one; more are added up in blocks.
CELLS = 480


def decimal(value: object) -> str:
    """`1.5 G` of a number, else its text, cut."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        text = str(value)
        return text if len(text) <= 24 else text[:23] + "…"
    for unit, name in ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value:.3g} "


def headline(sheet: Figure, title: str) -> None:
    """A title above all panels, in lines that fit the width of the sheet, at most three."""
    if title:
        width = max(24, int(sheet.get_figwidth() * 11))
        sheet.suptitle("\n".join(wrap(title, width, max_lines=3, placeholder=" …")), fontsize=10)


def byte_ticks(matplotlib: ModuleType, axis: Axis) -> None:
    """Bytes in decimal units, as a logarithmic axis writes them."""
    axis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: value_text(float(value), "B")))
    low, high = axis.get_view_interval()
    if low > 0 and high / low < 300:
        axis.set_major_locator(matplotlib.ticker.LogLocator(base=10, subs=(1.0, 2.0, 5.0)))
    axis.set_minor_formatter(matplotlib.ticker.NullFormatter())


def sample(count: int, most: int, what: str) -> None:
    """NL-X106 if there are too many to distinguish."""
    if count > most:
        raise NetloomError([Fault(codes.TOO_MANY, "loads", f"at most {most} {what}", str(count))])


def matrix(
    cells: Floats, words: tuple[str, str, str], *, names: Sequence[str] = (), title: str = "", log: bool = False
) -> Figure:
    """A square as a heat map: `words` of columns, rows and colour; NaN, and 0 on a log scale, stay white."""
    matplotlib = require()
    cells, block = blocks(cells, CELLS)
    shown = cells[np.isfinite(cells) & ((cells > 0) | (not log))]
    if not len(shown):
        raise nothing("loads", "no link carried anything")
    low, high = float(shown.min()), float(shown.max())
    pick = matplotlib.colors.LogNorm if log and low < high else matplotlib.colors.Normalize
    with matplotlib.rc_context(_rc(matplotlib)):
        side = float(np.clip(2.6 + 0.16 * len(cells), 4.2, 7.5))
        sheet: Figure = matplotlib.figure.Figure(figsize=(side + 1.0, side), layout="constrained")
        ax = sheet.subplots()
        norm = pick(low, high)
        hidden = ~np.isfinite(cells) | ((cells <= 0) & log)
        count = len(cells) * block
        extent = None if names else (-0.5, count - 0.5, count - 0.5, -0.5)
        mesh = ax.imshow(
            np.ma.masked_array(cells, hidden), cmap=HEAT, norm=norm, interpolation="nearest", extent=extent
        )
        ax.set(xlabel=words[0], ylabel=words[1])
        ax.grid(False)
        if names:
            _categories(ax.xaxis, tuple(names), 24, rotate=True)
            _categories(ax.yaxis, tuple(names), 24, rotate=False)
        else:
            for axis in (ax.xaxis, ax.yaxis):
                axis.set_major_locator(matplotlib.ticker.MaxNLocator(9, integer=True))
        bar = sheet.colorbar(mesh, ax=ax, shrink=0.85)
        bar.set_label(words[2])
        if isinstance(norm, matplotlib.colors.LogNorm):
            powers(matplotlib, bar.ax.yaxis)
        if "bytes" in words[2]:
            byte_ticks(matplotlib, bar.ax.yaxis)
        if names and len(names) <= 12:
            _numbers(ax, cells, norm)
        headline(sheet, title)
    return sheet


def _numbers(ax: Axes, cells: Floats, norm: Normalize) -> None:
    """The value in each cell, dark on light and light on dark."""
    for (row, column), value in np.ndenumerate(cells):
        if np.isfinite(value):
            colour = "black" if norm(value) > 0.6 else "white"
            text = f"{value:.2f}" if value < 100 else f"{value:,.0f}"
            ax.text(column, row, text, ha="center", va="center", fontsize=7, color=colour)
