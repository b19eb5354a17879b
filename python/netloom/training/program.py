"""What the ranks of a stage do in a step, operation by operation: what a trace of the step is written from.

Ranks of one stage do the same, each in its own groups (`groups.Layout` says which).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .compute import Work, again, embedding, head
from .compute import layer as work_of
from .memory import is_mixed
from .model import Model
from .pipeline import BACKWARD, FORWARD, Task, interleaved, one_forward_one_backward
from .split import Split, layers_of
from .traffic import Call, Use, boundary, group_sizes, layer_sums, table_sum, tables_of
from .traffic import layer as calls_of


@dataclass(frozen=True)
class Operation:
    """One thing that a rank does.

    Attributes
    ----------
    task
        Pass, part and micro-batch; None before and after the pipeline.
    work
        What it computes; None for messages.
    scale
        How many times the work of a forward pass it is.
    call
        The messages; None for computation. A send goes to the next stage in a forward pass, to the one before in a
        backward pass.
    hidden
        Whether the rank goes on computing meanwhile.
    layer
        Number of the layer; None for the tables of the vocabulary and what passes between stages.
    behind
        What of the layer's computation hides the messages: `products`, `scores`; empty: all of it.
    again
        It is of a forward pass that the backward pass repeats.
    """

    task: Task | None
    work: Work | None = None
    scale: float = 1.0
    call: Call | None = None
    hidden: bool = False
    layer: int | None = None
    behind: str = ""
    again: bool = False


def program(model: Model, split: Split, stage: int) -> Iterator[Operation]:
    """The operations of the ranks of a stage in their order; schedules with a fixed order: `1f1b`, `interleaved`."""
    sizes, parts = group_sizes(split), layers_of(model, split)
    own = [number for part, layers in enumerate(parts) if part % split.pp == stage for number in layers]
    sums: list[tuple[int | None, Call | None, Call | None]] = [
        (number, *one.calls(split, sizes))
        for number in own
        for one in layer_sums(model, split, is_mixed(model, number))
    ]
    tables = [(None, *table_sum(model, split).calls(split, sizes))] * tables_of(model, split, stage)
    gathered, summed = sums * (split.zero < 3) + tables, sums * (split.zero < 2) + tables
    yield from (Operation(None, call=gather, hidden=True, layer=at) for at, _, gather in gathered if gather is not None)
    for task in order(split, stage):
        yield from _task(model, split, task, parts[task[1]])
    yield from (Operation(None, call=one, hidden=True, layer=at) for at, one, _ in summed if one is not None)


def order(split: Split, stage: int) -> list[Task]:
    """The tasks of a stage."""
    if split.schedule == "interleaved":
        return interleaved(stage, split.pp, split.micro_batches, split.interleave)
    return one_forward_one_backward(stage, split.pp, split.micro_batches)


def _task(model: Model, split: Split, task: Task, layers: range) -> Iterator[Operation]:
    kind, part, _ = task
    sizes, last = group_sizes(split), split.parts - 1
    back = kind == BACKWARD
    if part == (last if back else 0):
        ends = head(model, split) if back else embedding(model, split)
        yield from (Operation(task, work, work.backward if back else 1.0) for work in ends)
    for number in reversed(layers) if back else layers:
        mixed = is_mixed(model, number)
        sums = [one.calls(split, sizes) for one in layer_sums(model, split, mixed)]
        if split.zero == 3:
            yield from (Operation(task, call=one, hidden=True, layer=number) for _, one in sums if one is not None)
        works, uses = work_of(model, split, mixed), calls_of(model, split, mixed)
        if back:
            yield from (Operation(task, work, layer=number, again=True) for work in works if again(work, split))
            if split.recompute == "full":
                yield from (replace(one, layer=number, again=True) for one in _calls(task, uses, False))
        yield from (Operation(task, work, work.backward if back else 1.0, layer=number) for work in works)
        yield from (replace(one, layer=number) for one in _calls(task, uses, back))
        if back and split.zero >= 2:
            yield from (Operation(task, call=one, hidden=True, layer=number) for one, _ in sums if one is not None)
    if part == (0 if back else last):
        ends = embedding(model, split) if back else head(model, split)
        yield from (Operation(task, work, work.backward if back else 1.0) for work in ends)
    elif (send := boundary(model, split)) is not None:
        yield Operation(task, call=send, hidden=True)


def _calls(task: Task, uses: list[Use], back: bool) -> Iterator[Operation]:
    for use in uses:
        for hidden, times in (
            (False, use.backward if back else use.forward),
            (True, use.hidden_backward if back else use.hidden_forward),
        ):
            behind = use.behind if hidden else ""
            yield from (Operation(task, call=use.call, hidden=hidden, behind=behind) for _ in range(times))


__all__ = ["BACKWARD", "FORWARD", "Operation", "order", "program"]
