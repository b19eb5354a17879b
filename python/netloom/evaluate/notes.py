"""One-line notes of an answer: what stands in for what, and links far above the ideal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import NetloomError
from . import core

if TYPE_CHECKING:
    from ..base.records import Found
    from ..scenario import Question
    from ..workload import Workload

#: Concentration worth a note: the worst link's time over that under the ideal split, and over that of the worst NIC.
FACTOR = 2.0
#: Messages up to which link loads are counted for one line: of more it would take a sixth of the simulation's time.
MOST_MESSAGES = 1 << 17


def notes(bound: Question, loads: Sequence[Workload]) -> list[str]:
    """The lines for a scenario whose jobs have these workloads.

    Notes
    -----
    Cost: two passes over at most `MOST_MESSAGES` messages, as link loads without adaptive jobs; one pass over programs.
    """
    if line := in_network(loads):
        return [line]
    lines = [stand_in(bound), bundled(loads), concentration(bound, loads)]
    return [line for line in lines if line]


def in_network(loads: Sequence[Workload]) -> str:
    """For a collective in which switches take part: it is the only job."""
    found = next((load for load in loads if isinstance(load, _core.Schedule) and load.switches), None)
    if found is None:
        return ""
    return (
        "Messages follow trees of switches, which combine at the rate of their links and without a cost of software; "
        f"in traces and pictures, ranks from {found.ranks} on are these switches."
    )


def stand_in(bound: Question) -> str:
    """For machines that route adaptively, if no routing is given."""
    if bound.network.default_routing != "group-minimal" or bound.site.variant != "static-direct":
        return ""
    if all(bound.site.routing_of(job.routing) != bound.network.default_routing or job.routing for job in bound.jobs):
        return ""
    return "Group-minimal in fixed shares stands in for the adaptive routing of dragonflies (variant adaptive-hybrid)."


def bundled(loads: Sequence[Workload]) -> str:
    """For traffic of several messages from one rank to another: it is sent as one."""
    traffic = [load for load in loads if isinstance(load, _core.Traffic)]
    messages = sum(load.messages for load in traffic)
    flows = sum(load.timed or len(load.table()["src"]) for load in traffic)
    if messages == flows:
        return ""
    return (
        f"Messages from one rank to another are sent as one: {flows:,} in place of {messages:,}; start-up counts once."
    )


def concentration(bound: Question, loads: Sequence[Workload]) -> str:
    """If one link takes more than twice the time that it would with messages spread over all shortest paths."""
    if "flow" in (bound.network.endpoint_per, *(kind["per"] for kind in bound.network.classes)):
        # Link loads share what flows do not share here.
        return ""
    if sum(load.messages for load in loads if isinstance(load, _core.Schedule | _core.Traffic)) > MOST_MESSAGES:
        return ""
    try:
        found = _core.evaluate(core.several(bound, loads), "loads", _FEW, None)
        if core.count(found, "messages") > MOST_MESSAGES:
            return ""
        worst, nic = _worst(found)
        if worst <= FACTOR * nic:
            return ""
        split = _worst(_core.evaluate(core.several(bound, loads, split=True), "loads", _FEW, None))[0]
    except NetloomError:
        # No list of shortest paths, or messages that cannot be counted: nothing to compare with.
        return ""
    ideal = max(split, nic)
    if worst <= FACTOR * ideal:
        return ""
    times = f"{worst / ideal:.3g} times"
    return f"The busiest link carries {times} what it would if all shortest paths shared the messages: see the routing."


_FEW = {"hottest": 0, "arrays": False}


def _worst(found: Found) -> tuple[float, float]:
    """Longest time that the bytes of a switch link take, and of an injection or ejection link."""
    classes = found["tables"]["classes"]
    by_name: dict[object, float] = {}
    for name, most in zip(classes["class"], classes["max_s"], strict=True):
        assert isinstance(most, float)
        by_name[name] = most
    return by_name.get("all", 0.0), max(by_name.get("injection", 0.0), by_name.get("ejection", 0.0))
