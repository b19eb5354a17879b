"""Sections 3 and 4 of Swartvagher 2023: orders of the levels of a machine, with their errata."""

from __future__ import annotations

from itertools import permutations
from math import factorial

import pytest

from netloom import enumerate_orders

FIGURE_1 = "2,2,4"
HYDRA, LUMI = "16,2,2,8", "16,2,4,2,8"
NODE = "2,4,2,8"


def of(levels: str, order: str, communicator: int | None = None, cores: int | None = None) -> dict:
    return dict(enumerate_orders(levels, communicator, order=order, cores=cores)[0])


@pytest.mark.parametrize(
    ("order", "rank"), [("0,1,2", 9), ("0,2,1", 5), ("1,0,2", 10), ("1,2,0", 12), ("2,0,1", 6), ("2,1,0", 10)]
)
def test_new_rank_of_rank_10(order: str, rank: int) -> None:
    """Table 1."""
    assert of(FIGURE_1, order)["ranks"][10] == rank


def by_hand(sizes: tuple[int, ...], order: tuple[int, ...], rank: int) -> int:
    """Algorithms 1 and 2 as printed, with E2-02: the loop begins at the last level."""
    coordinates = [0] * len(sizes)
    for level in reversed(range(len(sizes))):
        rank, coordinates[level] = divmod(rank, sizes[level])
    found, factor = 0, 1
    for level in order:
        found += coordinates[level] * factor
        factor *= sizes[level]
    return found


@pytest.mark.parametrize("sizes", [(2, 2, 4), (3, 2, 4), (16, 2, 2, 8), (2, 3, 2, 5)])
def test_every_order_is_a_bijection_and_there_are_factorially_many(sizes: tuple[int, ...]) -> None:
    """3.1."""
    rows = enumerate_orders(sizes)
    assert [tuple(row["order"]) for row in rows] == list(permutations(range(len(sizes))))
    assert len(rows) == factorial(len(sizes))
    for row in rows:
        ranks = enumerate_orders(sizes, order=row["order"])[0]["ranks"]
        assert ranks == [by_hand(sizes, tuple(row["order"]), rank) for rank in range(len(ranks))]
        assert sorted(ranks) == list(range(len(ranks)))


@pytest.mark.parametrize("levels", [FIGURE_1, HYDRA, LUMI, NODE])
def test_the_reversed_list_of_levels_changes_nothing(levels: str) -> None:
    """3.1: algorithm 2 with this order is the inverse of algorithm 1."""
    depth = len(levels.split(","))
    ranks = of(levels, ",".join(map(str, reversed(range(depth)))))["ranks"]
    assert ranks == list(range(len(ranks)))


def test_ring_costs_of_figure_2() -> None:
    """3.3, with E2-04: the ring ends at the last rank."""
    assert of(FIGURE_1, "0,1,2", 4)["ring_cost"] == 9
    assert of(FIGURE_1, "1,0,2", 4)["ring_cost"] == 7


def test_percentages_of_pairs_of_figure_2() -> None:
    """3.3."""
    assert of(FIGURE_1, "2,1,0", 4)["pairs_percent"] == [100, 0, 0]
    assert [round(p, 1) for p in of(FIGURE_1, "1,0,2", 4)["pairs_percent"]] == [0, 33.3, 66.7]


