"""What one rank does, step by step: messages of runs of memory, and what is combined with what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...base.errors import Fault, NetloomError
from . import codes
from .places import Integers, Job, Layout, Places, layout

if TYPE_CHECKING:
    from ... import _core
    from ...base.records import Arrivals, RankPart


@dataclass(frozen=True)
class Message:
    """What goes to a rank, or comes from it, in one step."""

    peer: int
    pieces: list[Places]
    combine: bool

    @property
    def elements(self) -> int:
        """Of all pieces."""
        return sum(end - start for _, start, end in self.pieces)


@dataclass(frozen=True)
class Joined:
    """A block of a received message that is combined on its own, on its side of what the rank has."""

    message: int
    #: Where it lies in the message, and where in the rank's memory.
    inside: tuple[int, int]
    place: Places
    below: bool


@dataclass
class Step:
    """Messages that happen at once, on what the senders had before it."""

    sends: list[Message] = field(default_factory=list)
    receives: list[Message] = field(default_factory=list)
    #: For an operation that does not commute, in the order in which blocks are combined; None: any order will do.
    joined: list[Joined] | None = None

    def in_place(self, number: int) -> bool:
        """A received message may go straight to its place: one run, stored, which no message of the step sends."""
        message = self.receives[number]
        if message.combine or len(message.pieces) != 1:
            return False
        buffer, start, end = message.pieces[0]
        others = [piece for one in (*self.sends, *self.receives) if one is not message for piece in one.pieces]
        return all(b != buffer or last <= start or end <= first for b, first, last in others)


@dataclass
class Plan:
    """One rank's part of a schedule."""

    job: Job
    layout: Layout
    steps: list[Step]

    @property
    def messages(self) -> int:
        """That the rank sends."""
        return sum(len(step.sends) for step in self.steps)


def keeps_order(schedule: _core.Schedule) -> bool:
    """Whether an operation that does not commute may be used. O(ranks · blocks + blocks carried)."""
    return schedule.arrivals(0) is not None


def plan(schedule: _core.Schedule, job: Job, ordered: bool = False) -> Plan:
    """What a rank of a schedule does. O(messages of the schedule + blocks that the rank carries · log).

    Parameters
    ----------
    ordered
        For an operation that does not commute.

    Raises
    ------
    NetloomError
        `NL-E030` where switches take part, `NL-I051` if an order of ranks is asked for that the schedule does not keep.
    """
    part = schedule.part_of(job.rank)
    carried = _expanded(part)
    offsets = np.concatenate([[0], np.cumsum(part["count"].astype(np.int64))])[part["offsets"]]
    where = layout(job, schedule.blocks, np.unique(carried))
    steps: dict[int, Step] = {}
    numbers: dict[int, tuple[Step, int, Integers]] = {}
    rows = zip(*(part[name].tolist() for name in ("step", "number", "src", "dst", "combine")), strict=True)
    for at, (number, transfer, src, dst, combine) in enumerate(rows):
        blocks = carried[offsets[at] : offsets[at + 1]]
        step = steps.setdefault(number, Step())
        message = Message(dst if src == job.rank else src, where.pieces(blocks), combine)
        if src == job.rank:
            step.sends.append(message)
        else:
            numbers[transfer] = step, len(step.receives), blocks
            step.receives.append(message)
    if ordered:
        arrivals = schedule.arrivals(job.rank)
        if arrivals is None:
            sentence = "combines ranks that are no neighbours: the operation must be commutative"
            raise NetloomError(
                [Fault(codes.NOT_RUN, schedule.label, sentence, "", "take --op sum, or another schedule")]
            )
        _join(arrivals, numbers, where)
    return Plan(job, where, [steps[number] for number in sorted(steps)])


def _expanded(part: RankPart) -> Integers:
    """All blocks of all messages, one after another."""
    first, count = part["first"].astype(np.int64), part["count"].astype(np.int64)
    ends = np.cumsum(count)
    return np.repeat(first - (ends - count), count) + np.arange(int(count.sum()), dtype=np.int64)


def _join(arrivals: Arrivals, numbers: dict[int, tuple[Step, int, Integers]], where: Layout) -> None:
    """Puts what is combined in one step into the order of the ranks: neighbours of what the rank has come first."""
    found: dict[int, tuple[Step, list[tuple[int, Joined]]]] = {}
    columns = (arrivals["number"], arrivals["block"], arrivals["lowest"], arrivals["below"])
    for number, block, lowest, below in zip(*(column.tolist() for column in columns), strict=True):
        step, message, blocks = numbers[number]
        place = where.pieces(np.array([block]))
        if not place:
            continue
        at = int(np.flatnonzero(blocks == block)[0])
        before = where.length[np.searchsorted(where.blocks, blocks[:at])]
        start = int(before.sum())
        one = Joined(message, (start, start + place[0][2] - place[0][1]), place[0], below)
        found.setdefault(id(step), (step, []))[1].append((-lowest if below else lowest, one))
    for step, joined in found.values():
        step.joined = [one for _, one in sorted(joined, key=lambda pair: pair[0])]
