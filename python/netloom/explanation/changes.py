"""What-if: the run again with one thing changed, row by row, and what its record tells of the time that is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from ..evaluate.loads.names import LinkNames
from ..evaluate.time import over_time
from ..plot.timeline import ACTIVITIES
from . import other_work, tables
from .parts import OWN, Pieces, alone_of, pieces
from .reruns import Reruns, faster, ideal, sooner, without_software
from .routes import LeftOut, Routes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..base.records import Settings
    from ..evaluate.answers import TimeAnswer
    from ..evaluate.time.of_core import Recorded, Trace
    from ..scenario import Question
    from .tables import Row

#: The number of computing among activities.
COMPUTES = list(ACTIVITIES).index("compute")
#: Less than this share of the run is no time: what is left of bytes on endless links.
NOTHING = 1e-12
#: Rows that differ in settings alone: what limits the run if they help most, and these settings.
OF_SETTINGS: dict[str, tuple[str, Callable[[Settings], Settings]]] = {
    "twice the bandwidth": ("bandwidth", faster),
    "half the latency": ("latency", sooner),
    "no software cost": ("software", without_software),
    "ideal network": ("the network", ideal),
}
MEANS = {
    "twice the bandwidth": "Every byte takes half its time: on links, inside nodes, where a message's rate is bounded.",
    "half the latency": "The latency of routes, and software's for a message, halve; time of processors stays.",
    "no software cost": "No time of processors, handshakes, gaps, copies, nor software's latency and bounds on rates.",
    "ideal network": "Neither latency nor bandwidth nor software: computing and its order alone.",
}
#: Most pairs of ranks whose routes are asked for.
ROUTES = 1 << 16
#: Simulations beside the first one: those of the rows, and what searches take, by and large.
TIMES = 20


#: A row that is not simulated yet: its name, what limits if it helps, and its time and meaning.
Step = tuple[str, str, "Callable[[], tuple[float, str]]"]


class Change(NamedTuple):
    """A row: the run with one thing changed.

    Attributes
    ----------
    time_s, ratio
        When its last rank ends, and that over the time of the run as it is.
    means
        What exactly is changed.
    limit
        What limits the run if this helps most.
    """

    change: str
    time_s: float
    ratio: float
    means: str
    limit: str

    def row(self) -> dict[str, object]:
        """Of the table."""
        return {key: getattr(self, key) for key in ("change", "time_s", "ratio", "means")}


@dataclass
class Explained:
    """A recorded run, what its time was lost to, and what would change it.

    Attributes
    ----------
    changes
        The rows that are known, those that gain most first.
    left_out
        Changes that were not tried, with the reason.
    free
        The record of the run without contention, where it is known.
    count
        Rows in all, as far as that is known.
    """

    bound: Question
    found: TimeAnswer
    changes: list[Change] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    free: Recorded | None = None
    count: int = 0

    @property
    def trace(self) -> Trace:
        """The record."""
        return self.found["trace"]

    @property
    def time_s(self) -> float:
        """When the last rank ends."""
        return cast("float", self.found.record["time_s"])

    @property
    def jobs(self) -> list[tuple[str, int]]:
        """Name and ranks of each."""
        return [(job.name, job.ranks) for job in self.bound.jobs]

    @cached_property
    def reruns(self) -> Reruns:
        """The run with other inputs."""
        return Reruns(self.bound, self.found["workloads"])

    def try_all(self, progress: Callable[[int, int], object]) -> None:
        """Simulate every row; one that takes too long for a limit of time leaves those before it."""
        steps = list(self._rows())
        # What the fastest algorithms are is asked last: it takes longest.
        self.count = len(steps)
        more = self._algorithms()
        self.count += len(more)
        for done, (change, limit, run) in enumerate([*steps, *more]):
            progress(done, self.count)
            self._try(change, limit, run)
        progress(self.count, self.count)

    def _try(self, change: str, limit: str, run: Callable[[], tuple[float, str]]) -> None:
        try:
            time_s, means = run()
        except LeftOut as why:
            self.left_out[change] = str(why)
            return
        if time_s < NOTHING * self.time_s:
            time_s = 0.0
        self.changes.append(Change(change, time_s, time_s / self.time_s if self.time_s > 0 else 1.0, means, limit))
        self.changes.sort(key=lambda one: one.time_s)

    def _rows(self) -> Iterator[Step]:
        yield "no contention", "contention", self._unshared
        for change, (limit, other) in OF_SETTINGS.items():
            yield change, limit, partial(self._with_settings, change, other)
        yield "perfect balance", "imbalance of computing", self._balanced
        yield "better placement", "placement", self._placed

    def _with_settings(self, change: str, other: Callable[[Settings], Settings]) -> tuple[float, str]:
        means = MEANS[change]
        empty = not self.reruns.settings["envelope_bytes"] and not self.trace["messages"]["bytes"].all()
        if other is sooner and empty:
            means += " Empty messages keep the latency of their routes."
        return self.reruns.seconds(other(self.reruns.settings)), means

    def _placed(self) -> tuple[float, str]:
        means = f"The mapping that netloom map finds with {other_work.SWAPS:,} swaps a method."
        return self.reruns.seconds(jobs=[other_work.placed(self.bound)]), means

    def _unshared(self) -> tuple[float, str]:
        time_s, self.free = self.reruns.unshared(self.trace)
        inside = " Links inside nodes are still shared." if self.bound.site.node is not None else ""
        return time_s, f"Every message has all links of the network to itself, at their speed.{inside}"

    def _balanced(self) -> tuple[float, str]:
        if self.called & set(OWN):
            raise LeftOut("what the tasks of a rank compute is not recorded")
        loads, idle = other_work.balanced(self.bound, self._computing_s)
        means = "Every rank computes as long as the mean, by one factor a rank."
        return self.reruns.seconds(loads=loads), means + (f" {idle} that compute nothing stay so." if idle else "")

    def _algorithms(self) -> list[Step]:
        """A row for each collective that is called."""
        name, load = "another algorithm", self.found["workloads"][0]
        try:
            if self.bound.several:
                raise LeftOut("there are several jobs")
            sizes = other_work.sizes_of(self.bound, load, self.called)
        except LeftOut as why:
            self.left_out[name] = str(why)
            return []
        return [
            (f"{name} of {one}", f"the algorithm of {one}", partial(self._with_algorithm, one, size))
            for one, size in sizes.items()
        ]

    def _with_algorithm(self, collective: str, size: int) -> tuple[float, str]:
        algorithm, count = other_work.fastest(self.bound, collective, size)
        loads = other_work.with_algorithm(self.bound, self.found["workloads"][0], collective, algorithm)
        means = f"{algorithm}, the fastest of {count} at {size:,} B, in all its calls."
        return self.reruns.seconds(loads=loads), means

    @cached_property
    def _alone(self) -> tuple[NDArray[np.float64], bool]:
        return alone_of(self.trace, self.free["trace"] if self.free else None, self._together())

    def _together(self) -> NDArray[np.bool_] | None:
        """Messages inside nodes, whose links are shared in any run."""
        if self.bound.site.node is None:
            return None
        ends = np.concatenate([np.asarray(job.places(), dtype=np.int64) for job in self.bound.jobs])
        ends = ends // max(self.bound.site.nodes.endpoints, 1)
        messages = self.trace["messages"]
        src, dst = (messages[name].astype(np.int64) for name in ("src", "dst"))
        known = (src < len(ends)) & (dst < len(ends))
        same: NDArray[np.bool_] = known.copy()
        same[known] = ends[src[known]] == ends[dst[known]]
        return same

    @cached_property
    def pieces(self) -> Pieces:
        """The time of all ranks in pieces; asked after the run without contention, which tells what that is."""
        ranks = sum(count for _, count in self.jobs)
        return pieces(self.trace, ranks, self.time_s, self._alone[0])

    @property
    def knows_contention(self) -> bool:
        """Whether it is known of all messages what they take alone."""
        return self._alone[1]

    @cached_property
    def _computing_s(self) -> NDArray[np.float64]:
        """Of each rank."""
        ranks = sum(count for _, count in self.jobs)
        given = self.trace["intervals"]
        rank, activity = (given[name].astype(np.int64) for name in ("rank", "activity"))
        mine = (activity == COMPUTES) & (rank < ranks)
        took = given["end_s"][mine].astype(np.float64) - given["start_s"][mine].astype(np.float64)
        return np.bincount(rank[mine], weights=took, minlength=ranks).astype(np.float64)

    @cached_property
    def called(self) -> set[str]:
        """Names of the calls of MPI that take time."""
        return {self.trace["calls"][int(at)] for at in np.unique(self.trace["intervals"]["call"])}

    def tables(self) -> dict[str, list[Row]]:
        """Tables of the time that is lost: `lost`, `calls`, `ranks`, `pairs`, `communicators`, `phases`, `links`."""
        found = self.pieces
        phases = tables.phases(found)
        return {
            "lost": tables.lost(found, phases),
            "calls": tables.calls(found, self.trace["calls"]),
            "ranks": tables.ranks(found, self.jobs),
            "pairs": tables.pairs(found, self.trace, self.jobs),
            "communicators": tables.communicators(found, self._communicators()),
            "phases": phases,
            "links": self._links(),
        }

    def _communicators(self) -> list[tuple[str, list[int]]]:
        """Collective and ranks of each, where every rank is in one of several; else none."""
        load = self.found["workloads"][0]
        told = None if self.bound.several else getattr(load, "communicators", lambda: None)()
        own = [(str(one[0]), [int(rank) for rank in one[4]]) for one in told or ()]
        members = [rank for _, ranks in own for rank in ranks]
        return own if len(own) > 1 and len(set(members)) == len(members) else []

    def _links(self) -> list[Row]:
        lost = tables.delayed(self.pieces)
        whole = float(lost[1].sum())
        if not whole > 0:
            return []
        own = Routes(self.bound)
        net, routes = own.network, own.of_messages(self.trace, lost[0], ROUTES)
        speeds = np.asarray(net.link_bandwidth_bytes_per_s, dtype=np.float64)
        told = tables.links(self.trace, lost, routes, speeds)
        names, used = LinkNames(net), over_time.links(net, self.trace)
        use = {} if used is None else dict(zip(used.number.tolist(), (100 * used.mean).tolist(), strict=True))
        rows: list[Row] = []
        for link, (seconds, messages) in sorted(told.items(), key=lambda item: (-item[1][0], item[0]))[: tables.WORST]:
            start, end = over_time.called(net, names, link)
            kind = over_time.class_of(net, link)
            ends = {"from": start, "to": end, "class": kind, "contention_s": seconds, "share": seconds / whole}
            rows.append(ends | {"delayed_messages": messages, "use_percent": use.get(link)})
        return rows


def explain(bound: Question, found: TimeAnswer, progress: Callable[[int, int], object]) -> Explained:
    """A recorded run explained, with all rows of what-if."""
    made = Explained(bound, found)
    made.try_all(progress)
    return made
