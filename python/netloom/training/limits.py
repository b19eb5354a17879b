"""What the time of a step is made of, and so what limits it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .compute import Roofline, Work, again
from .compute import layer as work_of
from .model import Model
from .split import Split
from .timeline import Ran


@dataclass(frozen=True)
class Share:
    """A part of the step.

    Attributes
    ----------
    short, words
        What it is, in a word and as the beginning of a sentence.
    remedy
        What would make it less, as a sentence.
    """

    short: str
    share: float
    words: str
    remedy: str


_EXPOSED = {
    "tp": "Take less --tp, keep its groups inside a node, or hide its messages (--overlap tp=0.5).",
    "pp": "Take fewer stages, or --axes in which they are nearer to each other.",
    "cp": "Take less --cp, or keep its groups inside a node.",
    "ep": "Take less --ep, or keep its groups inside a node.",
    "dp": "Take more sequences a step (--global-batch), gradients of two bytes, or faster links between nodes.",
}


def shares(
    model: Model, split: Split, roof: Roofline, ran: Ran, alone: Ran, exposed: Mapping[str, float]
) -> list[Share]:
    """Products, memory, update, bubble, and the messages of each group, as shares of the step."""
    busy = alone.pipeline.most_busy_s
    products = _products_share(model, split, roof)
    step_s, bubble = ran.step_s, alone.pipeline.end_s - busy
    made = [
        Share(
            "matrix products", products * busy / step_s, "computation limits it: matrix products take",
            "More of the peak, a lower --precision, or less --recompute is quicker; a faster network is not.",
        ),
        Share(
            "bytes of memory", (1 - products) * busy / step_s,
            "the memory of the GPU limits it: operations on bytes take",
            "Fused kernels, larger micro-batches, or more --tp with sequence parallelism are quicker.",
        ),
        Share(
            "bubble", bubble / step_s, "the pipeline limits it: stages wait for each other",
            "Take more micro-batches (--global-batch), --schedule interleaved or zero-bubble, or fewer stages.",
        ),
        Share(
            "update", alone.optimizer_s / step_s, "the update of the parameters limits it: it takes",
            "Take a higher --zero, which divides it over the data-parallel ranks.",
        ),
    ]  # fmt: skip
    for kind, seconds in exposed.items():
        words = f"the network limits it: {kind} messages that nothing hides take"
        made.append(Share(f"{kind} messages", seconds / step_s, words, _EXPOSED[kind]))
    rest = max(0.0, 1.0 - sum(one.share for one in made))
    words = "the network limits it: messages of several groups, each of which others would replace, take"
    return [*made, Share("messages of several groups", rest, words, "Look at the groups in turn: --json has each.")]


def _products_share(model: Model, split: Split, roof: Roofline) -> float:
    """Of the time of layers, what operations with products take."""
    flops = total = 0.0
    for mixed, count in ((True, model.mixed_layers), (False, model.layers - model.mixed_layers)):
        for work in work_of(model, split, mixed) if count else ():
            seconds = count * _seconds(work, split, roof)
            total += seconds
            flops += seconds if work.flops and _bound_by_flops(work, roof) else 0.0
    return flops / total


def _seconds(work: Work, split: Split, roof: Roofline) -> float:
    made = roof.forward_s(work) + roof.backward_s(work)
    return made + (roof.forward_s(work) if again(work, split) else 0.0)


def _bound_by_flops(work: Work, roof: Roofline) -> bool:
    return roof.forward_s(work) > work.bytes / roof.gpu.memory_bytes_per_s
