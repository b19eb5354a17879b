"""Chapters 3 and 4 of Cui 2024: schedules as printed, one hop per message on circulants, tables 3.1 to 3.6."""

from __future__ import annotations

from itertools import combinations
from statistics import median

import numpy as np
import pytest

import netloom

COLLECTIVES = ["broadcast:binomial", "allreduce:recursive-doubling", "alltoall:bruck"]


def sends(collective: str, ranks: int) -> list[set[tuple[int, int]]]:
    """(source, destination) of every message, step by step."""
    table = netloom.workload(collective, ranks, size_bytes=1).table()
    steps: list[set[tuple[int, int]]] = [set() for _ in range(int(table["step"].max()) + 1)]
    for step, source, destination in zip(table["step"], table["src"], table["dst"], strict=True):
        steps[int(step)].add((int(source), int(destination)))
    return steps


def test_binomial_broadcast_of_section_2_3_2() -> None:
    assert sends("broadcast:binomial", 8) == [{(0, 4)}, {(0, 2), (4, 6)}, {(0, 1), (2, 3), (4, 5), (6, 7)}]


def test_recursive_doubling_goes_to_distance_four_in_step_three() -> None:
    """E0-14, E0-17: step i pairs v_a with v_(a xor 2^i): eight disjoint pairs of sixteen in the first step."""
    for ranks in (8, 16):
        for i, step in enumerate(sends("allreduce:recursive-doubling", ranks)):
            assert step == {(a, a ^ (1 << i)) for a in range(ranks)}


@pytest.mark.parametrize("ranks", [8, 11, 16])
def test_bruck_sends_at_distance_two_to_the_step(ranks: int) -> None:
    """E0-15, E0-16: +2^k or -2^k, the same for all; both give the same hops on a network of full-duplex cables."""
    for k, step in enumerate(sends("alltoall:bruck", ranks)):
        forth = {(a, (a + (1 << k)) % ranks) for a in range(ranks)}
        back = {(a, (a - (1 << k)) % ranks) for a in range(ranks)}
        assert step in (forth, back)
        distance = netloom.network(f"random_shortcut({ranks},degree=4,seed=3)").hop_matrix().astype(int)
        assert sum(distance[a, b] for a, b in forth) == sum(distance[a, b] for a, b in back)


@pytest.mark.parametrize("k", range(2, 13))
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_k01_one_hop_per_message_on_the_circulant(collective: str, k: int) -> None:
    """Table 4.1: n - 1 and n log2 n hops."""
    found = netloom.hops(f"circulant({2**k},pow2)", workload=collective)
    assert found["total_hops"] == (2**k - 1 if collective.startswith("broadcast") else k * 2**k)


@pytest.mark.parametrize("j", range(1, 11))
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_k02_the_circulant_placement_keeps_one_hop_per_message(collective: str, j: int) -> None:
    for seed in (1, 2, 3):
        found = netloom.hops(
            "circulant(1024,pow2)", workload=collective, ranks=2**j, placement=f"circulant(seed={seed})"
        )
        assert found["total_hops"] == found["messages"]


@pytest.mark.parametrize("root", [0, 1, 37, 511])
def test_4_3_4_any_root_takes_one_hop_per_message(root: int) -> None:
    """Section 4.3.4: a broadcast from any switch of G(1024, 10) takes n - 1 hops."""
    assert netloom.hops("circulant(1024,pow2)", workload="broadcast:binomial", root=root)["total_hops"] == 1023


