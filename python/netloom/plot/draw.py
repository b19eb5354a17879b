"""Drawings of networks: the graph itself while it can be read, its adjacency matrix when it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.arguments import require_names
from ..base.errors import Fault, NetloomError
from . import codes
from .figure import _RC, require
from .positions import per_switch, positions
from .style import HEAT, PALETTE
from .text import powers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Up to so many switches the graph is drawn by default.
GRAPH_LIMIT = 300
#: Cells of a matrix along one side; more switches share cells.
MATRIX_SIDE = 512

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Shape(TypedDict, total=False):
    """Switch positions: keyword arguments of :func:`netloom.plot.positions.positions`."""

    layout: str
    dims: Sequence[int] | None
    levels: ArrayLike | None
    groups: ArrayLike | None


def draw_network(
    switches: int,
    tails: ArrayLike,
    heads: ArrayLike,
    *,
    label: str = "",
    view: str = "auto",
    class_of: ArrayLike | None = None,
    class_names: Sequence[str] = (),
    **shape: Unpack[Shape],
) -> Figure:
    """A matplotlib ``Figure`` of a network.

    Parameters
    ----------
    switches
        At least 1.
    tails, heads
        Ends of the switch links, shape (links,); directions and parallel links of a pair are drawn once.
    label
        Title.
    view
        `graph`, `matrix`, or `auto`: the graph up to 300 switches.
    layout, dims, levels, groups
        See :func:`netloom.plot.positions.positions`.
    class_of, class_names
        Class of every link and the names; links are coloured by class.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    NetloomError
        NL-X101, NL-X102, NL-X107; NL-A003 for an option that there is not.

    Notes
    -----
    Cost O(switches + links log links).
    """
    require_names("draw_network", shape, Shape.__annotations__)
    dims, levels, groups = shape.get("dims"), shape.get("levels"), shape.get("groups")
    matplotlib = require()
    if view not in ("auto", "graph", "matrix"):
        hint = "one of auto, graph, matrix"
        raise NetloomError([Fault(codes.UNKNOWN_KIND, "drawing.view", "a view", repr(view), hint)])
    a, b = ends(switches, tails, heads)
    with matplotlib.rc_context({k: v for k, v in _RC.items() if k != "axes.prop_cycle"}):
        if view == "matrix" or (view == "auto" and switches > GRAPH_LIMIT):
            return _matrix_sheet(matplotlib, adjacency(switches, a, b), switches, label)
        place, used = positions(switches, **shape)
        classes = np.zeros(len(a), dtype=np.int64) if class_of is None else np.asarray(class_of, dtype=np.int64)
        if classes.shape != a.shape:
            expected = f"one class for each of {len(a)} links"
            raise NetloomError([Fault(codes.BAD_NETWORK, "drawing.class_of", expected, str(classes.shape))])
        bend = bends(np.minimum(a, b), np.maximum(a, b), dims if used == "grid" else None)
        colours = next((c for c in (groups, levels) if c is not None), None)
        colour = None if colours is None else per_switch(switches, "groups or levels", colours)
        return _graph_sheet(matplotlib, place, used, bend, a, b, classes, list(class_names), colour, label)


def ends(switches: int, tails: ArrayLike, heads: ArrayLike) -> tuple[Ints, Ints]:
    """Checked ends of the links.

    Raises
    ------
    NetloomError
        NL-X107.
    """
    faults = []
    if isinstance(switches, bool) or not isinstance(switches, (int, np.integer)) or not 1 <= switches <= 10_000_000:
        faults.append(
            Fault(codes.BAD_NETWORK, "drawing.switches", "an integer from 1 to 10000000", repr(switches)[:80])
        )
        raise NetloomError(faults)
    made = []
    for name, values in (("tails", tails), ("heads", heads)):
        array = np.asarray(values)
        if array.size == 0:
            array = np.empty(0, dtype=np.int64)
        if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
            got = f"{array.ndim} dimensions of {array.dtype}"
            faults.append(Fault(codes.BAD_NETWORK, f"drawing.{name}", "a flat array of integers", got))
        elif len(array) and (array.min() < 0 or array.max() >= switches):
            worst = str(array.min() if array.min() < 0 else array.max())
            faults.append(Fault(codes.BAD_NETWORK, f"drawing.{name}", f"switches from 0 to {switches - 1}", worst))
        made.append(array)
    if not faults and len(made[0]) != len(made[1]):
        lengths = f"{len(made[0])} and {len(made[1])}"
        faults.append(Fault(codes.BAD_NETWORK, "drawing", "given as many tails as heads", lengths))
    if faults:
        raise NetloomError(faults)
    return made[0].astype(np.int64), made[1].astype(np.int64)


def cables(switches: int, tails: Ints, heads: Ints) -> tuple[Ints, Ints, Ints]:
    """Pairs of joined switches, lower and higher number, and how many cables join each.

    A list of directed links names every cable twice, an edge list once: a pair has as many cables as it has links in
    its busier direction.
    """
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    pair, where = np.unique(low * switches + high, return_inverse=True)
    up = np.bincount(where[tails < heads], minlength=len(pair))
    down = np.bincount(where[tails > heads], minlength=len(pair))
    return pair // switches, pair % switches, np.maximum(up, down)


def adjacency(switches: int, tails: Ints, heads: Ints, side: int = MATRIX_SIDE) -> Ints:
    """Cables between blocks of consecutive switches, at most `side` blocks a side; symmetric."""
    side = min(switches, side)
    low, high, count = cables(switches, tails, heads)
    low, high = low * side // switches, high * side // switches
    cells = np.zeros((side, side), dtype=np.int64)
    np.add.at(cells, (low, high), count)
    apart = low != high
    np.add.at(cells, (high[apart], low[apart]), count[apart])
    return cells


def bends(a: Ints, b: Ints, dims: Sequence[int] | None) -> Floats:
    """Sideways bend of every link as a share of its length: in a grid, links that would pass over switches bow out."""
    if dims is None or not len(a):
        return np.zeros(len(a))
    steps = [np.abs(x - y) for x, y in zip(np.unravel_index(a, dims), np.unravel_index(b, dims), strict=True)]
    return np.where(np.max(steps, axis=0) > 1, 0.12, 0.0)


def _graph_sheet(
    matplotlib: ModuleType,
    place: Floats,
    layout: str,
    bend: Floats,
    a: Ints,
    b: Ints,
    classes: Ints,
    class_names: list[str],
    colour: Ints | None,
    label: str,
) -> Figure:
    sheet: Figure = matplotlib.figure.Figure(figsize=(6.4, 6.4), layout="constrained")
    ax = sheet.subplots()
    low, high = np.minimum(a, b), np.maximum(a, b)
    once = np.unique(np.stack([low, high, classes], axis=1), axis=0, return_index=True)[1]
    width = float(np.clip(60.0 / (len(once) + 1) ** 0.6, 0.25, 1.4))
    for k in np.unique(classes[once]):
        mine = once[classes[once] == k]
        name = class_names[k] if 0 <= k < len(class_names) else f"class {k}"
        lines = _bent(place, bend[mine], low[mine], high[mine])
        tint = "#7a7a7a" if len(np.unique(classes)) == 1 else PALETTE[int(k) % len(PALETTE)]
        ax.add_collection(
            matplotlib.collections.LineCollection(lines, colors=tint, linewidths=width, alpha=0.7, label=name, zorder=1)
        )
    n = len(place)
    size = float(np.clip(5000.0 / n, 6.0, 220.0))
    kinds = np.unique(colour) if colour is not None else np.empty(0)
    tints: str | Sequence[str] = PALETTE[0]
    if colour is not None and 1 < len(kinds) <= len(PALETTE):
        tints = [PALETTE[int(i)] for i in np.searchsorted(kinds, colour)]
    ax.scatter(place[:, 0], place[:, 1], s=size, c=tints, edgecolors="white", linewidths=0.6, zorder=2)
    if n <= 64:
        for i, (x, y) in enumerate(place):
            ax.text(x, y, str(i), ha="center", va="center", fontsize=6, color="white", zorder=3, weight="bold")
    if len(np.unique(classes[once])) > 1:
        sheet.legend(loc="outside lower center", ncols=6, fontsize=8)
    margin = 0.1 if layout == "grid" else 0.06
    ax.set(xlim=(-margin, 1 + margin), aspect="equal")
    tall = np.ptp(place[:, 1]) / 2 + margin
    ax.set_ylim(0.5 - max(tall, 0.2), 0.5 + max(tall, 0.2))
    ax.axis("off")
    ax.set_title(label, fontsize=10)
    return sheet


def _bent(place: Floats, bend: Floats, a: Ints, b: Ints) -> Floats:
    """Polylines of shape (links, points, 2): straight, or a quadratic arc."""
    start, stop = place[a], place[b]
    if not bend.any():
        return np.stack([start, stop], axis=1)
    across = (stop - start)[:, ::-1] * np.array([-1.0, 1.0])
    control = (start + stop) / 2 + across * bend[:, None]
    t = np.linspace(0.0, 1.0, 13)[None, :, None]
    arcs: Floats = (1 - t) ** 2 * start[:, None] + 2 * t * (1 - t) * control[:, None] + t**2 * stop[:, None]
    return arcs


def _matrix_sheet(matplotlib: ModuleType, cells: Ints, switches: int, label: str) -> Figure:
    sheet: Figure = matplotlib.figure.Figure(figsize=(6.4, 5.6), layout="constrained")
    ax = sheet.subplots()
    shown = np.where(cells > 0, cells, np.nan)
    high = max(1, int(cells.max()))
    norm = matplotlib.colors.LogNorm(1, high) if high >= 20 else matplotlib.colors.Normalize(0, high)
    scale = ax.imshow(
        shown,
        cmap=HEAT,
        norm=norm,
        interpolation="nearest",
        extent=(-0.5, switches - 0.5, switches - 0.5, -0.5),
    )
    ax.grid(False)
    ax.set(xlabel="switch", ylabel="switch", title=label)
    per = -(-switches // len(cells))
    words = "cables" if per == 1 else f"cables between blocks of about {per} switches"
    bar = sheet.colorbar(scale, ax=ax, label=words)
    if high >= 20:
        powers(matplotlib, bar.ax.yaxis)
    return sheet
