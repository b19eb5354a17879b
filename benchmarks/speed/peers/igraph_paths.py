"""python-igraph: `Graph.path_length_hist` gives diameter and ASPL in one pass; `Graph.distances` takes sources."""

from __future__ import annotations

from collections.abc import Sequence

import igraph
import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.graph import Graph, Sums

NAME = "igraph"
WHOLE_LIMIT = 32768
COMPLETE_LIMIT = 32768
SAMPLE = 256


def prepare(graph: Graph) -> igraph.Graph:
    return igraph.Graph(n=graph.switches, edges=graph.edges.tolist())


def whole(g: igraph.Graph) -> Sums:
    pairs = [(int(low), count) for low, _, count in g.path_length_hist(directed=False).bins()]
    return Sums(g.vcount(), pairs[-1][0], 2 * sum(d * count for d, count in pairs))


def sample(g: igraph.Graph, sources: Sequence[int]) -> Sums:
    rows = np.array(g.distances(source=list(sources)), np.int64)
    return Sums(len(sources), int(rows.max()), int(rows.sum()))


def matrix(g: igraph.Graph) -> NDArray[np.uint8]:
    n = g.vcount()
    out = np.empty((n, n), np.uint8)
    # In blocks: the whole as a list of lists takes ten times the memory.
    for first in range(0, n, 256):
        rows = range(first, min(first + 256, n))
        out[first : rows.stop] = g.distances(source=list(rows))
    return out
