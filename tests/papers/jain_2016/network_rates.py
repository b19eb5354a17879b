"""Sentences of chapter 6 of Jain 2016 that the times of the study `three_networks` decide, and no claim of it.

A2A in figure 6.3 (N6), and rates per dollar by pattern (N15 to N17). Times are of a smaller machine, prices of the
paper's size with the fat-tree's cables as printed and in short copper.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..findings import Found
from ..measured import finding
from .network_cost import SHORT_M, Reading, readings, spread
from .rates import NODES, times

TITLE = "Sentences about three networks"
RUNS = 15
NEAR = 0.1


def measure() -> Iterator[Found]:
    """N6, and N15 to N17 with both prices."""
    seconds = times()["A2A"]
    saved = {kind: 100 * (1 - seconds[kind] / seconds["fat-tree"]) for kind in ("torus", "dragonfly")}
    cases = [(kind, f"{gain:.1f} % less", 10 <= gain <= 20) for kind, gain in saved.items()]
    yield finding("N6", "10 to 20 % less time than the fat-tree", cases)
    for found in (*per_dollar("", readings()), *per_dollar(", short copper", readings(SHORT_M[0]))):
        # No case is a reading of its own.
        for part in found.cases:
            part["setting"] = ""
        yield found


def per_dollar(reading: str, prices: list[Reading]) -> Iterator[Found]:
    """Rates per dollar as multiples of another network's."""
    found = times()

    def over(pattern: str, one: str, other: str) -> list[float]:
        rate = found[pattern][other] / found[pattern][one]
        return [rate * sizes[NODES][other].usd / sizes[NODES][one].usd for _, sizes in prices]

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
