"""What the evaluators are thought to take, from counts.

The numbers were measured in November 2026 on two cores of a server, on tori, trees and dragonflies of 256 to 4,096
endpoints: they are in the middle of what was found, a factor of three or so from its ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import log2
from typing import TYPE_CHECKING

from .. import _core
from ..base import ahead
from ..base.ahead import LONG_S, Estimate, many
from ..base.errors import NetloomError
from ..base.quantities import counted
from ..scenario.search import too_long_to_time
from . import core

if TYPE_CHECKING:
    from ..results.rows import Cell
    from ..scenario import Question
    from ..workload import Workload

#: Seconds of a message that travels as a flow, and the messages of a rank at once with which they double.
FLOW_S, CROWD = 2.2e-6, 60
#: What programs take of that: most of their messages travel without others.
OF_PROGRAMS = 0.6
#: Seconds of a packet on a link, and of a message.
PACKET_HOP_S, PACKET_MESSAGE_S = 3e-7, 2e-6
#: Bytes of a listed message, of a message under way, of a link of a route that is kept, and how many of these at most.
LISTED_BYTES, MESSAGE_BYTES, LINK_BYTES, KEPT_LINKS = 80, 850, 45, 1 << 23
#: Packets of a message, or repetitions, from which on a part of a fast run is simulated, and the usual share of it.
FAST_PACKETS, FAST_SHARE = 140, 0.1
#: Bytes of a packet where the switch does not say.
PACKET_BYTES = 4096
#: Seconds of a message that is read, of a pair of ranks on a link, of link loads; how often adaptive variants look.
READ_S, LOAD_HOP_S = 3e-8, 5e-8
#: Where all send to all: seconds of a switch on the routes to a destination, of a pair that goes by dimensions.
TREE_S, STAGE_S = 5e-8, 5e-9
ROUNDS = {"adaptive-direct": 6.0, "adaptive-indirect": 40.0, "adaptive-hybrid": 40.0}
#: Seconds of a message of which hops are counted, in alike rounds and in a list, and of a pair of switches.
ROUND_S, HOPS_S, PAIR_S = 8e-9, 4e-8, 2e-9
#: Most switches of a grid of which all distances are kept.
ALL_PAIRS = 8192
#: Seconds of an endpoint in one cycle, idle and more at full load; the share of these with output queues.
IDLE_S, CYCLE_S, QUEUED = 2e-8, 2e-7, 0.1
#: Cycles and points where nobody says how many.
CYCLES, POINTS, SEARCHED = 30_000, 10, 8
#: Seconds of a pair of switches in the search for a small cut.
CUT_S = 1.5e-7
#: Messages that are proved in a second.
PROVED_PER_S = 4e7
#: Messages of alike rounds that are proved as one: all ranks have the same, but for what is combined and sent on.
ALIKE = 100
#: Methods of a contest, and mappings of it that are simulated.
METHODS, FINALISTS = 12, 8
#: Ranks of which is asked how much they send.
SAMPLES = 16


def of_run(
    bound: Question, evaluator: str, loads: Iterable[Workload | _core.Sends], options: Mapping[str, Cell]
) -> Estimate:
    """Seconds and counts of a simulation of `time` or `packet`."""
    seconds, messages, loads = 0.0, 0.0, list(loads)
    for job, load in zip(bound.jobs, loads, strict=True):
        count = messages_of(load) * job.repetitions
        messages += count
        if evaluator == "packet":
            size = _packet_bytes(options)
            packets = max(_bytes(load, bound.size_bytes) * job.repetitions / size, count)
            if options.get("fast") and max(packets / max(count, 1), job.repetitions) >= FAST_PACKETS:
                packets *= FAST_SHARE
            seconds += PACKET_MESSAGE_S * count + PACKET_HOP_S * packets * hops_of(bound.network)
        else:
            seconds += flow_s(load, job.ranks) * job.repetitions
    memory = sum(_memory(load, hops_of(bound.network)) for load in loads) if seconds > LONG_S else 0.0
    others = "the flow model" if evaluator == "packet" else "link loads"
    return Estimate(seconds, many(messages, "messages"), f"{others}, fewer ranks, fewer repetitions", memory)


def _memory(load: Workload | _core.Sends, hops: float) -> float:
    """Bytes of messages in lists and under way, and of the routes of pairs of ranks."""
    messages, at_once = messages_of(load), _at_once(load)
    sends = _core.Sends.of_schedule(load) if isinstance(load, _core.Schedule) else load
    pairs = counts_of(sends)[1] if isinstance(sends, _core.Sends) else min(messages, float(load.ranks) ** 2)
    listed = 0.0 if isinstance(load, _core.Sends) or (isinstance(load, _core.Schedule) and load.is_cyclic) else messages
    return LISTED_BYTES * listed + MESSAGE_BYTES * at_once + LINK_BYTES * min(pairs * hops, KEPT_LINKS)


def _at_once(load: Workload | _core.Sends) -> float:
    """Messages of all ranks that are under way together: of a step, of programs one a rank, else all."""
    if isinstance(load, _core.Programs):
        return float(load.ranks)
    messages = messages_of(load)
    if isinstance(load, _core.Traffic):
        # Messages of one pair that start together are one flow.
        messages = max(min(messages, float(load.ranks) ** 2), load.timed)
    return messages / max(load.steps, 1) if isinstance(load, _core.Schedule) else messages


def flow_s(load: Workload | _core.Sends, ranks: int) -> float:
    """Seconds of a workload whose messages are flows: those that meet more of their kind take longer."""
    at_once = _at_once(load)
    messages = at_once if isinstance(load, _core.Traffic) else messages_of(load)
    each = OF_PROGRAMS * FLOW_S if isinstance(load, _core.Programs) else FLOW_S
    return each * messages * (1 + at_once / max(ranks, 1) / CROWD)


def of_loads(bound: Question, loads: Iterable[_core.Sends | _core.Schedule]) -> Estimate:
    """Seconds and counts of link loads: what all send to all is summed by destination, else by pair of ranks."""
    seconds, messages, slow = 0.0, 0.0, False
    for job, load in zip(bound.jobs, loads, strict=True):
        variant = str(bound.site.variant_of(job)).partition("(")[0]
        slow = slow or variant in ROUNDS
        each = LOAD_HOP_S * hops_of(bound.network) * ROUNDS.get(variant, 1.0)
        switches = min(load.ranks, bound.network.switches)
        if isinstance(load, _core.Sends) and load.to_all:
            count = float(load.ranks) * (load.ranks - 1)
            ends, known = _destinations(str(bound.site.routing_of(job.routing)), switches, load.ranks)
            seconds += switches * ends * (known if known and variant not in ROUNDS else each)
        else:
            count, pairs = counts_of(load) if isinstance(load, _core.Sends) else (float(load.messages), load.ranks**2)
            # Messages between two ranks are read together, those between two switches are merged.
            seconds += READ_S * min(count, pairs) + each * min(pairs, switches**2)
        messages += count
    return Estimate(seconds, many(messages, "messages"), "fewer ranks" + (", a variant without rounds" if slow else ""))


def _destinations(routing: str, switches: int, ranks: int) -> tuple[int, float]:
    """Destinations that a routing tells apart, and seconds of a switch on the routes to one; 0 if pairs are routed."""
    name, _, parameters = routing.partition("(")
    if name == "dimension-ordered":
        return switches, STAGE_S
    by_endpoint = name == "d-mod-k" or "destination" in parameters or "balanced" in parameters
    in_trees = name in ("d-mod-k", "minimal", "single-minimal", "tables")
    return ranks if by_endpoint else switches, TREE_S if in_trees else 0.0


def of_contest(bound: Question, timed: bool) -> Estimate:
    """Seconds and counts of a contest of mappings; `timed`: those that may be best are simulated."""
    load = bound.messages
    messages = messages_of(load)
    seconds = LOAD_HOP_S * messages * hops_of(bound.network) + of_hops(bound, load)[0]
    simulated = flow_s(load, bound.ranks) * bound.repetitions if timed else 0.0
    if simulated > LONG_S / FINALISTS:
        simulated *= share(bound, load)
    seconds = METHODS * seconds + FINALISTS * simulated
    sooner = "a limit of seconds, or one optimiser by its name"
    return Estimate(seconds, f"up to {METHODS} methods, {many(messages, 'messages')}", sooner)


def of_search(bound: Question) -> Estimate:
    """Seconds and counts of one optimiser: it looks at few messages for each move, and several times at all."""
    messages = messages_of(bound.messages)
    seconds = METHODS * LOAD_HOP_S * messages * hops_of(bound.network) + of_hops(bound, bound.messages)[0]
    return Estimate(seconds, many(messages, "messages"), "a limit of seconds, or fewer moves")


def of_hops(bound: Question, load: Workload) -> Estimate:
    """Seconds and counts of hop counts; but for large grids they need the distance of each pair of switches once."""
    messages, network = messages_of(load), bound.network
    pairs = network.switches**2 if network.grid is None or network.switches <= ALL_PAIRS else 0
    counts = many(messages, "messages") + (f", {many(pairs, 'pairs of switches')}" if pairs else "")
    each = ROUND_S if isinstance(load, _core.Schedule) and load.is_cyclic else HOPS_S
    return Estimate(each * messages + PAIR_S * pairs, counts, "fewer ranks, or a sample of the messages")


def of_curve(bound: Question, options: Mapping[str, Cell]) -> Estimate:
    """Seconds and counts of a curve of throughput."""
    warm_up, cycles = options.get("warm_up"), options.get("cycles")
    each = float(warm_up if isinstance(warm_up, int) else CYCLES / 3) + float(
        cycles if isinstance(cycles, int) else 2 * CYCLES / 3
    )
    if options.get("protocol") == "batches":
        each *= 10
    text = str(options.get("loads") or "")
    points = text.count(",") + 1 if text else POINTS
    mean = _mean(text)
    if options.get("saturation"):
        points += SEARCHED
    work = bound.network.endpoints * each * points
    queued = QUEUED if str(options.get("switch") or "").startswith("output-queued") else 1.0
    counts = f"{counted(points, 'load')}, {many(bound.network.endpoints * each, 'cycles of endpoints')} each"
    sooner = "fewer loads, fewer cycles, no search for saturation"
    return Estimate(queued * (IDLE_S + CYCLE_S * mean) * work, counts, sooner)


def _mean(loads: str) -> float:
    """Of offered loads, at most 1; the middle where one is no number, which the evaluation refuses."""
    try:
        found = [min(float(load), 1.0) for load in loads.split(",")]
    except ValueError:
        return 0.5
    return sum(found) / len(found)


def to_prove(schedule: _core.Schedule) -> float:
    """Messages that a proof looks at."""
    alike = schedule.is_cyclic and schedule.collective != "allreduce"
    return schedule.messages / (ALIKE if alike else 1)


def of_proof(messages: float) -> Estimate:
    """Seconds and counts of the proof of schedules."""
    return Estimate(messages / PROVED_PER_S, many(messages, "messages"), "fewer ranks, one root")


def of_cut(net: _core.Network) -> Estimate:
    """Seconds and counts of the best cut found; it is known of grids."""
    pairs = float(net.switches) ** 2 if net.grid is None else 0.0
    return Estimate(CUT_S * pairs, many(pairs, "pairs of switches"), "--no-bisection")


def messages_of(load: Workload | _core.Sends) -> float:
    """Messages of all ranks."""
    return counts_of(load)[0] if isinstance(load, _core.Sends) else float(load.messages)


def counts_of(load: _core.Sends) -> tuple[float, float]:
    """Messages of all ranks, and pairs of ranks that send any: as many as some ranks send."""
    ranks = sorted({rank * (load.ranks - 1) // max(SAMPLES - 1, 1) for rank in range(SAMPLES)}) if load.ranks else []
    found = [load.counts_from(rank) for rank in ranks]
    times = load.ranks / max(len(ranks), 1)
    return times * sum(count for count, _ in found), times * sum(pairs for _, pairs in found)


def hops_of(net: _core.Network) -> float:
    """Links of a route, those to its endpoints included, by the kind of network."""
    grid = net.grid
    if grid is not None:
        sizes, wrapped, complete = grid
        each = [1.0 if complete else size / (4.0 if wraps else 3.0) for size, wraps in zip(sizes, wrapped, strict=True)]
        return 2.0 + sum(each)
    return 3.0 + log2(max(net.switches, 2)) / 2


def share(bound: Question, load: Workload) -> float:
    """Share of the messages of the only job that is simulated, where ranks and rounds are alike. O(ranks)."""
    if bound.several or not isinstance(load, _core.Schedule):
        return 1.0
    try:
        return _core.simulated_share(core.several(bound, [load]))
    except NetloomError:
        # The run says so.
        return 1.0


def too_long(bound: Question, mapped: Callable[[], Question] | None = None) -> str:
    """Why the only job is not simulated unless requested explicitly, what repeats once; empty if it is small enough.

    `mapped` gives the same with another mapping, which decides what repeats.
    """

    def simulated() -> float:
        own = bound if mapped is None else mapped()
        return share(own, own.messages)

    return too_long_to_time(bound.messages.messages, bound.repetitions, simulated)


def _bytes(load: Workload | _core.Sends, size_bytes: int) -> float:
    if isinstance(load, _core.Schedule):
        return float(load.most_bytes)
    if isinstance(load, _core.Traffic):
        return float(load.bytes)
    return messages_of(load) * max(size_bytes, 1)


def _packet_bytes(options: Mapping[str, Cell]) -> int:
    """As the switch model has them."""
    call = _core.canonical("switches", str(options.get("switch") or "output-queued"))
    given = _core.parse_call(call)[2].get("packet_bytes")
    return given if isinstance(given, int) and given > 0 else PACKET_BYTES


def say(estimate: Estimate) -> None:
    """Announce it."""
    ahead.announce(*estimate)
