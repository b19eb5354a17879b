"""Section 6.3 of Jain 2016: what a torus, a dragonfly and a fat-tree of 10,000 to 100,000 nodes cost.

Equations 6.1 to 6.3 are the cost model `jain-2016`; table 6.1 gives the sizes, section 6.3.2 the cabinets. Cabinets are
1 m wide, rows 2 m apart. What the section leaves open is read in both ways: metres that a cable takes besides the
distance of its cabinets, cabinets of 64 or of 128 nodes of the torus, and one cable between two groups of the dragonfly
or as many as the ports allow. Of the fat-tree's cables the section says neither length nor kind, but for the copper of
its nodes, and that they cost in proportion to the nodes: with the layout as printed they do not, with short copper
throughout they do, so that J33, J35 and N13 are asked of both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from netloom.cost import CostModel, cost_model

from ..findings import Found
from ..measured import finding

TITLE = "Cost of three networks of 10,000 to 100,000 nodes"
SIZES = (10_000, 20_000, 46_656, 60_000, 80_000, 100_000)
LEAST, MOST = SIZES[0], SIZES[-1]
#: Metres of a cable besides the distance of its cabinets: none, or up one cabinet and down the other, 1 m each.
OVERHEADS = (0.0, 2.0)
WIDTH_M, ROW_M = 1.0, 2.0
#: Cabinets between the ends of a torus cable, three dimensions along a row and three across rows: up and down.
JUMPS = ((1, 2), (3, 6), (7, 14))
#: Nodes of a torus cabinet along each dimension. The section prints five extents, and says 128 nodes.
BLOCKS = {"cabinets of 64": (4, 2, 2, 2, 2, 1), "cabinets of 128": (4, 2, 2, 2, 2, 2)}
#: From a node to its router in the same cabinet of a fat-tree.
NODE_M = 1.0
#: Metres of every cable of the fat-tree, where all are copper of one length.
SHORT_M = (1.0, 2.0)
GBPS = 100.0
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Parts:
    """Switches and cables, and what they cost."""

    switches: int
    switch_usd: float
    cables: int
    cable_usd: float

    @property
    def usd(self) -> float:
        """Of the network."""
        return self.switch_usd + self.cable_usd

    @property
    def share(self) -> float:
        """Of the switches, in per cent."""
        return 100 * self.switch_usd / self.usd


def cables_usd(prices: CostModel, lengths_m: npt.ArrayLike) -> Floats:
    """The cheapest medium that reaches."""
    lengths = np.asarray(lengths_m, dtype=np.float64)
    usd: Floats = prices.offers_usd(lengths, np.full(lengths.shape, GBPS)).min(axis=0)
    return usd


def switches(prices: CostModel, count: int, radix: int) -> tuple[int, float]:
    """How many, and their price."""
    return count, count * (prices.switch_usd_per_port * radix + prices.switch_usd)


def torus(prices: CostModel, nodes: int, overhead_m: float, block: tuple[int, ...]) -> Parts:
    """Six dimensions, one node a router of 13 ports; inside a cabinet a backplane."""
    along, across = (np.asarray(JUMPS) * pitch + overhead_m for pitch in (WIDTH_M, ROW_M))
    each = [cables_usd(prices, jumps).mean() for jumps in (*along, *across)]
    # In one dimension as many cables leave a cabinet upwards as its nodes have columns.
    leaving = sum(usd / extent for usd, extent in zip(each, block, strict=True))
    out = nodes * sum(1 / extent for extent in block)
    return Parts(*switches(prices, nodes, 13), round(out), nodes * float(leaving))


def dragonfly_sizes(nodes: int) -> tuple[int, int, int, int]:
    """Radix, endpoints of a router, routers of a group, groups: table 6.1."""
    radix = 6 * math.ceil((nodes / 18) ** 0.25)
    return radix, radix // 6, radix // 2, math.ceil(nodes / (radix // 6 * (radix // 2)))


def dragonfly(prices: CostModel, nodes: int, overhead_m: float, all_ports: bool) -> Parts:
    """A group is two cabinets side by side; copper between the two, optical cables between groups."""
    radix, _, routers, groups = dragonfly_sizes(nodes)
    x, y = group_floor(groups)
    x, y = (at.reshape(groups, 2).mean(axis=1) for at in (x, y))
    one, other = np.triu_indices(groups, 1)
    away = np.abs(x[one] - x[other]) + np.abs(y[one] - y[other]) + overhead_m
    optical = prices.cables[-1].usd_of(away, np.full(away.shape, GBPS))
    often = groups * routers * (radix // 3) / 2 / len(away) if all_ports else 1.0
    local = groups * (routers // 2) * (routers - routers // 2)
    usd = optical.sum() * often + local * cables_usd(prices, [WIDTH_M + overhead_m])[0]
    return Parts(*switches(prices, groups * routers, radix), local + round(len(away) * often), float(usd))


def group_floor(groups: int) -> tuple[Floats, Floats]:
    """Where the two cabinets of each group stand, side by side, as many rows as cabinets in a row."""
    rows = math.isqrt(2 * groups - 1) + 1
    columns = 2 * math.ceil(groups / rows)
    cabinet = np.arange(2 * groups)
    return WIDTH_M * (cabinet % columns), ROW_M * (cabinet // columns)


def fat_tree_sizes(nodes: int) -> tuple[int, int, int]:
    """Radix, routers of a lower level, routers: table 6.1."""
    radix = 2 * math.ceil(nodes ** (1 / 3))
    leaves = math.ceil(nodes / (radix // 2))
    return radix, leaves, 2 * leaves + math.ceil(leaves / 2)


def short_fat_tree(prices: CostModel, nodes: int, metres: float) -> Parts:
    """All three layers of cables in copper of one length."""
    radix, leaves, routers = fat_tree_sizes(nodes)
    cables = nodes + 2 * leaves * (radix // 2)
    return Parts(*switches(prices, routers, radix), cables, cables * float(cables_usd(prices, [metres])[0]))


def fat_tree(prices: CostModel, nodes: int, overhead_m: float) -> Parts:
    """Three routers of each lower level in a cabinet, a cluster of them in a row, the third level in the middle."""
    radix, leaves, routers = fat_tree_sizes(nodes)
    half = radix // 2
    rows = math.ceil(leaves / half)
    cabinet = np.arange(half) // 3
    along = WIDTH_M * np.abs(cabinet[:, None] - cabinet[None, :]).ravel()
    across = ROW_M * np.abs(np.arange(rows) - (rows - 1) / 2)
    usd = nodes * cables_usd(prices, [NODE_M])[0]
    for metres in (along, across):
        usd += leaves * half * cables_usd(prices, np.where(metres > 0, metres + overhead_m, 0.0)).mean()
    cables = nodes + 2 * leaves * half
    return Parts(*switches(prices, routers, radix), cables, float(usd))


Reading = tuple[str, dict[int, dict[str, Parts]]]


def readings(short_m: float | None = None) -> list[Reading]:
    """The networks of all sizes, in every reading of what is left open; with the fat-tree's cables as short as told."""
    prices, made = cost_model("jain-2016"), []
    for overhead, (cabinets, block), all_ports in product(OVERHEADS, BLOCKS.items(), (False, True)):
        groups = "all global ports" if all_ports else "one cable between groups"
        name = f"{overhead:g} m more, {cabinets}, {groups}"
        made.append(
            (
                name,
                {
                    nodes: {
                        "torus": torus(prices, nodes, overhead, block),
                        "dragonfly": dragonfly(prices, nodes, overhead, all_ports),
                        "fat-tree": fat_tree(prices, nodes, overhead)
                        if short_m is None
                        else short_fat_tree(prices, nodes, short_m),
                    }
                    for nodes in SIZES
                },
            )
        )
    return made


