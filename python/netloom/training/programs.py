"""The step as programs of all its ranks: what is simulated whole, placed by `map`, and written as a trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import Fault, NetloomError
from . import codes
from .groups import Layout
from .pipeline import BACKWARD, FORWARD, Task, needs
from .program import Operation, order, program
from .timeline import Timeline
from .timing import block
from .traffic import Call

if TYPE_CHECKING:
    from .split import Split
    from .step import Planner

#: What `Programs.compose` takes.
Piece = tuple[object, ...]
#: Operations of all ranks together, loops unrolled.
MOST_OPERATIONS = 1 << 24
#: Schedules of a fixed order.
ORDERED = ("1f1b", "interleaved")


@dataclass(frozen=True)
class Written:
    """What formats of traces cannot hold.

    Attributes
    ----------
    overlaps
        Messages and computation of a rank go on at the same time; else what would be hidden is waited for.
    grain_s
        Computation is rounded to multiples of it; 0: as it is.
    """

    overlaps: bool = True
    grain_s: float = 0.0


def programs(planner: Planner, split: Split, how: Written | None = None) -> _core.Programs:
    """The step of a split on the first GPUs of its machine, rank k on place k.

    Raises
    ------
    NetloomError
        What `Planner.fits` raises; `NL-Y003` for the schedule `zero-bubble`, a share of `--overlap`, and more than 2^24
        operations.

    Notes
    -----
    Collectives have the schedules that the machine's library chooses. Gradients are summed and parameters gathered one
    layer after, or before, the layer that computes; sends between stages are started and not waited for. O(operations).
    """
    split = planner.settled(split)
    planner.fits(split)
    if split.schedule not in ORDERED:
        words = f"{split.schedule} has no fixed order of tasks, which programs need"
        raise NetloomError([Fault(codes.BAD_VALUE, "--schedule", words, "", f"take {' or '.join(ORDERED)}")])
    if any(split.overlap.values()):
        words = "hides a share of messages, and programs have whole ones"
        raise NetloomError([Fault(codes.BAD_VALUE, "--overlap", words, "", "leave it out")])
    each = _operations(planner, split)
    if each * split.gpus > MOST_OPERATIONS:
        words = f"{split.gpus} ranks x {each} operations are more than {MOST_OPERATIONS} in one program"
        hint = "give fewer --gpus, or a smaller --global-batch"
        raise NetloomError([Fault(codes.BAD_VALUE, "--gpus", words, "", hint)])
    stages = [list(program(planner.model, split, stage)) for stage in range(split.pp)]
    made = _Maker(planner, split, how or Written()).made(stages)
    label = f"step of {planner.model.name} on {split.gpus} GPUs"
    return _core.Programs.compose(label, split.gpus, made)


def _operations(planner: Planner, split: Split) -> int:
    """Operations of a rank of the first stage: as many more with each turn of micro-batches."""
    turn = split.dp * split.micro_batch * split.pp
    few = [replace(split, global_batch=turns * turn) for turns in (1, 2)]
    one, two = (sum(1 for _ in program(planner.model, some, 0)) for some in few)
    return one + (two - one) * (split.global_batch - turn) // turn


class _Maker:
    """Pieces of all stages in one order that is right for each."""

    def __init__(self, planner: Planner, split: Split, how: Written) -> None:
        self.planner, self.split, self.how = planner, split, how
        self.layout = Layout.of(split)
        self.clock = planner.clock(split)
        self.roof = planner.roofline(split.precision)
        self.groups: dict[tuple[str, int], list[list[int]]] = {}
        self.schedules: dict[Call, _core.Schedule] = {}

    def made(self, programs: Sequence[Sequence[Operation]]) -> list[Piece]:
        """All pieces of the step."""
        stages = [_Stage(self, number, operations) for number, operations in enumerate(programs)]
        pieces: list[Piece] = []
        for task in _in_turn(self.split):
            pieces += stages[task[1] % self.split.pp].task(task, stages)
        for stage in stages:
            pieces += stage.end()
        return pieces

    def call(self, call: Call, stage: int) -> Piece:
        """A collective of all groups of a stage."""
        if (call.kind, stage) not in self.groups:
            self.groups[call.kind, stage] = self.layout.groups(call.kind, stage)
        groups = self.groups[call.kind, stage]
        if call not in self.schedules:
            text, _ = self.clock.schedule(call)
            ranks = len(groups[0])
            self.schedules[call] = _core.Schedule.build(text, ranks, 0, block(call, ranks))
        return "work", self.schedules[call], groups

    def seconds(self, amount: float) -> float:
        """As the format can hold it."""
        grain = self.how.grain_s
        return round(amount / grain) * grain if grain else amount

    @cached_property
    def nothing(self) -> _core.Programs:
        """A workload that does nothing."""
        return _core.Programs.from_actions("nothing", [[]])


class _Stage:
    """The pieces of one stage."""

    def __init__(self, maker: _Maker, number: int, operations: Sequence[Operation]) -> None:
        self.maker, self.number, self.split = maker, number, maker.split
        self.stride = maker.layout.strides["pp"]
        self.ranks = [rank for rank in range(maker.layout.ranks) if rank // self.stride % self.split.pp == number]
        self.alone = [[rank] for rank in self.ranks]
        self.tasks: dict[Task | None, list[list[Operation]]] = {None: []}
        for task, some in groupby(operations, key=lambda one: one.task):
            self.tasks[task] = [*self.tasks.get(task, []), list(some)]
        outside = self.tasks[None]
        # What is outside of the pipeline comes first and last: of models without groups of replicas neither is there.
        self.gathers, self.sums = (outside[0], outside[1]) if len(outside) > 1 else ([], outside[0] if outside else [])
        #: Of each input that is on its way, its number among the requests of the ranks; and how many there are.
        self.coming: dict[Task, int] = {}
        self.requests = 0
        #: Gradients that are to be summed while the next layer computes.
        self.pending: list[Piece] = []

    def task(self, task: Task, stages: Sequence[_Stage]) -> Iterator[Piece]:
        """A pass of a micro-batch through a part, from its input to its output."""
        (operations,) = self.tasks[task]
        chunks = [(layer, list(some)) for layer, some in groupby(operations, key=lambda one: one.layer)]
        layers = [_Layer(some) for layer, some in chunks if layer is not None]
        self._outside(task, layers)
        if layers and layers[0].before:
            yield from self._calls(layers[0].before)
        if task in self.coming:
            back = self.requests - self.coming.pop(task)
            yield "work", _core.Programs.from_actions("wait", [[("wait", back)]]), self.alone
        number = 0
        for layer, some in chunks:
            if layer is None:
                yield from self._end(task, some, stages)
                continue
            along = [*self.pending, *(self._calls(layers[number].also))]
            if number + 1 < len(layers):
                along += self._calls(layers[number + 1].before)
            self.pending = []
            own = [piece for one in layers[number].blocks for piece in self._block(one)]
            yield from self._beside(own, along)
            self.pending = list(self._calls(layers[number].after))
            number += 1
        if self.split.zero >= 2:
            yield from self.pending
            self.pending = []

    def end(self) -> Iterator[Piece]:
        """The last sums, sends that nothing has waited for, and the update of the parameters."""
        yield from self.pending
        yield from self._calls([one for one in self.sums if one.layer is None])
        yield "work", _core.Programs.from_actions("wait", [[("wait_all",)]]), self.alone
        line = Timeline(self.maker.planner.model, self.split, self.maker.roof, self.maker.clock)
        yield self._seconds(line.update_s(self.number))

    def _outside(self, task: Task, layers: Sequence[_Layer]) -> None:
        """Gives the layers of a task what comes before the pipeline and behind it."""
        kind, part, k = task
        if kind == FORWARD and k == 0:
            for layer in layers:
                layer.before += [one for one in self.gathers if one.layer == layer.number]
            tables = [one for one in self.gathers if one.layer is None]
            if part == 0 and self.split.zero < 3:
                layers[0].before[:0] = tables[:1]
            elif part == 0:
                layers[0].also += tables[:1]
            if part == self.split.parts - 1:
                layers[-1].also += tables[1:] if self.number == 0 else tables
        if kind == BACKWARD and k == self.split.micro_batches - 1:
            for layer in layers:
                layer.after += [one for one in self.sums if one.layer == layer.number]
            if part == self.split.parts - 1:
                table = next((one for one in self.sums if one.layer is None), None)
                if table is not None:
                    layers[0].also.append(table)
                    self.sums.remove(table)

    def _end(self, task: Task, some: Sequence[Operation], stages: Sequence[_Stage]) -> Iterator[Piece]:
        """The look-up of tokens, the logits, or the send to the next stage."""
        if any(one.work is not None for one in some):
            yield self._seconds(sum(self._time(one) for one in some))
        kind, part, k = task
        for one in some:
            if one.call is not None:
                after = part + (1 if kind == FORWARD else -1)
                other = stages[after % self.split.pp]
                there = (other.number - self.number) * self.stride
                size = block(one.call, self.split.pp)
                send = [[("start_send", 1, size)], [("start_receive", 0, size)]]
                other.coming[kind, after, k] = other.requests
                self.requests += 1
                other.requests += 1
                pairs = [[rank, rank + there] for rank in self.ranks]
                yield "work", _core.Programs.from_actions("send", send), pairs

    def _block(self, some: Sequence[Operation]) -> Iterator[Piece]:
        """A pass through a layer: computation with what hides behind it, the rest, messages that are waited for."""
        rest = sum(self._time(one) for one in some)
        for behind in ("products", "scores"):
            hidden = [one for one in some if one.hidden and one.behind == behind]
            if not hidden:
                continue
            works = [one for one in some if one.work is not None and _is(one, behind)]
            # Of attention's backward pass what is computed again hides nothing, as in `parts`.
            passes = 2.0 if any(one.scale > 1.0 for one in works) else 1.0
            room = passes * sum(self.maker.roof.forward_s(one.work) for one in works if one.work is not None)
            # The last branch with a workload that starts no strands is the rank's own: computation stays on its unit.
            own = [self._seconds(room), ("work", self.maker.nothing, self.alone)]
            yield from self._beside(list(self._calls(hidden)), own)
            rest -= room
        yield self._seconds(max(rest, 0.0))
        yield from self._calls([one for one in some if not one.hidden])

    def _beside(self, *branches: list[Piece]) -> Iterator[Piece]:
        """Branches that go on at the same time, or one after another where the format has no words for that."""
        if all(branches) and self.maker.how.overlaps:
            yield "together", list(branches)
            return
        for branch in branches:
            yield from branch

    def _calls(self, some: Iterable[Operation]) -> Iterator[Piece]:
        yield from (self.maker.call(one.call, self.number) for one in some if one.call is not None)

    def _time(self, one: Operation) -> float:
        return 0.0 if one.work is None else one.scale * self.maker.roof.forward_s(one.work)

    def _seconds(self, amount: float) -> Piece:
        return "seconds", self.maker.seconds(amount), [self.ranks]


class _Layer:
    """The operations of a layer in a task.

    Attributes
    ----------
    before, also, after
        Calls that gather its parameters, that go on while it computes, and that sum its gradients.
    blocks
        Its passes: one that is repeated, and its own.
    """

    def __init__(self, some: Sequence[Operation]) -> None:
        self.number = some[0].layer
        rest = [one for one in some if one.call is None or one.call.kind not in ("dp", "edp")]
        sums = [one for one in some if one not in rest]
        self.before = [one for one in sums if one.call is not None and one.call.collective == "allgather"]
        self.after = [one for one in sums if one not in self.before]
        self.also: list[Operation] = []
        self.blocks = [list(part) for _, part in groupby(rest, key=lambda one: one.again)]


def _is(one: Operation, behind: str) -> bool:
    """Whether a computation is one that messages hide behind."""
    assert one.work is not None
    return one.work.scores if behind == "scores" else bool(one.work.flops) and not one.work.scores


def _in_turn(split: Split) -> Iterator[Task]:
    """All tasks, each after the one whose output it takes, and where that can be before the one that is done ahead of
    it on its stage: so a rank expects a message before it is sent.
    """
    orders, done, place = [order(split, stage) for stage in range(split.pp)], set[Task](), [0] * split.pp

    def there(stage: int, at: int) -> bool:
        task = needs(orders[stage][at], split.parts) if at < len(orders[stage]) else None
        return task is None or task in done

    while any(at < len(tasks) for at, tasks in zip(place, orders, strict=True)):
        ready = [s for s in range(split.pp) if place[s] < len(orders[s]) and there(s, place[s])]
        stage = next((s for s in ready if there(s, place[s] + 1)), ready[0])
        done.add(orders[stage][place[stage]])
        yield orders[stage][place[stage]]
        place[stage] += 1
