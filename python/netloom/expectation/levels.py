"""What the senders and receivers of a matrix of rates reach: a robust model of its rows and columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median, median_high

#: Share of the pairs of a node that may be slow without making the node look slow.
QUANTILE = 0.65
#: Standard deviations of sound pairs beyond which one is slow, and the least share that counts.
DEVIATIONS, LEAST = 4.0, 0.05
#: Standard deviation of normal numbers over the median of their absolute deviations.
_NORMAL = 1.4826

Logs = Sequence[Sequence[float | None]]


@dataclass(frozen=True)
class Levels:
    """Logarithms of rates by sender and receiver.

    Attributes
    ----------
    sound
        What pairs reach between nodes of which neither is slow.
    senders, receivers
        How far each is below it, at most 0; 0 for one within the limit.
    limit
        How far below a pair may be.
    """

    sound: float
    senders: tuple[float, ...]
    receivers: tuple[float, ...]
    limit: float

    def between(self, source: int, target: int) -> float:
        """What the pair should reach: the slower of the two decides."""
        return self.sound + min(self.senders[source], self.receivers[target])


def levels(logs: Logs) -> Levels:
    """The model of a square matrix.

    A sender stands at the 65 % quantile of its rates, so that other nodes that are slow do not count. O(n^2 log n).

    Raises
    ------
    ValueError
        If no pair has a rate.
    """
    rows = [_level(row) for row in logs]
    columns = [_level(column) for column in zip(*logs, strict=True)]
    sound = median_high([one for one in (*rows, *columns) if one is not None])
    senders, receivers = ([0.0 if one is None else one - sound for one in of] for of in (rows, columns))
    spread = _NORMAL * median(abs(rate - sound - min(senders[a], receivers[b], 0.0)) for a, b, rate in _pairs(logs))
    limit = max(-math.log(1.0 - LEAST), DEVIATIONS * spread)
    return Levels(sound, _below(senders, limit), _below(receivers, limit), limit)


def _level(rates: Iterable[float | None]) -> float | None:
    found = sorted(rate for rate in rates if rate is not None)
    return found[math.ceil(QUANTILE * (len(found) - 1))] if found else None


def _below(effects: Sequence[float], limit: float) -> tuple[float, ...]:
    return tuple(one if one < -limit else 0.0 for one in effects)


def _pairs(logs: Logs) -> Iterable[tuple[int, int, float]]:
    return ((a, b, rate) for a, row in enumerate(logs) for b, rate in enumerate(row) if rate is not None)