RUNS = len(SIZES) * 3 * len(OVERHEADS) * len(BLOCKS) * 2 * (1 + len(SHORT_M))


def measure() -> Iterator[Found]:
    """J32 to J36, N12 and N13."""
    found = readings()
    short = {f"{metres:g} m of copper": readings(metres) for metres in SHORT_M}
    yield grown_switches(found)
    yield shares(found)
    yield of_each("J33 short", "85 %, within 8 points, and 80 and 75 %", short, near_shares)
    yield torus_dearer(found)
    yield of_each("J34 short", "2 to 4 times, within 0.5", short, near_torus)
    yield routers_of_torus(found)
    yield dragonfly_dearer(found)
    yield of_each("J35 short", "30 and 50 %, within 15 points", short, near_dearer)
    yield grown_cables(found)
    yield more_routers()
    yield from proportional(found, short)


def spread(values: Iterable[float], unit: str = "") -> str:
    """The least and the most."""
    listed = list(values)
    least, most = f"{min(listed):.3g}", f"{max(listed):.3g}"
    return f"{least}{unit}" if least == most else f"{least} to {most}{unit}"


def grown_switches(found: list[Reading]) -> Found:
    """J32."""
    cases = []
    for kind in ("torus", "dragonfly", "fat-tree"):
        times = [sizes[MOST][kind].switch_usd / sizes[LEAST][kind].switch_usd for _, sizes in found]
        cases.append((kind, spread(times, " times"), all(abs(one - 10) <= 1 for one in times)))
    return finding("J32", "10 times, within 10 %", cases)


