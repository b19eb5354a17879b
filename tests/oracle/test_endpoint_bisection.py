"""The bisection between halves of the endpoints against every choice of sides for the switches of small networks."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import netloom

SMALL = [
    "fat_tree(radix=4,levels=2)",
    "fat_tree(radix=4,levels=2,top=full)",
    "k_ary_n_tree(k=2,n=3)",
    "k_ary_n_tree(k=3,n=2)",
    "k_ary_n_tree(k=5,n=2)",
    "thin_tree(down=4,up=2,levels=2)",
    "thin_tree(down=4,up=1,levels=2)",
    "thin_tree(down=5,up=3,levels=2)",
    "thin_tree(down=3,up=1,levels=3)",
    "thin_tree(down=2,up=1,levels=3)",
    "xgft(m=[4,2,2],w=[1,1,4])",
    "xgft(m=[1,2,2],w=[1,2,1],parallel=[1,1,2])",
    "xgft(m=[2,3],w=[1,4],parallel=[1,2])",
    "star(8)",
    "star(7,p=5)",
    "ring(9,p=2)",
    "ring(10)",
    "mesh(3,4)",
    "torus(3,4)",
    "hypercube(3,p=2)",
    "complete(7,p=3)",
    "complete(8)",
    "dragonfly(a=2,p=2,h=1,g=3)",
    "dragonfly(a=4,p=2,h=1,g=3)",
    "dragonfly_plus(leaves=2,spines=2,p=2,h=2,g=3)",
    "de_bruijn(2,3)",
    "random_regular(12,degree=3,seed=7)",
]


def narrowest(network: netloom.Network) -> int:
    """Fewest endpoints cut from their switch, then fewest switch cables, over all sides; the sum of the two."""
    n = network.switches
    assert n <= 13
    endpoints = np.bincount(network.endpoint_switch, minlength=n)
    cables = np.zeros((n, n), np.int64)
    np.add.at(cables, (network.tails, network.heads), 1)
    sides = np.array(list(product((0, 1), repeat=n)), np.int64)
    held = sides @ endpoints
    total = int(endpoints.sum())
    away = np.minimum(abs(held - total // 2), abs(held - (total + 1) // 2))
    cut = np.einsum("pi,ij,pj->p", sides, cables, 1 - sides)
    least = int(away.min())
    return least + int(cut[away == least].min())


@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize("known", [True, False])
def test_bounds_enclose_the_narrowest_cut(text: str, known: bool) -> None:
    network = netloom.network(text)
    ours = netloom.describe(network if known else network.without_structure())["endpoint_bisection"]
    exact = narrowest(network)
    assert ours.get("lower", ours["value"]) <= exact <= ours.get("upper", ours["value"])
    if ours["exact"]:
        assert ours["value"] == exact and "lower" not in ours and "upper" not in ours


@pytest.mark.parametrize(("down", "up", "levels"), [(4, 2, 3), (8, 4, 4), (8, 8, 3), (6, 1, 3), (16, 4, 3)])
def test_thin_trees_have_the_bisection_of_their_paper(down: int, up: int, levels: int) -> None:
    """Navaridas 2009: k'^(n-1) k / 2."""
    cut = netloom.describe(netloom.thin_tree(down=down, up=up, levels=levels))["endpoint_bisection"]
    assert cut["exact"] and cut["value"] == up ** (levels - 1) * down // 2


@pytest.mark.parametrize("top", ["doubled", "full"])
@pytest.mark.parametrize("radix", [8, 16])
def test_fat_trees_have_a_cable_for_every_pair(radix: int, top: str) -> None:
    network = netloom.fat_tree(radix=radix, levels=3, top=top)
    cut = netloom.describe(network)["endpoint_bisection"]
    assert cut["exact"] and cut["value"] == network.endpoints // 2
    assert cut["bytes_per_s"]["value"] == cut["value"] * network.classes[0]["bandwidth_bytes_per_s"]


@pytest.mark.parametrize("text", ["dragonfly_plus(leaves=4,spines=4,p=4,h=4,g=9)", "dragonfly(a=4,p=2,h=2,g=9)"])
def test_larger_networks_give_an_interval(text: str) -> None:
    """Sides drawn at random cut no fewer cables than the lower bound, nor than the cut that was found."""
    network = netloom.network(text)
    cut = netloom.describe(network)["endpoint_bisection"]
    groups = np.random.default_rng(1)
    leaves = np.unique(network.endpoint_switch)
    for _ in range(200):
        side = np.zeros(network.switches, bool)
        side[groups.choice(leaves, len(leaves) // 2, replace=False)] = True
        crossing = int((side[network.tails] & ~side[network.heads]).sum())
        assert cut["value"] <= crossing
    assert 0 < cut.get("lower", cut["value"]) <= cut["value"]
