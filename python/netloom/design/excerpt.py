"""Some steps of a schedule, one after another, as a schedule of its own.

Flows of it wait for each other as those of the whole one do. Where messages inside nodes have other costs than those
between them, that is not what waiting after each step would take: a ring goes on at the mean of the two.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .. import _core
from .software import blocks_of
from .steps import sampled

#: Most messages of an excerpt, and blocks that they name.
MESSAGES, BLOCKS = 1 << 16, 1 << 22


@lru_cache(maxsize=4)
def excerpt(schedule: _core.Schedule) -> tuple[_core.Schedule, float] | None:
    """Spread steps of it, or all of a few, and how many steps each stands for; None where they have too many messages.

    O(messages of the schedule).
    """
    numbers = sampled(schedule.steps)
    if schedule.messages / schedule.steps * len(numbers) > MESSAGES:
        return None
    steps: list[list[tuple[int, int, list[int], bool]]] = [[] for _ in numbers]
    named = 0
    for rank in range(schedule.ranks):
        part = schedule.part_of(rank)
        chosen = np.isin(part["step"], numbers) & (np.asarray(part["src"]) == rank)
        for one in np.flatnonzero(chosen):
            begin, end = (int(part["offsets"][one + more]) for more in (0, 1))
            count = int(np.asarray(part["count"][begin:end], dtype=np.int64).sum())
            named += count
            if named > BLOCKS:
                return None
            blocks = blocks_of(schedule.blocks, count, end - begin < 2)
            at = numbers.index(int(part["step"][one]))
            steps[at].append((rank, int(part["dst"][one]), blocks, bool(part["combine"][one])))
    if sum(map(len, steps)) > MESSAGES:
        return None
    made = _core.Schedule.from_transfers(schedule.collective, schedule.ranks, schedule.root, schedule.size_bytes, steps)
    return made, schedule.steps / len(numbers)
