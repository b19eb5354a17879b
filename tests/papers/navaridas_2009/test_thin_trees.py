"""Tables 1 to 3 and 6, equations 6 and 7, and the wiring formulas of Navaridas 2009, with their errata."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

import netloom
from netloom.cost import efficiency
from netloom.cost.of_network import price

#: Table 2 and 3: tree -> nodes, switches, links (those of the nodes included).
PRINTED = {
    (8, 1, 2): (64, 9, 72),
    (8, 2, 2): (64, 10, 80),
    (8, 3, 2): (64, 11, 88),
    (8, 4, 2): (64, 12, 96),
    (8, 5, 2): (64, 13, 104),
    (8, 6, 2): (64, 14, 112),
    (8, 7, 2): (64, 15, 120),
    (8, 8, 2): (64, 16, 128),
    (8, 1, 3): (512, 73, 584),
    (8, 2, 3): (512, 84, 672),
    (8, 3, 3): (512, 97, 776),
    (8, 4, 3): (512, 112, 896),
    (8, 5, 3): (512, 129, 1032),
    (8, 6, 3): (512, 148, 1184),
    (8, 7, 3): (512, 169, 1352),
    (8, 8, 3): (512, 192, 1536),
    (8, 1, 4): (4096, 585, 4680),
    (8, 2, 4): (4096, 680, 5440),
    (8, 3, 4): (4096, 803, 6424),
    (8, 4, 4): (4096, 960, 7680),
    (8, 5, 4): (4096, 1157, 9256),
    (8, 6, 4): (4096, 1400, 11200),
    (8, 7, 4): (4096, 1695, 13560),
    (8, 8, 4): (4096, 2048, 16384),
    (11, 1, 2): (121, 12, 132),
    (10, 2, 2): (100, 12, 120),
    (9, 3, 2): (81, 12, 108),
    (7, 5, 3): (343, 109, 763),
    (6, 6, 3): (216, 108, 648),
    (11, 1, 3): (1331, 133, 1463),
    (10, 2, 3): (1000, 124, 1240),
    (9, 3, 3): (729, 117, 1053),
    (7, 5, 4): (2401, 888, 6216),
    (6, 6, 4): (1296, 864, 5184),
    (11, 1, 4): (14641, 1464, 16104),
    (10, 2, 4): (10000, 1248, 12480),
    (9, 3, 4): (6561, 1080, 9720),
}
#: Table 3 (c) lacks one level of these: printed switches and links, and what the missing level holds (E1-04).
SHORT = {(7, 5, 5): (4440, 31080, 7**4), (6, 6, 5): (5184, 31104, 6**4)}


def build(k: int, up: int, n: int) -> netloom.Network:
    return netloom.network(f"thin_tree(down={k},up={up},levels={n})")


@pytest.mark.parametrize("tree", PRINTED)
def test_t01_t02_counts(tree: tuple[int, int, int]) -> None:
    built = build(*tree)
    assert (built.endpoints, built.switches, built.switch_links + built.endpoint_links) == PRINTED[tree]


@pytest.mark.parametrize("tree", SHORT)
def test_t02_two_entries_lack_one_level(tree: tuple[int, int, int]) -> None:
    """E1-04: the sum over four of the five levels is what is printed."""
    switches, links, missing = SHORT[tree]
    built = build(*tree)
    assert built.switches == switches + missing
    assert built.switch_links + built.endpoint_links == links + missing * tree[0]
    assert missing in Counter(built.levels.tolist()).values()


@pytest.mark.parametrize(
    ("tree", "printed"), [((8, 8, 4), 1), ((8, 6, 4), 0.42), ((8, 4, 4), 0.125), ((8, 2, 4), 0.016)]
)
def test_t03_ideal_throughput(tree: tuple[int, int, int], printed: float) -> None:
    """Equation 5 on the built tree: top switches times k, half of them across, over the nodes; equation 7 (E1-03)."""
    k, up, n = tree
    built = build(*tree)
    top = Counter(built.levels.tolist())[n - 1]
    throughput = top * k / built.endpoints
    assert throughput == pytest.approx((up / k) ** (n - 1), rel=1e-12)
    assert throughput == pytest.approx(printed, abs=0.005)
    assert netloom.describe(built, bisection=False)["uniform_throughput"] == pytest.approx(throughput, rel=1e-12)


TREES = [(k, up, n) for k in (2, 3, 4, 5, 8) for up in range(1, k + 1) for n in (2, 3, 4) if k**n <= 4096]


@pytest.mark.parametrize("tree", TREES)
def test_t04_corrected_formulas_wire_every_downward_port_once(tree: tuple[int, int, int]) -> None:
    """E1-07: nswitch = port k'^l + s mod k'^l + floor(s / (k k'^l)) k'^(l+1); nport = floor(s / k'^l) mod k."""
    k, up, n = tree
    built = build(*tree)
    levels = built.levels.tolist()
    first = [levels.index(level) for level in range(n)]
    wanted = set()
    ports = Counter()
    for level in range(n - 1):
        low = up**level
        for s in range(k ** (n - 1 - level) * low):
            for port in range(up):
                parent = port * low + s % low + s // (k * low) * up ** (level + 1)
                ports[level + 1, parent, s // low % k] += 1
                wanted.add((first[level] + s, first[level + 1] + parent))
    assert set(ports.values()) == {1}
    assert len(ports) == sum(levels[s] > 0 for s in range(built.switches)) * k
    upward = built.tails < built.heads
    assert set(zip(built.tails[upward].tolist(), built.heads[upward].tolist(), strict=True)) == wanted


@pytest.mark.parametrize("tree", [(4, 2, 3), (8, 4, 3), (8, 2, 4)])
def test_t04_the_printed_formulas_do_not(tree: tuple[int, int, int]) -> None:
    """E1-07: with floor(k / k') and k^l some downward port is used twice or lies outside the level."""
    k, up, n = tree
    wrong = 0
    for level in range(n - 1):
        ports = Counter()
        above = k ** (n - 2 - level) * up ** (level + 1)
        for s in range(k ** (n - 1 - level) * up**level):
            for port in range(up):
                parent = port * k**level + s % k**level + s // (k // up * k**level) * k ** (level + 1)
                ports[parent, s // k**level % k] += 1
                wrong += parent >= above
        wrong += sum(count > 1 for count in ports.values())
    assert wrong > 0


#: Table 4: weighted performance phi of the 8:k',n-trees for k' = 1 to 8, and table 6: phi per cost, printed.
TABLE_4 = {
    2: [0.4419, 0.697, 0.8354, 0.9094, 0.9539, 0.9791, 0.99, 1.0],
    3: [0.141, 0.4272, 0.6746, 0.8273, 0.9088, 0.9523, 0.9695, 1.0],
    4: [0.0628, 0.3157, 0.5164, 0.7243, 0.8569, 0.9276, 0.9647, 1.0],
}
TABLE_6 = {
    2: {
        "cC": [0.7857, 1.1152, 1.2152, 1.2125, 1.174, 1.119, 1.056, 1.0],
        "cL": [1.3967, 1.7843, 1.7675, 1.6166, 1.4449, 1.2789, 1.1264, 1.0],
        "cQ": [2.4831, 2.8549, 2.5709, 2.1555, 1.7783, 1.4616, 1.2015, 1.0],
    },
    3: {
        "cC": [0.3708, 0.9765, 1.3352, 1.4182, 1.3527, 1.2354, 1.1014, 1.0],
        "cL": [0.6592, 1.5623, 1.9421, 1.891, 1.6648, 1.4119, 1.1748, 1.0],
        "cQ": [1.1719, 2.4997, 2.8249, 2.5213, 2.049, 1.6136, 1.2531, 1.0],
    },
    4: {
        "cC": [0.2197, 0.9509, 1.3171, 1.5452, 1.5167, 1.3569, 1.1656, 1.0],
        "cL": [0.3906, 1.5214, 1.9158, 2.0602, 1.8668, 1.5508, 1.2434, 1.0],
        "cQ": [0.6944, 2.4342, 2.7866, 2.747, 2.2976, 1.7723, 1.3262, 1.0],
    },
}
BEST = {(2, "cC"): 3, (2, "cL"): 2, (2, "cQ"): 2, (3, "cC"): 4, (3, "cL"): 3, (3, "cQ"): 3, (4, "cC"): 4, (4, "cL"): 4}


#: Section 6.2: switches, ports and crosspoints; every switch has the radix of the lower levels.
MODELS = {"cC": "unit", "cL": "per-port", "cQ": "per-port-squared"}


@cache
def costs(n: int, name: str) -> list[float]:
    """Of the 8:k',n-trees for k' = 1 to 8, under the product's cost models."""
    found = [price(build(8, up, n), MODELS[name])[0] for up in range(1, 9)]
    return [cost["total_usd"] for cost in found if cost is not None]


def efficiencies(n: int) -> dict[str, list[float]]:
    """Phi per cost, over that of the 8:8-tree, from the phi of table 4."""
    return {
        name: [efficiency(phi, cost, costs(n, name)[-1]) for phi, cost in zip(TABLE_4[n], costs(n, name), strict=True)]
        for name in MODELS
    }


@pytest.mark.parametrize("n", TABLE_4)
def test_t05_cost_efficiency_follows_from_table_4(n: int) -> None:
    """Table 6: 72 costs, and 72 efficiencies as exactly as both were printed, with four digits each."""
    for name, column in efficiencies(n).items():
        switches = [PRINTED[8, up, n][1] for up in range(1, 9)]
        assert costs(n, name) == [s * (8 + up) ** list(MODELS).index(name) for up, s in enumerate(switches, start=1)]
        for cost, found, printed in zip(costs(n, name), column, TABLE_6[n][name], strict=True):
            assert abs(found - printed) <= 5e-5 * (1 + costs(n, name)[-1] / cost) + 1e-12, (name, found, printed)


@pytest.mark.parametrize(("n", "cost"), BEST)
def test_t06_to_t08_best_trees(n: int, cost: str) -> None:
    """Section 6.2."""
    column = efficiencies(n)[cost]
    assert column.index(max(column)) + 1 == BEST[n, cost]


def test_t24_the_thinnest_trees() -> None:
    """Section 6.2: 8:1,3 beats the complete tree at quadratic cost only, 8:1,2 loses at constant cost only."""
    ahead = {n: {cost for cost, column in efficiencies(n).items() if column[0] > column[-1]} for n in (2, 3)}
    assert ahead == {2: {"cL", "cQ"}, 3: {"cQ"}}


def test_s13_every_thin_tree_of_64_nodes_but_one_beats_the_complete_one() -> None:
    """Section 6.2, from table 4: 8:1,2 at constant cost is the exception."""
    behind = {
        (name, up) for name, column in efficiencies(2).items() for up, gain in enumerate(column[:-1], 1) if gain <= 1
    }
    assert behind == {("cC", 1)}


def test_s15_the_large_trees() -> None:
    """Section 6.2, from table 4: 8:5,4 gives 2 to 17 % less per cost than 8:4,4, and 18 % more; 8:2,4."""
    found = efficiencies(4)
    assert all(0.83 < found[cost][4] / found[cost][3] < 1 for cost in found)
    assert TABLE_4[4][4] / TABLE_4[4][3] == pytest.approx(1.18, abs=0.005)
    assert found["cQ"][1] == pytest.approx(2.4342, abs=5e-4)