def shares(found: list[Reading]) -> Found:
    """J33: near in at least one reading and at every size."""
    cases = []
    for kind, printed in (("torus", 80), ("dragonfly", 75), ("fat-tree", 85)):
        of = [[one[kind].share for one in sizes.values()] for _, sizes in found]
        near = any(all(abs(share - printed) <= 8 for share in one) for one in of)
        cases.append((kind, spread((share for one in of for share in one), " %"), near))
    trees = [one["fat-tree"] for _, sizes in found for one in sizes.values()]
    ours = spread((one.cable_usd / one.cables for one in trees), " USD")
    printed_usd = spread((one.switch_usd * 15 / 85 / one.cables for one in trees), " USD")
    cases += [("cable of the fat-tree", ours, True), ("as printed", printed_usd, True)]
    why = (
        "Of the fat-tree they are {fat-tree}. Most cables from a row to the middle one are longer than copper reaches. "
        "A cable costs {cable of the fat-tree} on average; the printed share needs {as printed}, which at "
        "the paper's prices is copper of a few metres throughout."
    )
    return finding("J33", "80, 75 and 85 %, within 8 points", cases, refuted=why)


Near = Callable[[list[Reading]], tuple[str, bool]]


def of_each(name: str, expected: str, short: dict[str, list[Reading]], near: Near) -> Found:
    """A claim with the fat-tree's cables as short as each reading has them."""
    return finding(name, expected, [(label, *near(found)) for label, found in short.items()])


def near_shares(found: list[Reading]) -> tuple[str, bool]:
    """Shares of the routers, of the fat-tree and of the others."""
    told, good = [], True
    for kind, printed in (("fat-tree", 85), ("torus", 80), ("dragonfly", 75)):
        of = [[one[kind].share for one in sizes.values()] for _, sizes in found]
        good = good and any(all(abs(share - printed) <= 8 for share in one) for one in of)
        told.append(f"{kind} {spread((share for one in of for share in one), ' %')}")
    return ", ".join(told), good


def near_torus(found: list[Reading]) -> tuple[str, bool]:
    """What the torus costs over the fat-tree."""
    times = [one["torus"].usd / one["fat-tree"].usd for _, sizes in found for one in sizes.values()]
    return spread(times, " times"), all(1.5 <= one <= 4.5 for one in times)


def routers_of_torus(found: list[Reading]) -> Found:
    """E4-14: its routers alone over those of the fat-tree."""
    times = [one["torus"].switch_usd / one["fat-tree"].switch_usd for _, sizes in found for one in sizes.values()]
    return finding("E4-14", "2 to 3 times", [("routers alone", spread(times, " times"), max(times) <= 3)])


def near_dearer(found: list[Reading]) -> tuple[str, bool]:
    """What the dragonfly costs more at both ends."""
    more = [{nodes: above(sizes[nodes], lambda one: one.usd) for nodes in (LEAST, MOST)} for _, sizes in found]
    good = any(abs(one[LEAST] - 30) <= 15 and abs(one[MOST] - 50) <= 15 and one[LEAST] < one[MOST] for one in more)
    return " to ".join(f"{spread((one[nodes] for one in more), ' %')} at {nodes:,}" for nodes in (LEAST, MOST)), good


