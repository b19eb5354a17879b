"""Figures 6.11 to 6.15 of Jain 2016: what a network moves in a second, over its price.

Times are those of the study `three_networks`, prices those of section 6.3 at the size of the paper, in every reading of
what it leaves open. Every pattern moves the same bytes on all three networks, so that only their ratio counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Found, load
from ..measured import finding
from .network_cost import SHORT_M, Parts, readings, spread

TITLE = "Rates per dollar of three networks"
STUDY = "three_networks"
NODES = 46_656
#: By pattern: claims of the study that say the times of all three networks, by name.
SAID = {
    "4D Stencil": ("N21 stencil",),
    "NN": ("N21 NN", "N21 NN dragonfly"),
    "A2A": ("N21 A2A",),
    "Perm": ("J30 order",),
    "Spread": ("N21 Spread",),
}
RUNS = 3 * len(SAID)
OTHERS = ("torus", "dragonfly")


def times() -> dict[str, dict[str, float]]:
    """Seconds by pattern and network, on the larger machine where there are two."""
    kept = {claim.id: claim for claim in load(STUDY).claims}
    found: dict[str, dict[str, float]] = {}
    for pattern, names in SAID.items():
        for name in names:
            text = kept[name].cases[0]["got"]
            pairs = re.findall(r"(torus|dragonfly|fat-tree) ([\d.e-]+)", text)
            found.setdefault(pattern, {}).update({kind: float(number) for kind, number in pairs})
    return found


def measure() -> Iterator[Found]:
    """J37."""
    prices: list[dict[str, Parts]] = [sizes[NODES] for _, sizes in readings()]
    cases = []
    best = {}
    for pattern, seconds in times().items():
        for kind in OTHERS:
            rate = seconds["fat-tree"] / seconds[kind]
            of = [rate * price["fat-tree"].usd / price[kind].usd for price in prices]
            best[pattern, kind] = max(of) < 1
            good = best[pattern, kind] or (pattern == "4D Stencil" and kind == "dragonfly")
            cases.append((f"{kind}, {pattern}", spread(of, " times"), good))
    near = (
        "In some readings of the prices the dragonfly is level: {dragonfly, A2A} in A2A, {dragonfly, Spread} in Spread."
    )
    others = [case for case in cases if "Stencil" not in case[0]]
    yield finding("J37 others", "less than the fat-tree's rate per dollar", others, refuted=near)
    yield short()
    name = "dragonfly, 4D Stencil"
    text = next(got for label, got, _ in cases if label == name)
    above = min(float(part) for part in re.findall(r"[\d.]+", text)) > 1
    why = (
        "In the 4D Stencil the dragonfly has {got} the fat-tree's rate per dollar: the fat-tree is the faster of the "
        "two here, and cheaper."
    )
    yield finding("J37 stencil", "more than the fat-tree's rate per dollar", [("", text, above)], refuted=why)
    worst = next(got for label, got, _ in cases if label == "torus, 4D Stencil")
    yield finding("J37 torus", "less than the fat-tree's rate per dollar", [("", worst, best["4D Stencil", "torus"])])


def short() -> Found:
    """The same with the fat-tree's cables in short copper."""
    prices = [sizes[NODES] for _, sizes in readings(SHORT_M[0])]
    cases = []
    for pattern, seconds in times().items():
        for kind in OTHERS if pattern != "4D Stencil" else ():
            of = [seconds["fat-tree"] / seconds[kind] * price["fat-tree"].usd / price[kind].usd for price in prices]
            cases.append((f"{kind}, {pattern}", spread(of, " times"), max(of) < 1))
    return finding("J37 others, short copper", "less than the fat-tree's rate per dollar", cases)
