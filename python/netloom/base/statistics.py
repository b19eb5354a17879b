"""Quantiles, and how closely two lists of numbers go together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

#: Fewest pairs of numbers that have a correlation.
FEWEST = 3


def quantile(values: Sequence[float], share: float) -> float:
    """Linear between the two nearest order statistics (Hyndman and Fan's type 7); of at least one value."""
    found = sorted(values)
    at = share * (len(found) - 1)
    low = math.floor(at)
    high = min(low + 1, len(found) - 1)
    return found[low] + (found[high] - found[low]) * (at - low)


@dataclass(frozen=True)
class Correlation:
    """How two lists go together, each from -1 to 1.

    Attributes
    ----------
    pearson
        Of the numbers: 1 on a rising line.
    spearman
        Of their ranks, equal numbers with their mean rank: 1 where both rise together.
    kendall
        Tau-b: pairs in the same order less pairs in the other order, over the pairs that are not tied.
    """

    pearson: float
    spearman: float
    kendall: float


def uncorrelated(one: Sequence[float], other: Sequence[float]) -> str:
    """Why two lists have no correlation; "" where they have one."""
    if len(one) < FEWEST:
        return f"fewer than {FEWEST} rows"
    if not all(map(math.isfinite, (*one, *other))):
        return "a value is not a finite number"
    for name, values in (("the first column", one), ("the second column", other)):
        if min(values) == max(values):
            return f"{name} is constant"
    return ""


def correlation(one: Sequence[float], other: Sequence[float]) -> Correlation | None:
    """None where `uncorrelated` says why. O(n log n), and O(n log² n) for tau-b."""
    if uncorrelated(one, other):
        return None
    return Correlation(_pearson(one, other), _pearson(_ranks(one), _ranks(other)), _tau_b(one, other))


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Rank correlation; None where there is none."""
    return None if uncorrelated(one, other) else _pearson(_ranks(one), _ranks(other))


def _pearson(one: Sequence[float], other: Sequence[float]) -> float:
    a, b = _centred(one), _centred(other)
    over = math.fsum(x * y for x, y in zip(a, b, strict=True))
    below = math.sqrt(math.fsum(x * x for x in a) * math.fsum(y * y for y in b))
    return max(-1.0, min(1.0, over / below))


def _centred(values: Sequence[float]) -> list[float]:
    """Differences from the mean, scaled by powers of two, which is exact: squares neither overflow nor vanish."""
    small = _scaled(values)
    mean = math.fsum(small) / len(small)
    return _scaled([one - mean for one in small])


def _scaled(values: Sequence[float]) -> list[float]:
    _, exponent = math.frexp(max(map(abs, values)))
    return [math.ldexp(value, -exponent) for value in values]


def _ranks(values: Sequence[float]) -> list[float]:
    """From 0; equal values have the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    made = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for place in order[at:end]:
            made[place] = (at + end - 1) / 2
        at = end
    return made


def _tau_b(one: Sequence[float], other: Sequence[float]) -> float:
    """Knight's count: pairs in the other order are the exchanges that sort the second list, the first being sorted."""
    pairs = sorted(zip(one, other, strict=True))
    whole = len(pairs) * (len(pairs) - 1) // 2
    first, second = _tied(sorted(one)), _tied(sorted(other))
    both = _tied(pairs)
    crossed = _exchanges([y for _, y in pairs])
    straight = whole - first - second + both - crossed
    return (straight - crossed) / math.sqrt((whole - first) * (whole - second))


def _tied(ordered: Sequence[object]) -> int:
    """Pairs of equal entries of a sorted list."""
    count, run = 0, 1
    for a, b in pairwise(ordered):
        run = run + 1 if a == b else 1
        count += run - 1
    return count


def _exchanges(values: list[float]) -> int:
    """Pairs of which the first is greater, by merging. O(n log n)."""
    if len(values) < 2:
        return 0
    half = len(values) // 2
    low, high = values[:half], values[half:]
    count = _exchanges(low) + _exchanges(high)
    low.sort()
    high.sort()
    at = 0
    for value in low:
        while at < len(high) and high[at] < value:
            at += 1
        count += at
    return count
