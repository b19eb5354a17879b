"""The best point that was found, and the knees of the curves through it: each parameter with the best of the others."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from ..base.winner import is_tie
from .curves import SIDE, Curve, among, base_of, through
from .extrapolated import nothing_of
from .gains import gain
from .knees import STEPS, Knee, knee
from .runs import Runs
from .varied import Range, Value

#: What these runs are of.
OTHERS = "with the best of the others"


@dataclass(frozen=True)
class Best:
    """The best point.

    Attributes
    ----------
    point
        All parameters at the best values of their curves, or the best run of all where that one is better by more
        than 2 %; what changes the number of ranks as written.
    curves, knees
        Through it, of each range.
    """

    point: tuple[Value, ...]
    result: float
    curves: Sequence[Curve] = field(default_factory=tuple)
    knees: Sequence[Knee] = field(default_factory=tuple)


def cost(runs: Runs, points: int) -> int:
    """Most runs that the best point and the curves through it take."""
    ranges = sum(isinstance(one, Range) for one in runs.varied)
    return 1 + ranges * (points + 1 + STEPS) if len(runs.varied) > 1 else 0


def points_of(points: int) -> int:
    """Of a curve through the best point, where one through the base point has so much more."""
    return min(SIDE, (points + 1) // 2)


def best_of(
    runs: Runs, curves: Sequence[Curve], known: Sequence[Knee], least: bool, points: int, fixed: Container[str] = ()
) -> Best | None:
    """The best point, and the knees through it; None where there is no time for it.

    Parameters
    ----------
    fixed
        Names of what stays as written: over it results are not of the same work.
    """
    base = base_of(runs.varied)
    together = base
    for at, one in enumerate(runs.varied):
        curve = next((curve for curve in curves if curve.varied.name == one.name), None)
        found = gain(curve, least) if curve is not None and one.name not in fixed else None
        together = through(together, at, found.value) if found is not None else together
    result = runs.at([together], "best values together")[0]
    if result is None:
        return None
    point = _first_of(runs, together, least, fixed)
    made, knees = [], []
    for at, one in enumerate(runs.varied):
        if not isinstance(one, Range):
            continue
        if through(point, at, one.base) == base:
            # The others are as written.
            knees += [knee for knee in known if knee.name == one.name]
            made += [curve for curve in curves if curve.varied.name == one.name]
            continue
        curve = _curve(runs, point, at, points)
        if curve is None:
            return Best(point, runs.results[point], made, knees)
        found_knee = knee(curve, least, lambda value, at=at: _run(runs, point, at, value))  # type: ignore[misc]
        if found_knee is not None:
            knees.append(found_knee)
        made.append(curve if found_knee is None else found_knee.curve)
    return Best(point, runs.results[point], made, knees)


def _first_of(runs: Runs, together: tuple[Value, ...], least: bool, fixed: Container[str]) -> tuple[Value, ...]:
    """The best values together, or a run that is better than they are."""
    kept = [at for at, one in enumerate(runs.varied) if one.name in fixed]
    same = [point for point in runs.results if all(point[at] == together[at] for at in kept)]
    first = min(same, key=lambda point: runs.results[point] * (1 if least else -1))
    result, other = runs.results[together], runs.results[first]
    if min(result, other) <= 0:
        return together if other == result else first
    return together if is_tie(min(result, other), max(result, other), nothing_of(result, other)) else first


def _curve(runs: Runs, point: tuple[Value, ...], at: int, points: int) -> Curve | None:
    one = runs.varied[at]
    assert isinstance(one, Range)
    values = among(one, points, [point[at]])
    found = runs.at([through(point, at, value) for value in values], f"curve of {one.name}, {OTHERS}")
    if None in found:
        return None
    return Curve(one, values, [result for result in found if result is not None])


def _run(runs: Runs, point: tuple[Value, ...], at: int, value: Value) -> float | None:
    return runs.at([through(point, at, value)], f"knee of {runs.varied[at].name}, {OTHERS}")[0]
