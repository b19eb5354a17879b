"""Where the blocks of a schedule lie in the memory of one rank: in the buffers of the call, or in memory of its own."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

#: The buffers of the call, and memory that only the schedule uses.
SEND, RECEIVE, WORK = range(3)
#: What becomes of a vector.
VECTORS = ("broadcast", "reduce", "allreduce", "scan", "exscan")
Places = tuple[int, int, int]

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Job:
    """One rank's call of a collective.

    Parameters
    ----------
    count
        Elements, in the meaning of the collective's size.
    in_place
        The input is where the result will be, as with MPI_IN_PLACE.
    """

    collective: str
    ranks: int
    rank: int
    root: int
    count: int
    in_place: bool = False

    @property
    def at_root(self) -> bool:
        """This rank is the root."""
        return self.rank == self.root

    @property
    def lengths(self) -> tuple[int, int]:
        """Elements of the two buffers, of the input and of the result; 0 where the rank has none."""
        one, all_ = self.count, self.ranks * self.count
        both = {
            "barrier": (0, all_),
            "broadcast": (0, one),
            "reduce": (one, one * self.at_root),
            "allgather": (one, all_),
            "gather": (one, all_ * self.at_root),
            "scatter": (all_ * self.at_root, one),
            "reduce-scatter": (all_, one),
            "alltoall": (all_, all_),
        }
        given, got = both.get(self.collective, (one, one))
        if self.in_place and self.takes_in_place:
            return (given, 0) if self.collective == "scatter" else (0, max(given, got))
        return given, got

    @property
    def takes_in_place(self) -> bool:
        """Whether this rank's call may be in place; of a collective with a root, only the root's."""
        if self.collective in ("barrier", "broadcast"):
            return False
        return self.at_root if self.collective in ("reduce", "gather", "scatter") else True


@dataclass
class Layout:
    """Blocks that a rank touches, ascending, with the buffer, start and length of each, in elements."""

    blocks: Integers
    buffer: Integers
    start: Integers
    length: Integers
    work: int
    #: Neighbouring blocks are not taken together: what becomes of each is known by its place.
    apart: bool = False
    #: Copies before the first step and after the last: from one place to another of the same length.
    before: list[tuple[Places, Places]] = field(default_factory=list)
    after: list[tuple[Places, Places]] = field(default_factory=list)

    def pieces(self, blocks: Integers) -> list[Places]:
        """The runs of memory of a message's blocks, in their order: buffer, start, end."""
        at = np.searchsorted(self.blocks, blocks)
        at = at[self.length[at] > 0]
        if not len(at):
            return []
        buffer, start, end = self.buffer[at], self.start[at], self.start[at] + self.length[at]
        breaks = np.flatnonzero((buffer[1:] != buffer[:-1]) | (start[1:] != end[:-1]) | self.apart) + 1
        firsts, lasts = [0, *breaks.tolist()], [*(breaks - 1).tolist(), len(at) - 1]
        return [(int(buffer[a]), int(start[a]), int(end[b])) for a, b in zip(firsts, lasts, strict=True)]


def layout(job: Job, blocks: int, touched: Integers) -> Layout:
    """The places of the blocks that a rank sends or receives. O(touched · log).

    Parameters
    ----------
    blocks
        Of the whole schedule.
    """
    if job.collective in VECTORS:
        made = _of_vector(job, blocks, touched)
    elif job.collective == "alltoall":
        made = _of_alltoall(job, touched)
    else:
        made = _of_parts(job, blocks // job.ranks, touched)
    for copies in (made.before, made.after):
        copies[:] = [(to, source) for to, source in copies if to != source and to[1] < to[2]]
    return made


def _cut(count: int, parts: int, at: Integers) -> tuple[Integers, Integers]:
    """Start and length of parts of `count` elements, of which the first ones are longer."""
    each, longer = divmod(count, parts)
    return at * each + np.minimum(at, longer), each + (at < longer)


def _input(job: Job) -> int:
    return RECEIVE if job.in_place and job.takes_in_place else SEND


def _of_vector(job: Job, blocks: int, touched: Integers) -> Layout:
    start, length = _cut(job.count, blocks, touched)
    own = job.collective in ("broadcast", "allreduce") or (job.collective == "reduce" and job.at_root)
    where = RECEIVE if own else WORK
    made = Layout(
        touched, np.full_like(touched, where), start, length, 0 if own else job.count, job.collective == "exscan"
    )
    whole = [(buffer, 0, job.count) for buffer in range(3)]
    if job.collective != "broadcast":
        made.before.append((whole[where], whole[_input(job)]))
    if job.collective == "scan":
        made.before.append((whole[RECEIVE], whole[_input(job)]))
    return made


def _of_parts(job: Job, parts: int, touched: Integers) -> Layout:
    """Block `c · ranks + v` is part `c` of what rank `v` contributes or gets."""
    part, owner = touched // job.ranks, touched % job.ranks
    inside, length = _cut(job.count, parts, part)
    in_all = owner * job.count + inside
    one, own = (0, job.count), (job.rank * job.count, (job.rank + 1) * job.count)
    whole = job.ranks * job.count
    if job.collective in ("allgather", "barrier") or (job.collective == "gather" and job.at_root):
        made = Layout(touched, np.full_like(touched, RECEIVE), in_all, length, 0)
        if _input(job) == SEND and job.collective != "barrier":
            made.before.append(((RECEIVE, *own), (SEND, *one)))
    elif job.collective == "scatter" and job.at_root:
        made = Layout(touched, np.full_like(touched, SEND), in_all, length, 0)
        if not job.in_place:
            made.after.append(((RECEIVE, *one), (SEND, *own)))
    elif job.collective == "reduce-scatter":
        made = Layout(touched, np.full_like(touched, WORK), in_all, length, whole)
        made.before.append(((WORK, 0, whole), (_input(job), 0, whole)))
        made.after.append(((RECEIVE, *one), (WORK, *own)))
    else:
        mine = owner == job.rank
        passed = np.where(mine, 0, length)
        buffer = np.where(mine, SEND if job.collective == "gather" else RECEIVE, WORK)
        start = np.where(mine, inside, np.cumsum(passed) - passed)
        made = Layout(touched, buffer, start, length, int(passed.sum()))
    return made


def _of_alltoall(job: Job, touched: Integers) -> Layout:
    """Block `s · ranks + d` goes from rank `s` to rank `d`."""
    source, target = touched // job.ranks, touched % job.ranks
    arrives, leaves = target == job.rank, (source == job.rank) & (target != job.rank)
    passed = np.where(arrives | leaves, 0, job.count)
    whole, own = job.ranks * job.count, (job.rank * job.count, (job.rank + 1) * job.count)
    # In place, what leaves is kept before its place is overwritten.
    kept = whole if job.in_place else 0
    buffer = np.where(arrives, RECEIVE, np.where(leaves, WORK if job.in_place else SEND, WORK))
    start = np.where(arrives, source * job.count, target * job.count)
    start = np.where(arrives | leaves, start, kept + np.cumsum(passed) - passed)
    made = Layout(touched, buffer, start, np.full_like(touched, job.count), kept + int(passed.sum()))
    if job.in_place:
        made.before.append(((WORK, 0, whole), (RECEIVE, 0, whole)))
    else:
        made.before.append(((RECEIVE, *own), (SEND, *own)))
    return made
