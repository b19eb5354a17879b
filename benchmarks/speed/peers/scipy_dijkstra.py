"""SciPy: `csgraph.dijkstra(unweighted=True)` in blocks of sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import dijkstra

from benchmarks.speed.graph import Graph, Sums

NAME = "SciPy dijkstra"
WHOLE_LIMIT = 4096
COMPLETE_LIMIT = 32768
SAMPLE = 256


def prepare(graph: Graph) -> Any:
    return graph.matrix


def whole(adjacency: Any) -> Sums:
    n = adjacency.shape[0]
    blocks = [sample(adjacency, range(first, min(first + 256, n))) for first in range(0, n, 256)]
    return Sums(n, max(b.farthest for b in blocks), sum(b.total for b in blocks))


def sample(adjacency: Any, sources: Sequence[int]) -> Sums:
    rows = dijkstra(adjacency, unweighted=True, indices=list(sources))
    return Sums(len(sources), int(rows.max()), int(rows.sum()))


def matrix(adjacency: Any) -> NDArray[np.uint8]:
    n = adjacency.shape[0]
    out = np.empty((n, n), np.uint8)
    for first in range(0, n, 256):
        rows = range(first, min(first + 256, n))
        out[first : rows.stop] = dijkstra(adjacency, unweighted=True, indices=list(rows))
    return out
