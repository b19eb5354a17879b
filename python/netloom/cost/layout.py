"""Positions of switches: cabinets in a two-dimensional grid on the floor."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import codes
from ._check import Checker, shown
from .model import CostModel, cost_model
from .plan import MAX_SWITCHES, ORDERS, FloorPlan, checked

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


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


def layout(
    switches: int,
    plan: FloorPlan | None = None,
    *,
    order: str | None = None,
    seed: int = 0,
    cabinet_of: ArrayLike | None = None,
    model: str | Path | CostModel | None = None,
) -> Layout:
    """Place `switches` switches in cabinets and the cabinets on the floor.

    Switches fill the cabinets in ascending order; ``c`` cabinets fill a grid of ``ceil(sqrt(c))`` rows and
    ``ceil(c / rows)`` columns.

    Parameters
    ----------
    switches
        1 to ten million.
    plan
        Cabinets and cables; by default those of the cost model.
    order
        A key of :data:`ORDERS`; by default that of the plan. The source leaves it open; `row-major` comes nearest to
        its numbers.
    seed
        For `order="random"`, 0 to 2^64-1.
    cabinet_of
        Cabinet of every switch, in place of filling them in order: one integer >= 0 per switch, for example the group
        of a dragonfly.
    model
        Cost model whose floor plan is the default.

    Raises
    ------
    NetloomError
        NL-K001, NL-K002, NL-K004, NL-K007.

    Notes
    -----
    Cui 2024, section 5.6, where n in ``ceil(sqrt(n))`` is read as the number of cabinets. Cost O(switches).
    """
    plan = plan or cost_model(model).floor
    check = Checker()
    if isinstance(switches, int) and not isinstance(switches, bool) and switches > MAX_SWITCHES:
        check.add(codes.TOO_LARGE, "layout.switches", f"at most {MAX_SWITCHES}", shown(switches))
    else:
        switches = check.integer("layout.switches", switches, 1, MAX_SWITCHES)
    floor = checked(check, "layout", vars(plan) if order is None else {**vars(plan), "order": order})
    seed = check.integer("layout.seed", seed, 0, 2**64 - 1)
    check.done()
    if cabinet_of is None:
        cabinet = np.arange(switches, dtype=np.int64) // floor.switches_per_cabinet
    else:
        cabinet = _given(check, switches, cabinet_of)
        check.done()
    cabinets = int(cabinet.max()) + 1
    rows = math.isqrt(cabinets - 1) + 1
    columns = -(-cabinets // rows)
    row, column = ORDERS[floor.order](rows, columns, seed)
    return Layout(
        x_m=np.asarray(column[cabinet] * floor.cabinet_width_m, dtype=np.float64),
        y_m=np.asarray(row[cabinet] * floor.cabinet_depth_m, dtype=np.float64),
        cabinet=cabinet,
        rows=rows,
        columns=columns,
        intra_cabinet_m=floor.intra_cabinet_m,
        inter_cabinet_overhead_m=floor.inter_cabinet_overhead_m,
        order=floor.order,
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
