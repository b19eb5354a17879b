"""A torus or mesh slice by slice: every link of a 2-D plane coloured by its load, one panel per direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .figure import _rc, require
from .loads_style import byte_ticks, headline, sample
from .style import HEAT
from .trace import Floats, Ints, nothing

if TYPE_CHECKING:
    from ..link_load.result import Loads

#: Most planes of one picture, and most switches of one.
MAX_PLANES = 16
MAX_SIDE = 64


def slices(loads: Loads, *, title: str = "") -> Any:
    """Link loads of a grid, plane by plane of its last two dimensions.

    Parameters
    ----------
    loads
        Of a network with a grid (torus, mesh, ring); the other dimensions number the planes.

    Returns
    -------
    matplotlib.figure.Figure
        Per plane two panels: links that count their dimension up, and those that count it down. Links that close the
        ring leave the panel. The planes with the greatest load are shown where there are more than 8. Links between
        planes are not drawn: their greatest load is told below.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib, NL-X105 without a grid, NL-X106 for planes of more than 64 switches a side.

    Notes
    -----
    After seed 004, figures 3.11 and 3.12.
    """
    matplotlib = require()
    grid = loads.network.grid
    if grid is None:
        raise nothing("loads", f"{loads.network.label} has no grid")
    dims = list(grid[0])
    dims = [1] * (2 - len(dims)) + dims
    sample(max(dims[-2:]), MAX_SIDE, "switches on a side of a plane")
    net = loads.network
    tails, heads = net.tails.astype(np.int64), net.heads.astype(np.int64)
    carried = loads.link_bytes[: len(tails)]
    varied = sum(bool(side > 1) for side in dims)
    if len(tails) > 2 * varied * net.switches:
        raise nothing("loads", f"{net.label} has more links than a torus")
    if not carried.any():
        raise nothing("loads", "no link carried anything")
    rows, columns = dims[-2], dims[-1]
    size = rows * columns
    inside = tails // size == heads // size
    planes = _planes(tails, carried, inside, size)
    shown = planes[: MAX_PLANES // 2]
    with matplotlib.rc_context(_rc(matplotlib)):
        side = float(np.clip(0.33 * max(columns, 6), 2.4, 5.5))
        tall = float(np.clip(0.33 * max(rows, 3), 1.2, 5.5))
        down = len(shown)
        sheet = matplotlib.figure.Figure(figsize=(2 * side + 1.4, down * (tall + 0.55) + 0.6), layout="constrained")
        grid_ = sheet.subplots(down, 2, squeeze=False)
        norm = matplotlib.colors.Normalize(0, float(carried.max()))
        for line, plane in zip(grid_, shown, strict=True):
            mine = inside & (tails // size == plane)
            for ax, up in zip(line, (True, False), strict=True):
                _panel(
                    matplotlib, ax, (tails[mine] % size, heads[mine] % size, carried[mine]), (rows, columns), up, norm
                )
                where = ", ".join(map(str, np.unravel_index(int(plane), dims[:-2]))) if len(dims) > 2 else ""
                name = f"plane ({where}, *, *)" if where else "plane"
                ax.set_title(f"{name}, counting {'up' if up else 'down'}", fontsize=8)
        bar = sheet.colorbar(matplotlib.cm.ScalarMappable(norm=norm, cmap=HEAT), ax=list(grid_.flat), fraction=0.05)
        bar.set_label("bytes on a link")
        byte_ticks(matplotlib, bar.ax.yaxis)
        note = _note(planes, shown, carried, inside)
        if note:
            sheet.supxlabel(note, fontsize=7.5, color="#555555")
        headline(sheet, title or loads.network.label)
    return sheet


def _planes(tails: Ints, carried: Floats, inside: Any, size: int) -> list[int]:
    """Planes; where not all fit, those with the greatest load first, then in order."""
    count = int(tails.max()) // size + 1
    if count <= MAX_PLANES // 2:
        return list(range(count))
    most = np.zeros(count)
    np.maximum.at(most, tails[inside] // size, carried[inside])
    worst = np.argsort(-most, kind="stable")
    kept = sorted(int(plane) for plane in worst[: MAX_PLANES // 2])
    return kept + [int(plane) for plane in worst[MAX_PLANES // 2 :]]


def _note(planes: list[int], shown: list[int], carried: Floats, inside: Any) -> str:
    parts = []
    if len(shown) < len(planes):
        parts.append(f"the {len(shown)} planes with the greatest loads, of {len(planes)}")
    if not inside.all():
        parts.append(
            f"links between planes carry at most {_share(carried[~inside].max(), carried.max())} of the greatest"
        )
    return "; ".join(parts)


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %"


def _panel(
    matplotlib: Any, ax: Any, links: tuple[Ints, Ints, Floats], shape: tuple[int, int], up: bool, norm: Any
) -> None:
    tails, heads, carried = links
    rows, columns = shape
    a, b = np.stack([tails % columns, tails // columns], 1), np.stack([heads % columns, heads // columns], 1)
    # Along one dimension; a ring's closing link goes from its end to its beginning.
    step = b - a
    sides = np.array([columns, rows])
    closes = np.abs(step) == sides - 1
    closes &= sides > 2
    counts = np.where(closes, -step, step).sum(axis=1)
    mine = counts > 0 if up else counts < 0
    a, step, closes, carried = a[mine].astype(float), step[mine], closes[mine], carried[mine]
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
