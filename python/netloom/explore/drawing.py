"""Places of switches and endpoints in the page's drawing, and cables with what they carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..plot.links import bends, cables
from ..plot.positions import positions

if TYPE_CHECKING:
    from .. import _core
    from ..evaluate.loads.result import Loads

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: More of them cannot be told apart, and a browser draws them slowly.
MOST_SWITCHES, MOST_CABLES, MOST_ENDPOINTS = 1024, 6000, 2048
#: Of a drawing's width, and of the distance between switches that are neighbours in it.
SIDE, NEAR = 1000.0, 0.27


def drawing(net: _core.Network) -> dict[str, object] | None:
    """Where everything is drawn, in a square of side 1,000; None for a network that is too large to be read.

    Returns
    -------
    dict
        `switches` (x, y), `endpoints` (x, y, switch), `cables` (switch, switch, how many, bend: 1 for an arc),
        `classes` (of every cable, an index of `class_names`), `spacing` of switches and `endpoint_spacing`.
    """
    a, b, count = pairs(net)
    if net.switches > MOST_SWITCHES or len(a) > MOST_CABLES or net.endpoints > MOST_ENDPOINTS:
        return None
    dims = None if net.grid is None else net.grid[0]
    groups = None if net.groups is None else np.asarray(net.groups)
    place, layout = positions(net.switches, dims=dims, levels=_levels(net, groups is not None), groups=groups)
    place = place * SIDE
    place[:, 1] = SIDE - place[:, 1]
    spacing = _spacing(place)
    at_switch = net.endpoint_switch
    ends = _endpoints(net, place, spacing, layout)
    bent = bends(a, b, dims if layout == "grid" else None) > 0
    return {
        "switches": np.round(place, 2).tolist(),
        "endpoints": [[round(x, 2), round(y, 2), int(at)] for (x, y), at in zip(ends, at_switch, strict=True)],
        "cables": [[int(n) for n in row] for row in zip(a, b, count, bent, strict=True)],
        "classes": _classes(net, a, b),
        "class_names": [str(one["name"]) for one in net.classes],
        "spacing": round(spacing, 2),
        "endpoint_spacing": round(_spacing(np.asarray(ends)), 2) if len(ends) else 0.0,
    }


def pairs(net: _core.Network) -> tuple[Ints, Ints, Ints]:
    """Pairs of joined switches, lower and higher number, and how many cables join each."""
    tails, heads = (np.asarray(column).astype(np.int64) for column in (net.tails, net.heads))
    return cables(net.switches, tails, heads)


def carried(whole: _core.Network, found: Loads) -> list[list[float] | None]:
    """Per pair of `pairs(whole)` the seconds and bytes of its busiest cable, up (to the higher number), then down.

    Returns
    -------
    list
        ``[up_s, down_s, up_bytes, down_bytes, cables in service]``; None for a pair whose cables are all out of
        service.
    """
    a, b, _ = pairs(whole)
    net = found.network
    tails, heads = (np.asarray(column).astype(np.int64) for column in (net.tails, net.heads))
    carry = found.link_bytes[: len(tails)]
    seconds = carry / np.asarray(net.link_bandwidth_bytes_per_s)[: len(tails)]
    keys = np.minimum(tails, heads) * whole.switches + np.maximum(tails, heads)
    where = np.searchsorted(a * whole.switches + b, keys)
    rows = np.zeros((len(a), 5))
    for column, up in ((0, True), (1, False)):
        mine = (tails < heads) == up
        np.maximum.at(rows[:, column], where[mine], seconds[mine])
        np.maximum.at(rows[:, column + 2], where[mine], carry[mine])
    np.add.at(rows[:, 4], where[tails < heads], 1)
    return [row if row[4] else None for row in rows.tolist()]


def _levels(net: _core.Network, grouped: bool) -> Ints | None:
    """Levels of the network; else, where some switches have no endpoint, how far each is from one that has."""
    if net.levels is not None:
        return np.asarray(net.levels).astype(np.int64)
    seen = np.full(net.switches, -1, dtype=np.int64)
    seen[np.unique(np.asarray(net.endpoint_switch))] = 0
    if net.grid is not None or grouped or (seen == 0).all() or not (seen == 0).any():
        return None
    tails, heads = np.asarray(net.tails), np.asarray(net.heads)
    for level in range(net.switches):
        fresh = np.unique(heads[(seen[tails] == level) & (seen[heads] < 0)])
        if not len(fresh):
            break
        seen[fresh] = level + 1
    return np.maximum(seen, 0)


def _spacing(place: Floats) -> float:
    """Least distance of two of them. O(n^2)."""
    if len(place) < 2:
        return SIDE / 2
    least = SIDE / 2
    for at in range(len(place) - 1):
        away = np.hypot(*(place[at + 1 :] - place[at]).T)
        least = min(least, float(away.min()))
    return max(least, 1.0)


def _endpoints(net: _core.Network, place: Floats, spacing: float, layout: str) -> list[tuple[float, float]]:
    """On a ring around their switch; in layers below it, in circles outside."""
    at = np.asarray(net.endpoint_switch).astype(np.int64)
    attached = np.bincount(at, minlength=net.switches)
    nth = np.zeros(net.switches, dtype=np.int64)
    made = []
    middle = np.array([SIDE / 2, SIDE / 2])
    for switch in at:
        of, number = int(attached[switch]), int(nth[switch])
        nth[switch] += 1
        if layout == "layers":
            angle = np.pi / 2 - (number - (of - 1) / 2) * min(np.pi / max(of, 1), 0.9)
        elif layout == "grid":
            angle = np.pi / 4 + 2 * np.pi * number / of
        else:
            out = place[switch] - middle
            angle = float(np.arctan2(out[1], out[0])) + (number - (of - 1) / 2) * min(2 * np.pi / of, 0.9)
        made.append((float(place[switch][0] + NEAR * spacing * np.cos(angle)),
                     float(place[switch][1] + NEAR * spacing * np.sin(angle))))  # fmt: skip
    return made


def _classes(net: _core.Network, a: Ints, b: Ints) -> list[int]:
    """Class of the first link of every pair."""
    tails, heads = (np.asarray(column).astype(np.int64) for column in (net.tails, net.heads))
    key = np.minimum(tails, heads) * net.switches + np.maximum(tails, heads)
    _, first = np.unique(key, return_index=True)
    found: list[int] = np.asarray(net.class_index)[first].tolist()
    return found
