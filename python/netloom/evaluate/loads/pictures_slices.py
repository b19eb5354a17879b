"""A torus or mesh slice by slice: every link of a 2-D plane coloured by its load, one panel per direction."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from ...plot.figure import _rc, require
from ...plot.style import HEAT
from ...plot.trace import Floats, Ints, nothing
from .pictures_style import byte_ticks, headline, sample
from .slices import MAX_SIDE, Slices, refusal, sliced

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

    from ... import _core
    from .result import Loads


def slices(loads: Loads, *, title: str = "") -> Figure:
    """Link loads of a grid, plane by plane of its last two dimensions.

    Parameters
    ----------
    loads
        Of a network with a grid (torus, mesh, ring); the other dimensions number the planes.

    Returns
    -------
    matplotlib.figure.Figure
        See `planes`.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib, NL-X105 without a grid, NL-X106 for planes of more than 64 switches a side.
    """
    require()
    require_planes(loads.network)
    if not loads.link_bytes[: len(loads.network.tails)].any():
        raise nothing("loads", "no link carried anything")
    return planes(sliced(loads)[0], title=title or loads.network.label)


def require_planes(net: _core.Network) -> None:
    """NL-X105 or NL-X106 for a network that `slices` cannot draw."""
    why, side = refusal(net)
    if side:
        sample(side, MAX_SIDE, "switches on a side of a plane")
    if why:
        raise nothing("loads", why)


def planes(found: Slices, *, title: str = "") -> Figure:
    """Planes of a grid, each link coloured by its load.

    Returns
    -------
    matplotlib.figure.Figure
        Per plane two panels: links that count their dimension up, and those that count it down. Links that close the
        ring leave the panel. The planes with the greatest load are shown where there are more than 8. Links between
        planes are not drawn: their greatest load is given below.

    Notes
    -----
    After Jain 2016, figures 3.11 and 3.12.
    """
    matplotlib = require()
    rows, columns = found.shape
    greatest = max(float(found.carried.max()), found.between or 0.0)
    with matplotlib.rc_context(_rc(matplotlib)):
        side = float(np.clip(0.33 * max(columns, 6), 2.4, 5.5))
        tall = float(np.clip(0.33 * max(rows, 3), 1.2, 5.5))
        down = len(found.names)
        size = (2 * side + 1.4, down * (tall + 0.55) + 0.6)
        sheet: Figure = matplotlib.figure.Figure(figsize=size, layout="constrained")
        grid_ = sheet.subplots(down, 2, squeeze=False)
        norm = matplotlib.colors.Normalize(0, greatest)
        for number, (line, name) in enumerate(zip(grid_, found.names, strict=True)):
            words = name if name == "plane" else f"plane {name}"
            for ax, up in zip(line, (True, False), strict=True):
                mine = (found.plane == number) & (found.up == up)
                _panel(matplotlib, ax, (found.tails[mine], found.heads[mine], found.carried[mine]), found.shape, norm)
                ax.set_title(f"{words}, counting {'up' if up else 'down'}", fontsize=8)
        # All panels share axes: label them once.
        for ax in grid_[:-1].flat:
            ax.tick_params(labelbottom=False)
        for ax in grid_[:, 1]:
            ax.tick_params(labelleft=False)
        for ax in grid_[-1]:
            ax.set_xlabel("column: place in the last dimension", fontsize=8)
        for ax in grid_[:, 0]:
            ax.set_ylabel("row", fontsize=8)
        bar = sheet.colorbar(matplotlib.cm.ScalarMappable(norm=norm, cmap=HEAT), ax=list(grid_.flat), fraction=0.05)
        bar.set_label("bytes on a link")
        byte_ticks(matplotlib, bar.ax.yaxis)
        note = _note(found, greatest)
        if note:
            sheet.supxlabel(note, fontsize=7.5, color="#555555")
        headline(sheet, title)
    return sheet


def _note(found: Slices, greatest: float) -> str:
    parts = []
    if len(found.names) < found.planes:
        parts.append(f"the {len(found.names)} planes with the greatest loads, of {found.planes}")
    if found.between is not None:
        parts.append(f"links between planes carry at most {100 * found.between / greatest:.0f} % of the greatest")
    return "; ".join(parts)


def _panel(
    matplotlib: ModuleType, ax: Axes, links: tuple[Ints, Ints, Floats], shape: tuple[int, int], norm: Normalize
) -> None:
    """Links of one direction of one plane; those that close a ring leave the panel."""
    tails, heads, carried = links
    rows, columns = shape
    # Columns lie along x.
    a, step = tails[:, ::-1].astype(float), (heads - tails)[:, ::-1]
    sides = np.array([columns, rows])
    closes = (np.abs(step) == sides - 1) & (sides > 2)
    direction = np.sign(np.where(closes, -step, step))
    order = np.argsort(carried, kind="stable")
    ends = a + direction * np.where(closes.any(axis=1), 0.55, 1.0)[:, None]
    lines = np.stack([a, ends], axis=1)[order]
    ax.add_collection(
        matplotlib.collections.LineCollection(lines, array=carried[order], cmap=HEAT, norm=norm, linewidths=3.0)
    )
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2)
    ax.scatter(grid[:, 0], grid[:, 1], s=9, c="#333333", linewidths=0, zorder=3)
    ax.set(xlim=(-0.9, columns - 0.1), ylim=(rows - 0.1, -0.9), aspect="equal")
    for axis, count in ((ax.xaxis, columns), (ax.yaxis, rows)):
        axis.set_ticks(range(0, count, max(1, count // 8)))
    ax.tick_params(labelsize=7)
    ax.grid(False)
