"""Loads of a torus or mesh added up over all dimensions but two: small maps, one per direction and second dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..answer import Row
from .slices import MAX_SIDE, no_torus

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ... import _core
    from .result import Loads

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

#: Most dimensions of more than one switch: each pair has two maps.
MAX_DIMENSIONS = 6
#: Columns of `rows`.
COLUMNS = ("direction", "other", "place", "other_place", "bytes", "up_bytes", "down_bytes")


@dataclass(frozen=True)
class Minimap:
    """Cables along one dimension, added up over all dimensions but this one and another one.

    Parameters
    ----------
    direction
        The dimension of the cables, counted from 0.
    other
        The other dimension; None for sums over all but `direction`.
    up, down
        Bytes on links that count their dimension up, and down, by place in `direction` and in `other`; shape
        (places, places of other). The cable from the last place to the first is in the last row.
    """

    direction: int
    other: int | None
    up: Floats
    down: Floats


def refusal(net: _core.Network) -> tuple[str, str, int, int]:
    """Why a network has no such maps: a sentence; or what there is too much of, how many and the most; else nothing."""
    why = no_torus(net)
    if why or net.grid is None:
        return why, "", 0, 0
    sides = [side for side in net.grid[0] if side > 1]
    if len(sides) < 2:
        return f"{net.label} has no two dimensions", "", 0, 0
    if len(sides) > MAX_DIMENSIONS:
        return "", "dimensions", len(sides), MAX_DIMENSIONS
    if max(sides) > MAX_SIDE:
        return "", "switches on a side", max(sides), MAX_SIDE
    return "", "", 0, 0


def summed(loads: Loads) -> list[Minimap]:
    """Direction by direction the sums by its places, then its maps by the other dimensions; see `refusal`.

    Cost: O(links × dimensions).
    """
    import numpy as np

    net = loads.network
    assert net.grid is not None
    sides = net.grid[0]
    long = [axis for axis, side in enumerate(sides) if side > 1]
    tails, heads = (np.stack(np.unravel_index(ends.astype(np.int64), sides)) for ends in (net.tails, net.heads))
    carried = loads.link_bytes[: len(net.tails)]
    made = []
    for axis in long:
        along = np.flatnonzero(tails[axis] != heads[axis])
        a, step = tails[:, along], (heads - tails)[axis, along]
        closes = (np.abs(step) == sides[axis] - 1) & (sides[axis] > 2)
        up = np.where(closes, -step, step) > 0
        # Both links of a cable are where the one that counts up begins.
        place = np.where(up, a[axis], heads[axis, along])
        cables = sides[axis] if net.grid[1][axis] and sides[axis] > 2 else sides[axis] - 1
        for other in (None, *(one for one in long if one != axis)):
            shape = (cables, 1 if other is None else sides[other])
            at = place * shape[1] + (0 if other is None else a[other])
            ways = [
                np.bincount(at[way], weights=carried[along][way], minlength=shape[0] * shape[1]) for way in (up, ~up)
            ]
            made.append(Minimap(axis, other, *(one.reshape(shape).astype(np.float64, copy=False) for one in ways)))
    return made


def rows(loads: Loads) -> list[Row]:
    """One row per place of a map; none where there are no maps, or where no link carries anything."""
    if any(refusal(loads.network)) or not loads.link_bytes[: len(loads.network.tails)].any():
        return []
    made: list[Row] = []
    for one in summed(loads):
        ways = zip(one.up.tolist(), one.down.tolist(), strict=True)
        for place, (up, down) in enumerate(ways):
            for across, (there, back) in enumerate(zip(up, down, strict=True)):
                beside = None if one.other is None else across
                cells = (one.direction, one.other, place, beside, there + back, there, back)
                made.append(dict(zip(COLUMNS, cells, strict=True)))
    return made


def of_rows(rows: Sequence[Row]) -> list[Minimap]:
    """The maps of one run from `rows`."""
    import numpy as np

    maps: dict[tuple[int, int | None], list[Row]] = {}
    for row in rows:
        maps.setdefault((_int(row["direction"]), _other(row)), []).append(row)
    made = []
    for (direction, other), own in maps.items():
        places = 1 + max(_int(row["place"]) for row in own)
        ways = (np.array([row[way] for row in own], dtype=np.float64) for way in ("up_bytes", "down_bytes"))
        up, down = (way.reshape(places, -1) for way in ways)
        made.append(Minimap(direction, other, up, down))
    return made


def words(direction: int, other: int | None) -> str:
    """What a map shows: `links of dimension 0 by dimension 1`."""
    return f"links of dimension {direction}" + ("" if other is None else f" by dimension {other}")


def _other(row: Row) -> int | None:
    return None if row["other"] in (None, "") else _int(row["other"])


def _int(cell: object) -> int:
    return int(str(cell))
