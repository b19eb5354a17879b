"""Sections 2.1, 5.1 and 5.6 of Cui 2024: closed forms, diameters, average distances, cables; with their errata."""

from __future__ import annotations

from fractions import Fraction
from statistics import median

import numpy as np
import pytest

import netloom
from netloom.cost import total_cost


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
        network = netloom.network(text)
        cost = total_cost(network.tails, network.heads, network.switches, endpoint_switch=network.endpoint_switch)
        return cost.cable_length_mean_m, cost.total_usd

    length, usd = priced("circulant(1024,pow2)")
    others = [priced(f"random_shortcut(1024,degree=19,seed={seed})") for seed in range(1, 4)]
    assert 100 * (1 - length / median(o[0] for o in others)) == pytest.approx(46, abs=2)
    assert 100 * (1 - usd / median(o[1] for o in others)) == pytest.approx(18, abs=3)
