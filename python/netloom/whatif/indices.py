"""Sobol's indices of first and total order, with intervals: what share of the variance a parameter makes.

The sample is that of Saltelli (2002): two sets of N quasi-random points (Sobol' 1967, scrambled after Owen 1998), and
for each parameter the first set with that parameter from the second one, N (d + 2) runs. The estimators are those of
Saltelli et al. (2010), table 2: (b) of the first order, (f), of Jansen (1999), of the total one; SciPy computes them.
Intervals are percentiles of the indices of 999 samples of the N rows, drawn with replacement from a named seed, which
SciPy's own bootstrap does not take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from .varied import Value, Varied

if TYPE_CHECKING:
    from ..base.arrays import Matrix, Vector

#: Rows without which no index is given, resamples of an interval, and the share of them in it.
LEAST_ROWS, RESAMPLES, LEVEL = 16, 999, 0.95
#: An estimate that is farther outside of 0 to 1 is no rounding: the sample is too small to decide by.
OUTSIDE = 0.1


@dataclass(frozen=True)
class Index:
    """Of one parameter: shares of the variance of the result.

    Attributes
    ----------
    first
        What varying it alone makes.
    total
        What it makes with all that it does together with others.
    first_low, first_high, low, high
        Intervals of 95 %: of the first order, and of the total one.
    outside
        How far an estimate came out below 0 or above 1, where no index is; the greater one of both orders. Both
        intervals reach as far into 0 to 1, as the sample is off by that much or more.
    """

    first: float
    total: float
    first_low: float
    first_high: float
    low: float
    high: float
    outside: float = 0.0

    def joined(self, other: Index) -> Index:
        """With the interval that covers both."""
        return Index(
            self.first, self.total, min(self.first_low, other.first_low), max(self.first_high, other.first_high),
            min(self.low, other.low), max(self.high, other.high), max(self.outside, other.outside),
        )  # fmt: skip

    def widened(self, share: float) -> Index:
        """With intervals that reach further by a share of the variance that may be of this parameter, or of others."""
        return replace(
            self, first_low=max(self.first_low - share, 0.0), first_high=min(self.first_high + share, 1.0),
            low=max(self.low - share, 0.0), high=min(self.high + share, 1.0),
        )  # fmt: skip


def places(parameters: int, rows: int, seed: int) -> Matrix[np.float64]:
    """Quasi-random places, a row each, for both sets: twice as many columns as parameters."""
    from scipy.stats import qmc  # type: ignore[import-untyped]

    sampler = qmc.Sobol(2 * parameters, bits=64, rng=np.random.default_rng(seed))
    made: Matrix[np.float64] = sampler.random(rows)
    return made


def rows_of(varied: Sequence[Varied], rows: int, seed: int) -> list[list[tuple[Value, ...]]]:
    """For each row of the sample its points: of the first set, of the second, and the first with each parameter."""
    count, made = len(varied), []
    for row in places(count, rows, seed):
        first = tuple(one.at(float(place)) for one, place in zip(varied, row[:count], strict=True))
        second = tuple(one.at(float(place)) for one, place in zip(varied, row[count:], strict=True))
        mixed = [(*first[:at], second[at], *first[at + 1 :]) for at in range(count)]
        made.append([first, second, *mixed])
    return made


def indices(results: Matrix[np.float64], seed: int) -> list[Index]:
    """The indices from results, a row for each row of the sample and a column for each of its points.

    The number of rows is a power of two. A parameter that changes no result has indices of 0; so have all where no
    result differs.
    """
    count = results.shape[1] - 2
    if count == 1:
        share = 1.0 if np.ptp(results) > 0 else 0.0
        return [Index(*[share] * 6)]
    values = _estimated(results)
    drawn = np.random.default_rng(seed).integers(0, len(results), (RESAMPLES, len(results)))
    again = np.array([_estimated(results[rows]) for rows in drawn])
    ends = np.quantile(again, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return [_index(values[:, at], ends[:, :, at]) for at in range(count)]


def _index(values: Vector[np.float64], ends: Matrix[np.float64]) -> Index:
    """An index from both estimates and the ends of their intervals, a row for the lower ones.

    The estimators do not know that an index is a share. One that is off by `outside` is off by as much or more, so its
    interval has that width at least; what is left of it lies between 0 and 1.
    """
    (first, first_low, first_high), (total, low, high) = (
        _share(float(values[at]), float(ends[0][at]), float(ends[1][at])) for at in (0, 1)
    )
    outside = max(max(-float(one), float(one) - 1, 0.0) for one in values)
    return Index(first, total, first_low, first_high, low, high, outside)


def _share(value: float, low: float, high: float) -> tuple[float, float, float]:
    over, under = max(value - 1, 0.0), max(-value, 0.0)
    kept = min(max(value, 0.0), 1.0)
    return kept, min(max(min(low, kept - over), 0.0), 1.0), max(min(max(high, kept + under), 1.0), 0.0)


def _estimated(results: Matrix[np.float64]) -> Matrix[np.float64]:
    """Indices of both orders, a column for each parameter."""
    from scipy.stats import sobol_indices

    mixed = results[:, 2:].T[:, None, :]
    found = sobol_indices(func={"f_A": results[:, :1].T, "f_B": results[:, 1:2].T, "f_AB": mixed}, n=len(results))
    return np.array([found.first_order, found.total_order])


def complete(results: Sequence[float | None], width: int) -> Matrix[np.float64]:
    """The rows that are known in full, the greatest power of two of them from the first on."""
    rows = 0
    while (rows + 1) * width <= len(results) and None not in results[rows * width : (rows + 1) * width]:
        rows += 1
    kept = 1 << (rows.bit_length() - 1) if rows else 0
    return np.array(results[: kept * width], dtype=float).reshape(kept, width)


def of_function(
    varied: Sequence[Varied], rows: int, seed: int, predict: Callable[[Matrix[np.float64]], Vector[np.float64]]
) -> list[Index]:
    """The indices of a function of places, such as an emulator, on a sample of that many rows."""
    made = rows_of(varied, rows, seed)
    at = [[one.place(value) for one, value in zip(varied, point, strict=True)] for row in made for point in row]
    return indices(predict(np.array(at)).reshape(rows, len(varied) + 2), seed)
