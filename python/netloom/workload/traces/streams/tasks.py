"""Kernels of a rank as tasks: what each waits for is told by the times at which it began."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from .... import _core
from ..row import Recorded, Source, surveyed
from .kernels import Call, RankKernels
from .matching import Groups, Instance, Match, instances, matched

#: A kernel that begins so soon after the one before it on its stream follows that one: 1 to 3 µs lie between kernels
#: that wait in a stream, up to 10 where the host is just in time.
CLOSE_S = 10e-6
#: Tags of the messages of an alltoall with sizes of its own; those of sends are the numbers of their communicators.
PARTS_TAG = 1 << 20
#: The stream of all kernels that do not communicate.
COMPUTE = 0

HOW = (
    "each kernel begins after the one before it on its stream, and after the last one of another stream that ended "
    "between the two; the time from there to its begin is kept, whatever caused it"
)


class _Task(NamedTuple):
    """As the core takes it: `tag` of what is no message is its stream."""

    kind: str
    group: int = 0
    peer: int = 0
    tag: int = 0
    bytes: int = 0
    seconds: float = 0.0


class _Item(NamedTuple):
    """A kernel, or an interval of computation (`number` -1)."""

    begin: float
    end: float
    stream: int
    number: int


def recorded_streams(source: Source, ranks: list[RankKernels], world: int, notes: Sequence[str]) -> Recorded:
    """Programs of ranks whose kernels are known.

    Parameters
    ----------
    world
        Number of ranks; those in `ranks` are all of them.
    notes
        What the reader left out or assumed.

    Raises
    ------
    NetloomError
        As `matched`; NL-F021 where members of a communicator disagree.
    """
    ranks.sort(key=lambda one: one.rank)
    match, dropped = matched(ranks)
    made = source.recording(world)
    groups = Groups(made, world)
    for group in sorted({call.group for one in ranks for kernel in one.kernels for call in kernel.calls}):
        groups.number(group)
    for note in notes:
        made.note(note)
    made.note(HOW)
    if dropped:
        made.note(
            f"{dropped} calls are left out: the profiles of other members of their communicators do not have them"
        )
    if not match.is_clock_shared:
        made.note("the clocks of the ranks differ: each rank starts with its own first kernel")
    origin = min((one.begin for one in ranks), default=0.0)
    for one in ranks:
        _Rank(one, groups, match, origin if match.is_clock_shared else one.begin).add(made)
    span = max((one.end for one in ranks), default=0.0) - origin
    if not match.is_clock_shared:
        span = max((one.end - one.begin for one in ranks), default=0.0)
    programs, survey = made.finish(span, dict(source.algorithms))
    return Recorded(programs, surveyed(survey))


class _Rank:
    """The tasks of one rank."""

    def __init__(self, of: RankKernels, groups: Groups, match: Match, origin: float) -> None:
        self.of, self.groups, self.match, self.origin = of, groups, match, origin
        self.instances = instances(of.kernels)
        self.tasks: list[_Task] = []
        self.after: list[Sequence[int]] = []

    def add(self, made: _core.Recording) -> None:
        import numpy as np

        last: dict[int, tuple[float, int]] = {}
        ended: list[tuple[float, int]] = []
        for item in self._items():
            before = last.get(item.stream)
            begin = item.begin if before is None else max(item.begin, before[0])
            ready, after = self._awaited(begin, before, ended)
            if begin > ready:
                after = [self._put(_Task("sleep", tag=item.stream, seconds=begin - ready), after)]
            task = self._work(item, begin, after)
            end = max(item.end, begin)
            last[item.stream] = end, task
            ended.insert(bisect_right(ended, (end, task)), (end, task))
        kinds = {name: number for number, name in enumerate(_core.Recording.KINDS)}
        tasks = self.tasks
        marks = [(name, at - self.origin) for name, at in sorted(self.of.marks, key=lambda mark: mark[1])]
        made.ahead_of(marks=marks)
        made.tasks(
            self.of.rank,
            np.array([kinds[one.kind] for one in tasks], dtype=np.uint8),
            np.array([one.group for one in tasks], dtype=np.uint32),
            np.array([one.peer for one in tasks], dtype=np.int64),
            np.array([one.tag for one in tasks], dtype=np.int64),
            np.array([one.bytes for one in tasks], dtype=np.uint64),
            np.array([one.seconds for one in tasks], dtype=np.float64),
            self.after,
        )

    def _items(self) -> list[_Item]:
        """By begin; computation is cut where communication begins or ends."""
        kernels = self.of.kernels
        cuts = sorted({time for kernel in kernels for time in (kernel.begin, kernel.end)})
        items = [_Item(begin, end, COMPUTE, -1) for begin, end in self.of.compute.merged(cuts)]
        items += [_Item(one.begin, one.end, 1 + one.stream, number) for number, one in enumerate(kernels)]
        return sorted(items)

    def _awaited(
        self, begin: float, before: tuple[float, int] | None, ended: list[tuple[float, int]]
    ) -> tuple[float, list[int]]:
        """When the last of what an item waits for ended, and the tasks of that."""
        after = [] if before is None else [before[1]]
        ready = self.origin if before is None else before[0]
        if before is None or begin - before[0] > CLOSE_S:
            at = bisect_right(ended, (begin, len(self.tasks))) - 1
            if at >= 0 and ended[at][0] >= ready:
                ready = ended[at][0]
                after = sorted({*after, ended[at][1]})
        return ready, after

    def _work(self, item: _Item, begin: float, after: list[int]) -> int:
        """The task with which an item ends."""
        if item.number < 0:
            return self._put(_Task("sleep", tag=item.stream, seconds=max(item.end - begin, 0.0)), after)
        kernel, keys = self.of.kernels[item.number], iter(self.instances[item.number])
        tasks: list[int] = []
        for call in kernel.calls:
            # The computation of others is no part of it.
            key = None if call.is_message else next(keys)
            start = max(begin, self.match.starts.get(key, begin) if key is not None else begin)
            took = max(item.end - start, 0.0)
            tasks += [self._put(one, after) for one in self._calls(call, key, kernel.stream + 1, took)]
        if not tasks:
            # Its calls were left out: the time that it took stays.
            return self._put(_Task("sleep", tag=item.stream, seconds=max(item.end - begin, 0.0)), after)
        return tasks[0] if len(tasks) == 1 else self._put(_Task("sleep", tag=item.stream), tasks)

    def _calls(self, call: Call, key: Instance | None, stream: int, took: float) -> list[_Task]:
        group = self.groups.number(call.group)
        if call.is_message:
            return [_Task(call.kind, 0, call.peer, group, call.bytes, took)]
        if key is None or (given := self.match.counts.get(key)) is None:
            return [_Task(call.kind, group, call.peer, stream, call.bytes, took)]
        members = call.group[1]
        me = members.index(self.of.rank)
        tag = PARTS_TAG + group
        received = [(peer, given.get(peer, ())[me : me + 1]) for peer in members]
        sent = zip(members, given[self.of.rank], strict=False)
        made = [_Task("recv", 0, peer, tag, size[0]) for peer, size in received if size and peer != self.of.rank]
        return made + [_Task("send", 0, peer, tag, size) for peer, size in sent if peer != self.of.rank]

    def _put(self, task: _Task, after: Sequence[int]) -> int:
        self.tasks.append(task)
        self.after.append(after)
        return len(self.tasks) - 1
