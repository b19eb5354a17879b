"""Two-opt as the papers' authors wrote it, in pure Python: swap two ranks, keep the swap if the total hops fall.

Cui 2024 section 3.3: two random ranks exchange their endpoints; a swap that does not lower the total is undone. The
difference is taken over the messages of the two ranks only, which is already better than recounting all of them.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

Messages = Sequence[tuple[int, int]]


def partners(ranks: int, messages: Messages) -> list[list[tuple[int, int]]]:
    """Per rank its partners with the number of messages in either direction."""
    weight: list[dict[int, int]] = [defaultdict(int) for _ in range(ranks)]
    for source, destination in messages:
        weight[source][destination] += 1
        weight[destination][source] += 1
    return [sorted(row.items()) for row in weight]


def two_opt(
    distance: Sequence[Sequence[int]], place: list[int], guests: list[list[tuple[int, int]]], swaps: int, seed: int
) -> int:
    """Improve `place` (switch of each rank) where it stands; returns by how much the total fell. O(swaps × degree)."""
    draw = random.Random(seed).randrange
    ranks, gained = len(place), 0
    for _ in range(swaps):
        a, b = draw(ranks), draw(ranks)
        from_a, from_b = distance[place[a]], distance[place[b]]
        delta = 0
        for rank, count in guests[a]:
            if rank != b:
                delta += count * (from_b[place[rank]] - from_a[place[rank]])
        for rank, count in guests[b]:
            if rank != a:
                delta += count * (from_a[place[rank]] - from_b[place[rank]])
        if delta < 0:
            place[a], place[b] = place[b], place[a]
            gained -= delta
    return gained


def recursive_doubling(ranks: int) -> list[tuple[int, int]]:
    """Messages of an allreduce by recursive doubling on a power of two of ranks, both directions of each exchange."""
    return [(rank, rank ^ bit) for rank in range(ranks) for bit in map((1).__lshift__, range(ranks.bit_length() - 1))]
