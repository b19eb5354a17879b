"""What a decision between mappings rests on: costs that the models do not have, and a size that nobody gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ..base.quantities import size_text
from ..scenario.search import too_long_to_time
from ..scenario.sizes import NAME
from ..workload.resolve import takes_size
from .mapped import measured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..base.arrays import Endpoints
    from ..scenario import Question

#: The size at which a mapping is looked at again that was searched for the size of one byte.
OTHER_SIZE = 1 << 20
#: Most messages of such a look.
MOST_MESSAGES = 1 << 16
#: Settings that give messages and collectives time of software.
OVERHEADS = ("send_overhead", "nonblocking_send_overhead", "receive_overhead", "message_latency", "call_overhead_s")


def free_of_cost(bound: Question) -> list[str]:
    """Costs of a real machine that simulated time has none of here, in words; empty where all are given."""
    settings = bound.site.settings
    network = bound.network
    latencies = [one["latency_s"] for one in network.classes]
    left = []
    if not any(settings.get(name) for name in OVERHEADS):
        left.append("software")
    if not settings.get("combine_s_per_byte"):
        left.append("combining data in memory")
    if not settings["switch_latency_s"] and not any(latencies):
        left.append("links and switches to pass a message on")
    return left


def without_size(bound: Question) -> bool:
    """True if the only job's workload takes a size and nobody gave one."""
    source = bound.value("workload")
    text = isinstance(source, str) and bool(source)
    return NAME not in bound.scenario and text and takes_size(str(source), bound.workshop.calls.folder)


def size_note(bound: Question) -> str:
    """What to say of a collective without a size; empty where there is nothing to say."""
    if not without_size(bound):
        return ""
    size = size_text(bound.size_bytes, " ")
    return f"no size was given: the mapping is for a collective of {size}, where latency decides; give --size for yours"


def at_other_size(bound: Question, mappings: Sequence[Endpoints]) -> dict[int, list[float]]:
    """Simulated time of mappings at `OTHER_SIZE` where no size was given; empty where it was, or takes too long."""
    from . import bound_of, evaluator

    if not without_size(bound) or bound.messages.messages * len(mappings) > MOST_MESSAGES:
        return {}
    larger = bound_of(evaluator("time"), bound.scenario.but(size_bytes=OTHER_SIZE), bound.workshop, bound.progress)
    if too_long_to_time(larger.messages.messages, larger.repetitions):
        return {}
    notes: list[str] = []
    times = [measured(larger, slots, notes, ("time",))["time_s"] for slots in mappings]
    return {} if None in times else {OTHER_SIZE: [float(cast("float", one)) for one in times]}
