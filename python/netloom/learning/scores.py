"""How well predictions order and meet what was measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ..base.arrays import Vector

#: Samples of a bootstrap interval, and the share of them that it holds.
DRAWS, LEVEL = 1000, 0.9
#: Pairs that are compared at a time.
CELLS = 1 << 18


class Score(NamedTuple):
    """A score on each part of the rows, None where it is not defined, and its bootstrap interval on those held out."""

    train: float | None
    test: float | None
    held_out: float | None
    held_out_interval: tuple[float, float] | None


def rcc(observed: Vector[np.float64], predicted: Vector[np.float64]) -> float:
    """Rank correlation coefficient of Jain 2016, section 4.2.2: the share of pairs in the same order. O(n^2).

    A pair ``i > j`` is right where ``x_i >= x_j`` and ``y_i >= y_j``, or ``x_i < x_j`` and ``y_i < y_j``. Where samples
    tie, it depends on their order; `kendall_tau_b` does not.

    Examples
    --------
    >>> rcc(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    0.6666666666666666
    """
    pairs = len(observed) * (len(observed) - 1) // 2
    if pairs == 0:
        return float("nan")
    right = 0
    for rows in _blocks(len(observed)):
        x, y = (one[rows, None] >= one[None, : rows.stop] for one in (observed, predicted))
        right += int(np.count_nonzero(np.tril(x == y, rows.start - 1)))
    return right / pairs


def _blocks(rows: int) -> Iterator[slice]:
    """Rows whose pairs with those before them fill little memory."""
    size = max(1, CELLS // max(1, rows))
    return (slice(start, min(start + size, rows)) for start in range(0, rows, size))


def r2(observed: Vector[np.float64], predicted: Vector[np.float64]) -> float:
    """Coefficient of determination: 1 less the squared errors over those of the mean; NaN for equal samples."""
    spread = float(np.sum((observed - observed.mean()) ** 2))
    return 1.0 - float(np.sum((observed - predicted) ** 2)) / spread if spread > 0 else float("nan")


def kendall_tau_b(observed: Vector[np.float64], predicted: Vector[np.float64]) -> float:
    """Kendall's tau-b: concordant less discordant pairs, corrected for ties; NaN where one side is constant. O(n^2)."""
    agree = apart = ties_x = ties_y = 0
    for rows in _blocks(len(observed)):
        x, y = (
            np.tril(np.sign(one[rows, None] - one[None, : rows.stop]), rows.start - 1) for one in (observed, predicted)
        )
        product, pairs = x * y, np.tril(np.ones(x.shape, dtype=bool), rows.start - 1)
        agree += int(np.count_nonzero(product > 0))
        apart += int(np.count_nonzero(product < 0))
        ties_x += int(np.count_nonzero((x == 0) & (y != 0) & pairs))
        ties_y += int(np.count_nonzero((x != 0) & (y == 0) & pairs))
    size = ((agree + apart + ties_x) * (agree + apart + ties_y)) ** 0.5
    return (agree - apart) / size if size > 0 else float("nan")


#: By their names in answers.
SCORES = {"rcc": rcc, "r2": r2, "kendall_tau_b": kendall_tau_b}


def interval(
    name: str, observed: Vector[np.float64], predicted: Vector[np.float64], seed: int
) -> tuple[float, float] | None:
    """Bootstrap interval of a score (percentiles over resampled rows); None for fewer than three rows."""
    if len(observed) < 3:
        return None
    score, draws = SCORES[name], np.random.Generator(np.random.PCG64(seed))
    found = []
    for _ in range(DRAWS if len(observed) <= 400 else DRAWS // 10):
        rows = draws.integers(0, len(observed), len(observed))
        value = score(observed[rows], predicted[rows])
        if value == value:
            found.append(value)
    if not found:
        return None
    low, high = np.quantile(np.asarray(found), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
