"""Which switch of a larger network an old one becomes, and where all of them stand.

Switches of a family are numbered by coordinates: levels, pods, places in a grid. An old switch keeps its coordinates,
or its number within its level, whichever leaves more cables where they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..cost import ORDERS, FloorPlan, Layout, layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

#: Dimensions of a grid whose orders are all tried.
TURNED = 3
#: Extents of the blocks in which switches are numbered one after another, the slowest coordinate first.
Blocks = list[tuple[int, ...]]


def integers(value: object) -> list[int]:
    """A list of integers of a call."""
    assert isinstance(value, list)
    return [int(one) for one in value]


def blocks(net: _core.Network, call: str, switches: int) -> Blocks:
    """Coordinates of the switches that are bought."""
    _, _, named = _core.parse_call(call)
    if net.grid is not None:
        return [tuple(net.grid[0])]
    if net.family == "xgft":
        m, w = (integers(named[key]) for key in ("m", "w"))
        return [(*reversed(m[level:]), *reversed(w[:level])) for level in range(1, len(m) + 1)]
    if net.rails is not None:
        leaves = net.rails["pods"] * net.rails["rails"]
        spines = net.rails["spines"]
        return [(net.rails["pods"], net.rails["rails"]), (spines,), (switches - leaves - spines,)]
    if net.groups is not None:
        groups = len(np.unique(np.asarray(net.groups)))
        return [(groups, switches // groups)]
    return [(switches,)]


def matchings(old: Blocks, new: Blocks) -> Iterator[Ints]:
    """Ways to see the old switches in the new network: of each its new number, -1 for none."""
    sizes, sizes_new = ([math.prod(extents) for extents in some] for some in (old, new))
    yield _matched([(sum(sizes),)], [(sum(sizes_new),)])
    yield _matched([(size,) for size in sizes], [(size,) for size in sizes_new])
    yield _matched(old, new)
    dims = len(old[0])
    if len(old) == len(new) == 1 and 1 < dims == len(new[0]) <= TURNED:
        for order in permutations(range(dims)):
            if order != tuple(range(dims)):
                yield _matched(old, new, order)


def _matched(old: Blocks, new: Blocks, order: Sequence[int] = ()) -> Ints:
    made = np.full(sum(map(math.prod, old)), -1, dtype=np.int64)
    first_old = first_new = 0
    for before, after in zip(old, new, strict=False):
        count = math.prod(before)
        if len(before) == len(after) and count and math.prod(after):
            places = np.stack(np.unravel_index(np.arange(count), before))
            if order:
                places = places[list(order)]
            inside = np.all(places < np.array(after)[:, None], axis=0)
            numbers = np.ravel_multi_index(tuple(places[:, inside]), after)
            made[first_old : first_old + count][inside] = first_new + numbers
        first_old, first_new = first_old + count, first_new + math.prod(after)
    return _completed(made, sum(map(math.prod, new)))


def _completed(matched: Ints, switches: int) -> Ints:
    """Old switches without a place take those of the new network that are left, in order."""
    made = matched.copy()
    left = np.setdiff1d(np.arange(switches), made)
    without = np.flatnonzero(made < 0)
    many = min(len(left), len(without))
    made[without[:many]] = left[:many]
    return made


def grown_floor(plan: FloorPlan, before: Layout, matched: Ints, switches: int) -> Layout:
    """Where the switches of the larger network stand: old ones where they are, new ones in the places that are free.

    Parameters
    ----------
    before
        Of the old switches.
    matched
        Of each old switch its new number, -1 for those that are taken out.
    switches
        Of the larger network.

    Notes
    -----
    Free places of old cabinets are filled first. The grid of more cabinets has no fewer rows and columns, so the old
    cabinets keep their cells and new ones take the others in the order of the plan. O(switches).
    """
    old = matched >= 0
    cabinet = np.full(switches, -1, dtype=np.int64)
    cabinet[matched[old]] = before.cabinet[old]
    added = np.flatnonzero(cabinet < 0)
    taken = np.bincount(before.cabinet[old], minlength=before.cabinets)
    free = np.repeat(np.arange(before.cabinets), np.maximum(plan.switches_per_cabinet - taken, 0))[: len(added)]
    rest = np.arange(len(added) - len(free), dtype=np.int64) // plan.switches_per_cabinet
    cabinet[added] = np.concatenate([free, before.cabinets + rest])
    cabinets = max(before.cabinets, int(cabinet.max()) + 1)
    every = layout(cabinets, plan, cabinet_of=np.arange(cabinets))
    row, column = ORDERS[plan.order](every.rows, every.columns, 0)
    row_old, column_old = ORDERS[plan.order](before.rows, before.columns, 0)
    cells = list(zip(row_old.tolist(), column_old.tolist(), strict=True))[: before.cabinets]
    known = set(cells)
    cells += [cell for cell in zip(row.tolist(), column.tolist(), strict=True) if cell not in known]
    rows, columns = np.array(cells[:cabinets]).T
    return Layout(
        x_m=np.asarray(columns[cabinet] * plan.cabinet_width_m, dtype=np.float64),
        y_m=np.asarray(rows[cabinet] * plan.cabinet_depth_m, dtype=np.float64),
        cabinet=cabinet, rows=every.rows, columns=every.columns, intra_cabinet_m=before.intra_cabinet_m,
        inter_cabinet_overhead_m=before.inter_cabinet_overhead_m, order=before.order,
    )  # fmt: skip
