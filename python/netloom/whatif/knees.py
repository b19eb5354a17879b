"""Where a curve bends, and from where on more of a parameter gives nothing.

In these rules 2 % stand for the error of what was extrapolated, where that is more.

Three rules, all on the curve through the base point:

*nothing*: the smallest part of the range, at its better end, over which all results lie within 2 %. The knee is the
value where it begins, found by bisection. The part must be at least a tenth of the range on its own scale: a curve that
falls to its end gains less than 2 % over the last bit of it too.

*turn*: a result inside the range that is better than those at both ends by 2 %, or worse. Where the best is inside, the
curve has no knee and no bend: on either side something is lost.

*bend*: on logarithmic scales, the run farthest from the straight line between both ends of the curve, on the side
where what is gained falls (Satopaa et al. 2011), if the slope falls there by a tenth or more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .curves import Curve
from .varied import Range, Value

#: Gain below which more gives nothing, the share of the range that this must hold for, and steps of the bisection.
NOTHING, SHARE, STEPS = 0.02, 0.1, 6


#: A slope that falls by less is no bend.
BENT = 0.1


@dataclass(frozen=True)
class Turn:
    """The best or the worst result where it lies inside a range.

    Attributes
    ----------
    value, result
        Where, and what was run there.
    low_times, high_times
        Times that it is better, or worse, than the result at the low end and at the high one: 1.02 or more.
    """

    value: Value
    result: float
    low_times: float
    high_times: float


@dataclass(frozen=True)
class Knee:
    """What a curve says of a parameter.

    Attributes
    ----------
    curve
        With the runs of the bisection.
    upwards
        More of it is better; False: less of it is.
    value
        From here on, to its better end, nothing is gained; None where the curve gains up to the end, or has its best
        inside.
    gain_before, gain_after
        Times that the result becomes better from the worse end up to `value`, and from there to the better end. Where
        `value` is None all is before.
    bend
        The value at the largest bend; None of a curve without one.
    slope_before, slope_after
        On logarithmic scales, from the low end to the bend and from there to the high end.
    flat
        All results of the range lie within 2 %.
    best_inside, worst_inside
        A turn; None of a curve whose best, or worst, is at an end.
    nothing
        The share below which a gain is none: 2 %, or the error of what was extrapolated.
    """

    curve: Curve
    upwards: bool
    value: Value | None
    gain_before: float
    gain_after: float
    bend: Value | None = None
    slope_before: float | None = None
    slope_after: float | None = None
    flat: bool = False
    best_inside: Turn | None = None
    worst_inside: Turn | None = None
    nothing: float = NOTHING

    @property
    def name(self) -> str:
        """Of the parameter."""
        return self.curve.varied.name


def knee(curve: Curve, least: bool, run: Callable[[Value], float | None]) -> Knee | None:
    """The knee of a curve over a range; None of one whose results are not all above 0.

    Parameters
    ----------
    least
        The least result is best.
    run
        The result at another value of the range; None where there is no time.
    """
    one = curve.varied
    if not isinstance(one, Range) or min(curve.results) <= 0:
        return None
    values, results = _inside(curve, one)
    nothing = curve.nothing
    upwards = better(results[-1], results[0], least) >= 1
    whole = better(results[-1], results[0], least) if upwards else better(results[0], results[-1], least)
    if _turn(values, results, least, nothing) is not None:
        return _turned(_nearer(curve, one, least, run), upwards, whole, least, nothing)
    if not upwards:
        values, results = values[::-1], results[::-1]
    first = next(at for at in range(len(results)) if _alike(results[at:], nothing))
    value, rest = values[first], results[first:]
    if first > 0:
        bad = values[first - 1]
        for _ in range(STEPS):
            middle = one.taken((float(bad) + float(value)) / 2)
            if one.log:
                middle = one.taken(math.sqrt(float(bad) * float(value)))
            if middle in (bad, value) or (found := run(middle)) is None:
                break
            curve = curve.with_run(middle, found)
            if _alike([found, *rest], nothing):
                value, rest = middle, [found, *rest]
            else:
                bad = middle
    if _turn(*_inside(curve, one), least, nothing) is not None:
        return _turned(curve, upwards, whole, least, nothing)
    begins: Value | None = None
    before, after = whole, 1.0
    if abs(one.place(values[-1]) - one.place(value)) >= SHARE:
        begins, before, after = value, better(rest[0], results[0], least), better(_best(rest, least), rest[0], least)
    bend, worst = _bend(*_inside(curve, one), least), _turn(*_inside(curve, one), not least, nothing)
    return Knee(curve, upwards, begins, before, after, *bend, flat=first == 0, worst_inside=worst, nothing=nothing)


def _nearer(curve: Curve, one: Range, least: bool, run: Callable[[Value], float | None]) -> Curve:
    """With runs nearer to the best one: half way to its neighbours, on either side in turn."""
    for step in range(STEPS):
        values, results = _inside(curve, one)
        at = results.index(_best(results, least))
        near = float(values[max(at - 1, 0)] if step % 2 == 0 else values[min(at + 1, len(values) - 1)])
        best = float(values[at])
        middle = one.taken(math.sqrt(near * best) if one.log else (near + best) / 2)
        if middle in values:
            continue
        if (found := run(middle)) is None:
            break
        curve = curve.with_run(middle, found)
    return curve


def _turned(curve: Curve, upwards: bool, whole: float, least: bool, nothing: float) -> Knee:
    """What a curve says whose best is inside the range."""
    assert isinstance(curve.varied, Range)
    kept = _inside(curve, curve.varied)
    turns = _turn(*kept, least, nothing), _turn(*kept, not least, nothing)
    return Knee(curve, upwards, None, whole, 1.0, best_inside=turns[0], worst_inside=turns[1], nothing=nothing)


def better(after: float, before: float, least: bool) -> float:
    """Times that a result above 0 is better than another."""
    return before / after if least else after / before


def _best(results: Sequence[float], least: bool) -> float:
    return min(results) if least else max(results)


def _alike(results: Sequence[float], nothing: float) -> bool:
    """Whether all of these results lie within that share."""
    return max(results) < (1 + nothing) * min(results)


def _turn(values: Sequence[Value], results: Sequence[float], least: bool, nothing: float) -> Turn | None:
    """The best result, if it is better than both ends by that share."""
    best = _best(results, least)
    low, high = better(best, results[0], least), better(best, results[-1], least)
    return Turn(values[results.index(best)], best, low, high) if min(low, high) >= 1 + nothing else None


def _inside(curve: Curve, one: Range) -> tuple[list[Value], list[float]]:
    """The runs of the range; the base may lie outside of it."""
    kept = [
        (value, result)
        for value, result in zip(curve.values, curve.results, strict=True)
        if one.low <= float(value) <= one.high
    ]
    return [value for value, _ in kept], [result for _, result in kept]


def _bend(
    values: Sequence[Value], results: Sequence[float], least: bool
) -> tuple[Value | None, float | None, float | None]:
    """The run farthest from the line between both ends, on logarithmic scales, on the side of falling gains."""
    kept = [
        (math.log(float(value)), math.log(result), value)
        for value, result in zip(values, results, strict=True)
        if float(value) > 0
    ]
    found: tuple[float, Value, float, float] | None = None
    for place, height, value in kept[1:-1]:
        before = (height - kept[0][1]) / (place - kept[0][0])
        after = (kept[-1][1] - height) / (kept[-1][0] - place)
        # What is gained is -log(result) of the least and log(result) of the greatest: its slope falls.
        fall = (after - before) if least else (before - after)
        distance = fall * (place - kept[0][0]) * (kept[-1][0] - place)
        if fall > BENT and (found is None or distance > found[0]):
            found = (distance, value, before, after)
    return (None, None, None) if found is None else found[1:]
