"""How a step is divided over GPUs, and what of it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import prod

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from . import codes
from .model import Model

SCHEDULES = ("1f1b", "interleaved", "zero-bubble")
RECOMPUTE = ("none", "selective", "full")
#: In place of one of them: the first with which a step fits.
AUTO = "auto"
PRECISIONS = ("bf16", "fp8", "fp4")
ATTENTION = ("flash", "stored")
#: Axes of the ranks in Megatron's order, the first one fastest: experts are a part of the data-parallel ranks.
AXES = ("tp", "cp", "ep", "dp", "pp")
#: Whose messages `--overlap` can hide.
HIDDEN = ("tp", "cp", "ep")
_DEGREES = ("tp", "pp", "cp", "ep", "dp")
_COUNTS = (*_DEGREES, "gpus", "micro_batch", "global_batch", "sequence", "interleave")


@dataclass(frozen=True)
class Split:
    """Degrees, batch, schedule and precision of a step.

    Attributes
    ----------
    gpus
        tp x cp x dp x pp.
    ep
        A divisor of dp: the data-parallel ranks over which experts are spread.
    micro_batch, global_batch
        Sequences of a micro-batch on one rank, and of a step on all.
    zero
        0: all is replicated; 1: the optimizer is divided over the data-parallel ranks; 2: gradients, 3: parameters too.
    interleave
        Parts of the layers that a stage has, of the schedule `interleaved`.
    recompute
        What the backward pass computes again instead of keeping it: nothing; `selective`: stored scores, or, with
        `flash`, what has no products; `full`: every layer from its input.
    attention
        `flash`: scores are never stored, and half of them, which the mask hides, are not computed. `stored`: all are.
    gradient_bytes
        Of one, when gradients are summed.
    order
        Axes of the ranks, the first one fastest.
    uneven
        Stages may differ by a layer.
    overlap
        Share of an axis's messages that is hidden behind computation, besides what libraries always hide.
    """

    gpus: int
    tp: int = 1
    pp: int = 1
    cp: int = 1
    ep: int = 1
    dp: int = 1
    micro_batch: int = 1
    global_batch: int = 1
    sequence: int = 2048
    zero: int = 1
    schedule: str = "1f1b"
    interleave: int = 1
    recompute: str = AUTO
    precision: str = "bf16"
    attention: str = "flash"
    sequence_parallel: bool = True
    gradient_bytes: int = 4
    order: tuple[str, ...] = AXES
    uneven: bool = False
    overlap: Mapping[str, float] = field(default_factory=dict)

    @property
    def micro_batches(self) -> int:
        """Of one rank in a step."""
        return self.global_batch // (self.dp * self.micro_batch)

    @property
    def parts(self) -> int:
        """Into which the layers are cut: stages times parts of a stage."""
        return self.pp * self.interleave

    @property
    def tokens(self) -> int:
        """Of a micro-batch on the ranks of one tensor-parallel group."""
        return self.micro_batch * self.sequence // self.cp

    @property
    def sliced(self) -> int:
        """Parts into which what lies outside of the matrices is cut: with sequence parallelism as the matrices."""
        return self.tp if self.sequence_parallel else 1

    def sizes(self) -> dict[str, int]:
        """Extent of each axis of the ranks."""
        return {"tp": self.tp, "cp": self.cp, "ep": self.ep, "dp": self.dp // self.ep, "pp": self.pp}

    def facts(self) -> dict[str, object]:
        """As a JSON object."""
        made = {one.name: getattr(self, one.name) for one in fields(self)}
        return made | {
            "order": "-".join(self.order),
            "overlap": dict(self.overlap),
            "micro_batches": self.micro_batches,
        }


def layers_of(model: Model, split: Split) -> list[range]:
    """The layers of each part, in the order in which a token passes them; part k is on stage k mod pp.

    Where layers do not divide, the tables of the vocabulary count as a layer each, as in Llama 3.
    """
    layers, parts = model.layers, split.parts
    if layers % parts == 0:
        counts = [layers // parts] * parts
    elif parts > 1 and (layers + 2) % parts == 0:
        each = (layers + 2) // parts
        counts = [each - 1, *[each] * (parts - 2), each - 1]
    else:
        # As even as can be, the shorter ones at both ends, which have the tables.
        short = parts - layers % parts
        front, back = short // 2, short - short // 2
        counts = [layers // parts + (front <= k < parts - back) for k in range(parts)]
    starts = [sum(counts[:k]) for k in range(parts)]
    return [range(start, start + count) for start, count in zip(starts, counts, strict=True)]


def check(model: Model, split: Split) -> None:
    """All that is wrong with a split.

    Raises
    ------
    NetloomError
        `NL-Y002` to `NL-Y004`.
    """
    faults = [*_values(split), *(_divisions(model, split) if _positive(split) else ())]
    if faults:
        raise NetloomError(faults)


def _positive(split: Split) -> bool:
    return all(getattr(split, name) >= 1 for name in _COUNTS)


def _values(split: Split) -> list[Fault]:
    made = [
        Fault(codes.BAD_VALUE, _flag(name), "an integer >= 1", str(getattr(split, name)))
        for name in _COUNTS
        if getattr(split, name) < 1
    ]
    for name, known in (
        ("schedule", SCHEDULES), ("recompute", RECOMPUTE), ("precision", PRECISIONS), ("attention", ATTENTION),
    ):  # fmt: skip
        if getattr(split, name) not in known:
            hint = did_you_mean(getattr(split, name), known)
            made.append(Fault(codes.UNKNOWN, _flag(name), "one of " + ", ".join(known), getattr(split, name), hint))
    if split.zero not in range(4):
        made.append(Fault(codes.BAD_VALUE, "--zero", "0, 1, 2 or 3", str(split.zero)))
    if sorted(split.order) != sorted(AXES):
        expected = f"every one of {', '.join(AXES)} once, such as {'-'.join(AXES)}"
        made.append(Fault(codes.BAD_VALUE, "--axes", expected, "-".join(split.order)[:80]))
    for name, share in split.overlap.items():
        if name not in HIDDEN:
            hint = did_you_mean(name, HIDDEN, "groups")
            made.append(Fault(codes.UNKNOWN, "--overlap", f"one of {', '.join(HIDDEN)}", name[:80], hint))
        elif not 0 <= share <= 1:
            made.append(Fault(codes.BAD_VALUE, f"--overlap {name}", "a share in 0..1", f"{share:g}"))
    if split.interleave > 1 and split.schedule != "interleaved":
        words = f"has no effect with the schedule {split.schedule}"
        made.append(Fault(codes.BAD_VALUE, "--interleave", words, "", "give --schedule interleaved"))
    return made


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _divisions(model: Model, split: Split) -> list[Fault]:
    made: list[Fault] = []

    def refuse(place: str, words: str, hint: str) -> None:
        made.append(Fault(codes.DOES_NOT_DIVIDE, place, words, "", hint))

    product = prod((split.tp, split.cp, split.dp, split.pp))
    if product != split.gpus:
        words = f"tp {split.tp} x cp {split.cp} x dp {split.dp} x pp {split.pp} are {product} GPUs, not {split.gpus}"
        rest = split.tp * split.cp * split.pp
        hint = f"--dp {split.gpus // rest}" if split.gpus % rest == 0 else f"--gpus {product}"
        refuse("--gpus", words, f"give {hint}")
    for what, count in (("heads", model.heads), ("kv_heads", model.kv), ("ffn", model.ffn)):
        if count % split.tp and not (what == "kv_heads" and split.tp % model.kv == 0):
            refuse("--tp", f"{split.tp} does not divide the {count} {what} of {model.name}", _divisors(count, split.tp))
    if split.ep > 1:
        if not model.experts:
            refuse("--ep", f"{model.name} has no experts to spread over {split.ep} ranks", "give --ep 1")
        elif model.experts % split.ep:
            words = f"{split.ep} does not divide the {model.experts} experts of {model.name}"
            refuse("--ep", words, _divisors(model.experts, split.ep))
        if split.dp % split.ep:
            words = f"{split.ep} does not divide --dp {split.dp}, over whose ranks experts are spread"
            refuse("--ep", words, _divisors(split.dp, split.ep))
    made += _pipeline(model, split)
    each = split.dp * split.micro_batch
    if split.global_batch % each:
        words = f"{split.global_batch} is no multiple of dp {split.dp} x micro-batch {split.micro_batch}"
        refuse("--global-batch", words, f"give --global-batch {max(1, round(split.global_batch / each)) * each}")
    if split.sequence % (split.cp * split.sliced):
        words = f"{split.sequence} tokens are no multiple of cp x tp, {split.cp * split.sliced}"
        refuse("--sequence", words, "change the sequence, or give fewer --cp")
    return made


def _pipeline(model: Model, split: Split) -> list[Fault]:
    made: list[Fault] = []
    if split.parts > model.layers:
        words = f"{split.pp} stages x interleave {split.interleave} are more parts than the {model.layers} layers"
        made.append(Fault(codes.DOES_NOT_DIVIDE, "--pp", words, "", _divisors(model.layers, split.pp)))
    elif model.layers % split.parts and (split.parts == 1 or (model.layers + 2) % split.parts) and not split.uneven:
        stages = f"{split.pp} stages x interleave {split.interleave}"
        words = f"{model.layers} layers of {model.name} do not divide over {stages}"
        hint = f"{_divisors(model.layers, split.parts)}, or give --uneven"
        made.append(Fault(codes.DOES_NOT_DIVIDE, "--pp", words, "", hint))
    if split.schedule == "interleaved" and split.micro_batches % split.pp:
        words = f"interleaved takes micro-batches in turns of {split.pp}; {split.micro_batches} are no multiple"
        hint = f"give --global-batch {-(-split.micro_batches // split.pp) * split.pp * split.dp * split.micro_batch}"
        made.append(Fault(codes.DOES_NOT_DIVIDE, "--global-batch", words, "", hint))
    return made


def _divisors(count: int, wrong: int) -> str:
    """The nearest numbers that divide."""
    below = max(k for k in range(1, min(wrong, count) + 1) if count % k == 0)
    above = next((k for k in range(wrong, count + 1) if count % k == 0), None)
    return f"the nearest that divide are {below} and {above}" if above else f"the nearest that divides is {below}"
