"""SciPy: breadth-first search as sparse matrix times dense frontier, in blocks of sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.speed.graph import Graph, Sums

NAME = "SciPy sparse frontier"
WHOLE_LIMIT = 16384
COMPLETE_LIMIT = 32768
SAMPLE = 256
matrix = None


def prepare(graph: Graph) -> Any:
    return graph.matrix


def whole(adjacency: Any) -> Sums:
    n = adjacency.shape[0]
    blocks = [sample(adjacency, range(first, min(first + 256, n))) for first in range(0, n, 256)]
    return Sums(n, max(b.farthest for b in blocks), sum(b.total for b in blocks))


def sample(adjacency: Any, sources: Sequence[int]) -> Sums:
    n, count = adjacency.shape[0], len(sources)
    frontier = np.zeros((n, count), np.float32)
    frontier[list(sources), np.arange(count)] = 1
    seen = frontier > 0
    level, total, missing = 0, 0, count * (n - 1)
    while missing:
        level, total = level + 1, total + missing
        fresh = (adjacency @ frontier > 0) & ~seen
        seen |= fresh
        frontier = fresh.astype(np.float32)
        missing = count * n - int(np.count_nonzero(seen))
    return Sums(count, level, total)
