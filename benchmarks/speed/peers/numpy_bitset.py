"""The reference: bit-parallel breadth-first search in NumPy, what a careful user writes in thirty lines.

Row `v` holds one bit per source: does the source reach `v` in at most `level` hops? A level ORs the rows of the
neighbours; the bits that are set tell how many distances are larger than the level. O(n² / 64 × degree × diameter).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.graph import Graph, Sums

NAME = "NumPy bit sets"
WHOLE_LIMIT = 1 << 62
COMPLETE_LIMIT = WHOLE_LIMIT
SAMPLE = 256
matrix = None
# Bits of a row table: 4 MiB stay near the cache; from a quarter to sixteen times as much was tried.
TABLE_BITS = 1 << 25


def prepare(graph: Graph) -> NDArray[np.int64]:
    return np.ascontiguousarray(graph.neighbours.T)


def whole(neighbours: NDArray[np.int64]) -> Sums:
    n = neighbours.shape[1]
    block = max(64, TABLE_BITS // n)
    blocks = [sample(neighbours, range(first, min(first + block, n))) for first in range(0, n, block)]
    return Sums(n, max(b.farthest for b in blocks), sum(b.total for b in blocks))


def sample(neighbours: NDArray[np.int64], sources: Sequence[int]) -> Sums:
    n, count = neighbours.shape[1], len(sources)
    reach = np.zeros((n, -(-count // 64)), np.uint64)
    bit = np.arange(count)
    np.bitwise_or.at(reach, (np.asarray(sources), bit // 64), np.uint64(1) << (bit % 64).astype(np.uint64))
    level, total, missing = 0, 0, count * (n - 1)
    while missing:
        level, total = level + 1, total + missing
        grown = reach.copy()
        for column in neighbours:
            grown |= reach[column]
        reach = grown
        before, missing = missing, count * n - int(np.bitwise_count(reach).sum(dtype=np.int64))
        if missing == before:
            raise ValueError("the graph is not connected")
    return Sums(count, level, total)
