"""Sections 2.1, 5.1 and 5.6 of Cui 2024: closed forms, diameters, average distances, cables; with their errata."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from statistics import median

import numpy as np
import pytest

import netloom
from netloom import _core
from netloom.cost import Parts, total_cost


def mean_with_self(text: str) -> Fraction:
    """Mean distance over all ordered pairs, a switch and itself included, as the formulas of section 2.1.2 count."""
    distance = netloom.network(text).hop_matrix()
    return Fraction(int(distance.sum(dtype=np.int64)), distance.shape[0] ** 2)


def facts(text: str) -> dict:
    return netloom.describe(text, bisection=False)


GRIDS = [(3, 2), (4, 2), (5, 2), (6, 2), (4, 3), (5, 3), (2, 4), (7, 1), (8, 1)]


@pytest.mark.parametrize(("k", "n"), GRIDS)
def test_torus_diameter_and_mean_distance(k: int, n: int) -> None:
    """E0-01, E0-02: n floor(k/2), not its ceiling; n k/4 for even k, n (k/4 - 1/(4k)) for odd k."""
    text = f"torus({','.join([str(k)] * n)})"
    assert facts(text)["diameter"] == n * (k // 2)
    each = Fraction(k, 4) if k % 2 == 0 else Fraction(k, 4) - Fraction(1, 4 * k)
    assert mean_with_self(text) == n * each
    assert mean_with_self(text) != Fraction(n * (k - 1), 4), "the printed form"


@pytest.mark.parametrize(("k", "n"), GRIDS)
def test_mesh_diameter_and_mean_distance(k: int, n: int) -> None:
    """E0-03: n (k^2 - 1) / (3 k) for all k; the printed n (k - 1) / 2 for k = 2 is twice that."""
    text = f"mesh({','.join([str(k)] * n)})"
    assert facts(text)["diameter"] == n * (k - 1)
    assert mean_with_self(text) == Fraction(n * (k * k - 1), 3 * k)


@pytest.mark.parametrize("n", range(1, 11))
def test_hypercube_diameter_and_mean_distance(n: int) -> None:
    """E0-04: the diameter is n. E0-05: n/2 counts u = v; without it n 2^(n-1) / (2^n - 1)."""
    found = facts(f"hypercube({n})")
    assert found["diameter"] == n
    assert mean_with_self(f"hypercube({n})") == Fraction(n, 2)
    assert found["aspl"] == pytest.approx(n * 2 ** (n - 1) / (2**n - 1), rel=1e-12)


@pytest.mark.parametrize(("k", "n"), [(2, 3), (4, 2), (3, 3)])
def test_k_ary_n_tree_has_n_levels_of_switches(k: int, n: int) -> None:
    """E0-07."""
    tree = netloom.network(f"k_ary_n_tree(k={k},n={n})")
    assert tree.endpoints == k**n
    assert len(set(tree.levels.tolist())) == n
    assert tree.switches == n * k ** (n - 1)


@pytest.mark.parametrize(("a", "p", "h"), [(4, 2, 2), (4, 4, 1), (6, 3, 3)])
def test_dragonfly_counts(a: int, p: int, h: int) -> None:
    """E0-08 to E0-12: a p nodes per group, radix p + (a - 1) + h, a h global links per group, a h G / 2 in all."""
    groups = a * h + 1
    found = facts(f"dragonfly(a={a},p={p},h={h})")
    assert found["switches"] == a * groups
    assert found["endpoints"] == a * p * groups
    assert p + found["degree_max"] == p + (a - 1) + h
    assert found["links_per_level"] == {"local": groups * a * (a - 1) // 2, "global": a * h * groups // 2}
    assert found["diameter"] == 3


@pytest.mark.parametrize(("degree", "largest"), [(21, 1590), (25, 2618)])
def test_no_dragonfly_of_the_degree_of_large_circulants(degree: int, largest: int) -> None:
    """E0-24: 2,048 and 8,192 switches ask for degrees 21 and 25, with which complete groups reach fewer."""
    sizes = [netloom.network(f"dragonfly(a={a},p=1,h={degree + 1 - a})").switches for a in range(2, degree + 1)]
    assert max(sizes) == largest
    wanted = {21: 2048, 25: 8192}[degree]
    assert largest < wanted


@pytest.mark.parametrize("k", range(3, 12))
def test_circulant_degree(k: int) -> None:
    """Section 4.2.2: G(2^k, k) has degree 2 k - 1."""
    found = facts(f"circulant({2**k},pow2)")
    assert found["degree_min"] == found["degree_max"] == 2 * k - 1
    assert found["switch_links"] == 2**k * (2 * k - 1) // 2


def test_k04_diameters_at_8192() -> None:
    assert facts("circulant(8192,pow2)")["diameter"] == 7
    assert facts("random_shortcut(8192,degree=25,seed=1)")["diameter"] == 4


@pytest.mark.parametrize("k", range(7, 12))
def test_k05_the_circulant_has_the_larger_diameter_above_64(k: int) -> None:
    random = facts(f"random_shortcut({2**k},degree={2 * k - 1},seed=1)")
    assert facts(f"circulant({2**k},pow2)")["diameter"] > random["diameter"]


@pytest.mark.parametrize("seed", range(1, 4))
def test_k06_average_distances_at_1024(seed: int) -> None:
    random = facts(f"random_shortcut(1024,degree=19,seed={seed})")["aspl"]
    dragonfly = facts("dragonfly(p=1,a=16,h=4,g=64)")["aspl"]
    assert random < dragonfly < facts("circulant(1024,pow2)")["aspl"]


def test_k33_k34_cables_and_cost_at_1024() -> None:
    """Section 5.6: 46 % shorter and 18 % cheaper; cabinets filled row by row, prices of Besta and Hoefler (2014)."""

    def priced(text: str) -> tuple[float, float]:
        cost = total_cost(Parts.of(netloom.network(text)))
        return cost.cable_length_mean_m, cost.total_usd

    length, usd = priced("circulant(1024,pow2)")
    others = [priced(f"random_shortcut(1024,degree=19,seed={seed})") for seed in range(1, 4)]
    assert 100 * (1 - length / median(o[0] for o in others)) == pytest.approx(46, abs=2)
    assert 100 * (1 - usd / median(o[1] for o in others)) == pytest.approx(18, abs=3)


def test_x01_moore_bounds_are_reached_by_known_graphs_and_never_passed() -> None:
    """1 + d sum (d-1)^i switches at most; Petersen's and Hoffman and Singleton's graph have as many."""
    rim, spokes = [(i, (i + 1) % 5) for i in range(5)], [(i, i + 5) for i in range(5)]
    edges = np.array([*rim, *spokes, *((5 + i, 5 + (i + 2) % 5) for i in range(5))])
    petersen = _core.Network.from_edges("Petersen", 10, edges, np.arange(10), 1e9, 0.0)
    for reached in (petersen, netloom.network("slim_fly(q=5)"), netloom.network("complete(9)")):
        found = netloom.describe(reached, bisection=False)
        assert found["moore_bound"] == found["switches"]
    for other in ("torus(4,4)", "hypercube(5)", "de_bruijn(2,5)", "random_shortcut(64,degree=8)"):
        found = netloom.describe(other, bisection=False)
        degree, diameter = found["degree_max"], found["diameter"]
        assert found["moore_bound"] == 1 + degree * sum((degree - 1) ** i for i in range(diameter))
        assert found["moore_bound"] > found["switches"]
    # Directed: sum d^i. The shifts of a Kautz graph reach all words, and no more than that in every number of steps.
    words = [word for word in itertools.product(range(4), repeat=3) if all(a != b for a, b in itertools.pairwise(word))]
    known, edge = {words[0]}, {words[0]}
    for steps in range(1, 4):
        edge = {(*word[1:], letter) for word in edge for letter in range(4) if letter != word[-1]} - known
        known |= edge
        assert len(known) <= sum(3**i for i in range(steps + 1))
    assert len(known) == len(words) == 3**3 + 3**2


def ball(jumps: int, hops: int) -> int:
    """Most switches that a circulant of this many jumps reaches: sums of at most so many +-jumps, in any order."""
    return sum(2**i * math.comb(jumps, i) * math.comb(hops, i) for i in range(jumps + 1))


@pytest.mark.parametrize("degree", range(4, 29, 4))
def test_x02_no_circulant_comes_near_random_shortcuts(degree: int) -> None:
    """Order does not matter on a circulant, so it reaches few switches, whatever its jumps are."""
    size = 1 << 15
    found = netloom.describe(f"random_shortcut({size},degree={degree})", bisection=False)
    reached = [min(size, ball(degree // 2, hops)) for hops in range(size // 2)]
    least = sum(size - count for count in reached) / (size - 1)
    assert found["aspl"] < least
    assert found["diameter"] <= next(hops for hops, count in enumerate(reached) if count == size)


# Collectives of LU are the same for any number of iterations: of 10 they are a larger part than of its 250.
@pytest.mark.parametrize("application", ["mg(class=A)", "lu(class=A,iterations=10)"])
def test_x06_collectives_carry_a_small_part_of_the_bytes(application: str) -> None:
    """Class A, 128 ranks: bytes of all messages less those that the program sends itself."""
    programs = netloom.workload(application, 128)
    total = int(_core.Traffic.of_programs(programs).table()["bytes"].astype(np.int64).sum())
    lines = (line.split() for _, data in programs.write("smpi-trace") for line in data.decode().splitlines())
    sent = sum(int(words[4]) for words in lines if words[1:2] == ["send"])
    assert 0 < total - sent < 0.05 * total
