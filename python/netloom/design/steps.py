"""A schedule step by step: the messages of some of its steps, each with how many steps it stands for.

Link loads of a whole schedule let all of its steps share the network at once, which its ranks do not: in a pairwise
exchange a step may send all of a switch to one other switch. So what has too many messages for flows is timed by the
loads of single steps, as if all ranks waited for each other after each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core

#: Messages that are listed; others must be alike on all ranks.
LISTED = 1 << 22
#: Steps that are looked at where more differ, and the step of the sequence that spreads them: the golden ratio's.
SAMPLED, GOLDEN = 12, 0.6180339887498949

Ints = NDArray[np.int64]


class Step(NamedTuple):
    """Its number, senders, receivers, bytes, and how many steps it stands for."""

    number: int
    src: Ints
    dst: Ints
    size: Ints
    times: float


def has_steps(schedule: _core.Schedule) -> bool:
    """Whether single steps can be told: it is short enough to be listed, or all ranks do alike."""
    return schedule.steps > 0 and (schedule.messages <= LISTED or _rule(schedule) is not None)


def sampled(steps: int) -> list[int]:
    """All steps of a few, spread ones of many; ascending."""
    if steps <= SAMPLED:
        return list(range(steps))
    return sorted({int((0.5 + at * GOLDEN) % 1.0 * steps) for at in range(SAMPLED)})


def steps_of(schedule: _core.Schedule) -> Iterator[Step]:
    """Steps that stand for all: each different one where few are, else a sample."""
    if schedule.messages <= LISTED:
        yield from _listed(schedule)
        return
    found = _rule(schedule)
    assert found is not None
    turns, part = found
    ranks = np.arange(schedule.ranks, dtype=np.int64)
    each = schedule.most_bytes / max(int(part.blocks.sum()) * schedule.ranks, 1)
    alike: dict[bytes, list[int]] = {}
    for step in range(schedule.steps):
        here = part.step == step
        told = (part.to[here], part.blocks[here], part.pieces[here], part.combine[here])
        alike.setdefault(np.stack(told).tobytes(), []).append(step)
    groups = [(some[0], float(len(some))) for some in alike.values()]
    if len(groups) > SAMPLED:
        groups = [(step, schedule.steps / len(sampled(schedule.steps))) for step in sampled(schedule.steps)]
    for step, times in groups:
        here = part.step == step
        many = int(here.sum())
        src = np.repeat(ranks, many)
        to = np.tile(part.to[here], schedule.ranks)
        dst = (src + to) % schedule.ranks if turns else src ^ to
        yield Step(step, src, dst, np.rint(np.tile(part.blocks[here], schedule.ranks) * each).astype(np.int64), times)


def _listed(schedule: _core.Schedule) -> Iterator[Step]:
    table = schedule.table()
    step = np.asarray(table["step"])
    chosen = sampled(schedule.steps)
    for one in chosen:
        begin, end = np.searchsorted(step, [one, one + 1])
        src, dst, size = (np.asarray(table[name][begin:end], dtype=np.int64) for name in ("src", "dst", "bytes"))
        yield Step(one, src, dst, size, schedule.steps / len(chosen))


class _Part:
    """What a rank sends: to whom, in which step, how many blocks in how many pieces, whether they are combined."""

    def __init__(self, schedule: _core.Schedule, rank: int) -> None:
        part = schedule.part_of(rank)
        sends = np.asarray(part["src"]) == rank
        counts = np.add.reduceat(np.asarray(part["count"], dtype=np.int64), np.asarray(part["offsets"])[:-1])
        self.step = np.asarray(part["step"])[sends]
        self.to = np.asarray(part["dst"], dtype=np.int64)[sends]
        self.blocks = counts[sends]
        self.pieces = np.diff(np.asarray(part["offsets"], dtype=np.int64))[sends]
        self.combine = np.asarray(part["combine"], dtype=np.int64)[sends]


@lru_cache(maxsize=4)
def _rule(schedule: _core.Schedule) -> tuple[bool, _Part] | None:
    """How other ranks follow from rank 0: by turning (True) or by exclusive or; None where they do not."""
    if not schedule.is_cyclic or schedule.ranks < 3:
        return None
    first = _Part(schedule, 0)
    others = [1, schedule.ranks // 2, schedule.ranks - 1]
    for turns in (True, False):
        for rank in others:
            part = _Part(schedule, rank)
            to = (first.to + rank) % schedule.ranks if turns else first.to ^ rank
            if not (
                np.array_equal(part.step, first.step)
                and np.array_equal(part.to, to)
                and np.array_equal(part.blocks, first.blocks)
            ):
                break
        else:
            return turns, first
    return None
