"""Figures 6.11 to 6.15 of Jain 2016: what a network moves in a second, over its price.

Times are the shortest of the placements and routes of the study `networks_46656_large`, prices those of section 6.3, in
every reading of what it leaves open. A rate is of a node, so that the dragonfly's 46,080 count as the 46,656 of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Found, load
from ..measured import finding
from .network_cost import SHORT_M, Parts, readings, spread

TITLE = "Rates per dollar of three networks"
STUDY = "networks_46656_large"
NODES = 46_656
#: By pattern: claims of the study that say the times of all three networks, by name.
SAID = {
    "4D Stencil": ("N21 stencil, 46,656 nodes",),
    "NN": ("N21 NN, 46,656 nodes", "N21 NN dragonfly, 46,656 nodes"),
    "A2A": ("N21 A2A, 46,656 nodes",),
    "Perm": ("N21 Perm, 46,656 nodes",),
    "Spread": ("N21 Spread, 46,656 nodes",),
}
#: The shortest of them count.
RUNS = 25
OTHERS = ("torus", "dragonfly")


def times() -> dict[str, dict[str, float]]:
    """Seconds by pattern and network."""
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
