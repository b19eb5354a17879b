"""How a number grows with the number of ranks: the simplest law that all recorded counts agree with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .grid import Grid

#: Powers of the number of ranks, and of one dimension, that are tried.
POWERS = tuple(
    Fraction(*one)
    for one in ((-1, 1), (1, 1), (-1, 2), (1, 2), (-1, 3), (1, 3), (-2, 3), (2, 3), (-3, 2), (-4, 3), (-2, 1))
)
#: Of a size in bytes that was rounded.
ROUNDED = 1.0
#: Relative difference of numbers that are the same but for the order of sums.
SAME = 1e-9


@dataclass(frozen=True)
class Law:
    """A number as a multiple of a function of the grid.

    Parameters
    ----------
    residual
        Largest relative difference from what was recorded.
    """

    name: str
    factor: float
    residual: float
    of: Callable[[Grid], float]
    is_rounded: bool

    def at(self, grid: Grid) -> float:
        """The number on a grid."""
        value = self.factor * self.of(grid)
        return float(round(value)) if self.is_rounded else value


def _candidates(depth: int) -> list[tuple[str, Callable[[Grid], float]]]:
    made: list[tuple[str, Callable[[Grid], float]]] = [("constant", lambda grid: 1.0)]
    made += [(f"P^{power}", _power(power)) for power in POWERS]
    made.append(("log2 P", lambda grid: math.log2(grid.size)))
    for d in range(depth if depth > 1 else 0):
        made += [(f"n{d}^{power}", _side(d, power)) for power in (-1, 1)]
    made += [(f"(n{a} n{b})^-1", _face(a, b)) for a in range(depth) for b in range(a + 1, depth) if depth > 2]
    return made


def _power(power: Fraction) -> Callable[[Grid], float]:
    return lambda grid: float(grid.size) ** float(power)


def _side(dimension: int, power: int) -> Callable[[Grid], float]:
    return lambda grid: float(grid.dims[dimension]) ** power


def _face(one: int, other: int) -> Callable[[Grid], float]:
    return lambda grid: 1.0 / (grid.dims[one] * grid.dims[other])


def fitted(grids: Sequence[Grid], values: Sequence[float], within: float, is_rounded: bool = True) -> list[Law]:
    """The laws that agree with the values, the simplest first; of none, the one that comes nearest.

    Parameters
    ----------
    within
        Largest relative difference; whole numbers may differ by rounding.
    is_rounded
        Whether the values are whole.
    """
    found, nearest = [], None
    for name, of in _candidates(len(grids[0].dims)):
        shapes = [of(grid) for grid in grids]
        # The largest value says most about the factor of what was rounded.
        at = max(range(len(values)), key=lambda one: values[one])
        factor = values[at] / shapes[at]
        off = [abs(factor * shape - value) for shape, value in zip(shapes, values, strict=True)]
        slack = [ROUNDED * (shape / shapes[at] + 1.0) / 2 if is_rounded else 0.0 for shape in shapes]
        residual = max(
            one / value if value else (0.0 if one == 0.0 else math.inf) for one, value in zip(off, values, strict=True)
        )
        law = Law(name, factor, residual, of, is_rounded)
        if all(one <= max(within, SAME) * value + room for one, value, room in zip(off, values, slack, strict=True)):
            found.append(law)
            if name == "constant" and residual <= SAME:
                return found
        if nearest is None or residual < nearest.residual:
            nearest = law
    # What agrees exactly goes before what agrees but for rounding.
    exact = [law for law in found if law.residual <= SAME]
    return exact or found or ([nearest] if nearest is not None else [])


def is_fit(laws: Sequence[Law], grids: Sequence[Grid], values: Sequence[float], within: float) -> bool:
    """Whether the first law agrees with the values."""
    law = laws[0]
    return all(
        abs(law.at(grid) - value) <= max(within, SAME) * value + (ROUNDED if law.is_rounded else 0.0)
        for grid, value in zip(grids, values, strict=True)
    )
