"""All splits of a model over a number of GPUs: rated by closed forms, the best ones simulated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from ..base.errors import NetloomError
from . import codes
from .model import Model
from .split import Split
from .step import Planner, Step

#: Micro-batches that are tried.
MICRO_BATCHES = (1, 2, 4, 8)
#: Why a split is refused, in words: by code and option.
_REASONS = {
    codes.DOES_NOT_FIT: "does not fit into the memory of a GPU",
    (codes.DOES_NOT_DIVIDE, "--tp"): "tp does not divide heads or widths",
    (codes.DOES_NOT_DIVIDE, "--pp"): "stages do not divide the layers",
    (codes.DOES_NOT_DIVIDE, "--ep"): "ep does not divide the experts or the data-parallel ranks",
    (codes.DOES_NOT_DIVIDE, "--global-batch"): "the batch does not divide into micro-batches",
    (codes.DOES_NOT_DIVIDE, "--sequence"): "the sequence does not divide",
}


@dataclass(frozen=True)
class Rated:
    """A split that is possible.

    Attributes
    ----------
    estimate_s
        By closed forms.
    step
        Simulated; None for those that were not among the best.
    """

    split: Split
    estimate_s: float
    step: Step | None = None

    @property
    def step_s(self) -> float:
        """The best that is known."""
        return self.estimate_s if self.step is None else self.step.step_s


@dataclass(frozen=True)
class Sweep:
    """What a sweep found.

    Attributes
    ----------
    rated
        The simulated ones first, then the others, each from the quickest on.
    refused
        How many splits were refused, by reason.
    """

    rated: Sequence[Rated]
    refused: dict[str, int]

    @property
    def best(self) -> Step:
        """The quickest."""
        found = self.rated[0].step
        assert found is not None
        return found


def divisors(number: int) -> list[int]:
    """From 1 on. O(sqrt(number))."""
    low = [k for k in range(1, int(number**0.5) + 1) if number % k == 0]
    return sorted({*low, *(number // k for k in low)})


def splits(model: Model, start: Split, fixed: Collection[str]) -> Iterator[Split]:
    """All degrees that multiply to the GPUs, with every micro-batch; those in `fixed` as `start` has them."""

    def choices(name: str, among: Sequence[int]) -> Sequence[int]:
        return (getattr(start, name),) if name in fixed else among

    for tp in choices("tp", divisors(start.gpus)):
        for pp in choices("pp", divisors(max(start.gpus // tp, 1))):
            for cp in choices("cp", divisors(max(start.gpus // (tp * pp), 1))):
                dp = start.gpus // (tp * pp * cp)
                if dp * tp * pp * cp != start.gpus or ("dp" in fixed and dp != start.dp) or cp * tp > start.sequence:
                    continue
                for ep in choices("ep", divisors(dp) if model.experts else (1,)):
                    for size in choices("micro_batch", MICRO_BATCHES):
                        yield replace(start, tp=tp, pp=pp, cp=cp, dp=dp, ep=ep, micro_batch=size)


def sweep(
    planner: Planner, start: Split, fixed: Collection[str] = (), best: int = 8,
    progress: Callable[[int, int], object] | None = None,
) -> Sweep:  # fmt: skip
    """Rate all splits, and simulate the `best` of them.

    Raises
    ------
    NetloomError
        `NL-Y007` if none is possible.
    """
    from ..base.errors import Fault

    rated, refused = [], Counter[str]()
    for split in splits(planner.model, start, fixed):
        try:
            rated.append(Rated(*planner.estimate(split)))
        except NetloomError as error:
            fault = error.faults[0]
            refused[_REASONS.get(fault.code) or _REASONS.get((fault.code, fault.place)) or str(fault.code)] += 1
    if not rated:
        words = "no split is possible: " + "; ".join(f"{count} {reason}" for reason, count in refused.most_common())
        raise NetloomError([Fault(codes.NO_SPLIT, "--sweep", words, "", "take more GPUs, or another --global-batch")])
    rated.sort(key=lambda one: one.estimate_s)
    shown = []
    for done, one in enumerate(rated[:best]):
        shown.append(replace(one, step=planner.simulated(one.split)))
        if progress is not None:
            progress(done + 1, min(best, len(rated)))
    shown.sort(key=lambda one: one.step_s)
    return Sweep([*shown, *rated[best:]], dict(refused.most_common()))
