"""Families that have a name in mathematics, against networkx's constructors or their defining properties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise, product

import networkx as nx
import pytest

import netloom


def edge_set(graph: nx.Graph) -> set[frozenset]:
    return {frozenset(edge[:2]) for edge in graph.edges}


NUMBERED = [
    ("ring(9)", lambda: nx.cycle_graph(9)),
    ("complete(7)", lambda: nx.complete_graph(7)),
    ("circulant(16,1,3)", lambda: nx.circulant_graph(16, [1, 3])),
    ("circulant(20,1,2,10)", lambda: nx.circulant_graph(20, [1, 2, 10])),
    ("circulant(64,pow2)", lambda: nx.circulant_graph(64, [1, 2, 4, 8, 16, 32])),
    ("recursive_circulant(64,4)", lambda: nx.circulant_graph(64, [1, 4, 16])),
    ("mesh(5)", lambda: nx.path_graph(5)),
]


@pytest.mark.parametrize(("text", "other"), NUMBERED)
def test_equals_networkx_with_the_same_numbers(text: str, other: Callable, as_networkx: Callable) -> None:
    ours = as_networkx(netloom.network(text))
    expected = other()
    assert ours.number_of_edges() == expected.number_of_edges()
    assert edge_set(ours) == edge_set(expected)


GRIDS = [("mesh", (4, 5), False), ("mesh", (2, 3, 4), False), ("torus", (4, 5), True), ("torus", (3, 4, 5), True)]


@pytest.mark.parametrize(("name", "dims", "wrapped"), GRIDS)
def test_grids_number_their_switches_row_major(name: str, dims: tuple, wrapped: bool, as_networkx: Callable) -> None:
    ours = as_networkx(getattr(netloom, name)(*dims))
    # networkx takes the extents from the last to the first; its nodes are coordinate tuples.
    theirs = nx.grid_graph(dims[::-1], periodic=wrapped)
    numbers = {coordinates: number for number, coordinates in enumerate(product(*map(range, dims)))}
    assert edge_set(ours) == edge_set(nx.relabel_nodes(theirs, numbers))


ISOMORPHIC = [
    ("hypercube(5)", lambda: nx.hypercube_graph(5)),
    ("star(6)", lambda: nx.star_graph(6)),
    ("hyperx(3,4)", lambda: nx.cartesian_product(nx.complete_graph(3), nx.complete_graph(4))),
    ("hyperx(3,3)", lambda: nx.line_graph(nx.complete_bipartite_graph(3, 3))),
    ("flattened_butterfly(3,3)", lambda: nx.cartesian_product(nx.complete_graph(3), nx.complete_graph(3))),
    ("k_ary_n_tree(k=4,n=2)", lambda: nx.complete_bipartite_graph(4, 4)),
    ("torus(4,4)", lambda: nx.hypercube_graph(4)),
]


@pytest.mark.parametrize(("text", "other"), ISOMORPHIC)
def test_isomorphic(text: str, other: Callable, as_networkx: Callable) -> None:
    ours, theirs = nx.Graph(as_networkx(netloom.network(text))), other()
    assert nx.is_isomorphic(ours, theirs)


def test_slim_fly_5_is_the_hoffman_singleton_graph(as_networkx: Callable) -> None:
    ours = nx.Graph(as_networkx(netloom.network("slim_fly(q=5)")))
    # The Moore graph of degree 7 and diameter 2 is unique: its intersection array identifies it.
    assert nx.intersection_array(ours) == nx.intersection_array(nx.hoffman_singleton_graph()) == ([7, 6], [1, 1])


def words(letters: int, length: int, repeats: bool) -> list[tuple[int, ...]]:
    every = product(range(letters), repeat=length)
    return [word for word in every if repeats or all(a != b for a, b in pairwise(word))]


@pytest.mark.parametrize("text", ["de_bruijn(2,3)", "de_bruijn(2,5)", "de_bruijn(3,3)", "kautz(2,3)", "kautz(3,2)"])
def test_shift_networks_by_their_words(text: str, as_networkx: Callable) -> None:
    ours = nx.Graph(as_networkx(netloom.network(text)))
    name, base, length = text.replace("(", ",").rstrip(")").split(",")
    known = [
        words(int(base), int(length), repeats=True),
        words(int(base) + 1, int(length), repeats=False),
        words(int(base) + 1, int(length) + 1, repeats=False),
    ]
    candidates = known[:1] if name == "de_bruijn" else known[1:]
    vertices = next(w for w in candidates if len(w) == ours.number_of_nodes())
    theirs = nx.Graph()
    theirs.add_nodes_from(vertices)
    theirs.add_edges_from((a, b) for a, b in product(vertices, repeat=2) if a != b and a[1:] == b[:-1])
    assert nx.is_isomorphic(ours, theirs)


# Round-robin leaves the port of a group's own number free: one group less.
@pytest.mark.parametrize(("arrangement", "g"), [("absolute", 9), ("relative", 9), ("circulant", 9), ("round-robin", 8)])
def test_full_dragonfly_joins_every_two_groups_once(arrangement: str, g: int) -> None:
    network = netloom.dragonfly(a=4, p=1, h=2, g=g, arrangement=arrangement)
    ends = list(zip(network.groups[network.tails].tolist(), network.groups[network.heads].tolist(), strict=True))
    assert Counter((a, b) for a, b in ends if a < b) == Counter(combinations(range(g), 2))
    # All-to-all groups of four switches: twelve directed links each.
    assert Counter(a for a, b in ends if a == b) == dict.fromkeys(range(g), 4 * 3)


@pytest.mark.parametrize("text", ["random_regular(60,degree=7,seed=4)", "xpander(degree=5,lift=4,seed=1)"])
def test_random_families_are_regular_simple_and_connected(text: str, as_networkx: Callable) -> None:
    graph = as_networkx(netloom.network(text))
    assert nx.is_connected(graph)
    assert nx.is_regular(graph)
    assert graph.number_of_edges() == len(edge_set(graph))


def test_random_shortcut_keeps_the_ring_and_the_degree(as_networkx: Callable) -> None:
    graph = as_networkx(netloom.network("random_shortcut(64,degree=5,seed=3)"))
    assert edge_set(nx.cycle_graph(64)) <= edge_set(graph)
    assert nx.is_k_regular(graph, 5)
    assert graph.number_of_edges() == len(edge_set(graph))
