"""Diameter and ASPL of a graph of which nothing is known but its cables.

netloom may use what it finds in the numbers of the switches: nothing in random graphs, everything in a torus numbered
row by row, nothing in one whose numbers were shuffled.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np

import netloom
from benchmarks.measure import cpu
from benchmarks.speed import peers
from benchmarks.speed.graph import Graph, Sums
from benchmarks.speed.line import Line
from benchmarks.speed.options import Options
from benchmarks.speed.peers import numpy_bitset

NETWORKS = {
    "random_regular(1024,degree=19)": "random_regular(1024,degree=19,seed=1)",
    "random_regular(4096,degree=19)": "random_regular(4096,degree=19,seed=1)",
    "random_regular(16384,degree=19)": "random_regular(16384,degree=19,seed=1)",
    "torus(32,32,32)": "torus(32,32,32)",
    "torus(32,32,32), switches shuffled": "torus(32,32,32)",
}
# CPU seconds of the fastest program known for this, Graph Golf's own ODP (MATRIX_SAVING), on the same kind of machine.
GRAPH_GOLF_S = {"random_regular(16384,degree=19)": 0.09, "torus(32,32,32)": 1.0}


def lines(options: Options) -> Iterator[Line]:
    names = list(NETWORKS)[:1] if options.quick else list(NETWORKS)
    found, missing = peers.peers()
    for name in names:
        network = netloom.network(NETWORKS[name]).without_structure()
        if name.endswith("shuffled"):
            network = shuffled(network)
        graph = Graph.of(name, network)
        case = f"diameter and ASPL, {name}"
        ours = cpu(lambda network=network: network.metrics(), options.runs)
        mark = GRAPH_GOLF_S.get(name)
        if mark:
            yield Line(case, "s", ours.seconds, "Graph Golf ODP", mark, "measured elsewhere, not in this run", mark)
        for peer in found:
            yield beside(case, peer, graph, ours.seconds, netloom_sums(ours.answer), options)
    for name in missing:
        yield Line("diameter and ASPL", "s", None, name, None, "not installed")


def shuffled(network: netloom.Network) -> netloom.Network:
    """The same graph under random switch numbers, in which no symmetry is found."""
    number = np.random.default_rng(1).permutation(network.switches)
    edges = number[Graph.of(network.label, network).edges]
    endpoints = number[network.endpoint_switch]
    return netloom.Network.from_edges(f"{network.label}, shuffled", network.switches, edges, endpoints, 12.5e9, 1e-7)


def netloom_sums(metrics: dict) -> Sums:
    n = metrics["switches"]
    return Sums(n, metrics["diameter"], sum(hops * pairs for hops, pairs in enumerate(metrics["hop_histogram"])))


def beside(case: str, peer: ModuleType, graph: Graph, ours: float, expected: Sums, options: Options) -> Line:
    """Measure a peer on the whole graph, or on evenly spread sources where the whole would take minutes."""
    n = graph.switches
    prepared = peer.prepare(graph)
    if n <= (peer.COMPLETE_LIMIT if options.complete else peer.WHOLE_LIMIT):
        timing = cpu(lambda: peer.whole(prepared), options.runs, limit_s=10.0)
        agree(case, peer.NAME, timing.answer, expected)
        return Line(case, "s", ours, peer.NAME, timing.seconds, "" if timing.runs > 1 else "1 run")
    if peer.sample is None:
        return Line(case, "s", ours, peer.NAME, None, "takes no sources; the whole needs --complete or more memory")
    sources = range(0, n, n // peer.SAMPLE)
    timing = cpu(lambda: peer.sample(prepared, sources), 3, limit_s=10.0)
    agree(case, peer.NAME, timing.answer, numpy_bitset.sample(numpy_bitset.prepare(graph), sources))
    note = f"extrapolated from {len(sources)} of {n:,} sources"
    return Line(case, "s", ours, peer.NAME, timing.seconds * n / len(sources), note)


def agree(case: str, name: str, got: Sums, expected: Sums) -> None:
    """Stop the benchmark if two tools answer differently: a ratio of different answers means nothing."""
    if got != expected:
        raise SystemExit(f"{case}: {name} answers {got}, expected {expected}")
