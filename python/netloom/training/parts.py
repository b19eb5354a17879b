"""Seconds of each part of the layers: computation, and the messages that it waits for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .compute import Roofline, Work, again, embedding, head
from .compute import layer as work_of
from .memory import is_mixed
from .model import Model
from .split import Split, layers_of
from .timing import Clock
from .traffic import COUNTED, Call, Use, group_sizes, layer_sums, table_sum
from .traffic import layer as calls_of


@dataclass(frozen=True)
class Layer:
    """Seconds of one layer and micro-batch on a rank.

    Attributes
    ----------
    forward, backward
        With the messages that they wait for.
    weights
        The part of `backward` in which gradients of weights are computed.
    scatter, gather
        Of summing its gradients, and of gathering its parameters.
    """

    forward: float
    backward: float
    weights: float
    scatter: float
    gather: float


class Costs:
    """What parts of a step take.

    Parameters
    ----------
    without
        Kinds of groups whose messages take no time.
    """

    def __init__(
        self, model: Model, split: Split, roofline: Roofline, clock: Clock, without: Collection[str] = ()
    ) -> None:
        self.model, self.split, self.roofline = model, split, roofline
        self._clock, self._without = clock, without
        self._sizes = group_sizes(split)
        self._layers: dict[bool, Layer] = {}

    def seconds(self, call: Call | None) -> float:
        """Of a call; 0 for none, and for one of a kind that is left out."""
        if call is None or COUNTED.get(call.kind, call.kind) in self._without:
            return 0.0
        return self._clock.seconds(call)

    def of_layer(self, mixed: bool) -> Layer:
        """One layer."""
        if mixed not in self._layers:
            self._layers[mixed] = self._layer(mixed)
        return self._layers[mixed]

    def _layer(self, mixed: bool) -> Layer:
        roof, works = self.roofline, work_of(self.model, self.split, mixed)
        products = sum(roof.forward_s(work) for work in works if work.flops and not work.scores)
        scores = sum(roof.forward_s(work) for work in works if work.scores)
        uses = calls_of(self.model, self.split, mixed)
        forward = sum(map(roof.forward_s, works))
        backward = sum(map(roof.backward_s, works)) + self._again(works)
        waits = self._waits(uses, products, scores, False)
        back = self._waits(uses, 2 * products, 2 * scores, True)
        if self.split.recompute == "full":
            back += waits
        sums = [one.calls(self.split, self._sizes) for one in layer_sums(self.model, self.split, mixed)]
        scatter, gather = (sum(self.seconds(pair[k]) for pair in sums) for k in (0, 1))
        return Layer(forward + waits, backward + back, products, scatter, gather)

    def _again(self, works: Sequence[Work]) -> float:
        return sum(self.roofline.forward_s(work) for work in works if again(work, self.split))

    def _waits(self, uses: Sequence[Use], products: float, scores: float, backward: bool) -> float:
        """What a pass waits for its messages: those that hide behind nothing, and what outlasts the computation."""
        total, hidden = 0.0, {"products": 0.0, "scores": 0.0}
        shares: dict[str, float] = {}
        for use in uses:
            took, share = self.seconds(use.call), 1.0 - self.split.overlap.get(use.call.kind, 0.0)
            shares[use.behind] = share
            total += share * took * (use.backward if backward else use.forward)
            hidden[use.behind] += took * (use.hidden_backward if backward else use.hidden_forward)
        for behind, room in (("products", products), ("scores", scores)):
            total += shares.get(behind, 1.0) * max(0.0, hidden[behind] - room)
        return total

    def table(self) -> tuple[float, float]:
        """Of summing the gradients of one table of the vocabulary, and of gathering it."""
        scatter, gather = table_sum(self.model, self.split).calls(self.split, self._sizes)
        return self.seconds(scatter), self.seconds(gather)

    def ends(self) -> tuple[float, float, float, float]:
        """Of the look-up of tokens and of the logits with the loss, forward and backward each."""
        roof = self.roofline
        first, last = embedding(self.model, self.split), head(self.model, self.split)
        made = [sum(map(time, works)) for works in (first, last) for time in (roof.forward_s, roof.backward_s)]
        return made[0], made[1], made[2], made[3]

    def parts(self) -> list[list[Layer]]:
        """The layers of each part."""
        return [
            [self.of_layer(is_mixed(self.model, number)) for number in layers]
            for layers in layers_of(self.model, self.split)
        ]


def gathered_forward(layers: Sequence[Layer]) -> float:
    """Seconds of a forward pass whose parameters are gathered layer by layer, the next one while one computes."""
    begin = end = wire = 0.0
    for layer in layers:
        # The gathering of a layer begins with the computation of the one before.
        wire = max(wire, begin) + layer.gather
        begin = max(end, wire)
        end = begin + layer.forward
    return end


def gathered_backward(layers: Sequence[Layer], gathers: bool) -> float:
    """Seconds of a backward pass: parameters are gathered again, gradients are summed after each layer, on one wire."""
    computed = wire = ready = 0.0
    back = list(reversed(layers))
    for number, layer in enumerate(back):
        if number == 0 and gathers:
            wire = ready = layer.gather
        begin = max(computed, ready)
        if gathers and number + 1 < len(back):
            wire = ready = max(wire, begin) + back[number + 1].gather
        computed = begin + layer.backward
        wire = max(wire, computed) + layer.scatter
    return max(computed, wire)
