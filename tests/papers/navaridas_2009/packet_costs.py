"""Section 6.2 of Navaridas 2009: performance over cost, with the weights of the kept runs in place of table 4."""

from __future__ import annotations

from collections.abc import Iterator

from ..findings import SLACK, Found
from ..measured import finding
from . import packets
from .packet_runs import phi, sizes


def efficiency(tasks: int, exponent: int, choice: str) -> list[float]:
    """Phi over the switches times their ports to a power, of the complete tree 1."""
    networks = packets.same_size(tasks)
    trees = [tuple(map(int, network.removeprefix("thin_tree(").removesuffix(")").split(","))) for network in networks]
    cost = [
        sum(up**level * down ** (n - 1 - level) for level in range(n)) * (down + up) ** exponent
        for down, up, n in trees
    ]
    return [weight * cost[-1] / paid for weight, paid in zip(phi(tasks, networks, choice), cost, strict=True)]


#: Section 6.2: the cost function by the power of the ports, and the best tree of 8 ports downwards by tasks.
COSTS = ("constant", "linear", "quadratic")
BEST = {(64, 0): 3, (64, 1): 2, (64, 2): 2, (512, 0): 4, (512, 1): 3, (512, 2): 3, (4096, 0): 4, (4096, 1): 4}


def costs(choice: str) -> Iterator[Found]:
    """Section 6.2 with the weights of these runs in place of table 4."""
    known = sizes(choice, packets.same_size)
    best, near = [], []
    for (tasks, power), up in ((key, up) for key, up in BEST.items() if key[0] in known):
        found = efficiency(tasks, power, choice)
        first = found.index(max(found)) + 1
        label = f"{COSTS[power]} cost, {tasks:,} nodes"
        told = f"8:{first}" if first == up else f"8:{first} by {found[first - 1] / found[up - 1] - 1:.1%}"
        best.append((label, told, first == up))
        near += [label] if found[up - 1] * (1 + SLACK) >= found[first - 1] else []
    yield finding("6.2 best", "8:3, 8:2, 8:2; 8:4, 8:3, 8:3; 8:4, 8:4", best, ties=near)
    ahead = []
    for power, name in enumerate(COSTS):
        found = efficiency(64, power, choice)
        behind = [f"8:{up}" for up, gain in enumerate(found[:-1], 1) if gain <= 1]
        ahead.append((f"{name} cost", ", ".join(behind) or "none", behind == (["8:1"] if power == 0 else [])))
    yield finding("6.2 small", "trees behind the complete one on 64 nodes: 8:1 with the constant cost, no other", ahead)
    thinnest = [efficiency(512, power, choice)[0] for power in range(3)]
    named = [
        (f"{name} cost", f"{gain:.3g}", (gain > 1) == (name == "quadratic"))
        for name, gain in zip(COSTS, thinnest, strict=True)
    ]
    near = [label for (label, _, _), gain in zip(named, thinnest, strict=True) if abs(gain - 1) <= SLACK]
    yield finding("6.2 thinnest", "8:1,3 above 1 with the quadratic cost alone", named, ties=near)
    if 4096 not in known:
        return
    five, four = (phi(4096, packets.same_size(4096), choice)[up - 1] for up in (5, 4))
    spared = [efficiency(4096, power, choice)[4] / efficiency(4096, power, choice)[3] for power in (0, 1)]
    large = [
        ("8:2,4, quadratic cost", f"{(gain := efficiency(4096, 2, choice)[1]):.3g}", gain > 1),
        ("8:5,4 over 8:4,4, performance", f"{five / four:.3g}", five / four > 1.1),
        *(
            (f"8:5,4 over 8:4,4 per {name} cost", f"{less:.3g}", less > 0.85)
            for name, less in zip(COSTS, spared, strict=False)
        ),
    ]
    yield finding(
        "6.2 large", "8:2,4 above 1; 8:5,4 faster by 10 % or more, and worth at most 15 % less per cost", large
    )
