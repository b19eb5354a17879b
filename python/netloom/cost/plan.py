"""Floor plans: how switches fill cabinets, and cabinets the floor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import codes
from ._check import Checker
from ._stream import shuffled

Ints = NDArray[np.int64]

#: Largest number of switches that is laid out.
MAX_SWITCHES = 10_000_000
_METRES = {
    "cabinet_width_m": "a number of metres > 0",
    "cabinet_depth_m": "a number of metres > 0",
    "intra_cabinet_m": "a number of metres >= 0",
    "inter_cabinet_overhead_m": "a number of metres >= 0",
}
#: Keys of a floor plan in a file.
KEYS = (*_METRES, "switches_per_cabinet", "order")


def _row_major(rows: int, columns: int, seed: int) -> tuple[Ints, Ints]:
    i = np.arange(rows * columns)
    return i // columns, i % columns


def _column_major(rows: int, columns: int, seed: int) -> tuple[Ints, Ints]:
    i = np.arange(rows * columns)
    return i % rows, i // rows


def _snake(rows: int, columns: int, seed: int) -> tuple[Ints, Ints]:
    row, column = _row_major(rows, columns, seed)
    return row, np.where(row % 2 == 1, columns - 1 - column, column)


def _random(rows: int, columns: int, seed: int) -> tuple[Ints, Ints]:
    cell = shuffled(rows * columns, seed, "cabinets")
    return cell // columns, cell % columns


def _hilbert(rows: int, columns: int, seed: int) -> tuple[Ints, Ints]:
    """Cells of the smallest covering power-of-two square along Hilbert's curve, those outside left out."""
    side = 1 << max(0, (max(rows, columns) - 1).bit_length())
    t = np.arange(side * side)
    x, y = np.zeros_like(t), np.zeros_like(t)
    s = 1
    while s < side:
        rx, ry = 1 & (t // 2), 1 & (t ^ (t // 2))
        flip = (ry == 0) & (rx == 1)
        x, y = np.where(flip, s - 1 - x, x), np.where(flip, s - 1 - y, y)
        x, y = np.where(ry == 0, y, x), np.where(ry == 0, x, y)
        x, y, t = x + s * rx, y + s * ry, t // 4
        s *= 2
    inside = (y < rows) & (x < columns)
    return y[inside], x[inside]


#: How consecutive cabinets fill the grid. Rows are one depth apart, columns one width.
ORDERS: dict[str, Callable[[int, int, int], tuple[Ints, Ints]]] = {
    "row-major": _row_major,
    "column-major": _column_major,
    "snake": _snake,
    "hilbert": _hilbert,
    "random": _random,
}


@dataclass(frozen=True)
class FloorPlan:
    """Cabinets and the cables between them; a cost model has one.

    Attributes
    ----------
    cabinet_width_m, cabinet_depth_m
        Pitch of the grid along a row and across rows, > 0.
    intra_cabinet_m, inter_cabinet_overhead_m
        Length of a cable inside a cabinet; what is added to the distance of two cabinets; >= 0.
    switches_per_cabinet
        At least 1.
    order
        How consecutive cabinets fill the grid: a key of :data:`ORDERS`.
    """

    cabinet_width_m: float
    cabinet_depth_m: float
    intra_cabinet_m: float
    inter_cabinet_overhead_m: float
    switches_per_cabinet: int = 1
    order: str = "row-major"


def checked(check: Checker, place: str, given: Mapping[str, object]) -> FloorPlan:
    """A floor plan of these values; what is missing or out of range is collected."""

    def metres(key: str, expected: str) -> float:
        low = 1e-9 if expected.endswith("> 0") else 0.0
        if key not in given:
            check.add(codes.UNREADABLE, place, f"the key {key} is missing")
        return check.number(f"{place}.{key}", given.get(key, low), low, expected)

    lengths = {key: metres(key, expected) for key, expected in _METRES.items()}
    per = check.integer(f"{place}.switches_per_cabinet", given.get("switches_per_cabinet", 1), 1, MAX_SWITCHES)
    order = given.get("order", "row-major")
    check.name(f"{place}.order", order, ORDERS, "a cabinet order")
    return FloorPlan(**lengths, switches_per_cabinet=per, order=str(order))
