"""A step from start to end: parameters gathered, the pipeline, gradients summed behind it, the update."""

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

#: Tasks of a pipeline that are run: of more micro-batches those in the middle only repeat.
MOST_TASKS = 1 << 16


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
        run_, more = self._simulated()
        made = run(self._split.schedule, self._split.pp, run_, times)
        if more:
            # What one more turn of micro-batches takes once the pipeline is full.
            fewer = run(self._split.schedule, self._split.pp, run_ - self._split.pp, times)
            turn_s = (made.end_s - fewer.end_s) / self._split.pp
            made = replace(made, more_s=more * turn_s, more_busy_s=more * self._slowest(times))
        update = max(self.update_s(stage) for stage in range(self._split.pp))
        end_s = max(made.end_s, self._summed_s(costs, parts, made, run_ - 1) + made.more_s)
        return Ran(end_s + update, made, update)

    def estimate_s(self) -> float:
        """Seconds of the step by closed forms: no task is simulated.

        The busiest stage's work, a bubble of (p - 1) micro-batches over the parts of a stage (a third with the
        gradients of weights apart), one micro-batch's sends, and of gradients and parameters what one cannot hide.
        """
        costs, split = Costs(self._model, self._split, self._roofline, self._clock), self._split
        times, parts = self._times(costs), costs.parts()
        one = self._slowest(times)
        idle = (split.pp - 1) * (one - (2 * max(times.weights) if split.schedule == "zero-bubble" else 0.0))
        sends = 2 * (split.pp - 1) * times.send_s
        stage = [layer for number, layers in enumerate(parts) if number % split.pp == 0 for layer in layers]
        made = split.micro_batches * one + idle / split.interleave + sends
        if split.zero < 3:
            back = sum(layer.backward for layer in stage)
            scatter = sum(layer.scatter for layer in stage) if split.zero < 2 else 0.0
            gather = sum(layer.gather for layer in stage)
            made += (
                max(scatter - back, 0.0) + max(gather - sum(layer.forward for layer in stage), 0.0) + sum(costs.table())
            )
        return made + self.update_s(0)

    def _simulated(self) -> tuple[int, int]:
        """Micro-batches whose tasks are run, and those that only repeat what the busiest stage does."""
        split = self._split
        most = max(MOST_TASKS // (2 * split.parts), 4 * split.parts) // split.pp * split.pp
        kept = split.micro_batches if split.micro_batches <= most else most + split.micro_batches % split.pp
        return kept, split.micro_batches - kept

    def _slowest(self, times: Times) -> float:
        """Seconds of a micro-batch on the busiest stage."""
        stages = self._split.pp
        both = [forward + backward for forward, backward in zip(times.forward, times.backward, strict=True)]
        return max(sum(both[stage::stages]) for stage in range(stages))

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

    def _summed_s(self, costs: Costs, parts: Sequence[Sequence[Layer]], made: Run, last: int) -> float:
        """When the last gradients are summed: each layer's after its last backward pass, one by one on a wire."""
        split, (table, _) = self._split, costs.table()
        kind = WEIGHTS if split.schedule == "zero-bubble" else BACKWARD
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

    def update_s(self, stage: int) -> float:
        """Seconds in which a stage updates its parameters."""
        split = self._split
        shared, routed = parameters_of(self._model, split, stage)
        if split.zero:
            copies = split.dp * split.cp
            shared, routed = shared / copies, routed * split.ep / copies
        return self._roofline.optimizer_s(shared + routed)
