"""The cut bound against NetworkX' greatest flows, and what is known in closed form."""

from __future__ import annotations

from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import pytest

import netloom
from netloom.base.errors import NetloomError

NETWORKS = [
    "torus(4,4)",
    "dragonfly(a=4,p=2,h=2,g=9)",
    "fat_tree(radix=4,levels=3)",
    "thin_tree(down=4,up=2,levels=2)",
    "random_regular(20,degree=3,seed=4)",
    "star(6)",
]


def graph_of(net: Any, mapping: np.ndarray) -> nx.DiGraph:
    """Switches by number, ranks as ("rank", r); parallel links together."""
    graph = nx.DiGraph()
    widths = [c["bandwidth_bytes_per_s"] for c in net.classes] or [12.5e9]
    capacity: Counter[tuple[Any, Any]] = Counter()
    for tail, head, kind in zip(net.tails, net.heads, net.class_index, strict=True):
        capacity[int(tail), int(head)] += int(widths[kind])
    # Generators give endpoints links of the one bandwidth.
    assert len(set(widths)) == 1
    endpoint = int(widths[0])
    for rank, place in enumerate(mapping):
        switch = int(net.endpoint_switch[place])
        capacity[("rank", rank), switch] += endpoint
        capacity[switch, ("rank", rank)] += endpoint
    graph.add_edges_from((a, b, {"capacity": c}) for (a, b), c in capacity.items())
    return graph


def reaches_all(graph: nx.DiGraph, ranks: int, share: float) -> bool:
    """Whether every rank can receive `share` per second from every rank at once (ForestColl's test)."""
    fed = graph.copy()
    for rank in range(ranks):
        fed.add_edge("source", ("rank", rank), capacity=share)
    wanted = ranks * share
    flows = (nx.maximum_flow_value(fed, "source", ("rank", rank)) for rank in range(ranks))
    return all(flow >= wanted * (1 - 1e-9) for flow in flows)


@pytest.mark.parametrize("text", NETWORKS)
@pytest.mark.parametrize("every", [1, 2])
def test_allgather_is_the_largest_of_all_cuts(text: str, every: int) -> None:
    net = netloom.network(text)
    mapping = np.arange(0, net.endpoints, every)
    bound = netloom.cut_bound(net, mapping, "allgather", 1)
    assert bound["exact"]
    graph, share = graph_of(net, mapping), 1 / bound["time_s"]
    assert reaches_all(graph, len(mapping), share)
    assert not reaches_all(graph, len(mapping), share * 1.001)


@pytest.mark.parametrize("text", NETWORKS)
def test_broadcast_is_the_smallest_greatest_flow_and_scatter_drains(text: str) -> None:
    net = netloom.network(text)
    mapping = np.arange(net.endpoints)
    ranks, root = len(mapping), len(mapping) // 3
    graph = graph_of(net, mapping)
    others = [rank for rank in range(ranks) if rank != root]
    least = min(nx.maximum_flow_value(graph, ("rank", root), ("rank", rank)) for rank in others)
    assert netloom.cut_bound(net, mapping, "broadcast", 1, root=root)["time_s"] == pytest.approx(1 / least, rel=1e-12)
    bound = netloom.cut_bound(net, mapping, "scatter", 1, root=root)
    for rank in others:
        graph.add_edge(("rank", rank), "drain", capacity=1 / bound["time_s"])
    assert nx.maximum_flow_value(graph, ("rank", root), "drain") == pytest.approx((ranks - 1) / bound["time_s"])
    assert bound["exact"] and bound["time_s"] == netloom.cut_bound(net, mapping, "gather", 1, root=root)["time_s"]


def test_the_ring_of_ranks_meets_the_bound_of_allreduce() -> None:
    net = netloom.network("star(8)")
    width = 1 / netloom.cut_bound(net, range(8), "broadcast", 1)["time_s"]
    found = netloom.cut_bound(net, range(8), "allreduce", 1 << 20)
    assert found["time_s"] == pytest.approx(2 * 7 / 8 * (1 << 20) / width, rel=1e-12)
    assert found["parts"] == 8 and len(found["cut"]) == 0 and not found["exact"]


def test_a_cut_is_what_it_says() -> None:
    net = netloom.network("thin_tree(down=4,up=1,levels=2)")
    mapping = np.arange(net.endpoints)
    found = netloom.cut_bound(net, mapping, "alltoall", 1000)
    inside = len(found["cut"])
    assert found["parts"] == 2 and found["bytes"] == 1000 * inside * (net.endpoints - inside)
    assert found["time_s"] == found["bytes"] / found["bandwidth_bytes_per_s"]


def test_without_endpoint_links_switches_are_the_ranks() -> None:
    net = netloom.network("hypercube(4)")
    width = net.classes[0]["bandwidth_bytes_per_s"]
    found = netloom.cut_bound(net, range(16), "allgather", 1, endpoint_links=False)
    assert found["time_s"] == pytest.approx(15 / (4 * width), rel=1e-12)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"collective": "allreduec"}, "NL-A002"),
        ({"collective": "allreduce:ring"}, "NL-A002"),
        ({"root": 4}, "NL-A007"),
        ({"root": -1}, "NL-A007"),
        ({"size_bytes": -1}, "NL-A007"),
        ({"size_bytes": 2**63}, "NL-A007"),
        ({"mapping": [9]}, "NL-M001"),
        ({"mapping": []}, "NL-A007"),
        ({"mapping": "all"}, "NL-A007"),
    ],
)
def test_what_cannot_be_asked(change: dict[str, Any], code: str) -> None:
    asked: dict[str, Any] = {"mapping": [0, 1, 2, 3], "collective": "broadcast", "size_bytes": 8, "root": 0, **change}
    with pytest.raises(NetloomError, match=code):
        netloom.cut_bound("ring(4)", asked["mapping"], asked["collective"], asked["size_bytes"], root=asked["root"])
