"""Where the routes of forwarding tables lead: to their endpoints, to a switch that loses packets, in a circle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...base.records import ForwardingTables
from .base import Fabric

#: No next link.
NONE = 2**32 - 1
#: Entries followed at a time.
BLOCK = 1 << 22
NO_ENTRY = ("has no entry for", "")


@dataclass
class Trouble:
    """Routes that do not arrive, by what they have in common."""

    endpoints: list[int] = field(default_factory=list)
    pairs: int = 0

    def add(self, endpoints: Iterable[int], pairs: int) -> None:
        self.endpoints += map(int, endpoints)
        self.pairs += pairs


class Routes(TypedDict):
    """Ordered pairs of endpoints with and without a route; hops of the routes, None without any."""

    pairs: int
    lost_pairs: int
    hops_mean: float | None
    hops_max: int | None


class Followed:
    """The routes between endpoints by the tables called `name`, all followed from their sources to their ends.

    Attributes
    ----------
    missing
        By the switch that loses packets and the words that say how: which routes.
    circles
        By the switches of a circle: which routes end in it.
    pairs, hops, most
        Ordered pairs of endpoints whose packets arrive, the sum of their hops, the most hops.
    taken, entries
        Of every link, the endpoints whose routes take it, and those that the tables of its switch lead over it.

    Notes
    -----
    Endpoints of switches out of service count nowhere. O(entries · (log switches + hops)).
    """

    def __init__(self, fabric: Fabric, name: str) -> None:
        self.fabric = fabric
        self.tables: ForwardingTables = _core.forwarding(fabric.net, name)
        self.missing: dict[tuple[int, tuple[str, str]], Trouble] = {}
        self.circles: dict[tuple[int, ...], Trouble] = {}
        self.pairs = self.hops = self.most = 0
        self.taken, self.entries = np.zeros((2, len(fabric.tails)), dtype=np.int64)
        self.why = {(endpoint, switch): reason for endpoint, switch, reason in self.tables["lost"].tolist()}
        self.sources = np.flatnonzero((fabric.per_switch > 0) & fabric.in_service)
        column_of, links = self.tables["column_of"], self.tables["links"]
        order = np.argsort(column_of, kind="stable")
        bounds = np.searchsorted(column_of[order], np.arange(len(links) + 1))
        served = fabric.in_service[fabric.endpoint_switch]
        step = max(1, BLOCK // max(1, links.shape[1]))
        for first in range(0, len(links), step):
            columns = range(first, min(first + step, len(links)))
            endpoints = [order[bounds[column] : bounds[column + 1]] for column in columns]
            there = [row for row, own in enumerate(endpoints) if len(own) and served[own[0]]]
            if there:
                self._follow(links[[first + row for row in there]], [endpoints[row] for row in there])

    def summary(self) -> Routes:
        troubles = [*self.missing.values(), *self.circles.values()]
        return {
            "pairs": self.pairs,
            "lost_pairs": sum(trouble.pairs for trouble in troubles),
            "hops_mean": self.hops / self.pairs if self.pairs else None,
            "hops_max": self.most if self.pairs else None,
        }

    def _follow(self, links: NDArray[np.uint32], endpoints: list[NDArray[np.int64]]) -> None:
        """Follows some columns from all switches at once, by doubling the steps."""
        fabric, n = self.fabric, self.fabric.net.switches
        there = links != NONE
        heads = fabric.heads[np.where(there, links, 0)] if len(fabric.heads) else 0
        following = np.where(there, heads, np.arange(n))
        ends = np.array([fabric.endpoint_switch[own[0]] for own in endpoints])
        following[np.arange(len(links)), ends] = ends
        last, hops = following, (following != np.arange(n)).astype(np.int64)
        for _ in range(max(1, int(n).bit_length())):
            hops = hops + np.take_along_axis(hops, last, axis=1)
            last = np.take_along_axis(last, last, axis=1)
        arrives = last == ends[:, None]
        for row in np.flatnonzero(~arrives[:, self.sources].all(axis=1)):
            self._stopped(following[row], last[row, self.sources], int(ends[row]), endpoints[row])
        self._arrived(np.where(arrives, hops, 0), arrives, endpoints)
        self._use(links, following, np.where(arrives, hops, 0), np.array([len(own) for own in endpoints]))

    def _stopped(
        self, following: NDArray[np.int64], stops: NDArray[np.int64], end: int, endpoints: NDArray[np.int64]
    ) -> None:
        for stop in map(int, np.unique(stops[stops != end])):
            sent = int(self.fabric.per_switch[self.sources[stops == stop]].sum())
            if following[stop] != stop:
                self.circles.setdefault(circle(following, stop), Trouble()).add(endpoints, sent * len(endpoints))
                continue
            for endpoint in map(int, endpoints):
                self._lose(stop, endpoint, sent)

    def _lose(self, switch: int, endpoint: int, pairs: int) -> None:
        reason = self.why.get((endpoint, switch))
        words = NO_ENTRY if reason is None else self.tables["reasons"][reason]
        self.missing.setdefault((switch, words), Trouble()).add([endpoint], pairs)

    def _arrived(self, hops: NDArray[np.int64], arrives: NDArray[np.bool_], endpoints: list[NDArray[np.int64]]) -> None:
        """Counts the routes that come to the endpoint's own switch, which may lose their packets."""
        weight = self.fabric.per_switch[self.sources]
        arriving = arrives[:, self.sources] @ weight - 1
        total, most = hops[:, self.sources] @ weight, hops[:, self.sources].max(axis=1)
        for row, own in enumerate(endpoints):
            switch = int(self.fabric.endpoint_switch[own[0]])
            handed = [int(endpoint) for endpoint in own if (int(endpoint), switch) not in self.why]
            for endpoint in map(int, own) if len(handed) < len(own) else ():
                if (endpoint, switch) in self.why and arriving[row]:
                    self._lose(switch, endpoint, int(arriving[row]))
            self.pairs += int(arriving[row]) * len(handed)
            self.hops += int(total[row]) * len(handed)
            self.most = max(self.most, int(most[row]) if handed else 0)

    def _use(
        self,
        links: NDArray[np.uint32],
        following: NDArray[np.int64],
        hops: NDArray[np.int64],
        weight: NDArray[np.int64],
    ) -> None:
        """Adds the endpoints to the links that routes to them take."""
        passed = np.zeros(links.shape, dtype=np.bool_)
        passed[:, self.sources] = hops[:, self.sources] > 0
        for left in range(int(hops.max(initial=0)), 1, -1):
            row, at = np.nonzero(passed & (hops == left))
            passed[row, following[row, at]] = True
        for used, counts in ((passed, self.taken), (links != NONE, self.entries)):
            row, at = np.nonzero(used)
            counts += np.bincount(links[row, at], weights=weight[row], minlength=len(counts)).astype(np.int64)


def circle(following: NDArray[np.int64], start: int) -> tuple[int, ...]:
    """The switches of a circle from its lowest on."""
    found = [start]
    while (after := int(following[found[-1]])) != start:
        found.append(after)
    low = found.index(min(found))
    return tuple(found[low:] + found[:low])