def more_routers() -> Found:
    """N12."""
    prices, cases = cost_model("jain-2016"), []
    for nodes in SIZES:
        _, _, routers, groups = dragonfly_sizes(nodes)
        radix, _, others = fat_tree_sizes(nodes)
        times = groups * routers / others
        cost = switches(prices, groups * routers, dragonfly_sizes(nodes)[0])[1] / switches(prices, others, radix)[1]
        text = f"{times:.3g} times the routers, {100 * (cost - 1):.3g} % dearer"
        cases.append((f"{nodes:,} nodes", text, abs(times - 2) <= 0.25 and 20 <= 100 * (cost - 1) <= 35))
    return finding("N12", "2 times, within 0.25; 25 to 30 %, within 5 points", cases)


def proportional(found: list[Reading], short: dict[str, list[Reading]]) -> Iterator[Found]:
    """N13: 10 times the nodes, 10 times the cost of cables."""
    for name, kind in (("N13 torus", "torus"), ("N13 fat-tree", "fat-tree")):
        times = [sizes[MOST][kind].cable_usd / sizes[LEAST][kind].cable_usd for _, sizes in found]
        why = "Of the fat-tree by {got} under the layout as printed: most cables become longer with the rows."
        cases = [("", spread(times, " times"), all(abs(one - 10) <= 1 for one in times))]
        yield finding(name, "10 times, within 10 %", cases, refuted=why)

    def grown(readings_: list[Reading]) -> tuple[str, bool]:
        times = [sizes[MOST]["fat-tree"].cable_usd / sizes[LEAST]["fat-tree"].cable_usd for _, sizes in readings_]
        return spread(times, " times"), all(abs(one - 10) <= 1 for one in times)

    yield of_each("N13 short", "10 times, within 10 %", short, grown)


def torus_dearer(found: list[Reading]) -> Found:
    """J34."""
    cases = []
    for kind in ("dragonfly", "fat-tree"):
        times = [one["torus"].usd / one[kind].usd for _, sizes in found for one in sizes.values()]
        cases.append((f"over the {kind}", spread(times, " times"), all(1.5 <= one <= 4.5 for one in times)))
    return finding("J34", "2 to 4 times, within 0.5", cases)


def dragonfly_dearer(found: list[Reading]) -> Found:
    """J35: near at both ends in one reading."""
    printed = {LEAST: 30, MOST: 50}
    more = [{nodes: above(sizes[nodes], lambda one: one.usd) for nodes in printed} for _, sizes in found]
    near = [{nodes: abs(one[nodes] - printed[nodes]) <= 15 for nodes in printed} for one in more]
    cases = [
        (f"{nodes:,} nodes", spread((one[nodes] for one in more), " %"), any(one[nodes] for one in near))
        for nodes in printed
    ]
    alone = [above(one, lambda part: part.switch_usd) for _, sizes in found for one in sizes.values()]
    cases.append(("switches alone", spread(alone, " %"), True))
    why = (
        "At the largest size it is {100,000 nodes}: the gap closes as the machine grows, because the fat-tree's long "
        "cables become dearer, which the paper takes as proportional to the nodes. Without cables the dragonfly costs "
        "{switches alone} more, near what the paper has."
    )
    held = any(all(one.values()) for one in near)
    return finding("J35", "30 % at 10,000 nodes, 50 % at 100,000, within 15 points", cases, held=held, refuted=why)


def above(networks: dict[str, Parts], usd: Callable[[Parts], float]) -> float:
    """What the dragonfly costs more than the fat-tree, in per cent."""
    return 100 * (usd(networks["dragonfly"]) / usd(networks["fat-tree"]) - 1)


def grown_cables(found: list[Reading]) -> Found:
    """J36."""
    times = {
        kind: [sizes[MOST][kind].cable_usd / sizes[LEAST][kind].cable_usd for _, sizes in found]
        for kind in ("dragonfly", "torus", "fat-tree")
    }
    held = any(12 <= one <= 20 for one in times["dragonfly"])
    cases = [("dragonfly", spread(times["dragonfly"], " times"), held)]
    cases += [(kind, spread(times[kind], " times"), True) for kind in ("torus", "fat-tree")]
    why = (
        "They cost {dragonfly} as much: their number grows as the nodes do, and their length with the side of the "
        "floor. The fat-tree's cables grow more, by {fat-tree}, under the layout as printed."
    )
    return finding("J36", "12 to 20 times", cases, held=held, refuted=why)
