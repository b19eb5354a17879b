"""Section 3.1 of Jain 2016: readings of its mappings that the study `torus_mappings` does not ask.

Whether the hops of figure 3.6 are those of calls over all ranks too (M03); which block of ranks MILC's mapping Node
has, in every order of the grid (M08); which links Tile3 loads (Q16); and what the times of an exchange follow (Q13).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations, product

from scipy.stats import spearmanr

import netloom

from ..findings import Found, load
from ..measured import finding

TITLE = "Readings of mappings on a torus"
LINKS = 'double=[false,false,false,false,true],bandwidth="2 GBps",latency="40 ns",endpoint_bandwidth="20 GBps"'
#: Table 3.1: 1,024 nodes are a mesh in D.
DIMS = {1024: "4,4,4,8,2", 2048: "4,4,4,16,2", 4096: "4,8,4,16,2"}
#: The grid of MILC that doubles the default's hops (Q14), and its extents in any order.
GRIDS = {1024: "16,16,16,16", 2048: "16,16,32,16", 4096: "16,16,32,32"}
EXTENTS = {2048: (16, 16, 16, 32), 4096: (16, 16, 32, 32)}
#: Blocks of 64 ranks: cubes, and longer ones.
BLOCKS = ((2, 2, 4, 4), (1, 4, 4, 4), (2, 2, 2, 8), (1, 1, 8, 8))
#: Calls over all ranks, as messages of a rank.
CALLS = {
    "dissemination": "barrier:dissemination",
    "recursive doubling": "allreduce:recursive-doubling",
    "each with rank 0": "barrier:linear",
}
MANY, FEW = "4,4,4,4,2,1", "1,8,4,16,1,1"
PF3D = {
    "default": "draw",
    "round robin": "tiles([32,4096],[1,4096],[4096,32],[4096,1])",
    **{
        name: f"tiles([256,16,32],[{own}],[{DIMS[4096]},32],[{tile}])"
        for name, own, tile in (
            *(("Tile1", "8,8,8", FEW), ("Tile2", "8,8,8", MANY)),
            *(("Tile3", "1,16,32", FEW), ("Tile4", "1,16,32", MANY)),
        )
    },
}
DIRECTIONS = "ABCDE"
#: Level at which a rank correlation counts as one.
LEVEL = 0.05
RUNS = (1 + len(CALLS)) * len(PF3D) + 2 * 9 + 1 + 10 * 22 + 22


def torus(nodes: int) -> str:
    """The partition."""
    wrap = "[true,true,true,false,true]" if nodes == 1024 else "true"
    return f"torus({DIMS[nodes]},wrap={wrap},{LINKS})"


def measure() -> Iterator[Found]:
    """M03, M07, M08 and Q13 to Q16."""
    yield read(all_calls())
    yield read(node_blocks())
    yield tile3()
    yield from followed()
    yield from map(read, other_grids())


def read(found: Found) -> Found:
    """With each case, or each block of ranks, as a reading of its own."""
    for case in found.cases:
        case["setting"] = f"reading {case['label'].partition(',')[0]}"
    return found


def all_calls() -> Found:
    """M03: the most hops of a message where calls over all ranks count."""
    cases = []
    own = {name: hops(order, workload="pf3d") for name, order in PF3D.items()}
    for label, call in CALLS.items():
        most = {name: max(own[name], hops(order, workload=call, size_bytes=8)) for name, order in PF3D.items()}
        text = f"{min(most.values())} to {max(most.values())} hops"
        cases.append((label, text, len(set(most.values())) == 1))
    return finding("M03 all calls", "the same for all mappings", cases)


def hops(order: str, **asked: object) -> int:
    """The most hops of a message at 4,096 nodes."""
    return int(netloom.hops(torus(4096), cores=32, order=order, **asked)["max_hops"])


def milc(nodes: int, grid: str, order: str) -> tuple[float, float]:
    """Mean and most bytes of a link."""
    call = f"milc(grid=[{grid}],sum_bytes=0)"
    found = netloom.loads(torus(nodes), workload=call, cores=64, order=order, hottest=0)
    return float(found["mean_bytes"]), float(found["max_bytes"])


def written(extents: tuple[int, ...]) -> str:
    return ",".join(map(str, extents))


def node_blocks() -> Found:
    """M08: mean and most of blocks on a node over those of the default, in any order of the grid."""
    high: dict[tuple[int, tuple[int, ...]], list[tuple[float, float, str]]] = {}
    for nodes, extents in EXTENTS.items():
        for grid in map(written, sorted(set(permutations(extents)))):
            mean, most = hop_bytes(nodes, grid, "draw"), milc(nodes, grid, "draw")[1]
            for block in (block for shape in BLOCKS for block in sorted(set(permutations(shape)))):
                order = f"tiles([{grid}],[{written(block)}],[{nodes},64],[1,64])"
                above = hop_bytes(nodes, grid, order) / mean
                # The statement has both higher: the most need not be known where the mean is lower.
                own = milc(nodes, grid, order)[1] / most if above > 1 else 0.0
                high.setdefault((nodes, block), []).append((above, own, grid.replace(",", " x ")))
    cases = []
    for (nodes, block), found in high.items():
        above, own, grid = max(found, key=lambda one: (min(one[0], one[1]), one[0]))
        told = f"mean {above:.3g}{f', most {own:.3g}' if own else ''} times, grid {grid}"
        cases.append((f"{' x '.join(map(str, block))} on a node, {nodes:,} nodes", told, min(above, own) > 1))
    return finding("M08 blocks", "mean and most above the default's, in a grid at least", cases)


def hop_bytes(nodes: int, grid: str, order: str) -> float:
    """In proportion to the mean load."""
    call = f"milc(grid=[{grid}],sum_bytes=0)"
    return float(netloom.hops(torus(nodes), workload=call, cores=64, order=order)["hop_bytes"])


def tile3() -> Found:
    """Q16: Tile3 loads D more than the other directions, and D is lower than under round robin."""
    grid = GRIDS[2048]
    order = f"tiles([{grid}],[4,4,4,16],[{DIMS[2048]},64],[4,4,4,16,1,1])"
    found = netloom.loads(torus(2048), workload=f"milc(grid=[{grid}],sum_bytes=0)", cores=64, order=order, hottest=0)
    means = {DIRECTIONS[i]: float(found.classes[f"dim{i}"]["mean_bytes"]) for i in range(5)}
    cases = [
        (f"D and {other}", f"{means['D'] / 1e3:.4g} and {means[other] / 1e3:.4g} kB", means["D"] > means[other])
        for other in "ABCE"
    ]
    return finding("Q16 D", "more on a link of D than of any other direction, on average", cases)


def followed() -> Iterator[Found]:
    """Q13: rank correlations over three mappings and three numbers of nodes, times from the study."""
    study = {claim.id: claim for claim in load("torus_mappings_time").claims}
    times: dict[tuple[str, int], float] = {}
    for name, order in (
        ("Q10 less", "round robin"),
        ("Q10 more", "round robin"),
        ("Q12 helps", "Tile1"),
        ("Q12 hurts", "Tile1"),
    ):
        for case in study[name].cases:
            nodes = int((re.search(r"partition (\d+)", case["label"]) or [0, {"Q10 more": 2048}.get(name, 1024)])[1])
            own, default = (float(number) for number in re.findall(r"[\d.]+(?:e-?\d+)?", case["got"]))
            times[order, nodes], times["default", nodes] = own, default
    orders = {
        "default": lambda nodes: "draw",
        "round robin": round_robin,
        "Tile1": lambda nodes: f"tiles([{GRIDS[nodes]}],[4,4,4,4],[{DIMS[nodes]},64],[4,4,4,4,1,1])",
    }
    columns: dict[str, list[float]] = {"mean hops": [], "largest load": [], "most hops": []}
    seconds = []
    for order, nodes in product(orders, DIMS):
        call = f"milc(grid=[{GRIDS[nodes]}],sum_bytes=0)"
        asked = {"workload": call, "cores": 64, "order": orders[order](nodes)}
        hops = netloom.hops(torus(nodes), **asked)
        columns["mean hops"].append(float(hops["mean_hops"]))
        columns["most hops"].append(float(hops["max_hops"]))
        columns["largest load"].append(milc(nodes, GRIDS[nodes], asked["order"])[1])
        seconds.append(times[order, nodes])
    cases = []
    for name, column in columns.items():
        rank = spearmanr(column, seconds)
        good = (rank.pvalue < LEVEL and rank.statistic > 0) == (name != "most hops")
        cases.append((name, f"{rank.statistic:.2f}", good))
    yield finding("Q13", "rank correlations at the level of 5 %, but with the most hops", cases)


def other_grids() -> Iterator[Found]:
    """Q14, Q15 and M07 with the grid of MILC in other orders."""

    def mean_hops(nodes: int, grid: str, order: str = "") -> float:
        call = f"milc(grid=[{grid}],sum_bytes=0)"
        found = netloom.hops(torus(nodes), workload=call, cores=64, order=order or round_robin(nodes))
        return float(found["mean_hops"])

    before = mean_hops(1024, GRIDS[1024], "draw")
    cases = []
    for grid in map(written, sorted(set(permutations(EXTENTS[4096])))):
        times = mean_hops(4096, grid, "draw") / before
        cases.append((grid.replace(",", " x "), f"{times:.3g} times", times >= 2))
    yield finding("Q14 grids", "the default's mean hops at 4,096 nodes twice those at 1,024", cases)
    two = {written(grid): mean_hops(2048, written(grid)) for grid in sorted(set(permutations(EXTENTS[2048])))}
    others = [mean_hops(nodes, GRIDS[nodes]) for nodes in (1024, 4096)]
    cases = [
        (grid.replace(",", " x "), f"{hops_:.3g}, {others[0]:.3g} and {others[1]:.3g}", hops_ > 2 * max(others))
        for grid, hops_ in two.items()
    ]
    yield finding("Q15 grids", "twice the mean hops at 1,024 and 4,096 nodes, or more", cases)
    cases = []
    for grid in two:
        call = f"milc(grid=[{grid}],sum_bytes=0)"
        found = netloom.loads(torus(2048), workload=call, cores=64, order=round_robin(2048), hottest=0)
        means = {DIRECTIONS[i]: float(found.classes[f"dim{i}"]["mean_bytes"]) for i in range(5)}
        most = max(means, key=lambda direction: means[direction])
        cases.append((grid.replace(",", " x "), f"{most} carries most", most == "D"))
    yield finding("M07 grids", "links of D carry most, on average", cases)


def round_robin(nodes: int) -> str:
    """One rank on every node, then the next."""
    return f"tiles([64,{nodes}],[1,{nodes}],[{nodes},64],[{nodes},1])"
