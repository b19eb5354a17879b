"""Section 6.2 of Navaridas 2009: performance over cost, with the weights of the kept runs in place of table 4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import netloom
from netloom.cost import efficiency
from netloom.cost.of_network import price

from ..findings import SLACK, Found
from ..measured import finding
from . import packets
from .packet_runs import phi, sizes

#: Section 6.2: the cost functions, as models of netloom.
MODELS = {"constant": "unit", "linear": "per-port", "quadratic": "per-port-squared"}
COSTS = tuple(MODELS)


@cache
def total(network: str, cost: str) -> float:
    """Cost of a tree."""
    found, _ = price(netloom.network(network), MODELS[cost])
    assert found is not None
    return float(found["total_usd"])


def gains(tasks: int, cost: str, choice: str) -> list[float]:
    """Phi over cost, of the complete tree 1."""
    networks = packets.same_size(tasks)
    weights = zip(phi(tasks, networks, choice), networks, strict=True)
    return [efficiency(weight, total(net, cost), total(networks[-1], cost)) for weight, net in weights]


#: The best tree of 8 ports downwards by tasks and cost.
BEST = {
    (64, "constant"): 3,
    (64, "linear"): 2,
    (64, "quadratic"): 2,
    (512, "constant"): 4,
    (512, "linear"): 3,
    (512, "quadratic"): 3,
    (4096, "constant"): 4,
    (4096, "linear"): 4,
}


def costs(choice: str) -> Iterator[Found]:
    """Section 6.2 with the weights of these runs in place of table 4."""
    known = sizes(choice, packets.same_size)
    best, near = [], []
    for (tasks, cost), up in ((key, up) for key, up in BEST.items() if key[0] in known):
        found = gains(tasks, cost, choice)
        first = found.index(max(found)) + 1
        label = f"{cost} cost, {tasks:,} nodes"
        told = (
            f"8:{first}"
            if first == up
            else f"8:{first} by {found[first - 1] / found[up - 1] - 1:.1%}".replace("%", " %")
        )
        best.append((label, told, first == up))
        near += [label] if found[up - 1] * (1 + SLACK) >= found[first - 1] else []
    yield finding("6.2 best", "8:3, 8:2, 8:2; 8:4, 8:3, 8:3; 8:4, 8:4", best, ties=near)
    small = []
    for name in COSTS:
        found = gains(64, name, choice)
        behind = [f"8:{up}" for up, gain in enumerate(found[:-1], 1) if gain <= 1]
        small.append((f"{name} cost", ", ".join(behind) or "none", behind == (["8:1"] if name == "constant" else [])))
    yield finding("6.2 small", "trees behind the complete one on 64 nodes: 8:1 with the constant cost, no other", small)
    thinnest = [gains(512, name, choice)[0] for name in COSTS]
    named = [
        (f"{name} cost", f"{gain:.3g}", (gain > 1) == (name == "quadratic"))
        for name, gain in zip(COSTS, thinnest, strict=True)
    ]
    near = [label for (label, _, _), gain in zip(named, thinnest, strict=True) if abs(gain - 1) <= SLACK]
    yield finding("6.2 thinnest", "8:1,3 above 1 with the quadratic cost alone", named, ties=near)
    if 4096 not in known:
        return
    five, four = (phi(4096, packets.same_size(4096), choice)[up - 1] for up in (5, 4))
    spared = [(name, gains(4096, name, choice)[4] / gains(4096, name, choice)[3]) for name in COSTS[:2]]
    large = [
        ("8:2,4, quadratic cost", f"{(gain := gains(4096, 'quadratic', choice)[1]):.3g}", gain > 1),
        ("8:5,4 over 8:4,4, performance", f"{five / four:.3g}", five / four > 1.1),
        *((f"8:5,4 over 8:4,4 per {name} cost", f"{less:.3g}", less > 0.85) for name, less in spared),
    ]
    yield finding(
        "6.2 large", "8:2,4 above 1; 8:5,4 faster by 10 % or more, and worth at most 15 % less per cost", large
    )
