"""Steps, groups and jobs of a recorded run: when each begins and ends, its bytes, their bandwidth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ... import _core

if TYPE_CHECKING:
    from ...workload.step_parts import Leaf, Steps
    from ..answer import Row
    from .of_core import Trace

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: Most steps of a job in a table; more are put together with their neighbours.
BANDS = 24
#: Most cells of the table that finds the step of every message: steps done x ranks.
CELLS = 1 << 22
#: Most rows of groups.
GROUPS = 64


@dataclass(frozen=True)
class Sent:
    """The messages of one job in a recorded run, in the order of their sends; ranks count from 0 in the job."""

    ranks: int
    src: Ints
    dst: Ints
    bytes: Ints | Floats
    posted_s: Floats
    start_s: Floats
    finish_s: Floats

    def shared(self, among: int) -> Sent:
        """The same with an equal part of the bytes of every message, for means."""
        return self if among == 1 else replace(self, bytes=self.bytes / among)

    def row(self, mine: NDArray[np.bool_] | None = None) -> Row:
        """Messages, bytes, first start, last end and bandwidth of some of them; those of none are not known."""
        start, finish = self.start_s, self.finish_s
        size = self.bytes
        if mine is not None:
            start, finish, size = start[mine], finish[mine], size[mine]
        if not len(start):
            return {"messages": 0, "bytes": 0}
        first, last = float(start.min()), float(finish.max())
        return {
            "messages": len(start),
            "bytes": int(size.sum()),
            "start_s": first,
            "end_s": last,
            "time_s": last - first,
        }


def sent(trace: Trace, ranks: Sequence[int]) -> list[Sent]:
    """The messages of each job of a trace, background left out. O(messages log).

    Parameters
    ----------
    ranks
        Of each job; the switches that take part in the last one follow its own.
    """
    messages = trace["messages"]
    job = messages["job"].astype(np.int64)
    made, first = [], 0
    for number, count in enumerate(ranks):
        mine = np.flatnonzero(job == number)
        posted = messages["posted_send_s"][mine].astype(np.float64)
        mine = mine[np.argsort(posted, kind="stable")]
        made.append(
            Sent(
                count if number + 1 < len(ranks) else trace["ranks"] - first,
                messages["src"][mine].astype(np.int64) - first,
                messages["dst"][mine].astype(np.int64) - first,
                messages["bytes"][mine].astype(np.int64),
                messages["posted_send_s"][mine].astype(np.float64),
                messages["start_s"][mine].astype(np.float64),
                messages["finish_s"][mine].astype(np.float64),
            )
        )
        first += count
    return made


def rounds(given: Sent) -> Ints:
    """Of each message how many times its sender had sent before: what it sends at one time is one round."""
    order = np.lexsort((given.posted_s, given.src))
    src, posted = given.src[order], given.posted_s[order]
    new = np.r_[False, (src[1:] != src[:-1]) | (posted[1:] != posted[:-1])].astype(np.int64)
    count = np.cumsum(new)
    first = np.r_[True, src[1:] != src[:-1]]
    begin = np.maximum.accumulate(np.where(first, count, 0)) if len(count) else count
    out = np.empty(len(order), dtype=np.int64)
    out[order] = count - begin
    return out


def rows_of_rounds(given: Sent) -> list[Row]:
    """A row for each round, or for neighbours of them, at most `BANDS`."""
    step = rounds(given)
    if not len(step):
        return []
    most = int(step.max()) + 1
    band = step * min(BANDS, most) // most
    made = []
    for number in range(int(band.max()) + 1):
        mine = band == number
        low, high = int(step[mine].min()) + 1, int(step[mine].max()) + 1
        named: Row = {"step": str(low) if low == high else f"{low} to {high}"}
        made.append(named | with_bandwidth(given.row(mine)))
    return made


def with_bandwidth(row: Row) -> Row:
    """The row with its bytes over its time."""
    time_s, size = row.get("time_s"), row["bytes"]
    known = isinstance(time_s, float) and time_s > 0 and isinstance(size, int)
    return row | {"bandwidth_bytes_per_s": size / time_s if known else None}  # type: ignore[operator]


@dataclass(frozen=True)
class Placed:
    """The step of a file, and the branch of it, that each message is of."""

    done: Ints
    part: Ints
    leaf: Ints


def placed(given: Sent, steps: Steps, repetitions: int) -> Placed | None:
    """Which step each message is of, told by how many each rank sends in each; None where that does not tell.

    What every rank sends to whom in every step must come out as the file says it. O(messages log messages, and steps
    done x ranks).
    """
    order = np.tile(np.array(steps.order, np.int64), repetitions)
    if not len(order) or len(order) * given.ranks > CELLS or steps.ranks != given.ranks:
        return None
    tables = [_table(part.program(steps.ranks)) for part in steps.parts]
    counts = np.zeros((len(tables), given.ranks), np.int64)
    for number, (src, _, messages, _) in enumerate(tables):
        np.add.at(counts[number], src, messages)
    ends = np.cumsum(counts[order], axis=0)
    if not np.array_equal(ends[-1], np.bincount(given.src, minlength=given.ranks)):
        return None
    done = np.zeros(len(given.src), np.int64)
    by_rank = np.argsort(given.src, kind="stable")
    bounds = np.searchsorted(given.src[by_rank], np.arange(given.ranks + 1))
    for rank in range(given.ranks):
        own = by_rank[bounds[rank] : bounds[rank + 1]]
        done[own] = np.searchsorted(ends[:, rank], np.arange(len(own)), side="right")
    part = order[done]
    times = np.bincount(order, minlength=len(tables))
    leaf = np.zeros(len(part), np.int64)
    for number, table in enumerate(tables):
        mine = part == number
        if not _same(given, mine, table, int(times[number])):
            return None
        leaf[mine] = _branch(given.src[mine] * given.ranks + given.dst[mine], steps, number)
    return Placed(done, part, leaf)


def _table(program: _core.Programs) -> tuple[Ints, Ints, Ints, Ints]:
    table = _core.Traffic.of_programs(program).table()
    src, dst, messages, size = (
        np.asarray(table[name]).astype(np.int64) for name in ("src", "dst", "messages", "bytes")
    )
    return src, dst, messages, size


def _same(given: Sent, mine: NDArray[np.bool_], table: tuple[Ints, Ints, Ints, Ints], times: int) -> bool:
    """Whether the messages of a step go from whom to whom its program says."""
    src, dst, messages, _ = table
    pairs, counts = np.unique(given.src[mine] * given.ranks + given.dst[mine], return_counts=True)
    order = np.argsort(src * given.ranks + dst, kind="stable")
    expected, where = np.unique((src * given.ranks + dst)[order], return_inverse=True)
    wanted = np.bincount(where, weights=messages[order], minlength=len(expected)).astype(np.int64) * times
    return np.array_equal(pairs, expected) and np.array_equal(counts, wanted)


def _branch(pair: Ints, steps: Steps, number: int) -> Ints:
    """Which of the steps done together a message is of; -1 where two of them have the same sender and receiver."""
    leaves = steps.parts[number].leaves
    if len(leaves) == 1:
        return np.zeros(len(pair), np.int64)
    found = np.full(len(pair), -1, np.int64)
    claimed = np.zeros(len(pair), np.int64)
    for at, leaf in enumerate(leaves):
        src, dst, _, _ = _table(leaf.program(steps.ranks))
        mine = np.isin(pair, src * steps.ranks + dst)
        found[mine] = at
        claimed += mine
    found[claimed > 1] = -1
    return found


@dataclass(frozen=True)
class Found:
    """A row of a step or a group of one, and what it is of."""

    row: Row
    leaf: Leaf | None
    group: int | None = None


def rows_of_steps(given: Sent, steps: Steps, at: Placed) -> Iterator[Found]:
    """A row for each step of the file: `times` done, the mean time of one, all its bytes, their bandwidth."""
    for number, part in enumerate(steps.parts):
        whole = at.part == number
        if (at.leaf[whole] < 0).any():
            names = " and ".join(leaf.name for leaf in part.leaves)
            yield Found(_over(given, at, whole, step=names), None)
            continue
        for branch, leaf in enumerate(part.leaves):
            yield Found(_over(given, at, whole & (at.leaf == branch), step=leaf.name), leaf)


def rows_of_groups(given: Sent, steps: Steps, at: Placed) -> Iterator[Found]:
    """A row for each group of each step that has several; a step whose messages cannot be told apart has none."""
    for number, part in enumerate(steps.parts):
        whole = at.part == number
        for branch, leaf in enumerate(part.leaves):
            if len(leaf.groups) < 2 or (at.leaf[whole] < 0).any():
                continue
            group_of = np.full(given.ranks, -1, np.int64)
            for group, members in enumerate(leaf.groups):
                group_of[members] = group
            mine = whole & (at.leaf == branch)
            for group, members in enumerate(leaf.groups):
                own = mine & (group_of[given.src] == group)
                yield Found(_over(given, at, own, step=leaf.name, ranks=spelt(members)), leaf, group)


def _over(given: Sent, at: Placed, mine: NDArray[np.bool_], **named: str) -> Row:
    """Of a step that may be done several times: the mean of its times, from the first start to the last end of each."""
    row: Row = {**named, "times": 0, **given.row(mine)}
    if not row["messages"]:
        return row
    times, where = np.unique(at.done[mine], return_inverse=True)
    first, last = np.full(len(times), np.inf), np.zeros(len(times))
    np.minimum.at(first, where, given.start_s[mine])
    np.maximum.at(last, where, given.finish_s[mine])
    spans = last - first
    whole = float(spans.sum())
    row |= {"times": len(times), "time_s": float(spans.mean())}
    return row | {"bandwidth_bytes_per_s": int(given.bytes[mine].sum()) / whole if whole else None}


def spelt(members: Sequence[int]) -> str:
    """`0 to 7`, `0, 8, ..., 56 (8)`, `3, 5`: the ranks of a group."""
    if len(members) > 3:
        steps = {after - before for before, after in pairwise(members)}
        if steps == {1}:
            return f"{members[0]} to {members[-1]}"
        return f"{members[0]}, {members[1]}, ..., {members[-1]} ({len(members)})"
    return ", ".join(map(str, members))