def test_two_orders_of_figure_2_differ_by_the_place_of_communicators() -> None:
    """3.3, figure 2: [2,0,1] and [2,1,0] are alike; 0-3 and 12-15 are on the same cores, 4-7 and 8-11 exchanged."""
    alike = {tuple(row["order"]): row["same_as"] for row in enumerate_orders(FIGURE_1, 4)}
    assert alike == dict.fromkeys(alike) | {(2, 1, 0): [2, 0, 1]}
    cores = [
        [sorted(core for core, rank in enumerate(of(FIGURE_1, order)["ranks"]) if rank // 4 == c) for c in range(4)]
        for order in ("2,0,1", "2,1,0")
    ]
    first, second = cores
    assert (first[0], first[3]) == (second[0], second[3])
    assert (first[1], first[2]) == (second[2], second[1])
    # [0,1,2] and [1,0,2]: the same cores in another order.
    assert sorted(range(16), key=of(FIGURE_1, "0,1,2")["ranks"].__getitem__)[:4] == [0, 8, 4, 12]
    assert sorted(range(16), key=of(FIGURE_1, "1,0,2")["ranks"].__getitem__)[:4] == [0, 4, 8, 12]


def test_slurm_can_distribute_in_all_orders_of_figure_2_but_one() -> None:
    """Figure 2; 4.2: the default on Hydra."""
    words = {tuple(row["order"]): row["slurm_distribution"] for row in enumerate_orders(FIGURE_1, 4)}
    assert [order for order, word in words.items() if word is None] == [(1, 0, 2)]
    assert of(HYDRA, "1,3,2,0")["slurm_distribution"] == "block:cyclic"


@pytest.mark.parametrize(("order", "cost"), [("1,3,2,0", 45), ("3,1,0,2", 17)])
def test_ring_costs_of_figure_3(order: str, cost: int) -> None:
    """4.1.2: 16 nodes of Hydra, 16 processes to a communicator."""
    row = of(HYDRA, order, 16)
    assert row["ring_cost"] == cost
    assert row["pairs_percent"] == of(HYDRA, "1,3,2,0", 16)["pairs_percent"]


@pytest.mark.parametrize(
    ("levels", "size", "one", "two"), [(HYDRA, 64, "0,1,2,3", "2,1,0,3"), (LUMI, 256, "0,1,2,3,4", "1,2,3,0,4")]
)
def test_pairs_meet_at_the_same_levels_in_other_orders(levels: str, size: int, one: str, two: str) -> None:
    """4.1.3, figures 6 and 7: the same cores, other ring costs."""
    first, second = of(levels, one, size), of(levels, two, size)
    assert first["pairs_percent"] == second["pairs_percent"]
    assert first["ring_cost"] != second["ring_cost"]


def spread(row: dict) -> set[int]:
    return set(row["map_cpu"])


def test_cores_of_figure_9() -> None:
    """4.3: one node of LUMI; algorithm 3 with E2-06, a list of n entries from the start."""
    assert of(NODE, "0,1,2,3", cores=2)["map_cpu"] == [0, 64]
    assert of(NODE, "2,1,0,3", cores=4)["map_cpu"] == [0, 8, 16, 24]
    numa = set(range(0, 128, 16))
    assert spread(of(NODE, "0,1,2,3", cores=8)) == spread(of(NODE, "1,0,2,3", cores=8)) == numa
    assert of(NODE, "0,1,2,3", cores=8)["map_cpu"] == [0, 64, 16, 80, 32, 96, 48, 112]
    caches = set(range(0, 64, 8))
    assert spread(of(NODE, "1,2,0,3", cores=8)) == spread(of(NODE, "2,1,0,3", cores=8)) == caches
    two = {core + more for core in range(0, 64, 8) for more in (0, 1)}
    assert spread(of(NODE, "1,2,3,0", cores=16)) == spread(of(NODE, "2,1,3,0", cores=16)) == two


def test_six_orders_take_the_first_two_cores_of_every_cache() -> None:
    """Figure 9 at 32 processes."""
    two = {core + more for core in range(0, 128, 8) for more in (0, 1)}
    first = [row for row in enumerate_orders(NODE, cores=32) if set(row["map_cpu"]) == two]
    assert len(first) == 6
    sockets = {*range(16), *range(64, 80)}
    assert any(set(row["map_cpu"]) == sockets for row in enumerate_orders(NODE, cores=32))


@pytest.mark.parametrize("cores", [2, 4, 8, 16, 32, 64])
def test_orders_with_the_same_cores_are_found(cores: int) -> None:
    """3.4: the same set of cores in another order."""
    rows = enumerate_orders(NODE, cores=cores)
    for row in rows:
        alike = next(other for other in rows if set(other["map_cpu"]) == set(row["map_cpu"]))
        assert row["same_cores_as"] == (None if alike is row else alike["order"])
        equal = next(other for other in rows if other["map_cpu"] == row["map_cpu"])
        assert row["same_as"] == (None if equal is row else equal["order"])


def test_the_second_step_reorders_on_the_levels_of_the_chosen_cores() -> None:
    """3.4: all cores of the first socket are [4]; two of every socket are [2, 2]."""
    rows = {tuple(row["order"]): row for row in enumerate_orders("2,4", cores=4)}
    assert rows[1, 0]["chosen_levels"] == [4] and rows[1, 0]["map_cpu"] == [0, 1, 2, 3]
    assert rows[0, 1]["chosen_levels"] == [2, 2] and rows[0, 1]["map_cpu"] == [0, 4, 1, 5]
