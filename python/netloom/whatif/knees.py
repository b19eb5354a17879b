"""Where a curve bends, and from where on more of a parameter gives nothing.

Two rules, both on the curve through the base point:

*nothing*: the smallest part of the range, at its better end, over which the result gains less than 2 %. What the knee
is, is the value where it begins, found by bisection. The part must be at least a tenth of the range on its own scale:
a curve that falls to its end gains less than 2 % over the last bit of it too.

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
class Knee:
    """What a curve says of a parameter.

    Attributes
    ----------
    curve
        With the runs of the bisection.
    upwards
        More of it is better; False: less of it is.
    value
        From here on, to its better end, nothing is gained; None where the curve gains up to the end.
    gain_before, gain_after
        Times that the result becomes better from the worse end up to `value`, and from there to the better end. Where
        `value` is None all is before.
    bend
        The value at the largest bend; None of a curve without one.
    slope_before, slope_after
        On logarithmic scales, from the low end to the bend and from there to the high end.
    """

    curve: Curve
    upwards: bool
    value: Value | None
    gain_before: float
    gain_after: float
    bend: Value | None = None
    slope_before: float | None = None
    slope_after: float | None = None

    @property
    def flat(self) -> bool:
        """Nothing is gained anywhere."""
        return self.value is not None and self.gain_before < 1 + NOTHING

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
    upwards = better(curve.results[-1], curve.results[0], least) >= 1
    values, results = _inside(curve, one)
    if not upwards:
        values, results = values[::-1], results[::-1]
    first = next(at for at in range(len(results)) if _rest(results[at:], least) < 1 + NOTHING)
    value, edge, best = values[first], results[first], _best(results[first:], least)
    if first > 0:
        bad = values[first - 1]
        for _ in range(STEPS):
            middle = one.taken((float(bad) + float(value)) / 2)
            if one.log:
                middle = one.taken(math.sqrt(float(bad) * float(value)))
            if middle in (bad, value) or (found := run(middle)) is None:
                break
            curve = curve.with_run(middle, found)
            if better(best, found, least) < 1 + NOTHING:
                value, edge, best = middle, found, _best([best, found], least)
            else:
                bad = middle
    after, before = better(best, edge, least), better(edge, results[0], least)
    begins: Value | None = None
    if abs(one.place(values[-1]) - one.place(value)) >= SHARE:
        begins = value
    else:
        before, after = better(results[-1], results[0], least), 1.0
    bend = _bend(*_inside(curve, one), least)
    return Knee(curve, upwards, begins, before, after, *bend)


def better(after: float, before: float, least: bool) -> float:
    """Times that a result above 0 is better than another."""
    return before / after if least else after / before


def _best(results: Sequence[float], least: bool) -> float:
    return min(results) if least else max(results)


def _rest(results: Sequence[float], least: bool) -> float:
    """The most that is gained over the first of these results."""
    return better(_best(results, least), results[0], least)


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
