"""What is varied: a range of numbers, or some choices; both are places between 0 and 1."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..plot.units import value_text

#: A value of a parameter.
Value = str | int | float | bool


class Listed(str):
    """A list in one form, such as ``[1,4]``: a run gets `values`, all else a text that can be compared and hashed."""

    values: list[object]

    def __new__(cls, values: list[object]) -> Listed:
        made = super().__new__(cls, json.dumps(values, separators=(",", ":"), ensure_ascii=False))
        made.values = values
        return made

    def __reduce__(self) -> tuple[type[Listed], tuple[list[object]]]:
        return Listed, (self.values,)


class Unsaid(str):
    """What holds where the scenario is left as it is, as a text for people: a run gets nothing in its place."""


def plain(value: Value) -> object:
    """A value as a scenario takes it; None for none."""
    if isinstance(value, Unsaid):
        return None
    return value.values if isinstance(value, Listed) else value


#: Where 0 and less lie on a logarithmic scale: below all else.
BELOW = -1e6


@dataclass(frozen=True)
class Range:
    """Numbers from `low` to `high`.

    Attributes
    ----------
    name
        As typed.
    key
        The input, or the part of one, that gets the value.
    unit
        ``s``, ``B/s``, ``flop/s``, ``bytes``, or "" for a bare number; values are in it.
    integral
        Whole numbers only.
    log
        Every factor is as likely as its equal elsewhere: the logarithm is even.
    base
        Its value where others vary.
    """

    name: str
    key: str
    low: float
    high: float
    unit: str = ""
    integral: bool = False
    log: bool = False
    base: Value = 0.0

    def at(self, place: float) -> Value:
        """The value at a place between 0 and 1; whole numbers have parts of equal length."""
        low, high = (self.low - 0.5, self.high + 0.5) if self.integral else (self.low, self.high)
        if self.log:
            low = max(low, 0.5) if self.integral else low
            value = math.exp(math.log(low) + place * (math.log(high) - math.log(low)))
        else:
            value = low + place * (high - low)
        if not self.integral:
            return min(max(value, self.low), self.high)
        return int(min(max(math.floor(value + 0.5), self.low), self.high))

    def place(self, value: Value) -> float:
        """Where a value lies, 0 at the low end and 1 at the high one; a base may lie outside."""
        number = float(value)
        if self.log and number <= 0:
            return BELOW
        if self.log:
            return (math.log(number) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return (number - self.low) / (self.high - self.low)

    def middle(self) -> Value:
        """Half way, on its scale."""
        return self.taken(math.sqrt(self.low * self.high) if self.log else (self.low + self.high) / 2)

    def taken(self, value: float) -> Value:
        """The nearest value that it can have."""
        value = min(max(value, self.low), self.high)
        return round(value) if self.integral else value

    def spread(self, points: int) -> list[Value]:
        """Values at equal distances, both ends among them, each once."""
        every = [at / (points - 1) for at in range(points)]
        if self.log:
            found = [math.exp(math.log(self.low) + at * (math.log(self.high) - math.log(self.low))) for at in every]
        else:
            found = [self.low + at * (self.high - self.low) for at in every]
        return list(dict.fromkeys(map(self.taken, found)))

    def text(self, value: Value) -> str:
        """A value as people read it."""
        return value_text(value, self.unit) if isinstance(value, (int, float)) else str(value)


@dataclass(frozen=True)
class Choice:
    """One of several values, each as likely; attributes as of a `Range`.

    Places go by value, so that another order of the choices gives the same sample.
    """

    name: str
    key: str
    choices: Sequence[Value]
    base: Value = ""
    unit: str = ""

    def at(self, place: float) -> Value:
        """The choice of that part of the unit interval."""
        return self._sorted[min(int(place * len(self.choices)), len(self.choices) - 1)]

    def place(self, value: Value) -> float:
        """The middle of its part."""
        return (self._sorted.index(value) + 0.5) / len(self.choices)

    @cached_property
    def _sorted(self) -> list[Value]:
        """Numbers by size, before texts by letter."""
        return sorted(
            self.choices, key=lambda one: (isinstance(one, str), 0 if isinstance(one, str) else one, str(one))
        )

    def spread(self, points: int) -> list[Value]:
        """All choices."""
        return list(self.choices)

    def text(self, value: Value) -> str:
        """A choice as written."""
        return str(value).lower() if isinstance(value, bool) else str(value)


Varied = Range | Choice
