"""Networks as other libraries see them."""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_matrix

from netloom import Network


@pytest.fixture(scope="session")
def as_networkx() -> Callable[[Network], nx.MultiGraph]:
    """Every cable an edge, parallel cables parallel edges."""

    def convert(network: Network) -> nx.MultiGraph:
        graph = nx.MultiGraph()
        graph.add_nodes_from(range(network.switches))
        once = network.tails < network.heads
        graph.add_edges_from(zip(network.tails[once].tolist(), network.heads[once].tolist(), strict=True))
        return graph

    return convert


@pytest.fixture(scope="session")
def as_matrix() -> Callable[[Network], csr_matrix]:
    """Adjacency: the number of cables between two switches."""

    def convert(network: Network) -> csr_matrix:
        ones = np.ones(len(network.tails))
        return csr_matrix((ones, (network.tails, network.heads)), shape=(network.switches, network.switches))

    return convert
