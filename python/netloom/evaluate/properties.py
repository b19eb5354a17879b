"""Which properties of a network and its machine each rung counts, refuses or leaves out.

A rung is an evaluator with one of its models. Every property is in one of three sets: what a rung does not count and
does not refuse, its answers name in their assumptions. So nothing that a scenario says can be without effect and
without a word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from ..base.records import Found

#: Properties, each with the words of an answer that leaves it out.
PROPERTIES: dict[str, str] = {
    "bandwidth": "bandwidth of links",
    "latency": "latency of links",
    "switch_latency": "time in switches",
    "node": "links inside nodes",
    "duplex": "cables whose directions share bandwidth",
    "buffers": "buffers of switches",
    "overheads": "time of software",
    "latency_factors": "factors of latency",
    "bandwidth_factors": "factors of bandwidth",
    "sharing": "weights by which flows share a link",
    "cross_traffic": "traffic of acknowledgements",
    "tcp_window": "windows of TCP",
    "loopback": "copies inside an endpoint",
    "background": "background flows",
}
#: Those of a calibration.
CALIBRATION = (
    "overheads", "latency_factors", "bandwidth_factors", "sharing", "cross_traffic", "tcp_window", "loopback",
)  # fmt: skip


@dataclass(frozen=True)
class Rung:
    """What a model does with each of `PROPERTIES`: it counts it, refuses it, or, all others, leaves it out."""

    model: str
    counts: frozenset[str]
    refuses: frozenset[str]
    assumptions: tuple[str, ...]

    @property
    def left_out(self) -> tuple[str, ...]:
        """Properties that have no effect."""
        return tuple(name for name in PROPERTIES if name not in self.counts | self.refuses)

    def sentences(self) -> tuple[str, ...]:
        """The assumptions, with what is not counted."""
        names = [PROPERTIES[name] for name in self.left_out]
        if not names:
            return self.assumptions
        words = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        return (*self.assumptions, f"Not counted: {words}.")


def _rung(model: str, counts: str, refuses: str, *assumptions: str) -> Rung:
    return Rung(model, frozenset(counts.split()), frozenset(refuses.split()), assumptions)


#: What all evaluators without time refuse: their scenarios have no such input.
_NO_TIME = "switch_latency duplex overheads latency_factors bandwidth_factors sharing cross_traffic tcp_window loopback"
_QUEUES = "Nothing is lost: a packet moves when there is room for it, and waits for it otherwise."
_SOURCES = "Sources are independent: every endpoint with ranks makes packets of one size at random, at the same rate."
_SHARES = "The messages of the workload give the destinations and their shares, no order."
_CURVE = f"{_NO_TIME} node background"
_INPUT = "Switches queue packets at their inputs"
_PADDED = (
    "A message is cut into packets of one size, the last one filled up, each of which takes one path; nothing is lost."
)
_CYCLES = "A cycle moves 16 bytes over an endpoint's link; latencies are whole cycles, the nearest."
_IN_ORDER = "NICs send the packets of their messages in the order in which messages start."

RUNGS: dict[str, Rung] = {
    "hops": _rung(
        "shortest distances", "node", f"{_NO_TIME} background",
        "Every message takes a shortest path; links have no load.",
        "Ranks of one switch are 0 hops apart.",
    ),
    "loads": _rung(
        "expected bytes on links (Jain 2016, section 3.2.2)", "bandwidth node background", _NO_TIME,
        "All messages of all jobs are under way together; there is no time.",
        "Background flows are one more job, over the paths of the first job's routing in fixed shares.",
        "Adaptive variants know the load of every link; real switches see their own queues.",
    ),
    "packet/output-queued": _rung(
        "packets through output-queued switches (Jain 2016, section 5.3)",
        "bandwidth latency switch_latency node buffers overheads latency_factors bandwidth_factors loopback background",
        "duplex cross_traffic tcp_window",
        "A message is cut into packets, each of which takes one path; nothing is lost.",
        "Switches queue packets at their outputs; one goes on when the next buffer has room. Crossbars are ideal.",
        "NICs send packets of their messages in turn. Ranks of one endpoint exchange messages without its links.",
    ),
    "packet/input-queued": _rung(
        "packets through input-queued switches, virtual cut-through (Navaridas 2009, section 4.1)",
        "bandwidth latency switch_latency buffers overheads bandwidth_factors loopback",
        "node duplex latency_factors cross_traffic tcp_window background",
        _PADDED, f"{_INPUT}; of those that want one output a random one goes when the next queue has room.", _CYCLES,
        _IN_ORDER,
    ),
    "packet/booksim": _rung(
        "flits through input-queued switches, wormhole (router iq of BookSim2)",
        "latency switch_latency buffers overheads bandwidth_factors loopback",
        "bandwidth node duplex latency_factors cross_traffic tcp_window background",
        _PADDED, f"{_INPUT}, flit by flit; separable allocators give channels and the crossbar in turn.", _CYCLES,
        _IN_ORDER,
    ),
    "throughput/output-queued": _rung(
        "packets through output-queued switches (Jain 2016, section 5.3)", "bandwidth latency buffers", _CURVE,
        _SOURCES, _QUEUES, _SHARES,
    ),
    "throughput/input-queued": _rung(
        "packets through input-queued switches, virtual cut-through (Navaridas 2009, section 4.1)",
        "bandwidth buffers", _CURVE, _SOURCES, _QUEUES, _SHARES,
        "A link takes the cycles of the switch model's link_delay, 0 by default, in place of its latency.",
    ),
    "throughput/booksim": _rung(
        "flits through input-queued switches, wormhole (router iq of BookSim2)", "buffers", f"{_CURVE} bandwidth",
        _SOURCES, _QUEUES, _SHARES,
        "A link takes the cycles of the switch model's link_latency and global_latency in place of its latency.",
    ),
    "time": _rung(
        "max-min fair flows",
        "bandwidth latency switch_latency node duplex overheads latency_factors bandwidth_factors sharing "
        "cross_traffic tcp_window loopback background",
        "",
        "A message is a fluid over all paths of its routing at once, in fixed shares; `hashed`: over one of them.",
        "Shares of adaptive variants are those of link loads with all messages under way.",
        "Ranks of one endpoint exchange messages without its links.",
    ),
}  # fmt: skip


#: Of an answer in which the switch model was given cycles for links.
_FIXED = "Links between switches take the cycles that the switch model was given, in place of their latency."


def of_switches(evaluator: str, found: Found) -> Rung:
    """The rung of an answer of packets, by the switch model that was used."""
    record = found["record"]
    rung = RUNGS[f"{evaluator}/{cast('str', record['switch_kind'])}"]
    return replace(rung, assumptions=(*rung.assumptions, _FIXED)) if record.get("fixed_latency") else rung
