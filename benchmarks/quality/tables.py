"""Tables 3.4 to 3.6 of Cui 2024: two-opt with its acceptance rule, 200,000 swaps, nine cells."""

from __future__ import annotations

from typing import Any, NamedTuple

import netloom
from benchmarks.quality.instances import COLLECTIVES, PLACEMENTS, network, schedule, start
from benchmarks.quality.spread import Spread

SWAPS = 200_000
COLUMNS = [
    "collective",
    "placement",
    "paper, start",
    "ours: least / median / most",
    "paper, two-opt",
    "ours: least / median / most",
    "median off by",
    "peer's range",
    "median in range",
]


class Cell(NamedTuple):
    """The hops of Cui 2024 before and after two-opt, and the range that an independent program finds after it.

    The ranges are those of ten graphs each, by a pure-Python two-opt with the same acceptance rule.
    """

    start: int
    two_opt: int
    low: int
    high: int


PRINTED = {
    ("broadcast:binomial", "random"): Cell(1_373, 794, 778, 801),
    ("broadcast:binomial", "tree"): Cell(1_080, 769, 753, 778),
    ("broadcast:binomial", "ring"): Cell(850, 741, 726, 751),
    ("allreduce:recursive-doubling", "random"): Cell(12_308, 9_904, 9_806, 9_936),
    ("allreduce:recursive-doubling", "tree"): Cell(11_362, 9_816, 9_726, 9_838),
    ("allreduce:recursive-doubling", "ring"): Cell(11_152, 9_816, 9_740, 9_840),
    ("alltoall:bruck", "random"): Cell(12_347, 10_459, 10_433, 10_496),
    ("alltoall:bruck", "tree"): Cell(11_373, 10_326, 10_287, 10_375),
    ("alltoall:bruck", "ring"): Cell(11_135, 10_389, 10_362, 10_446),
}


def rows(seeds: int, swaps: int = SWAPS) -> list[list[Any]]:
    """One row per cell, over the networks of seeds 1 to `seeds`."""
    before: dict[tuple[str, str], list[int]] = {cell: [] for cell in PRINTED}
    after: dict[tuple[str, str], list[int]] = {cell: [] for cell in PRINTED}
    for seed in range(1, seeds + 1):
        for collective in COLLECTIVES:
            for placement in PLACEMENTS:
                done = netloom.map_ranks(
                    network(seed),
                    workload=schedule(collective),
                    mapping=start(placement, seed),
                    optimiser=f'two-opt(swaps={swaps},accept="strict",seed={seed})',
                    objective="hops",
                )
                before[collective, placement].append(done["start_value"])
                after[collective, placement].append(done["value"])
    return [row(cell, Spread.of(before[cell]), Spread.of(after[cell])) for cell in PRINTED]


def row(cell: tuple[str, str], before: Spread, after: Spread) -> list[Any]:
    printed = PRINTED[cell]
    off = f"{100 * (after.median / printed.two_opt - 1):+.1f} %"
    inside = "yes" if printed.low <= after.median <= printed.high else "no"
    return [
        *cell,
        printed.start,
        str(before),
        printed.two_opt,
        str(after),
        off,
        f"{printed.low:,} to {printed.high:,}",
        inside,
    ]
