"""Which group stands on which node, rail or rack: orders of the ranks' axes, the best found by simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

from .groups import Layout, places
from .split import Split
from .step import Planner
from .timeline import Timeline
from .timing import Expected

#: Orders that programs give, the first axis fastest. DeepSpeed's topology (pipe, data, model) and the meshes of
#: torchrun's programs (pp, dp, cp, tp, last one fastest) number ranks as Megatron does.
PROGRAMS = {
    "tp-cp-ep-dp-pp": "Megatron-LM, DeepSpeed, TorchTitan under torchrun",
    "tp-cp-ep-pp-dp": "Megatron-LM with --use-tp-pp-dp-mapping",
}


@dataclass(frozen=True)
class Placed:
    """An order of the axes on the places of the job.

    Attributes
    ----------
    program
        That numbers ranks so; empty for those of netloom.
    step_s
        Simulated.
    """

    order: tuple[str, ...]
    program: str
    step_s: float


def orders(split: Split) -> list[tuple[str, ...]]:
    """All orders that differ: axes of one rank stay where they are, at the end."""
    sizes = split.sizes()
    wide = [axis for axis in split.order if sizes[axis] > 1]
    narrow = tuple(axis for axis in split.order if sizes[axis] == 1)
    return [order + narrow for order in permutations(wide)]


def place(
    planner: Planner, split: Split, best: int = 6, progress: Callable[[int, int], object] | None = None
) -> list[Placed]:
    """The orders that programs give and the `best` others by the library's own model, simulated, the quickest first."""
    split = planner.settled(split)
    roof = planner.roofline(split.precision)
    named = {_key(split, tuple(text.split("-"))): program for text, program in PROGRAMS.items()}

    def expected_s(order: tuple[str, ...]) -> float:
        clock = Expected(planner.cluster, Layout.of(split, order))
        return Timeline(planner.model, split, roof, clock).estimate_s()

    rated = sorted(orders(split), key=expected_s)
    chosen = [order for order in rated if _key(split, order) in named or _key(split, order) == _key(split, split.order)]
    chosen += [order for order in rated if order not in chosen][:best]
    found = []
    for done, order in enumerate(chosen):
        found.append(Placed(order, named.get(_key(split, order), ""), planner.step_s(split, order)))
        if progress is not None:
            progress(done + 1, len(chosen))
    return sorted(found, key=lambda one: one.step_s)


def _key(split: Split, order: tuple[str, ...]) -> tuple[str, ...]:
    """The axes of more than one rank."""
    sizes = split.sizes()
    return tuple(axis for axis in order if sizes[axis] > 1)


__all__ = ["PROGRAMS", "Placed", "orders", "place", "places"]
