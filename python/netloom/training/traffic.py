"""The messages of a step: collectives of groups of each kind, and sends between stages, with their bytes and counts."""

from __future__ import annotations

from dataclasses import dataclass

from .compute import HALF
from .memory import is_mixed
from .model import Model
from .split import Split, layers_of

#: Axes of the ranks that a group of each kind has.
GROUPS = {
    "tp": ("tp",),
    "cp": ("cp",),
    "ep": ("ep",),
    "dp": ("cp", "ep", "dp"),
    "edp": ("cp", "dp"),
    "pp": ("pp",),
}
#: Under which an answer counts each kind: gradients of experts are data-parallel too.
COUNTED = {"edp": "dp"}


@dataclass(frozen=True)
class Call:
    """One collective, or a send to the neighbouring stage, of all groups of a kind at the same time.

    Attributes
    ----------
    kind
        A key of `GROUPS`.
    collective
        `allgather`, `reduce-scatter`, `allreduce`, `alltoall` or `send`.
    bytes
        Of the whole vector, of a rank: what it has after an allgather or before a sum, all it sends in an alltoall.
    """

    kind: str
    collective: str
    bytes: int


@dataclass(frozen=True)
class Use:
    """How often a layer makes a call.

    Attributes
    ----------
    forward, backward
        Calls that the layer waits for, in each pass.
    hidden_forward, hidden_backward
        Calls that run while it computes what is named `behind`: only what outlasts it is waited for.
    """

    call: Call
    forward: int = 0
    backward: int = 0
    hidden_forward: int = 0
    hidden_backward: int = 0
    behind: str = "products"

    @property
    def times(self) -> int:
        """In both passes."""
        return self.forward + self.backward + self.hidden_forward + self.hidden_backward


def layer(model: Model, split: Split, mixed: bool) -> list[Use]:
    """The calls of one layer on one micro-batch.

    Notes
    -----
    Tensor parallelism (Shoeybi et al. 2019, with sequences Korthikanti et al. 2022): forward two allgathers and two
    reduce-scatters; backward as many, of which one pair is waited for and one is hidden behind products, as is the
    gathering again of two inputs. Without sequence parallelism an allreduce stands for each pair. Context parallelism:
    keys and values go round once, and in the backward pass they and their gradients. Experts: tokens there and
    back, twice.
    """
    made = [*_tensor(model, split), *_context(model, split)]
    if mixed and split.ep > 1:
        rows = split.tokens // split.sliced * model.top_k
        made.append(Use(Call("ep", "alltoall", HALF * rows * model.hidden), 2, 2))
    return made


def _tensor(model: Model, split: Split) -> list[Use]:
    if split.tp == 1:
        return []
    size = HALF * split.tokens * model.hidden
    if not split.sequence_parallel:
        return [Use(Call("tp", "allreduce", size), 2, 0, 0, 2)]
    gather, scatter = Call("tp", "allgather", size), Call("tp", "reduce-scatter", size)
    return [Use(gather, 2, 2, 0, 2), Use(scatter, 2, 0, 0, 2)]


def _context(model: Model, split: Split) -> list[Use]:
    if split.cp == 1:
        return []
    width = model.kv_rank + model.rope_dim if model.kv_rank else 2 * model.kv * model.width
    # Of grouped heads that are fewer than tp, ranks share one.
    slices = 1 if model.kv_rank else min(split.tp, model.kv)
    size = HALF * split.tokens * split.cp * width // slices
    gather, scatter = Call("cp", "allgather", size), Call("cp", "reduce-scatter", size)
    return [Use(gather, 0, 0, 1, 1, "scores"), Use(scatter, 0, 0, 0, 1, "scores")]


def boundary(model: Model, split: Split) -> Call | None:
    """What a rank sends to the next stage for a micro-batch: its slice of the activations; None on one stage.

    Without sequence parallelism too: the next stage gathers them over NVLink (Narayanan et al. 2021).
    """
    if split.pp == 1:
        return None
    return Call("pp", "send", HALF * split.tokens * model.hidden // split.tp)


@dataclass(frozen=True)
class Sum:
    """Gradients of one piece of the model, summed over its replicas, and the parameters gathered after the update.

    Attributes
    ----------
    kind
        `dp`, or `edp` for those of experts.
    parameters
        Of a rank.
    """

    kind: str
    parameters: float

    def calls(self, split: Split, sizes: dict[str, int]) -> tuple[Call | None, Call | None]:
        """What sums the gradients, and what gathers the parameters; None where a group has one rank."""
        if sizes[self.kind] == 1 or not self.parameters:
            return None, None
        gradients = int(split.gradient_bytes * self.parameters)
        if split.zero == 0:
            return Call(self.kind, "allreduce", gradients), None
        gathered = Call(self.kind, "allgather", int(HALF * self.parameters))
        return Call(self.kind, "reduce-scatter", gradients), gathered


def group_sizes(split: Split) -> dict[str, int]:
    """Ranks of a group of each kind."""
    sizes = split.sizes()
    made = {}
    for kind, axes in GROUPS.items():
        made[kind] = 1
        for axis in axes:
            made[kind] *= sizes[axis]
    return made


def layer_sums(model: Model, split: Split, mixed: bool) -> list[Sum]:
    """Of one layer: its own parameters, and those of the experts that a rank has."""
    made = [Sum("dp", model.layer_parameters(mixed) / split.tp)]
    if mixed:
        made.append(Sum("edp", model.experts / split.ep * model.expert_parameters() / split.tp))
    return made


def table_sum(model: Model, split: Split) -> Sum:
    """Of an embedding, or the matrix that makes logits."""
    return Sum("dp", model.embedding_parameters() / split.tp)


def tables_of(model: Model, split: Split, stage: int) -> int:
    """Tables of the vocabulary that a stage has; a tied one is one on a single stage."""
    return (stage == 0) + (stage == split.pp - 1 and not (model.tied and split.pp == 1))


@dataclass(frozen=True)
class Listed:
    """A row of the answer: a call, and how often a rank of the stage that moves most bytes makes it."""

    call: Call
    times: int
    what: str


def listed(model: Model, split: Split) -> list[Listed]:
    """All calls of a rank of the stage that moves most bytes."""
    stages = (_of_stage(model, split, stage) for stage in range(split.pp))
    return max(stages, key=lambda rows: sum(one.times * one.call.bytes for one in rows))


def _of_stage(model: Model, split: Split, stage: int) -> list[Listed]:
    own = [n for part, some in enumerate(layers_of(model, split)) if part % split.pp == stage for n in some]
    sizes, m, found = group_sizes(split), split.micro_batches, dict[tuple[Call, str], int]()

    def add(call: Call | None, times: int, what: str) -> None:
        if call is not None and times:
            found[call, what] = found.get((call, what), 0) + times

    for number in own:
        mixed = is_mixed(model, number)
        for use in layer(model, split, mixed):
            again = use.forward + use.hidden_forward if split.recompute == "full" else 0
            add(use.call, m * (use.times + again), "activations")
        for one in layer_sums(model, split, mixed):
            scatter, gather = one.calls(split, sizes)
            add(scatter, m if split.zero >= 2 else 1, "gradients")
            add(gather, 2 * m if split.zero == 3 else 1, "parameters")
    scatter, gather = table_sum(model, split).calls(split, sizes)
    add(scatter, tables_of(model, split, stage), "gradients of a table")
    add(gather, tables_of(model, split, stage), "parameters of a table")
    add(boundary(model, split), 2 * m * split.interleave, "activations to the next stage, gradients back")
    return [Listed(call, times, what) for (call, what), times in found.items()]
