"""Bisection bounds against every balanced cut of small networks, and against Kernighan-Lin on larger ones."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

import netloom

SMALL = [
    "ring(12)",
    "ring(13)",
    "mesh(3,4)",
    "mesh(14)",
    "torus(3,4)",
    "hypercube(3)",
    "complete(8)",
    "complete(7)",
    "star(9)",
    "hyperx(3,4)",
    "circulant(14,1,3)",
    "circulant(13,1,5)",
    "random_shortcut(14,degree=4,seed=1)",
    "random_regular(14,degree=5,seed=2)",
    "random_regular(12,degree=3,seed=7)",
    "de_bruijn(2,3)",
    "kautz(2,2)",
    "k_ary_n_tree(k=2,n=3)",
]


def narrowest(network: netloom.Network) -> int:
    """Fewest cables between two halves of the switches, by trying them all; n at most 14."""
    n = network.switches
    assert n <= 14
    cables = np.zeros((n, n), np.int64)
    np.add.at(cables, (network.tails, network.heads), 1)
    best = int(cables.sum())
    for half in combinations(range(n), n // 2):
        inside = np.isin(np.arange(n), half)
        best = min(best, int(cables[np.ix_(inside, ~inside)].sum()))
    return best


@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize("known", [True, False])
def test_bounds_enclose_the_narrowest_cut(text: str, known: bool) -> None:
    network = netloom.network(text)
    ours = (network if known else network.without_structure()).bisection()
    exact = narrowest(network)
    assert ours["lower"] <= exact <= ours["upper"]
    if ours["exact"]:
        assert ours["upper"] == exact


@pytest.mark.parametrize("text", ["torus(6,6)", "random_regular(64,degree=5,seed=2)", "circulant(64,pow2)"])
def test_not_wider_than_kernighan_lin_and_not_below_the_spectrum(text: str, as_networkx: Callable) -> None:
    network = netloom.network(text).without_structure()
    ours = network.bisection()
    graph = nx.Graph(as_networkx(network))
    cut = min(nx.cut_size(graph, *nx.algorithms.community.kernighan_lin_bisection(graph, seed=s)) for s in range(5))
    assert ours["upper"] <= cut
    gap = nx.laplacian_spectrum(graph)[1]
    # Every balanced cut has at least gap·n/4 cables (Fiedler); a stated lower bound above the cut would be false.
    assert gap * network.switches / 4 <= ours["upper"] + 1e-9
    assert ours["lower"] <= ours["upper"]
