"""A picture of a decision between mappings: what each is worth, and the links before and after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .figure import _rc, require
from .style import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

#: Points of a curve of links.
_POINTS = 400


def contest(
    names: Sequence[str],
    seconds: Sequence[float | None],
    chosen: int,
    links: dict[str, NDArray[np.float64]],
    *,
    x_label: str,
    title: str = "",
) -> Figure:
    """A matplotlib ``Figure`` of two panels.

    Parameters
    ----------
    names, seconds
        Of the mappings, the start first; None for what was not rated.
    chosen
        The one that is taken.
    links
        Name of a curve to seconds of every directed link, in any order.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib.
    """
    matplotlib = require()
    with matplotlib.rc_context(_rc(matplotlib)):
        sheet: Figure = matplotlib.figure.Figure(figsize=(10.0, 4.2), layout="constrained")
        left, right = sheet.subplots(1, 2)
        _bars(left, names, seconds, chosen, x_label)
        _curves(right, links)
        if title:
            sheet.suptitle(title, fontsize=11)
    return sheet


def _bars(ax: Axes, names: Sequence[str], seconds: Sequence[float | None], chosen: int, label: str) -> None:
    scale, unit = _unit(max((s for s in seconds if s is not None), default=0.0))
    rows = [i for i, s in enumerate(seconds) if s is not None]
    values = [(seconds[i] or 0.0) * scale for i in rows]
    colours = [PALETTE[1] if i == 0 else PALETTE[2] if i == chosen else "#BBBBBB" for i in rows]
    ax.barh(range(len(rows)), values, color=colours)
    shown = [names[i] + (" (taken)" if i == chosen else "") for i in rows]
    ax.set_yticks(range(len(rows)), shown)
    ax.invert_yaxis()
    ax.set_xlabel(f"{label} ({unit})")
    ax.grid(False, axis="y")


def _curves(ax: Axes, links: dict[str, NDArray[np.float64]]) -> None:
    scale, unit = _unit(max((float(column.max()) for column in links.values() if len(column)), default=0.0))
    for i, (name, column) in enumerate(links.items()):
        ordered = np.sort(column)[::-1] * scale
        at = np.unique(np.linspace(0, len(ordered) - 1, min(_POINTS, len(ordered))).astype(int))
        share = 100.0 * (at + 1) / len(ordered)
        ax.plot(share, ordered[at], label=name, color=PALETTE[1 + i % 6], linestyle=("-", "--")[i % 2])
    ax.set_xlabel("links, the busiest first (%)")
    ax.set_ylabel(f"time that its bytes take ({unit})")
    ax.set_ylim(bottom=0)
    ax.set_xlim(0, 100)
    ax.legend()


def _unit(largest: float) -> tuple[float, str]:
    """Factor and unit in which the largest number of seconds is at least 1."""
    for scale, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns")):
        if largest * scale >= 1:
            return scale, unit
    return 1e12, "ps"
