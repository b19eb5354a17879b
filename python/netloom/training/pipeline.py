"""Schedules of a pipeline as orders of tasks, and their times: each stage does its tasks in order.

A task is a pass of one micro-batch through one part of the layers: forward, backward, and with the schedule
`zero-bubble` the gradients of the weights by themselves. It begins when its input is there. Part k is on
stage k mod p. Times are exact for these orders: O(tasks).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

FORWARD, BACKWARD, WEIGHTS = "forward", "backward", "weights"
#: Pass, part and micro-batch.
Task = tuple[str, int, int]


@dataclass(frozen=True)
class Times:
    """Seconds of each part.

    Attributes
    ----------
    forward, backward
        Of one micro-batch, by part.
    weights
        The part of `backward` that only weights wait for: with the schedule `zero-bubble` a task of its own.
    send_s
        From a stage to another one.
    release_s
        Before which the first forward pass of a part may not begin, by part; empty: none.
    """

    forward: Sequence[float]
    backward: Sequence[float]
    weights: Sequence[float]
    send_s: float = 0.0
    release_s: Sequence[float] = ()


@dataclass
class Run:
    """When each task began and ended.

    Attributes
    ----------
    busy_s
        Time of all tasks of a stage.
    more_s, more_busy_s
        Of micro-batches in the middle that were not run: until the end, and of the busiest stage's tasks.
    """

    spans: dict[Task, tuple[float, float]] = field(default_factory=dict)
    busy_s: list[float] = field(default_factory=list)
    more_s: float = 0.0
    more_busy_s: float = 0.0

    @property
    def end_s(self) -> float:
        """Of the last task."""
        return max(end for _, end in self.spans.values()) + self.more_s

    @property
    def bubble(self) -> float:
        """Idle time of the busiest stage, as a share of the time in which it works."""
        return self.end_s / self.most_busy_s - 1.0

    @property
    def most_busy_s(self) -> float:
        """Work of the busiest stage."""
        return max(self.busy_s) + self.more_busy_s


def run(schedule: str, stages: int, micro_batches: int, times: Times) -> Run:
    """The times of all tasks of a step."""
    if schedule == "zero-bubble":
        return _zero_bubble(stages, micro_batches, times)
    parts = len(times.forward)
    if schedule == "interleaved":
        orders = [interleaved(stage, stages, micro_batches, parts // stages) for stage in range(stages)]
    else:
        orders = [one_forward_one_backward(stage, stages, micro_batches) for stage in range(stages)]
    return _in_order(orders, times)


def one_forward_one_backward(stage: int, stages: int, micro_batches: int) -> list[Task]:
    """Order of a stage: as many forward passes as stages come after it, then turns, then the rest (Narayanan 2021)."""
    first = min(micro_batches, stages - 1 - stage)
    made: list[Task] = [(FORWARD, stage, k) for k in range(first)]
    for k in range(micro_batches - first):
        made += [(FORWARD, stage, first + k), (BACKWARD, stage, k)]
    return made + [(BACKWARD, stage, k) for k in range(micro_batches - first, micro_batches)]


def interleaved(stage: int, stages: int, micro_batches: int, parts: int) -> list[Task]:
    """Order of a stage with several parts: micro-batches in turns of as many as there are stages (Narayanan 2021)."""
    total = micro_batches * parts
    first = min(total, 2 * (stages - 1 - stage) + (parts - 1) * stages)

    def task(kind: str, k: int) -> Task:
        turn, rest = divmod(k, stages * parts)
        part, place = divmod(rest, stages)
        part = part if kind == FORWARD else parts - 1 - part
        return kind, part * stages + stage, turn * stages + place

    made = [task(FORWARD, k) for k in range(first)]
    for k in range(total - first):
        made += [task(FORWARD, first + k), task(BACKWARD, k)]
    return made + [task(BACKWARD, k) for k in range(total - first, total)]


def _in_order(orders: Sequence[Sequence[Task]], times: Times) -> Run:
    """Stages that each do their tasks in the order given."""
    stages = len(orders)
    found = Run(busy_s=[0.0] * stages)
    place, free = [0] * stages, [0.0] * stages
    waiting: dict[Task, int] = {}
    ready = list(range(stages))
    while ready:
        stage = ready.pop()
        while place[stage] < len(orders[stage]):
            task = orders[stage][place[stage]]
            need = needs(task, len(times.forward))
            if need is not None and need not in found.spans:
                waiting[need] = stage
                break
            begin = max(free[stage], _arrival(task, need, found.spans, stages, times))
            free[stage] = begin + _length(task, times)
            found.spans[task] = begin, free[stage]
            found.busy_s[stage] += free[stage] - begin
            place[stage] += 1
            if task in waiting:
                ready.append(waiting.pop(task))
    return found


def needs(task: Task, parts: int) -> Task | None:
    """The task whose output is the input of a task; None where it is the batch."""
    kind, part, k = task
    if kind == FORWARD:
        return (FORWARD, part - 1, k) if part else None
    if kind == WEIGHTS:
        return BACKWARD, part, k
    return (BACKWARD, part + 1, k) if part + 1 < parts else (FORWARD, part, k)


def _arrival(
    task: Task, need: Task | None, spans: Mapping[Task, tuple[float, float]], stages: int, times: Times
) -> float:
    """When its input is there."""
    kind, part, k = task
    own = times.release_s[part] if kind == FORWARD and k == 0 and times.release_s else 0.0
    if need is None:
        return own
    far = need[1] % stages != part % stages
    return max(own, spans[need][1] + (times.send_s if far else 0.0))


def _length(task: Task, times: Times) -> float:
    kind, part, _ = task
    return {FORWARD: times.forward, BACKWARD: times.backward, WEIGHTS: times.weights}[kind][part]


def _zero_bubble(stages: int, micro_batches: int, times: Times) -> Run:
    """ZB-H1 of Qi et al. (2023): the memory of 1F1B, and gradients of weights where a stage would wait.

    Whenever a stage is free it takes the first of: a backward pass whose gradient is there, a forward pass as long as
    it keeps no more micro-batches than in 1F1B, gradients of weights. A stage that could only wait takes weights.
    """
    inputs = [whole - part for whole, part in zip(times.backward, times.weights, strict=True)]
    split = Times(times.forward, inputs, times.weights, times.send_s, times.release_s)
    found = Run(busy_s=[0.0] * stages)
    free, done = [0.0] * stages, defaultdict[tuple[int, str], int](int)
    left = 3 * stages * micro_batches
    while left:
        begin, stage, task = min(
            (choice for stage in range(stages) if (choice := _next(stage, free, done, found, split, micro_batches))),
            key=lambda one: (one[0], one[1]),
        )
        end = begin + _length(task, split)
        free[stage] = end
        found.spans[task] = begin, end
        found.busy_s[stage] += end - begin
        done[stage, task[0]] += 1
        left -= 1
    return found


def _next(
    stage: int, free: Sequence[float], done: Mapping[tuple[int, str], int], found: Run, times: Times, micro_batches: int
) -> tuple[float, int, Task] | None:
    """What a stage begins next, and when; None if it has nothing whose input is known."""
    stages = len(free)
    forward, backward, weights = (done.get((stage, kind), 0) for kind in (FORWARD, BACKWARD, WEIGHTS))
    choices: list[tuple[float, int, Task]] = []
    for kind, k in ((BACKWARD, backward), (FORWARD, forward), (WEIGHTS, weights)):
        task, most = (kind, stage, k), micro_batches
        if kind == FORWARD:
            most = min(most, backward + stages - stage)
        elif kind == WEIGHTS:
            most = min(most, backward)
        need = needs(task, stages)
        if k < most and (need is None or need in found.spans):
            choices.append((max(free[stage], _arrival(task, need, found.spans, stages, times)), len(choices), task))
    if not choices:
        return None
    begin, _, task = min(choices)
    return begin, stage, task
