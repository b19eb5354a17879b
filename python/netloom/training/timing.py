"""Times of a step's calls on a machine: simulated as flows, or what the library's own model expects.

Every call is made by all groups of its kind at the same time, and by no others: kinds are not simulated together. Calls
of the same bytes on the same groups are timed once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, cast

from ..base.errors import NetloomError
from ..library import Communicator, choose
from ..library import library as known
from ..library.codes import NO_CHOICE
from ..library.tuner import PROTOCOLS, Shape
from ..workload import steps
from .cluster import Cluster
from .groups import Layout
from .traffic import Call

if TYPE_CHECKING:
    from ..evaluate.loads.result import Loads

#: Messages of a simulation, by whether its rounds can be skipped: above, fewer groups, or a shorter ring.
MOST_MESSAGES, MOST_ROUNDS = 1 << 19, 1 << 20
#: Ranks that a shortened ring keeps at least.
LEAST_RANKS = 64
#: Algorithms where no library is known, or it has none.
USUAL = {"allgather": "ring", "reduce-scatter": "ring", "allreduce": "ring", "alltoall": "pairwise"}
#: Seconds of a message where only rates are known.
LATENCY_S = 5e-6
#: Share of a rate that large messages reach, where only rates are known.
REACHED = 0.9


class Clock(Protocol):
    """What says how long a call takes."""

    def seconds(self, call: Call) -> float:
        """Of one call."""


@dataclass(frozen=True)
class Timed:
    """How a call was timed.

    Attributes
    ----------
    seconds
        Of one call.
    workload
        The schedule that ran.
    ranks
        That were simulated.
    scale
        Rounds of the whole ring for one that was simulated.
    """

    seconds: float
    workload: str
    ranks: int
    scale: float = 1.0


def block(call: Call, ranks: int) -> int:
    """The size as netloom counts it: a rank's own part of an allgather or reduce-scatter, a pair's of an alltoall."""
    if call.collective in ("allreduce", "send"):
        return max(call.bytes, 1)
    return max(-(-call.bytes // ranks), 1)


class Simulated:
    """Times by flows on the machine.

    Parameters
    ----------
    shared
        Times that were found before, of any layout on the same cluster.
    """

    def __init__(self, cluster: Cluster, layout: Layout, shared: dict[object, Timed] | None = None) -> None:
        self._cluster, self._layout = cluster, layout
        self._found: dict[object, Timed] = {} if shared is None else shared

    def seconds(self, call: Call) -> float:
        """Of one call."""
        return self.timed(call).seconds

    def timed(self, call: Call) -> Timed:
        """How long a call takes, and how that was found."""
        kind = call.kind
        key = (self._layout.shape(kind), self._layout.ranks, call.collective, call.bytes)
        if key not in self._found:
            self._found[key] = self._run(call)
        return self._found[key]

    def workload(self, call: Call) -> tuple[dict[str, object], int, float, str]:
        """The step of a call, the ranks that do it, and rounds of the whole for one that is simulated."""
        layout, at = self._layout, self._cluster.communicator(self._layout, call.kind)
        if call.collective == "send":
            ring = "false" if layout.strides["pp"] * at.ranks == layout.ranks else "true"
            text = f"stencil({at.ranks},periodic={ring},bytes={block(call, at.ranks)})"
            return layout.steps(call.kind, {"workload": text}, layout.ranks), layout.ranks, 1.0, text
        text, channels = self.schedule(call)
        size = block(call, at.ranks)
        layout, ranks, scale = _affordable(layout, call, text, channels)
        if scale != 1.0 and call.collective == "allreduce":
            # Each round of a shorter ring moves a larger part of the vector.
            size = max(1, size * len(layout.first(call.kind)) // at.ranks)
        step = {"workload": text, "size": size}
        return layout.steps(call.kind, step, ranks), ranks, scale, text

    def schedule(self, call: Call) -> tuple[str, int]:
        """The library's schedule for a collective of a group, and its channels."""
        at = self._cluster.communicator(self._layout, call.kind)
        if self._cluster.library:
            try:
                made = choose(self._cluster.library, call.collective, block(call, at.ranks), at)
                return made.call(), max(made.channels, 1)
            except NetloomError as error:
                if error.faults[0].code != NO_CHOICE:
                    raise
        return f"{call.collective}:{USUAL[call.collective]}", 1

    def hottest(self, call: Call, most: int) -> list[dict[str, object]]:
        """Links that are busy for longest while all groups make a call, from the busiest on."""
        table, ranks, _, _ = self.workload(call)
        found = cast("Loads", self._cluster.evaluate("loads", steps(table), ranks, {"hottest": most}))
        kept = ("link", "from_switch", "to_switch", "class", "bytes", "seconds")
        return [{"call": f"{call.kind} {call.collective}", **{key: row[key] for key in kept}} for row in found.hottest]  # type: ignore[literal-required]

    def leaves_nodes(self, call: Call) -> bool:
        """Whether its groups have ranks on several nodes."""
        return self._cluster.communicator(self._layout, call.kind).nodes > 1

    def _run(self, call: Call) -> Timed:
        table, ranks, scale, text = self.workload(call)
        found = self._cluster.evaluate("time", steps(table), ranks)
        return Timed(float(str(found["time_s"])) * scale, text, ranks, scale)


