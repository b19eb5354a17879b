"""A torus or mesh in small maps: loads added up over all dimensions but two, one colour per direction."""

from __future__ import annotations

from textwrap import wrap
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from ...plot.figure import _rc, require
from ...plot.style import PALETTE
from ...plot.trace import nothing
from .minimaps import Minimap, refusal, summed
from .pictures_style import byte_ticks, headline, sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap, Normalize
    from matplotlib.figure import Figure

    from ... import _core
    from .result import Loads

#: Inches of a panel, and the smallest text on it.
PANEL = 1.75
SMALL = 7.0
#: Below all panels.
NOTE = (
    "a cell: cables from a place to the next one, both ways, added up over the dimensions that its panel does not "
    "name; a bar: over all dimensions but its own"
)


def minimaps(loads: Loads, *, title: str = "") -> Figure:
    """Link loads of a grid, added up over all dimensions but two.

    Parameters
    ----------
    loads
        Of a network with a grid of two dimensions or more (torus, mesh).

    Returns
    -------
    matplotlib.figure.Figure
        See `maps`.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib, NL-X105 without a grid of two dimensions, NL-X106 for more than 6 dimensions or 64
        switches a side.
    """
    require()
    require_maps(loads.network)
    if not loads.link_bytes[: len(loads.network.tails)].any():
        raise nothing("loads", "no link carried anything")
    return maps(summed(loads), title=title or loads.network.label)


def require_maps(net: _core.Network) -> None:
    """NL-X105 or NL-X106 for a network that `minimaps` cannot draw."""
    why, what, count, most = refusal(net)
    if what:
        sample(count, most, what)
    if why:
        raise nothing("loads", why)


def maps(found: list[Minimap], *, title: str = "") -> Figure:
    """A line of panels per direction, in its colour; a column per other dimension.

    Returns
    -------
    matplotlib.figure.Figure
        The panel where a direction meets itself has its sums over all other dimensions as bars. Each cell of the other
        panels has both links of the cables between a place and the next one. All maps share a scale.

    Notes
    -----
    After Jain 2016, figures 3.11 and 3.12.
    """
    matplotlib = require()
    directions = list(dict.fromkeys(one.direction for one in found))
    greatest = max(float((one.up + one.down).max()) for one in found if one.other is not None)
    with matplotlib.rc_context(_rc(matplotlib)):
        count = len(directions)
        size = (PANEL * count + 1.7, PANEL * count + 0.9)
        sheet: Figure = matplotlib.figure.Figure(figsize=size, layout="constrained")
        grid_ = sheet.subplots(count, count, squeeze=False)
        norm = matplotlib.colors.Normalize(0, greatest)
        colours = [_shades(matplotlib, PALETTE[at]) for at in range(count)]
        for one in found:
            line = directions.index(one.direction)
            if one.other is None:
                _bars(matplotlib, grid_[line, line], one, PALETTE[line])
            else:
                _map(grid_[line, directions.index(one.other)], one, colours[line], norm)
        for line, direction in enumerate(directions):
            bar = sheet.colorbar(
                matplotlib.cm.ScalarMappable(norm=norm, cmap=colours[line]), ax=list(grid_[line]), aspect=12
            )
            bar.set_label(f"bytes along dimension {direction}", fontsize=SMALL + 0.5)
            bar.ax.tick_params(labelsize=SMALL)
            byte_ticks(matplotlib, bar.ax.yaxis)
        note = wrap(NOTE, int(sheet.get_figwidth() * 16))
        sheet.supxlabel("\n".join(note), fontsize=SMALL + 0.5, color="#555555")
        headline(sheet, title)
    return sheet


def _shades(matplotlib: ModuleType, colour: str) -> Colormap:
    """From nearly white over a colour to a dark one: lightness falls all the way."""
    shades = ["#f4f4f4", colour, _dark(matplotlib, colour)]
    made: Colormap = matplotlib.colors.LinearSegmentedColormap.from_list(colour, shades)
    return made


def _dark(matplotlib: ModuleType, colour: str) -> tuple[float, ...]:
    return tuple(0.35 * part for part in matplotlib.colors.to_rgb(colour))


def _map(ax: Axes, one: Minimap, colours: Colormap, norm: Normalize) -> None:
    cells = (one.up + one.down).T
    ax.imshow(cells, cmap=colours, norm=norm, interpolation="nearest", aspect="auto", origin="lower")
    _axis(ax, one)
    ax.set_ylabel(f"dimension {one.other}", fontsize=SMALL + 0.5)
    ax.set_yticks(_ticks(cells.shape[0]))


def _bars(matplotlib: ModuleType, ax: Axes, one: Minimap, colour: str) -> None:
    sums = (one.up + one.down)[:, 0]
    ax.bar(np.arange(len(sums)), sums, width=0.8, color=colour)
    ax.set(xlim=(-0.5, len(sums) - 0.5), ylim=(0, max(float(sums.max()) * 1.08, 1.0)))
    _axis(ax, one)
    ax.yaxis.set_major_locator(matplotlib.ticker.MaxNLocator(3))
    byte_ticks(matplotlib, ax.yaxis)
    ax.set_ylabel("bytes over all others", fontsize=SMALL + 0.5)


def _axis(ax: Axes, one: Minimap) -> None:
    ax.set_xlabel(f"dimension {one.direction}", fontsize=SMALL + 0.5)
    ax.set_xticks(_ticks(len(one.up)))
    ax.tick_params(labelsize=SMALL)
    ax.grid(False)


def _ticks(count: int) -> range:
    return range(0, count, max(1, -(-count // 4)))
