"""What a step's model assumes and leaves out, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .model import Model
from .split import Split

if TYPE_CHECKING:
    from .step import Message

ASSUMPTIONS = (
    "Matrix products reach one share of the GPU's peak (efficiency), whatever their sizes; other operations take their "
    "bytes at the rate of the GPU's memory.",
    "All groups of one kind make a call at the same time; different kinds are not simulated together.",
    "Gradients are summed layer by layer behind the last backward pass, parameters gathered before the first forward "
    "pass; with ZeRO 3 the next layer's parameters come while one computes.",
    "Sends between stages are hidden but where a stage waits for them; half of the tensor-parallel messages of a "
    "backward pass hide behind products, keys and values of context parallelism behind attention.",
    "Where the switch of a node would combine (NVLS), the ring stands in, which takes 25 to 30 % longer for large "
    "vectors.",
    "Experts get equal numbers of tokens.",
)
LEFT_OUT = (
    "Host code, launches of kernels, stragglers, checkpoints, reading of data.",
    "What messages take from computation: processors of the GPU, bytes of its memory, clocks and power.",
    "Memory that libraries and fragments take, often 5 to 10 GB a GPU.",
    "Measured steps were off by the errors in docs/concepts/training-step.md.",
)


_TABLES = "The tables of the vocabulary count as layers: the first and the last stage have fewer than the others."
_UNEVEN = "Stages differ by a layer; the first and the last ones have fewer."


def of_split(model: Model, split: Split, messages: Sequence[Message]) -> list[str]:
    """What holds for this step alone."""
    made = []
    if split.pp > 1 and model.layers % split.parts:
        made.append(_UNEVEN if (model.layers + 2) % split.parts else _TABLES)
    for one in messages:
        timed, call = one.timed, one.listed.call
        if timed.scale != 1.0:
            words = f"of a ring of {call.kind} some ranks were simulated, its rounds multiplied by {timed.scale:.3g}"
        elif timed.ranks < split.gpus:
            words = f"of the groups of {call.kind} those of the first {timed.ranks} GPUs were simulated"
        else:
            continue
        made.append(f"{call.collective}: {words}.")
    return list(dict.fromkeys(made))
