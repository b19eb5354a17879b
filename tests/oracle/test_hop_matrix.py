"""The hop matrix, entry by entry, against SciPy's Dijkstra."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import shortest_path

import netloom

# Below, at and above the blocks of the bit-parallel search, even and odd, short and long diameters.
SHAPES = [
    "ring(3)",
    "mesh(200)",
    "ring(509)",
    "torus(8,8,8)",
    "random_regular(512,degree=5,seed=1)",
    "random_regular(514,degree=7,seed=2)",
    "random_shortcut(1031,degree=6,seed=5)",
    "circulant(1024,pow2)",
    "dragonfly(a=8,p=4,h=4,g=33)",
    "fat_tree(radix=8,levels=3)",
    "star(70)",
]


@pytest.mark.parametrize("text", SHAPES)
def test_equals_scipy(text: str, as_matrix: Callable) -> None:
    network = netloom.network(text)
    expected = shortest_path(as_matrix(network), method="D", unweighted=True)
    for hops in (network.hop_matrix(), network.without_structure().hop_matrix()):
        assert hops.dtype == np.uint8
        np.testing.assert_array_equal(hops, expected)


@st.composite
def connected_multigraphs(draw: st.DrawFn) -> tuple[int, np.ndarray]:
    """A random tree with random further cables, parallel ones included."""
    switches = draw(st.integers(2, 90))
    cables = [(draw(st.integers(0, v - 1)), v) for v in range(1, switches)]
    number = st.integers(0, switches - 1)
    more = draw(st.lists(st.tuples(number, number).filter(lambda ends: ends[0] != ends[1]), max_size=60))
    return switches, np.array(cables + more)


@settings(max_examples=60, deadline=None)
@given(connected_multigraphs())
def test_equals_scipy_on_any_multigraph(graph: tuple[int, np.ndarray]) -> None:
    from scipy.sparse import csr_matrix

    switches, cables = graph
    network = netloom.Network.from_edges("drawn", switches, cables, np.arange(switches), 1e9, 1e-7)
    tail, head = np.concatenate([cables, cables[:, ::-1]]).T
    adjacency = csr_matrix((np.ones(len(tail)), (tail, head)), shape=(switches, switches))
    expected = shortest_path(adjacency, method="D", unweighted=True)
    np.testing.assert_array_equal(network.hop_matrix(), expected)
    metrics = network.metrics()
    assert metrics["diameter"] == expected.max()
    assert metrics["aspl"] == pytest.approx(expected.sum() / (switches * (switches - 1)), rel=1e-12)
