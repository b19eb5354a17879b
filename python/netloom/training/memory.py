"""Bytes that a step needs on each GPU: parameters, gradients, optimizer, activations.

Activations are those of Korthikanti et al., *Reducing Activation Recomputation in Large Transformer Models* (2022), of
any widths: for a GPT they are s b h (34 + 5 a s / h) / t a layer with sequence parallelism, s b h (10 + 24 / t + 5 a s
/ h t) without, and the last term falls away where scores are not stored.
"""

from __future__ import annotations

from dataclasses import dataclass

from .compute import HALF
from .model import Model
from .split import Split, layers_of

#: Adam: a copy of the parameters, and two moments, in single precision.
OPTIMIZER = 12
#: Layers whose gathered parameters a rank holds with ZeRO 3: the one that computes, and the next.
GATHERED = 2


@dataclass(frozen=True)
class Memory:
    """Bytes of the GPU that needs most."""

    parameters: float
    gradients: float
    optimizer: float
    activations: float
    stage: int

    @property
    def total(self) -> float:
        """All."""
        return self.parameters + self.gradients + self.optimizer + self.activations

    def facts(self) -> dict[str, float]:
        """As a JSON object."""
        return {name: getattr(self, name) for name in ("parameters", "gradients", "optimizer", "activations", "total")}


def layer_activations(model: Model, split: Split, mixed: bool) -> float:
    """Bytes that one layer keeps of one micro-batch for its backward pass, where not all is computed again."""
    tokens, h, t = split.tokens, model.hidden, split.tp
    heads, width = model.heads, model.width
    # Of what has no products, `selective` computes the results again where no scores are stored.
    lean = split.recompute == "selective" and split.attention == "flash"
    # Inputs of two norms, of attention and of the MLP; masks of two dropouts, a byte each.
    outside = HALF * (2 if lean else 4) * h + (2 * h if model.dropout else 0)
    inside = HALF * ((heads + model.kv) * model.score_width + model.kv * width + heads * width)
    if mixed:
        rows, inner = model.top_k + model.shared_experts, model.inner
        # What was sent to the experts is kept there.
        outside += HALF * model.top_k * h
    else:
        rows, inner = 1, model.ffn
    inside += HALF * rows * inner * ((3 if model.gated else 2) - lean)
    return tokens * (outside / split.sliced + inside / t) + _scores(model, split)


def _scores(model: Model, split: Split) -> float:
    """Softmax, its dropout and the mask: 5 bytes of each score."""
    if split.attention == "flash" or split.recompute == "selective":
        return 0.0
    return (5.0 if model.dropout else 2.0) * model.heads * split.tokens * split.sequence / split.tp


def kept(model: Model, split: Split, mixed: bool) -> float:
    """Bytes that one layer keeps: with full recomputation only its input."""
    if split.recompute == "full":
        return HALF * split.tokens * model.hidden / split.sliced
    return layer_activations(model, split, mixed)


def in_flight(split: Split, stage: int) -> float:
    """Micro-batches, of all layers of a stage, whose activations it keeps at the same time."""
    m, p, v = split.micro_batches, split.pp, split.interleave
    if split.schedule == "interleaved" and v > 1:
        return min(m * v, 2 * (p - stage - 1) + (v - 1) * p + 1) / v
    return min(m, p - stage)


def parameters_of(model: Model, split: Split, stage: int) -> tuple[float, float]:
    """Parameters of a rank of this stage: those that every data-parallel rank has, and those of its experts."""
    shared = routed = 0.0
    for part, layers in enumerate(layers_of(model, split)):
        if part % split.pp != stage:
            continue
        for number in layers:
            mixed = is_mixed(model, number)
            shared += model.layer_parameters(mixed) / split.tp
            routed += model.experts / split.ep * model.expert_parameters() / split.tp if mixed else 0.0
    table = model.embedding_parameters() / split.tp
    # A tied table stands on both ends of a pipeline.
    shared += table * (stage == 0) + table * (stage == split.pp - 1 and not (model.tied and split.pp == 1))
    return shared + model.learned_positions * model.hidden * (stage == 0), routed


def is_mixed(model: Model, number: int) -> bool:
    """Whether the layer of this number has experts."""
    return bool(model.experts) and number >= model.dense_layers


def of_stage(model: Model, split: Split, stage: int) -> Memory:
    """What a rank of this stage needs."""
    shared, routed = parameters_of(model, split, stage)
    copies, own = split.dp * split.cp, split.dp * split.cp // split.ep

    def held(zero: int) -> float:
        return shared / copies + routed / own if split.zero >= zero else shared + routed

    parameters = HALF * held(3)
    layers = [n for part, some in enumerate(layers_of(model, split)) if part % split.pp == stage for n in some]
    if split.zero == 3:
        biggest = max(_layer_parameters(model, split, is_mixed(model, number)) for number in layers)
        parameters += HALF * min(GATHERED, len(layers)) * biggest
    rate = sum(kept(model, split, is_mixed(model, number)) for number in layers)
    activations = rate * in_flight(split, stage)
    if split.recompute == "full":
        activations += max(layer_activations(model, split, is_mixed(model, number)) for number in layers)
    if stage == split.pp - 1:
        activations += (HALF * 2 * split.tokens * model.hidden + 4 * split.tokens * model.vocab) / split.tp
    return Memory(parameters, split.gradient_bytes * held(2), OPTIMIZER * held(1), activations, stage)


def _layer_parameters(model: Model, split: Split, mixed: bool) -> float:
    routed = model.experts / split.ep * model.expert_parameters() if mixed else 0.0
    return (model.layer_parameters(mixed) + routed) / split.tp


def memory(model: Model, split: Split) -> Memory:
    """Of the GPU that needs most."""
    return max((of_stage(model, split, stage) for stage in range(split.pp)), key=lambda one: one.total)
