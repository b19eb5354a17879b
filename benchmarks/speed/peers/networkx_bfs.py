"""networkx: one `single_source_shortest_path_length` per source, half the time of diameter and average separately."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import networkx
import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.graph import Graph, Sums

NAME = "networkx"
WHOLE_LIMIT = 1024
COMPLETE_LIMIT = 4096
SAMPLE = 32


def prepare(graph: Graph) -> networkx.Graph:
    made = networkx.Graph()
    made.add_nodes_from(range(graph.switches))
    made.add_edges_from(graph.edges.tolist())
    return made


def whole(g: networkx.Graph) -> Sums:
    return _sums(g, range(len(g)))


def sample(g: networkx.Graph, sources: Sequence[int]) -> Sums:
    return _sums(g, sources)


def _sums(g: networkx.Graph, sources: Iterable[int]) -> Sums:
    count = farthest = total = 0
    for source in sources:
        lengths = networkx.single_source_shortest_path_length(g, source).values()
        count, farthest, total = count + 1, max(farthest, max(lengths)), total + sum(lengths)
    return Sums(count, farthest, total)


def matrix(g: networkx.Graph) -> NDArray[np.uint8]:
    out = np.empty((len(g), len(g)), np.uint8)
    for source in g:
        for target, hops in networkx.single_source_shortest_path_length(g, source).items():
            out[source, target] = hops
    return out
