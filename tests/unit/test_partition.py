"""Recursive bisection by METIS: permutations, closed forms, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import netloom
from netloom import NetloomError
from netloom.mapping.graphs import Graph
from netloom.mapping.partition import _bisect

pytest.importorskip("pymetis")


def mapped(network: str, ranks: int, workload: str, **more: object) -> dict[str, object]:
    given: dict[str, object] = {"order": "random(seed=3)", "optimiser": "partition", "objective": "hops"} | more
    return netloom.map_ranks(network, ranks=ranks, workload=workload, **given)  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize(
    ("network", "ranks", "workload", "hops"),
    [
        # Every neighbour one hop away: as many hops as messages.
        ("torus(8,8)", 64, "stencil(8,8)", 256),
        ("torus(8,8,8)", 512, "stencil(8,8,8)", 3072),
        # A 4x4 grid on four leaves of four: a 2x2 block on each, two neighbours of each rank on its leaf.
        ("k_ary_n_tree(k=4,n=2)", 16, "stencil(4,4)", 64),
    ],
)
def test_closed_forms(network: str, ranks: int, workload: str, hops: int) -> None:
    assert mapped(network, ranks, workload)["value"] == hops


@settings(max_examples=25, deadline=None)
@given(
    network=st.sampled_from(
        ["torus(4,3)", "k_ary_n_tree(k=3,n=3)", "random_regular(24,degree=3,seed=2)", "star(9)", "ring(5)"]
    ),
    share=st.floats(0.1, 1.0),
    cores=st.integers(1, 3),
    seed=st.integers(0, 99),
)
def test_any_network_any_ranks(network: str, share: float, cores: int, seed: int) -> None:
    most = int(netloom.describe(network)["endpoints"]) * cores  # type: ignore[arg-type]
    ranks = max(2, int(share * most))
    made = mapped(network, ranks, f"uniform(messages=200,seed={seed})", cores=cores, placement="linear")
    again = mapped(network, ranks, f"uniform(messages=200,seed={seed})", cores=cores, placement="linear")
    assert np.array_equal(made["mapping"], again["mapping"])  # type: ignore[arg-type]
    assert np.bincount(np.asarray(made["mapping"])).max() <= cores  # type: ignore[arg-type]
    assert len(made["mapping"]) == ranks  # type: ignore[arg-type]


@settings(max_examples=50, deadline=None)
@given(data=st.data(), count=st.integers(2, 40))
def test_halves_have_the_size_asked_for(data: st.DataObject, count: int) -> None:
    ends = st.lists(st.integers(0, count - 1), min_size=count, max_size=count)
    tails, heads = (np.array(data.draw(ends), dtype=np.int64) for _ in range(2))
    graph = Graph.of(count, tails, heads, np.ones(count, dtype=np.int64))
    wanted = data.draw(st.integers(1, count - 1))
    assert int(_bisect(graph, np.ones(count, dtype=np.int64), wanted, 1).sum()) == wanted


def test_graphs_are_symmetric_and_parts_keep_their_edges() -> None:
    tails, heads = np.array([0, 1, 1, 3]), np.array([1, 0, 2, 3])
    graph = Graph.of(4, tails, heads, np.array([5, 7, 1, 9]))
    assert graph.first.tolist() == [0, 1, 3, 4, 4] and graph.adjacent.tolist() == [1, 0, 2, 1]
    assert graph.weight.tolist() == [12, 12, 1, 1]
    part = graph.of_some(np.array([2, 1]))
    assert part.first.tolist() == [0, 1, 2] and part.adjacent.tolist() == [1, 0] and part.weight.tolist() == [1, 1]


@pytest.mark.parametrize("call", ["partition(tries=0)", "partition(seed=-1)", "partition(depth=2)"])
def test_refused(call: str) -> None:
    with pytest.raises(NetloomError):
        mapped("ring(8)", 8, "nearest-ring", optimiser=call)
