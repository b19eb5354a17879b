"""Positions of switches: cabinets in a two-dimensional grid on the floor."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.arguments import require_names
from . import codes
from ._check import Checker, shown
from ._stream import shuffled

if TYPE_CHECKING:
    from .model import CostModel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: Largest number of switches that is laid out.
MAX_SWITCHES = 10_000_000


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
class Layout:
    """A place for every switch.

    Attributes
    ----------
    x_m, y_m : ndarray of float64, shape (switches,)
        Position of the switch's cabinet: along a row, across rows; metres.
    cabinet : ndarray of int64, shape (switches,)
        Cabinet of each switch.
    rows, columns : int
        The grid of cabinets.
    intra_cabinet_m, inter_cabinet_overhead_m : float
        Length of a cable inside a cabinet; what is added to the distance of two cabinets.
    order : str
        The row of :data:`ORDERS` that was used.
    """

    x_m: Floats
    y_m: Floats
    cabinet: Ints
    rows: int
    columns: int
    intra_cabinet_m: float
    inter_cabinet_overhead_m: float
    order: str

    @property
    def switches(self) -> int:
        return len(self.cabinet)

    @property
    def cabinets(self) -> int:
        return int(self.cabinet.max()) + 1 if len(self.cabinet) else 0


class FloorOptions(TypedDict, total=False):
    """Other arguments of `layout`."""

    order: str | None
    seed: int
    switches_per_cabinet: int | None
    cabinet_width_m: float | None
    cabinet_depth_m: float | None
    intra_cabinet_m: float | None
    inter_cabinet_overhead_m: float | None
    cabinet_of: ArrayLike | None


def layout(
    switches: int,
    *,
    model: str | Path | CostModel | None = None,
    **options: Unpack[FloorOptions],
) -> Layout:
    """Place `switches` switches in cabinets and the cabinets on the floor.

    Switches fill the cabinets in ascending order; ``c`` cabinets fill a grid of ``ceil(sqrt(c))`` rows and
    ``ceil(c / rows)`` columns.

    Parameters
    ----------
    switches
        1 to ten million.
    model
        Cost model whose floor plan gives the defaults of all that is left out.
    order
        A key of :data:`ORDERS`. The source leaves it open; `row-major` comes nearest to its numbers.
    seed
        For `order="random"`, 0 to 2^64-1.
    switches_per_cabinet
        At least 1.
    cabinet_width_m, cabinet_depth_m
        Pitch of the grid along a row and across rows.
    intra_cabinet_m, inter_cabinet_overhead_m
        See :class:`Layout`.
    cabinet_of
        Cabinet of every switch, in place of filling them in order: one integer >= 0 per switch, for example the group
        of a dragonfly.

    Raises
    ------
    NetloomError
        NL-K001, NL-K002, NL-K004, NL-K007; NL-A003 for an option that there is not.

    Notes
    -----
    Cui 2024, section 5.6, where n in ``ceil(sqrt(n))`` is read as the number of cabinets. Cost O(switches).
    """
    from .model import cost_model

    require_names("layout", options, FloorOptions.__annotations__)
    seed, cabinet_of = options.get("seed", 0), options.get("cabinet_of")
    floor = dict(cost_model(model).floor)
    floor.update({key: value for key, value in options.items() if key in floor and value is not None})
    check = Checker()
    if isinstance(switches, int) and not isinstance(switches, bool) and switches > MAX_SWITCHES:
        check.add(codes.TOO_LARGE, "layout.switches", f"at most {MAX_SWITCHES}", shown(switches))
    else:
        switches = check.integer("layout.switches", switches, 1, MAX_SWITCHES)
    per = check.integer("layout.switches_per_cabinet", floor["switches_per_cabinet"], 1, MAX_SWITCHES)
    width = check.number("layout.cabinet_width_m", floor["cabinet_width_m"], 1e-9, "a number of metres > 0")
    depth = check.number("layout.cabinet_depth_m", floor["cabinet_depth_m"], 1e-9, "a number of metres > 0")
    intra = check.number("layout.intra_cabinet_m", floor["intra_cabinet_m"])
    inter = check.number("layout.inter_cabinet_overhead_m", floor["inter_cabinet_overhead_m"])
    check.name("layout.order", floor["order"], ORDERS, "a cabinet order")
    seed = check.integer("layout.seed", seed, 0, 2**64 - 1)
    check.done()
    cabinet = np.arange(switches, dtype=np.int64) // per if cabinet_of is None else _given(check, switches, cabinet_of)
    check.done()
    cabinets = int(cabinet.max()) + 1
    rows = math.isqrt(cabinets - 1) + 1
    columns = -(-cabinets // rows)
    row, column = ORDERS[str(floor["order"])](rows, columns, seed)
    return Layout(
        x_m=np.asarray(column[cabinet] * width, dtype=np.float64),
        y_m=np.asarray(row[cabinet] * depth, dtype=np.float64),
        cabinet=cabinet,
        rows=rows,
        columns=columns,
        intra_cabinet_m=intra,
        inter_cabinet_overhead_m=inter,
        order=str(floor["order"]),
    )


def _given(check: Checker, switches: int, cabinet_of: ArrayLike) -> Ints:
    try:
        cabinet = np.asarray(cabinet_of)
    except (ValueError, TypeError):
        cabinet = np.empty(0)
    if cabinet.shape != (switches,):
        check.add(codes.SHAPE, "layout.cabinet_of", f"one cabinet for each of {switches} switches", cabinet.shape)
    elif not np.issubdtype(cabinet.dtype, np.integer):
        check.add(codes.BAD_VALUE, "layout.cabinet_of", "an array of integers", f"an array of {cabinet.dtype}")
    elif cabinet.min() < 0 or cabinet.max() >= MAX_SWITCHES:
        worst = cabinet.min() if cabinet.min() < 0 else cabinet.max()
        check.add(codes.BAD_VALUE, "layout.cabinet_of", f"integers from 0 to {MAX_SWITCHES - 1}", worst)
    else:
        return cabinet.astype(np.int64)
    return np.zeros(switches, dtype=np.int64)
