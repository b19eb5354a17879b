"""Tasks of a job over its nodes, as Slurm spreads them."""

from __future__ import annotations

import numpy as np
import pytest

from netloom.jobs.spread import spread


@pytest.mark.parametrize(
    "tasks, room, counts",
    [
        (10, [99] * 4, [3, 3, 2, 2]),
        (4, [2, 2, 2], [2, 1, 1]),
        (3, [8] * 5, [1, 1, 1, 0, 0]),
        (12, [4, 2, 4, 2], [4, 2, 4, 2]),
        (11, [4, 2, 4, 2], [4, 2, 3, 2]),
        (7, [1, 1, 9], [1, 1, 5]),
        (14, [4, 2, 4, 2], [5, 3, 4, 2]),
        (1, [7], [1]),
    ],
)
def test_tasks_are_spread_as_slurm_does(tasks: int, room: list[int], counts: list[int]) -> None:
    assert spread(tasks, np.array(room)).tolist() == counts


def test_tasks_are_spread_as_if_dealt_one_by_one() -> None:
    """The rule as srun(1) tells it: a task more for each node in turn that has room, for any node when none has."""
    draw = np.random.default_rng(1)
    for _ in range(300):
        room = draw.integers(1, 9, draw.integers(1, 9))
        tasks, dealt, turn = int(draw.integers(1, 60)), [0] * len(room), 0
        while sum(dealt) < tasks:
            full = turn >= room.max()
            for node in range(len(room)):
                if sum(dealt) < tasks and (full or turn < room[node]):
                    dealt[node] += 1
            turn += 1
        assert spread(tasks, room).tolist() == dealt, (tasks, room)
