"""What one parameter gives at its best value, the others as they are."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .curves import Curve
from .extrapolated import nothing_of
from .knees import better
from .varied import Range, Value


@dataclass(frozen=True)
class Gain:
    """From the base point to the best value on the curve of a parameter.

    Attributes
    ----------
    value
        The best one that was run: of equally good ones the farthest from the worst, of choices the base.
    before, after
        Results at the base point and there.
    """

    curve: Curve
    value: Value
    before: float
    after: float
    least: bool

    @property
    def name(self) -> str:
        """Of the parameter."""
        return self.curve.varied.name

    @property
    def times(self) -> float | None:
        """Times that the result becomes better; None where it is not above 0."""
        return better(self.after, self.before, self.least) if min(self.before, self.after) > 0 else None

    @property
    def nothing(self) -> float:
        """The share below which it is none."""
        return nothing_of(self.before, self.after)


def gain(curve: Curve, least: bool) -> Gain | None:
    """The gain on a curve; None of one without a run at the base."""
    one = curve.varied
    before = curve.at(one.base)
    if before is None:
        return None
    best, worst = (min, max) if least else (max, min)
    equal = [
        value
        for value, result in zip(curve.values, curve.results, strict=True)
        if math.isclose(result, best(curve.results), rel_tol=1e-9)
    ]
    value = equal[0] if one.base not in equal else one.base
    if isinstance(one, Range) and len(equal) < len(curve.values):
        away = one.place(curve.values[curve.results.index(worst(curve.results))])
        value = max(equal, key=lambda value: abs(one.place(value) - away))
    after = curve.at(value)
    assert after is not None
    return Gain(curve, value, before, after, least)
