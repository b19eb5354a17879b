"""Drawings of networks: the graph itself while it can be read, its adjacency matrix when it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.errors import Fault, NetloomError
from . import codes
from .drawing import Drawing
from .figure import _RC, require
from .links import Lines, bends, classed, dots, loaded, matrix
from .positions import per_switch, positions

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Most switches for which the graph is drawn by default.
GRAPH_LIMIT = 300

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def draw_network(drawing: Drawing) -> Figure:
    """A matplotlib ``Figure`` of a network.

    Raises
    ------
    NetloomError
        NL-X101, NL-X102, NL-X107.

    Notes
    -----
    Cost O(switches + links log links).
    """
    return draw_networks([drawing])


def draw_networks(drawings: Sequence[Drawing], title: str = "") -> Figure:
    """Networks side by side, as :func:`draw_network` draws one."""
    matplotlib = require()
    with matplotlib.rc_context({k: v for k, v in _RC.items() if k != "axes.prop_cycle"}):
        sheet: Figure = matplotlib.figure.Figure(figsize=(6.4 * len(drawings), 6.4), layout="constrained")
        axes = list(sheet.subplots(1, len(drawings), squeeze=False).flat)
        for ax, drawing in zip(axes, drawings, strict=True):
            _one(matplotlib, sheet, ax, drawing)
        if title and len(drawings) > 1:
            sheet.suptitle(title, fontsize=11)
    return sheet


def _one(matplotlib: ModuleType, sheet: Figure, ax: Axes, drawing: Drawing) -> None:
    switches = drawing.switches
    a, b = ends(switches, drawing.tails, drawing.heads)
    if drawing.view not in ("auto", "graph", "matrix"):
        hint = "one of auto, graph, matrix"
        raise NetloomError([Fault(codes.UNKNOWN_KIND, "drawing.view", "a view", repr(drawing.view), hint)])
    load = link_loads(drawing.load, len(a))
    ax.set_title(drawing.label, fontsize=10)
    if drawing.view == "matrix" or (drawing.view == "auto" and switches > GRAPH_LIMIT):
        matrix(matplotlib, sheet, ax, switches, a, b)
        return
    place, used = positions(
        switches, layout=drawing.layout, dims=drawing.dims, levels=drawing.levels, groups=drawing.groups
    )
    bend = bends(np.minimum(a, b), np.maximum(a, b), drawing.dims if used == "grid" else None)
    links = Lines(place, bend, a, b)
    if load is not None:
        loaded(matplotlib, sheet, ax, links, load, drawing)
    else:
        given = drawing.class_of
        classes = np.zeros(len(a), dtype=np.int64) if given is None else np.asarray(given, dtype=np.int64)
        if classes.shape != a.shape:
            expected = f"one class for each of {len(a)} links"
            raise NetloomError([Fault(codes.BAD_NETWORK, "drawing.class_of", expected, str(classes.shape))])
        classed(matplotlib, sheet, ax, links, classes, list(drawing.class_names))
    colours = next((c for c in (drawing.boxes, drawing.groups, drawing.levels) if c is not None), None)
    kinds = None if colours is None else per_switch(switches, "boxes, groups or levels", colours)
    dots(ax, place, used, kinds, faint=load is not None and drawing.boxes is None)


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


def link_loads(load: ArrayLike | None, links: int) -> Floats | None:
    """Checked loads, one for each link.

    Raises
    ------
    NetloomError
        NL-X107.
    """
    if load is None:
        return None
    array = np.asarray(load)
    if array.shape != (links,) or not np.issubdtype(array.dtype, np.number) or not (array >= 0).all():
        expected = f"{links} numbers >= 0, one for each link"
        raise NetloomError([Fault(codes.BAD_NETWORK, "drawing.load", expected, f"{array.shape} of {array.dtype}")])
    return array.astype(np.float64)