@pytest.mark.parametrize(("k", "j"), [(4, 3), (6, 3), (10, 4), (10, 9)])
def test_4_4_the_circulant_holds_disjoint_smaller_ones(k: int, j: int) -> None:
    """Section 4.4: the n/m sets of algorithm 4.1 share no switch, cover all, and each is wired as G(m, log2 m)."""
    n, m = 2**k, 2**j
    distance = netloom.network(f"circulant({n},pow2)").hop_matrix()
    small = netloom.network(f"circulant({m},pow2)").hop_matrix()
    parts = [[(first + i * (n // m)) % n for i in range(m)] for first in range(n // m)]
    assert sorted(switch for part in parts for switch in part) == list(range(n))
    for part in parts:
        assert ((distance[np.ix_(part, part)] == 1) == (small == 1)).all()


@pytest.mark.parametrize("j", range(2, 10))
def test_k03_the_ring_placement_does_so_for_all_but_alltoall(j: int) -> None:
    for seed in (1, 2, 3):
        broadcast, allreduce, alltoall = (
            netloom.hops("circulant(1024,pow2)", workload=c, ranks=2**j, placement=f"ring(seed={seed})")
            for c in COLLECTIVES
        )
        assert broadcast["total_hops"] == 2**j - 1
        assert allreduce["total_hops"] == j * 2**j
        assert alltoall["total_hops"] > j * 2**j


#: Found by search: the first seed of degree 3 on which ranks 0 to 7 have the printed hops of table 3.1.
FIGURE_3_5 = "random_shortcut(32,degree=3,seed=14)"


def test_k42_one_exchange_of_ranks_lowers_eleven_hops_to_nine() -> None:
    """Tables 3.1 and 3.2, which contradict each other (E0-32).

    The message between nodes 4 and 6 takes 2 hops in table 3.1 and 1 in table
    3.2, on full-duplex cables. With the 2 of table 3.1 the printed exchange of nodes 4 and 7 gives 10 hops; another one
    gives the 9.
    """
    network = netloom.network(FIGURE_3_5)
    distance = network.hop_matrix().astype(int)
    assert distance[0, 7] == 2 and distance[7, 6] == distance[7, 5] == 1, "the entries of table 3.2 that can hold"

    def steps(mapping: list[int]) -> list[int]:
        found = netloom.hops(network, workload="broadcast:binomial", mapping=np.array(mapping, dtype=np.uint32))
        return [step["hops"] for step in found["steps"]]

    ascending = list(range(8))
    assert [distance[0, 4], distance[0, 2], distance[4, 6]] == [3, 2, 2]
    assert steps(ascending) == [3, 4, 4]
    totals = {}
    for i, j in combinations(range(8), 2):
        swapped = list(ascending)
        swapped[i], swapped[j] = j, i
        totals[i, j] = sum(steps(swapped))
    assert totals[4, 7] == 10
    assert min(totals.values()) == 9
    assert totals[4, 5] == 9


def test_k42_the_optimiser_finds_it() -> None:
    found = netloom.map_ranks(
        FIGURE_3_5, workload="broadcast:binomial", ranks=8, placement="linear", optimiser="two-opt(swaps=1000,seed=1)",
        objective="hops",
    )  # fmt: skip
    assert found["start_value"] == 11
    assert found["value"] <= 9


PLACEMENTS = {"random": "random(seed={seed})", "tree": "tree(seed={seed})", "ring": "ring(start=0)"}
#: Tables 3.4 to 3.6: hops before and after 200,000 exchanges.
PRINTED = {
    ("broadcast:binomial", "random"): (1373, 794),
    ("broadcast:binomial", "tree"): (1080, 769),
    ("broadcast:binomial", "ring"): (850, 741),
    ("allreduce:recursive-doubling", "random"): (12308, 9904),
    ("allreduce:recursive-doubling", "tree"): (11362, 9816),
    ("allreduce:recursive-doubling", "ring"): (11152, 9816),
    ("alltoall:bruck", "random"): (12347, 10459),
    ("alltoall:bruck", "tree"): (11373, 10326),
    ("alltoall:bruck", "ring"): (11135, 10389),
}


@pytest.mark.parametrize(("collective", "placement"), PRINTED)
def test_k10_to_k12_hops_before_and_after_two_opt(collective: str, placement: str) -> None:
    before, after = [], []
    for seed in (1, 2, 3):
        found = netloom.map_ranks(
            f"random_shortcut(1024,degree=19,seed={seed})",
            workload=collective,
            ranks=512,
            placement=PLACEMENTS[placement].format(seed=seed),
            optimiser=f"two-opt(swaps=200000,accept=strict,seed={seed})",
            objective="hops",
        )
        before.append(found["start_value"])
        after.append(found["value"])
    printed = PRINTED[collective, placement]
    assert median(before) == pytest.approx(printed[0], rel=0.03)
    assert median(after) == pytest.approx(printed[1], rel=0.03)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_table_3_4_numbers_ranks_in_the_order_of_the_draw(seed: int) -> None:
    """E0-20: lowest rank on lowest number, as the text has it, is far from the printed 1,373 hops."""
    totals = {
        order: netloom.hops(
            f"random_shortcut(1024,degree=19,seed={seed})",
            workload="broadcast:binomial",
            ranks=512,
            placement=f"random(seed={seed})",
            order=order,
        )["total_hops"]
        for order in ("draw", "ascending")
    }
    assert totals["draw"] == pytest.approx(1373, rel=0.03)
    assert totals["ascending"] < 0.85 * 1373
