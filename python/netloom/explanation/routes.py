"""Routes of the messages of a run, and a network on which each pair of endpoints has a route of its own."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..base.errors import NetloomError
from ..evaluate.core import numbered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..evaluate.time.of_core import Trace
    from ..scenario import Question

#: Most pairs of endpoints that get a route of their own, and most links of a network that is looked at for it.
PAIRS, LINKS = 1 << 18, 1 << 21


class LeftOut(Exception):
    """Why a change is not tried."""


def first_line(error: NetloomError) -> str:
    """What is wrong, without the hint."""
    return str(error).splitlines()[0]


class Routes:
    """Links of the routes of a scenario, each asked for once."""

    def __init__(self, bound: Question) -> None:
        self.bound, self.network = bound, numbered(bound)
        self._known: dict[tuple[str, int, int], dict[int, float]] = {}

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Endpoint of every rank, jobs one after another."""
        return np.concatenate([np.asarray(job.places(), dtype=np.int64) for job in self.bound.jobs])

    @cached_property
    def _texts(self) -> list[str]:
        """The routing of each job."""
        return [self.bound.site.routing_of(job.routing) for job in self.bound.jobs]

    @cached_property
    def _routings(self) -> dict[str, _core.Routing]:
        return {text: self.bound.site.routed.routing(text) for text in set(self._texts)}

    def of(self, job: int, src: int, dst: int) -> dict[int, float]:
        """Links between two endpoints with the share of a message that takes them; the ends' first."""
        text, net = self._texts[job], self.network
        found = self._known.get((text, src, dst))
        if found is None:
            switches = net.endpoint_switch
            found = {len(net.tails) + src: 1.0, len(net.tails) + net.endpoints + dst: 1.0}
            for path in self._routings[text].paths(int(switches[src]), int(switches[dst])):
                for link in path["links"]:
                    found[link] = found.get(link, 0.0) + path["fraction"]
            self._known[text, src, dst] = found
        return found

    def of_messages(self, trace: Trace, numbers: NDArray[np.int64], most: int) -> dict[tuple[int, int, int], list[int]]:
        """Links by job, sender and receiver of messages; none within an endpoint, and of at most `most` pairs."""
        messages = trace["messages"]
        keys = np.stack([messages[name][numbers].astype(np.int64) for name in ("job", "src", "dst")], axis=1)
        made: dict[tuple[int, int, int], list[int]] = {}
        for job, src, dst in np.unique(keys, axis=0)[:most].tolist():
            if max(src, dst) < len(self.ends) and self.ends[src] != self.ends[dst]:
                made[job, src, dst] = list(self.of(job, int(self.ends[src]), int(self.ends[dst])))
        return made

    def unshared(self, trace: Trace) -> _core.Network:
        """A network with a link for each pair of endpoints that sends, as long and as wide as its route, which no other
        message uses. O(pairs · links of a route + links).

        Raises
        ------
        LeftOut
            Where routes are not known, or too many.
        """
        self._require()
        messages = trace["messages"]
        if len(messages["src"]) and max(int(messages[end].max()) for end in ("src", "dst")) >= len(self.ends):
            raise LeftOut("switches take part in the collective")
        job = messages["job"].astype(np.int64)
        src, dst = (self.ends[messages[end].astype(np.int64)] for end in ("src", "dst"))
        pairs = np.unique(np.stack([job, src, dst], axis=1)[src != dst], axis=0)
        if len(pairs) > PAIRS:
            raise LeftOut(f"more than {PAIRS:,} pairs of endpoints send")
        wires: dict[tuple[int, int], tuple[float, float]] = {}
        for number, a, b in pairs.tolist():
            wire = self._wire(self.of(number, a, b))
            if wires.setdefault((a, b), wire) != wire:
                raise LeftOut("two jobs take different routes between the same endpoints")
        try:
            return _core.Network.read(self._graph(wires).encode(), self.network.label, "node-link")
        except NetloomError as error:
            raise LeftOut(first_line(error)) from None

    def _require(self) -> None:
        """What decides on a route in other ways than paths and shares is not known here."""
        if self.network.hosts is not None:
            raise LeftOut("which endpoints share a host is lost where links are rewritten")
        if len(self.network.tails) > LINKS:
            raise LeftOut(f"the network has more than {LINKS:,} links")
        if any(self.bound.site.variant_of(job) not in ("", "static-direct") for job in self.bound.jobs):
            raise LeftOut("a variant that draws or adapts routes has none to itself")

    def _wire(self, route: dict[int, float]) -> tuple[float, float]:
        """Bandwidth and latency of a route between its end links, switches passed included."""
        speeds, between = self.network.link_bandwidth_bytes_per_s, len(self.network.tails)
        inner = {link: share for link, share in route.items() if link < between}
        bandwidth = min([float(speeds[link]) / share for link, share in inner.items()], default=self._end[0])
        latency = sum(share * self._latency_s[link] for link, share in inner.items())
        passed = sum(route.values()) - 1
        return bandwidth, latency + float(str(self.bound.site.settings["switch_latency_s"])) * passed

    @cached_property
    def _latency_s(self) -> NDArray[np.float64]:
        """Of every link between switches."""
        each = np.array([kind["latency_s"] for kind in self.network.classes], dtype=np.float64)
        return each[np.asarray(self.network.class_index, dtype=np.int64)]

    @cached_property
    def _end(self) -> tuple[float, float]:
        """Bandwidth and latency of the links of endpoints, which are all alike."""
        graph = json.loads(self.network.write("node-link"))
        ends = {node["id"] for node in graph["nodes"] if node.get("kind") == "endpoint"}
        edge = next(edge for edge in graph["edges"] if edge["source"] in ends or edge["target"] in ends)
        return float(edge["bandwidth"]), float(edge["latency"])

    def _graph(self, wires: dict[tuple[int, int], tuple[float, float]]) -> str:
        count = self.network.endpoints
        for (a, b), wire in list(wires.items()):
            wires.setdefault((b, a), wire)
        # A hub, which no shortest route of these passes, joins those that do not send to each other.
        wires |= {pair: self._end for at in range(count) for pair in ((at, count), (count, at))}
        kinds = {wire: f"kind {number}" for number, wire in enumerate(sorted(set(wires.values())))}
        nodes = [{"id": f"s{at}", "kind": "switch"} for at in range(count + 1)]
        nodes += [{"id": f"e{at}", "kind": "endpoint"} for at in range(count)]
        edges = [_edge(f"s{a}", f"s{b}", wire, kinds[wire]) for (a, b), wire in sorted(wires.items())]
        edges += [
            _edge(source, target, self._end, "endpoint")
            for at in range(count)
            for source, target in ((f"s{at}", f"e{at}"), (f"e{at}", f"s{at}"))
        ]
        made = {"directed": True, "multigraph": True, "graph": {}, "nodes": nodes, "edges": edges}
        return json.dumps(made)


def _edge(source: str, target: str, wire: tuple[float, float], kind: str) -> dict[str, object]:
    speed = {"bandwidth": wire[0], "latency": wire[1], "per": "flow", "class": kind}
    return {"source": source, "target": target, "key": 0, **speed}
