"""How near predictions are to measurements: errors, bias by size, ranks of algorithms, regret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from ..base.statistics import quantile, spearman
from ..workload import DEFAULT

if TYPE_CHECKING:
    from ..measured import Measurement


@dataclass(frozen=True)
class Compared:
    """A measurement and its prediction, and the algorithm that was simulated; "" if it is the row's."""

    row: Measurement
    predicted_s: float
    call: str = ""

    @property
    def ratio(self) -> float:
        """Predicted over measured."""
        return self.predicted_s / self.row.time_s

    @property
    def error(self) -> float:
        """Share by which the prediction is off."""
        return abs(self.ratio - 1.0)


@dataclass(frozen=True)
class Choice:
    """Algorithms of one collective, size and job: the one that is predicted to be quickest, and the one that was.

    Attributes
    ----------
    regret
        Measured time of the chosen one over that of the best, at least 1.
    """

    collective: str
    nodes: int
    ranks_per_node: int
    bytes: int
    chosen: str
    best: str
    regret: float


@dataclass(frozen=True)
class Score:
    """What a set of comparisons comes to.

    Attributes
    ----------
    median, p90, worst
        Of the errors, shares.
    bias
        Median of predicted over measured: below 1 predictions are too quick.
    by_size
        The same for powers of 8 of the size: from, errors' median, bias, rows.
    rank_correlation
        Spearman's, of all predicted and measured times; None for fewer than three.
    choices
        One for each job and size with several algorithms.
    regret
        Mean over the choices; None without one.
    """

    rows: int
    median: float
    p90: float
    worst: float
    bias: float
    by_size: list[tuple[int, float, float, int]]
    rank_correlation: float | None
    choices: list[Choice]
    regret: float | None


def score(found: Sequence[Compared]) -> Score:
    """Of at least one comparison. O(rows log rows)."""
    errors = [one.error for one in found]
    sizes: dict[int, list[Compared]] = {}
    for one in found:
        sizes.setdefault(0 if one.row.bytes == 0 else (one.row.bytes.bit_length() - 1) // 3, []).append(one)
    choices = choices_of(found)
    return Score(
        len(found),
        median(errors),
        quantile(errors, 0.9),
        max(errors),
        median(one.ratio for one in found),
        [
            (8**at, median(one.error for one in own), median(one.ratio for one in own), len(own))
            for at, own in sorted(sizes.items())
        ],
        spearman([one.predicted_s for one in found], [one.row.time_s for one in found]),
        choices,
        sum(one.regret for one in choices) / len(choices) if choices else None,
    )


def choices_of(found: Sequence[Compared]) -> list[Choice]:
    """What would be chosen for each collective, job and size, and what that costs; what was measured twice counts
    once, as the median."""
    groups: dict[tuple[str, int, int, int], dict[str, list[Compared]]] = {}
    for one in found:
        row = one.row
        if row.algorithm == DEFAULT:
            # What a library chooses is none of the algorithms that one can choose.
            continue
        own = groups.setdefault((row.collective, row.nodes, row.ranks_per_node, row.bytes), {})
        own.setdefault(row.algorithm, []).append(one)
    made = []
    for (collective, nodes, each, size), algorithms in groups.items():
        if len(algorithms) < 2:
            continue
        measured = {name: median(one.row.time_s for one in own) for name, own in algorithms.items()}
        predicted = {name: median(one.predicted_s for one in own) for name, own in algorithms.items()}
        chosen, best = min(predicted, key=predicted.__getitem__), min(measured, key=measured.__getitem__)
        made.append(Choice(collective, nodes, each, size, chosen, best, measured[chosen] / measured[best]))
    return made
