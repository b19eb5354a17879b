"""Every way to lay the two columns of the mesh matrix along the leaves of its tree, by simulated time.

A part of the mesh has half a row: next to 2 KiB for the part above and the part below, the 16 bytes for the other half
do not count, and the bytes between nodes are fewest where a node has 32 parts of one column. What is left to choose is
which of these 32 nodes share a leaf. Here a leaf has one piece of each column at most, of 8 nodes together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality import matrices
from benchmarks.quality.rivals import CASES, scenario
from netloom.evaluate.ask import bound_job
from netloom.evaluate.mapped import measured

MESH = "matrix: mesh, shuffled parts"
#: Leaves, nodes of a leaf, ranks of a node, nodes of a column.
LEAVES, NODES, RANKS, COLUMN = 4, 8, 32, 16
#: Nodes of the left and of the right column on every leaf.
Arrangement = list[list[int]]


def arrangements() -> Iterator[Arrangement]:
    """Each once, whatever the order of the leaves."""
    seen = set()
    for left in product(range(NODES + 1), repeat=LEAVES):
        if sum(left) != COLUMN:
            continue
        for order in permutations(range(LEAVES)):
            # The left column goes down the leaves in turn, the right one in this order.
            one = _pieces(left, tuple(range(LEAVES)), 0)
            other = _pieces(tuple(NODES - nodes for nodes in left), order, COLUMN)
            leaves = [a + b for a, b in zip(one, other, strict=True)]
            key = frozenset(map(tuple, leaves))
            if key not in seen:
                seen.add(key)
                yield leaves


def _pieces(sizes: tuple[int, ...], order: tuple[int, ...], first: int) -> Arrangement:
    pieces: Arrangement = [[] for _ in sizes]
    for leaf in order:
        pieces[leaf] = list(range(first, first + sizes[leaf]))
        first += sizes[leaf]
    return pieces


def slots(leaves: Arrangement, rank_of_part: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Slot of every rank; part 2 · row + column."""
    found = np.empty(len(rank_of_part), np.uint32)
    for place, node in enumerate(node for leaf in leaves for node in leaf):
        column, segment = divmod(node, COLUMN)
        rows = np.arange(segment * RANKS, (segment + 1) * RANKS)
        found[rank_of_part[2 * rows + column]] = np.arange(place * RANKS, (place + 1) * RANKS)
    return found


def main() -> None:
    """`python -m benchmarks.quality.leaves`: the number of arrangements, and the least and the greatest time."""
    bound = bound_job(scenario(next(case for case in CASES if case.name == MESH)))
    numbers = matrices.part_numbers(np.random.default_rng(1))
    times = [measured(bound, slots(leaves, numbers), [], ("time",))["time_s"] for leaves in arrangements()]
    known = [1e6 * time_s for time_s in times if time_s is not None]
    assert len(known) == len(times)
    print(f"{len(known):,} arrangements, {min(known):.4f} to {max(known):.4f} µs")


if __name__ == "__main__":
    main()
