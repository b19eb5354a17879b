"""Switch positions in a drawing: closed forms from the structure of a topology."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.errors import Fault, NetloomError
from . import codes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LAYOUTS: tuple[str, ...] = ("auto", "circle", "grid", "layers", "groups")

#: Gap between blocks of a grid of three and more dimensions, as a share of the block.
_GAP = 0.35


class Shape(TypedDict, total=False):
    """Switch positions: keyword arguments of :func:`positions`."""

    layout: str
    dims: Sequence[int] | None
    levels: ArrayLike | None
    groups: ArrayLike | None


def positions(
    switches: int,
    *,
    layout: str = "auto",
    dims: Sequence[int] | None = None,
    levels: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> tuple[Floats, str]:
    """Places in the unit square and the layout that was used.

    Parameters
    ----------
    switches
        At least 1.
    layout
        `grid` needs `dims`, `layers` needs `levels`, `groups` needs `groups`; `auto` takes the first of these that is
        there, else `circle`.
    dims
        Extents of a row-major grid whose product is `switches`.
    levels, groups
        One integer per switch.

    Returns
    -------
    ndarray of float64, shape (switches, 2)
        x to the right, y up, both in 0..1.
    str
        The layout, never `auto`.

    Raises
    ------
    NetloomError
        NL-X102 for an unknown layout, NL-X107 for arrays that do not fit.

    Notes
    -----
    Cost O(switches).
    """
    known = {"grid": dims, "layers": levels, "groups": groups}
    if layout == "auto":
        layout = next((name for name, need in known.items() if need is not None and _useful(name, need)), "circle")
    if layout not in LAYOUTS:
        hint = "one of " + ", ".join(LAYOUTS)
        raise NetloomError([Fault(codes.UNKNOWN_KIND, "drawing.layout", "a layout", repr(layout), hint)])
    need = known.get(layout)
    if layout != "circle" and need is None:
        what = {"grid": "dims", "layers": "levels", "groups": "groups"}[layout]
        raise NetloomError([Fault(codes.BAD_NETWORK, "drawing", f"the layout {layout} needs {what}")])
    if layout == "grid":
        return _unit(_grid(switches, [int(d) for d in dims or ()])), layout
    if layout == "layers":
        return _unit(_layers(per_switch(switches, "levels", levels))), layout
    if layout == "groups":
        return _unit(_groups(per_switch(switches, "groups", groups))), layout
    return _unit(_circle(switches)), layout


def per_switch(switches: int, name: str, values: ArrayLike | None) -> Ints:
    """`values` as integers, one per switch.

    Raises
    ------
    NetloomError
        NL-X107.
    """
    array = np.asarray(values)
    if array.shape != (switches,) or not np.issubdtype(array.dtype, np.integer):
        expected = f"{switches} integers, one per switch"
        raise NetloomError([Fault(codes.BAD_NETWORK, f"drawing.{name}", expected, f"{array.shape} of {array.dtype}")])
    return array.astype(np.int64)


def _useful(name: str, need: ArrayLike | Sequence[int]) -> bool:
    """A ring is drawn as a circle, one level or one group carries no information."""
    array = np.asarray(need)
    return len(array) > 1 if name == "grid" else array.size > 0 and bool((array != array.flat[0]).any())


def _circle(n: int) -> Floats:
    """Clockwise from the top."""
    angle = 2 * np.pi * np.arange(n) / n
    return np.stack([np.sin(angle), np.cos(angle)], axis=1)


def _grid(n: int, dims: list[int]) -> Floats:
    """The last dimension runs right, the one before it down, a third into the page; more nest blocks of those."""
    if int(np.prod(dims, dtype=object)) != n or min(dims, default=0) < 1:
        raise NetloomError([Fault(codes.BAD_NETWORK, "drawing.dims", f"extents whose product is {n}", str(dims))])
    coords = np.unravel_index(np.arange(n), dims)
    place = np.zeros((n, 2))
    if len(dims) == 3:
        depth = coords[0] * (0.8 / dims[0])
        return np.stack([coords[2] + depth, depth * 0.8 - coords[1]], axis=1)
    pitch = [1.0, 1.0]
    for step, (extent, coord) in enumerate(zip(reversed(dims), reversed(coords), strict=True)):
        axis = step % 2
        place[:, axis] += (1 if axis == 0 else -1) * coord * pitch[axis]
        pitch[axis] *= extent * (1 + _GAP)
    return place


def _layers(levels: Ints) -> Floats:
    """Levels from the bottom up, each spread over the width in order of switch number."""
    place = np.zeros((len(levels), 2))
    height = max(1.0, 0.6 * float(levels.max() - levels.min()))
    for level in np.unique(levels):
        mine = np.flatnonzero(levels == level)
        place[mine, 0] = (np.arange(len(mine)) + 0.5) / len(mine) * 1.8
        place[mine, 1] = (level - levels.min()) / max(1, levels.max() - levels.min()) * height
    return place


def _groups(groups: Ints) -> Floats:
    """Groups on a circle, each a small circle that does not touch its neighbours."""
    names, index = np.unique(groups, return_inverse=True)
    centre = _circle(len(names))
    radius = 0.68 * np.sin(np.pi / max(2, len(names))) if len(names) > 1 else 1.0
    place = np.zeros((len(groups), 2))
    for g in range(len(names)):
        mine = np.flatnonzero(index == g)
        ring = _circle(len(mine)) if len(mine) > 1 else np.zeros((1, 2))
        place[mine] = centre[g] * (1.0 if len(names) > 1 else 0.0) + radius * ring
    return place


def _unit(place: Floats) -> Floats:
    """Scaled into the unit square with one scale for both axes, centred."""
    low, high = place.min(axis=0), place.max(axis=0)
    span = float((high - low).max()) or 1.0
    scaled: Floats = (place - (low + high) / 2) / span + 0.5
    return scaled