def _affordable(layout: Layout, call: Call, text: str, channels: int) -> tuple[Layout, int, float]:
    """A layout and a number of its ranks that can be simulated, and rounds of the whole for one of them."""
    members, span = len(layout.first(call.kind)), layout.span(call.kind)
    rounds = (2 if call.collective == "allreduce" else 1) * (members - 1)
    most = MOST_ROUNDS if channels == 1 and ":ring" in text else MOST_MESSAGES
    blocks = max(1, min(layout.ranks // span, most // max(1, span * rounds * channels)))
    ranks = blocks * span
    if blocks > 1 or ranks * rounds * channels <= most or ":ring" not in text:
        return layout, ranks, 1.0
    # The outermost level of the groups, shortened: rounds of a ring are alike.
    axis = layout.levels(call.kind)[-1]
    place = layout.order.index(axis)
    size = layout.sizes[place]
    while size % 2 == 0 and members > LEAST_RANKS and ranks * rounds * channels > most:
        size, members, ranks, rounds = size // 2, members // 2, ranks // 2, rounds // 2
    shorter = Layout(layout.order, (*layout.sizes[:place], size, *layout.sizes[place + 1 :]))
    scale = (len(layout.first(call.kind)) - 1) / (members - 1)
    return replace(shorter), shorter.span(call.kind), scale


class Expected:
    """Times by the library's own model of latency and bandwidth, which takes no simulation; of one that has none, rings
    at the rate of the NICs."""

    def __init__(self, cluster: Cluster, layout: Layout) -> None:
        self._cluster, self._layout = cluster, layout
        self._found: dict[Call, float] = {}

    def seconds(self, call: Call) -> float:
        """Of one call."""
        if call not in self._found:
            self._found[call] = self._of(call, self._cluster.communicator(self._layout, call.kind))
        return self._found[call]

    def _of(self, call: Call, at: Communicator) -> float:
        inside = REACHED * (at.gpu_bytes_per_s or at.nic_bytes_per_s)
        outside = REACHED * at.nic_bytes_per_s
        if call.collective == "send":
            near = self._layout.strides["pp"] < self._cluster.per_node and at.local > 1
            return LATENCY_S + call.bytes / (inside if near else outside)
        if call.collective == "alltoall":
            within = call.bytes * (at.local - 1) / at.ranks
            return LATENCY_S + max(within / inside, call.bytes * (1 - at.local / at.ranks) / outside)
        row = known(self._cluster.library) if self._cluster.library else None
        if row is None or row.tuner is None:
            steps_ = (2 if call.collective == "allreduce" else 1) * (at.ranks - 1)
            rate = inside if at.nodes == 1 else outside * at.nics
            return steps_ * (LATENCY_S + call.bytes / at.ranks / rate)
        tuner = row.tuner()
        shape = Shape(call.collective, max(call.bytes, 1), at)
        times = (
            tuner.estimate(shape, algorithm, place)
            for algorithm in tuner.algorithms[call.collective]
            for place in range(len(PROTOCOLS))
        )
        return min(time for time in times if time is not None)
