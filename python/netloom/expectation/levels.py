"""What the senders and receivers of a matrix of rates reach: a robust model of its rows and columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median, median_high

#: Share of the pairs of a node that may be slow without making the node look slow.
QUANTILE = 0.65
#: Standard deviations of sound pairs beyond which one is slow, and the least share that counts.
DEVIATIONS, LEAST = 5.0, 0.05
#: Of fewer nodes the pairs do not tell their own noise, and the least share is twice as much.
FEW_NODES = 6
#: Standard deviation of normal numbers over the median of their absolute deviations; noise of their 65 % quantile over
#: that of their mean.
_NORMAL, _QUANTILE_NOISE = 1.4826, 1.3

Logs = Sequence[Sequence[float | None]]


@dataclass(frozen=True)
class Levels:
    """Logarithms of rates by sender and receiver.

    Attributes
    ----------
    sound
        What pairs reach between nodes of which neither is slow.
    senders, receivers
        How far each is below it; 0 for one within what noise does.
    limit
        How far below a single pair of sound nodes may be.
    least
        How far below a pair of a slow node is slow too.
    """

    sound: float
    senders: tuple[float, ...]
    receivers: tuple[float, ...]
    limit: float
    least: float

    def between(self, source: int, target: int) -> float:
        """What the pair should reach: the slower of the two decides."""
        return self.sound + min(self.senders[source], self.receivers[target])

    def lost(self, source: int, target: int, rate: float) -> float:
        """By how much a pair is slow; 0 if it is not."""
        below = self.sound - rate
        limit = self.limit if self.between(source, target) == self.sound else self.least
        return below if below > limit else 0.0


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
    typical = median_high([one for one in (*rows, *columns) if one is not None])
    rates = [rate for row in logs for rate in row if rate is not None]
    floor = -math.log(1.0 - LEAST * (2 if len(logs) < FEW_NODES else 1))
    sound, spread = _middle(rates, typical)
    least = max(floor, DEVIATIONS * _QUANTILE_NOISE * spread / math.sqrt(len(logs)))
    senders, receivers = ([0.0 if one is None else one - typical for one in of] for of in (rows, columns))
    limit = max(least, DEVIATIONS * spread)
    return Levels(sound, _below(senders, least), _below(receivers, least), limit, least)


def _middle(rates: Sequence[float], typical: float) -> tuple[float, float]:
    """Middle and standard deviation of sound pairs: as far above what is typical as below it."""
    near = [rate for rate in rates if rate >= typical]
    reach = max(_NORMAL * DEVIATIONS * median(rate - typical for rate in near), -math.log(1.0 - LEAST))
    sound = [rate for rate in rates if abs(rate - typical) <= reach]
    middle = median(sound)
    return middle, _NORMAL * median(abs(rate - middle) for rate in sound)


def _level(rates: Iterable[float | None]) -> float | None:
    found = sorted(rate for rate in rates if rate is not None)
    return found[math.ceil(QUANTILE * (len(found) - 1))] if found else None


def _below(effects: Sequence[float], limit: float) -> tuple[float, ...]:
    return tuple(one if one < -limit else 0.0 for one in effects)
