"""Cost of a library's own choice on a network, compared with the best known here."""

from __future__ import annotations

from typing import TypedDict

from ..library.decide import Decision, tables
from ..mapping import placed
from ..network import network as network_of
from .clock import Clock
from .reorder import places
from .tables import simulated, time_collective, winners


class CostHere(TypedDict):
    """What `cost_here` gives; see there."""

    choice_s: float | None
    best: str
    best_s: float
    slower_by: float | None
    bound_s: float


def cost_here(
    made: Decision, network: str, placement: str = "linear", order: str = "draw", *, clock: Clock | None = None
) -> CostHere:
    """Times of the library's choice and of the fastest registered algorithm.

    Parameters
    ----------
    made
        The result of `decide`.
    network, placement, order
        Where the ranks of the decision's communicator run, one per endpoint.
    clock
        As `time_collective` takes it.

    Returns
    -------
    dict
        `choice_s`, the sum over the schedules that the choice runs one after the other, None if no schedule does the
        same; `best`, `best_s`; `slower_by`, the ratio; `bound_s`, which nothing beats.
    """
    net = network_of(network)
    mapping = placed(net, made.case.ranks, placement, order)
    clock = clock or simulated()
    collective = tables()[made.library]["collectives"][made.collective]["netloom"]
    size = made.case.size_bytes
    timing = time_collective(net, collective, mapping=mapping, sizes=[size], clock=clock)
    _, best, best_s = winners(timing)[0]
    choice_s = None
    if made.netloom is not None:
        choice_s = 0.0
        for call, factor in made.netloom:
            schedule, where = places(mapping, call, 0)
            choice_s += float(clock(net, schedule, where, size * factor, 0)["time_s"])
    return {
        "choice_s": choice_s,
        "best": best,
        "best_s": best_s,
        "slower_by": choice_s / best_s if choice_s is not None and best_s > 0 else None,
        "bound_s": timing.bound["time_s"] * size,
    }
