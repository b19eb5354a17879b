"""A step from start to end: parameters gathered, the pipeline, gradients summed behind the last backward pass, the update."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from .compute import Roofline
from .memory import parameters_of
from .model import Model
from .parts import Costs, Layer, gathered_backward, gathered_forward
from .pipeline import BACKWARD, WEIGHTS, Run, Times, run
from .split import Split
from .timing import Clock
from .traffic import boundary


@dataclass(frozen=True)
class Ran:
    """A step.

    Attributes
    ----------
    step_s
        From start to end.
    pipeline
        Its tasks.
    optimizer_s
        Of the update.
    """

    step_s: float
    pipeline: Run
    optimizer_s: float


class Timeline:
    """The step of a model, a split and a GPU, whose messages take what a clock says."""

    def __init__(self, model: Model, split: Split, roofline: Roofline, clock: Clock) -> None:
        self._model, self._split, self._roofline, self._clock = model, split, roofline, clock

    def ran(self, without: Collection[str] = ()) -> Ran:
        """The step; of the kinds in `without` messages take no time."""
        costs = Costs(self._model, self._split, self._roofline, self._clock, without)
        parts, times = costs.parts(), self._times(costs)
        times = replace(times, release_s=self._releases(costs, parts, times))
        made = run(self._split.schedule, self._split.pp, self._split.micro_batches, times)
        update = max(self._update_s(stage) for stage in range(self._split.pp))
        return Ran(max(made.end_s, self._summed_s(costs, parts, made)) + update, made, update)

    def _times(self, costs: Costs) -> Times:
        """Of each part and micro-batch."""
        zero, forward, backward = self._split.zero, [], []
        parts = costs.parts()
        for layers in parts:
            forward.append(gathered_forward(layers) if zero == 3 else sum(one.forward for one in layers))
            backward.append(
                gathered_backward(layers, zero == 3) if zero >= 2 else sum(one.backward for one in layers)
            )  # fmt: skip
        weights = [sum(one.weights for one in layers) for layers in parts]
        first, first_back, last, last_back = costs.ends()
        forward[0] += first
        backward[0] += first_back
        forward[-1] += last
        backward[-1] += last_back
        return Times(forward, backward, weights, costs.seconds(boundary(self._model, self._split)))

    def _releases(self, costs: Costs, parts: Sequence[Sequence[Layer]], times: Times) -> list[float]:
        """When the first forward pass of each part may begin: its layers' parameters come one after another."""
        split = self._split
        made = [0.0] * len(parts)
        if split.zero in (0, 3):
            return made
        _, table = costs.table()
        wires = [0.0] * split.pp
        for number, layers in enumerate(parts):
            stage = number % split.pp
            wires[stage] += table * (number == 0)
            passed = 0.0
            for layer in layers:
                wires[stage] += layer.gather
                made[number] = max(made[number], wires[stage] - passed)
                passed += times.forward[number] / len(layers)
            if number == len(parts) - 1 and not (self._model.tied and split.pp == 1):
                wires[stage] += table
        return made

    def _summed_s(self, costs: Costs, parts: Sequence[Sequence[Layer]], made: Run) -> float:
        """When the last gradients are summed: each layer's after its last backward pass, one after another on a wire."""
        split, (table, _) = self._split, costs.table()
        kind, last = WEIGHTS if split.schedule == "zero-bubble" else BACKWARD, split.micro_batches - 1
        ends = [0.0] * split.pp
        for number in reversed(range(len(parts))):
            begin, end = made.spans[kind, number, last]
            stage, layers = number % split.pp, parts[number]
            wire = ends[stage]
            if number == len(parts) - 1:
                wire = max(wire, begin) + table
            for place, layer in enumerate(reversed(layers), 1):
                ready = begin + (end - begin) * place / len(layers)
                wire = max(wire, ready) + (layer.scatter if split.zero < 2 else 0.0)
            if number == 0 and not (self._model.tied and split.pp == 1):
                wire = max(wire, end) + table
            ends[stage] = wire
        return max(ends)

    def _update_s(self, stage: int) -> float:
        split = self._split
        shared, routed = parameters_of(self._model, split, stage)
        if split.zero:
            copies = split.dp * split.cp
            shared, routed = shared / copies, routed * split.ep / copies
        return self._roofline.optimizer_s(shared + routed)
