"""Rates per dollar by pattern (N15 to N17): sentences of chapter 6 of Jain 2016 that no claim of a study decides.

Prices are those with the fat-tree's cables as printed and in short copper.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..findings import Found
from ..measured import finding
from . import rates
from .network_cost import SHORT_M, Reading, readings, spread

TITLE = "Rates per dollar of three networks, by pattern"
RUNS = rates.RUNS
NEAR = 0.1


def measure() -> Iterator[Found]:
    """N15 to N17 with both prices."""
    for found in (*per_dollar("", readings()), *per_dollar(", short copper", readings(SHORT_M[0]))):
        # No case is a reading of its own.
        for part in found.cases:
            part["setting"] = ""
        yield found


def per_dollar(reading: str, prices: list[Reading]) -> Iterator[Found]:
    """Rates per dollar as multiples of another network's."""
    found = rates.times()

    def over(pattern: str, one: str, other: str) -> list[float]:
        rate = found[pattern][other] / found[pattern][one]
        return [rate * sizes[rates.NODES][other].usd / sizes[rates.NODES][one].usd for _, sizes in prices]

    def case(pattern: str, one: str, other: str, printed: float, slack: float) -> tuple[str, str, bool]:
        of = over(pattern, one, other)
        return f"{pattern}, {one} over {other}", spread(of, " times"), any(abs(part - printed) <= slack for part in of)

    worst = [
        (f"4D Stencil, torus over {other}", spread(of, " times"), max(of) < 1)
        for other in ("dragonfly", "fat-tree")
        for of in [over("4D Stencil", "torus", other)]
    ]
    passes = over("4D Stencil", "dragonfly", "fat-tree")
    cases = [*worst, ("4D Stencil, dragonfly over fat-tree", spread(passes, " times"), min(passes) > 1)]
    cases.append(case("NN", "torus", "dragonfly", 0.9, NEAR))
    text = "torus last in the stencil, dragonfly above the fat-tree; NN: torus 0.9 of the dragonfly, within 0.1"
    yield finding(f"N15{reading}", text, cases)
    cases = [case("A2A", "torus", "fat-tree", 1 / 3, NEAR), case("A2A", "dragonfly", "fat-tree", 0.83, NEAR)]
    yield finding(f"N16{reading}", "a third and 0.83 of the fat-tree, within 0.1", cases)
    cases = []
    for pattern in ("Perm", "Spread"):
        cases.append(case(pattern, "fat-tree", "torus", 6, 1))
        cases.append(case(pattern, "dragonfly", "fat-tree", 0.6, NEAR))
    yield finding(f"N17{reading}", "6 times the torus, within 1; dragonfly 0.6, within 0.1", cases)
