"""Diameter, average path length, degrees and connectivity against networkx and SciPy, for every family."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components, shortest_path

import netloom

SMALL = [
    "ring(3)",
    "ring(10)",
    "mesh(1,5)",
    "mesh(4,5,3)",
    "torus(3,4,5)",
    "torus(2,4)",
    "torus(6,5,wrap=[true,false])",
    "hypercube(6)",
    "complete(9)",
    "star(7)",
    "k_ary_n_tree(k=3,n=3)",
    "thin_tree(down=4,up=2,levels=3)",
    "fat_tree(radix=8,levels=3)",
    "dragonfly(a=4,p=2,h=2,g=9)",
    "dragonfly(a=4,p=2,h=2,g=5)",
    'dragonfly(a=4,p=1,h=2,g=9,arrangement="relative")',
    'dragonfly(a=4,p=1,h=2,g=9,arrangement="circulant")',
    'dragonfly(a=4,p=1,h=2,g=8,arrangement="round-robin")',
    "random_shortcut(64,degree=5,seed=3)",
    "random_shortcut(63,degree=4,seed=2)",
    "random_regular(60,degree=7,seed=4)",
    "circulant(60,pow2)",
    "circulant(16,1,3)",
    "recursive_circulant(64,4)",
    "hyperx(3,4,2)",
    "flattened_butterfly(4,3)",
    "slim_fly(q=5)",
    "slim_fly(q=7)",
    "slim_fly(q=4)",
    "de_bruijn(2,6)",
    "kautz(2,4)",
]
# Above this the oracle, not netloom, would make the tests slow.
LIMIT = 1100


def examples() -> list[str]:
    return [row["example"] for row in netloom.catalogue("topologies")]


@pytest.mark.parametrize("text", [*SMALL, *examples()])
@pytest.mark.parametrize("symmetry", [True, False])
def test_distances_and_degrees(text: str, symmetry: bool, as_networkx: Callable, as_matrix: Callable) -> None:
    network = netloom.network(text)
    if network.switches > LIMIT:
        pytest.skip(f"{network.switches} switches")
    ours = network.metrics(use_symmetry=symmetry)
    graph = as_networkx(network)
    assert nx.is_connected(graph)
    assert ours["switches"] == graph.number_of_nodes()
    assert ours["switch_links"] == graph.number_of_edges()
    degrees = [degree for _, degree in graph.degree]
    assert (ours["degree_min"], ours["degree_max"]) == (min(degrees), max(degrees))
    hops = shortest_path(as_matrix(network), method="D", unweighted=True)
    assert ours["diameter"] == hops.max()
    n = network.switches
    if n == 1:
        assert (ours["aspl"], ours["endpoint_aspl"]) == (None, 0)
        return
    assert ours["aspl"] == pytest.approx(hops.sum() / (n * (n - 1)), rel=1e-12)
    homes = network.endpoint_switch
    between = hops[np.ix_(homes, homes)]
    if network.family == "butterfly":
        # Messages go one way, through all stages: tests of their own count their hops.
        assert ours["endpoint_diameter"] == ours["endpoint_aspl"] >= between.max()
        return
    assert ours["endpoint_diameter"] == between.max()
    assert ours["endpoint_aspl"] == pytest.approx(between.sum() / (len(homes) * (len(homes) - 1)), rel=1e-12)


@pytest.mark.parametrize("text", ["ring(10)", "torus(3,4,5)", "fat_tree(radix=4,levels=3)", "slim_fly(q=5)"])
def test_against_networkx_own_calls(text: str, as_networkx: Callable) -> None:
    network = netloom.network(text)
    graph = as_networkx(network)
    ours = network.metrics()
    assert ours["diameter"] == nx.diameter(graph)
    assert ours["aspl"] == pytest.approx(nx.average_shortest_path_length(graph), rel=1e-12)


@pytest.mark.parametrize(
    "text", ["torus(3,4,5)", "random_shortcut(64,degree=5,seed=3)", "thin_tree(down=4,up=2,levels=3)"]
)
def test_histogram_counts_every_ordered_pair(text: str, as_matrix: Callable) -> None:
    network = netloom.network(text)
    hops = shortest_path(as_matrix(network), method="D", unweighted=True)
    expected = Counter(hops[~np.eye(len(hops), dtype=bool)].astype(int).tolist())
    ours = list(network.metrics()["hop_histogram"])
    # A leading entry for distance 0 is not a pair of distinct switches.
    assert {d: count for d, count in enumerate(ours) if count and d > 0} == dict(expected)


def test_disconnected_network_is_refused_as_scipy_sees_it(as_matrix: Callable) -> None:
    edges = np.array([[0, 1], [1, 2], [3, 4]])
    network = netloom.Network.from_edges("two parts", 5, edges, np.arange(5), 1e9, 1e-7)
    assert connected_components(as_matrix(network))[0] == 2
    for call in (network.metrics, network.hop_matrix):
        with pytest.raises(netloom.NetloomError, match="NL-N001"):
            call()
