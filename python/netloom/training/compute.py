"""Floating-point operations and bytes of a step's operations, and their time by a roofline.

An operation takes the longer of two times: its operations at `efficiency` times the peak, its bytes at the rate of the
GPU's memory. Matrix products have both; norms, sums and activations have bytes alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from .accelerator import Accelerator
from .model import Model
from .split import Split

#: Bytes of a number of the activations, and of a parameter as matrices read it.
HALF = 2
#: Backward passes as multiples of the forward one: two products for one; attention computes its scores again.
BACKWARD, BACKWARD_FLASH = 2.0, 2.5
#: Times that a score is read or written where scores are stored: product, softmax, dropout, product (Korthikanti 2022).
SCORE_MOVES = 6
#: Share of what matrix products reach that the core of attention reaches: FlashAttention 2 has 335 TFLOP/s forward and
#: backward on an H100 (Dao 2023, section 4), where products of large matrices have about 700.
SCORES = 0.5
#: Numbers per token and hidden width that two norms (read, write) and two sums (two reads, a write) move.
MOVES = 10
#: Bytes per logit: written in half, read, made single, exponentiated, summed.
LOGIT_BYTES, LOGIT_BYTES_BACK = 12, 8
#: Bytes that the optimizer moves per parameter: gradient, three numbers of four bytes read and written, the half.
OPTIMIZER_BYTES = 4 + 2 * 12 + 2


@dataclass(frozen=True)
class Work:
    """One operation of a rank, forward.

    Attributes
    ----------
    name
        Of the operation.
    flops, bytes
        What it computes, and reads and writes.
    backward
        How many times as much the backward pass has.
    scores
        It is the core of attention, which is computed in half precision whatever matrices are in.
    """

    name: str
    flops: float
    bytes: float
    backward: float = BACKWARD
    scores: bool = False


def layer(model: Model, split: Split, mixed: bool) -> list[Work]:
    """The operations of one layer on one micro-batch."""
    tokens, tp = split.tokens, split.tp
    h, heads, width = model.hidden, model.heads, model.width

    def matrix(name: str, parameters: float, rows: float, ends: float) -> Work:
        """A product of `rows` rows with n parameters; `ends` numbers of a row go in and out."""
        return Work(name, 2 * rows * parameters / tp, HALF * (parameters + rows * ends) / tp)

    pairs = float(split.micro_batch * split.sequence) * split.sequence / split.cp
    flash = split.attention == "flash"
    moved = tokens * (heads + model.kv) * (model.score_width + width)
    stored = 0 if flash else SCORE_MOVES * pairs * heads
    made = [
        matrix("attention products", model.attention_parameters(), tokens, 4 * heads * width),
        Work(
            "attention scores", (1 if flash else 2) * pairs * (model.score_width + width) * heads / tp,
            HALF * (moved + stored) / tp, BACKWARD_FLASH if flash else BACKWARD, True,
        ),
        Work("norms and sums", 0, HALF * MOVES * tokens * h / split.sliced),
    ]  # fmt: skip
    if not mixed:
        ends = h * 2 + model.ffn * (3 if model.gated else 2)
        return [*made, matrix("mlp products", model.mlp_parameters(), tokens, ends), _activation(model, split, tokens)]
    local = model.experts // split.ep * model.expert_parameters()
    rows = tokens * model.top_k
    ends = h * 2 + model.inner * (3 if model.gated else 2)
    flops = 2.0 * rows * model.expert_parameters() / tp
    made.append(Work("expert products", flops, HALF * (local + rows * ends) / tp))
    if model.shared_experts:
        made.append(matrix("shared experts", model.shared_experts * model.expert_parameters(), tokens, ends))
    made.append(
        Work("router", 2.0 * tokens * model.router_parameters() / split.sliced, HALF * tokens * h / split.sliced)
    )
    # Tokens are sorted by expert and back: two copies.
    made.append(Work("sorting of tokens", 0, HALF * 4 * rows * h / split.sliced))
    return [*made, _activation(model, split, rows + tokens * model.shared_experts)]


def _activation(model: Model, split: Split, rows: float) -> Work:
    width = model.inner if model.experts else model.ffn
    return Work("activation", 0, HALF * rows * width * (3 if model.gated else 2) / split.tp)


def head(model: Model, split: Split) -> list[Work]:
    """Logits and loss."""
    logits = split.tokens * model.vocab / split.tp
    table = model.embedding_parameters() / split.tp
    return [
        Work("logits", 2 * logits * model.hidden, HALF * (table + logits)),
        Work("loss", 0, LOGIT_BYTES * logits, LOGIT_BYTES_BACK / LOGIT_BYTES),
    ]


def embedding(model: Model, split: Split) -> list[Work]:
    """The look-up of tokens."""
    return [Work("embedding", 0, 2 * HALF * split.tokens * model.hidden / split.sliced)]


@dataclass(frozen=True)
class Roofline:
    """The times of a GPU at a precision."""

    gpu: Accelerator
    precision: str
    efficiency: float

    def forward_s(self, work: Work) -> float:
        """Seconds of the forward pass."""
        precision, share = ("bf16", SCORES) if work.scores else (self.precision, 1.0)
        rate = share * self.efficiency * self.gpu.peak(precision)
        return max(work.flops / rate, work.bytes / self.gpu.memory_bytes_per_s)

    def backward_s(self, work: Work) -> float:
        """Seconds of the backward pass, without what is computed again."""
        return work.backward * self.forward_s(work)

    def optimizer_s(self, parameters: float) -> float:
        """Seconds in which n parameters are updated."""
        return parameters * OPTIMIZER_BYTES / self.gpu.memory_bytes_per_s


def again(work: Work, split: Split) -> bool:
    """Whether the backward pass computes it again: with `selective` the stored scores, else what has no products."""
    if split.recompute == "selective":
        return work.scores if split.attention == "stored" else not work.flops
    return split.recompute == "full"


def model_flops(model: Model, split: Split) -> float:
    """Of a step on all GPUs: what the model needs, with nothing computed twice.

    Notes
    -----
    6 per active parameter of a matrix and token, and attention: 3 s (score width + width) heads per layer and token
    where the mask's half is left out (`flash`), else twice that. For a GPT this is the formula of Narayanan et al.
    (2021): 96 B s l h² (1 + s / 6h + V / 16 l h), less its fourth forward pass: 72 instead of 96, and 12 instead of 16.
    """
    one = Split(1, sequence=split.sequence, attention=split.attention, global_batch=1)
    layers = [(model.mixed_layers, layer(model, one, True))] if model.mixed_layers else []
    layers.append((model.layers - model.mixed_layers, layer(model, one, False)))
    forward = sum(count * sum(work.flops for work in works) for count, works in layers)
    forward += sum(work.flops for work in head(model, one))
    return 3.0 * forward * split.global_batch
