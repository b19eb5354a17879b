"""One thing varied at a time, the others as they are; and two of them together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .extrapolated import nothing_of
from .runs import Runs
from .varied import Choice, Range, Value, Varied

#: Points of a curve, along each side of a map, and of a map that is cut.
POINTS, SIDE, LEAST_SIDE = 17, 9, 3


@dataclass(frozen=True)
class Curve:
    """Results over one thing varied.

    Attributes
    ----------
    values, results
        In the order of the range, or of the choices.
    """

    varied: Varied
    values: list[Value]
    results: list[float]

    def at(self, value: Value) -> float | None:
        """The result of a run there; None without one."""
        return self.results[self.values.index(value)] if value in self.values else None

    @property
    def nothing(self) -> float:
        """The share below which a difference of its results is nothing."""
        return nothing_of(*self.results)

    def with_run(self, value: Value, result: float) -> Curve:
        """With one more run."""
        if value in self.values:
            return self
        both = sorted([*zip(self.values, self.results, strict=True), (value, result)], key=lambda one: float(one[0]))
        return replace(self, values=[value for value, _ in both], results=[result for _, result in both])


@dataclass(frozen=True)
class Map:
    """Results over two things varied: a row of `results` for each value of the first."""

    first: Varied
    second: Varied
    rows: list[Value]
    columns: list[Value]
    results: list[list[float]]
    #: By an emulator, not by runs.
    emulated: bool = False


def base_of(varied: Sequence[Varied]) -> tuple[Value, ...]:
    """The point that all curves go through."""
    return tuple(one.base for one in varied)


def through(base: tuple[Value, ...], at: int, value: Value) -> tuple[Value, ...]:
    """The base point with another value of one thing."""
    return (*base[:at], value, *base[at + 1 :])


def values_of(one: Varied, points: int) -> list[Value]:
    """Where a curve has runs: spread over the range, at the base, and at its double and its half."""
    if isinstance(one, Choice):
        return list(dict.fromkeys([*one.choices, one.base]))
    return among(one, points, [one.base, *(value for value in doubled(one) if value is not None)])


def among(one: Range, points: int, near: Sequence[Value]) -> list[Value]:
    """Values spread over a range, and these."""
    even = [value for value in one.spread(points) if not any(_same(value, other) for other in near)]
    return sorted({*even, *near}, key=float)


def _same(value: Value, other: Value) -> bool:
    """Whether two values differ only by how they were computed."""
    return math.isclose(float(value), float(other), rel_tol=1e-9)


def doubled(one: Range) -> tuple[Value | None, Value | None]:
    """Twice the base and half of it, or the end of the range before; None where the base is there already."""
    base = float(one.base)
    up, down = one.taken(2 * base), one.taken(base / 2)
    return up if base > 0 and float(up) > base else None, down if base > 0 and float(down) < base else None


def curves(runs: Runs, points: int = POINTS) -> list[Curve]:
    """A curve for each thing varied, as far as there is time; those without two runs are left out."""
    base, made = base_of(runs.varied), []
    for at, one in enumerate(runs.varied):
        values = values_of(one, points)
        found = runs.at([through(base, at, value) for value in values], f"curve of {one.name}")
        known = [(value, result) for value, result in zip(values, found, strict=True) if result is not None]
        if len(known) > 1:
            made.append(Curve(one, [value for value, _ in known], [result for _, result in known]))
    return made


def grid(first: Varied, second: Varied, side: int = SIDE) -> tuple[list[Value], list[Value]]:
    """Values of both for a map."""
    rows, columns = first.spread(side), second.spread(side)
    return rows, columns
