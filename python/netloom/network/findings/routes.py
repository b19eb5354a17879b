"""Forwarding tables: pairs without a route, routes in a circle, deadlocks, uneven use of cables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...base.quantities import counted
from .base import NAMED, Fabric, Finding, some

#: No next link.
NONE = 2**32 - 1
#: Entries followed at a time.
BLOCK = 1 << 22
BALANCE = (
    "route again with a balanced order (opensm -X, ftree), or load the tables of netloom convert "
    "-r 'single-minimal(tie=balanced)' --to opensm-lfts"
)
AGAIN = "let the subnet manager route again, or load corrected tables with opensm -R file -U"


@dataclass
class Trouble:
    """Routes that do not arrive, by what they have in common."""

    endpoints: list[int] = field(default_factory=list)
    pairs: int = 0

    def add(self, endpoints: NDArray[np.int64], pairs: int) -> None:
        self.endpoints += map(int, endpoints)
        self.pairs += pairs


def routes(fabric: Fabric, name: str) -> Iterator[Finding]:
    """What is wrong with the tables called `name`."""
    column_of, links = _core.forwarding(fabric.net, name)
    missing: dict[int, Trouble] = {}
    circles: dict[tuple[int, ...], Trouble] = {}
    step = max(1, BLOCK // max(1, links.shape[1]))
    for first in range(0, len(links), step):
        follow(fabric, column_of, links[first : first + step], first, missing, circles)
    yield from unroutable(fabric, missing)
    yield from looped(fabric, circles)
    if not missing and not circles:
        yield from deadlock(fabric, name)
    yield from unbalanced(fabric, column_of, links)


def follow(
    fabric: Fabric,
    column_of: NDArray[np.uint32],
    links: NDArray[np.uint32],
    first: int,
    missing: dict[int, Trouble],
    circles: dict[tuple[int, ...], Trouble],
) -> None:
    """Follows the routes of some columns from all switches at once, by doubling the steps."""
    n = fabric.net.switches
    there = links != NONE
    following = np.where(there, fabric.heads[np.where(there, links, 0)] if len(fabric.heads) else 0, np.arange(n))
    order = np.argsort(column_of, kind="stable")
    bounds = np.searchsorted(column_of[order], np.arange(first, first + len(links) + 1))
    ends = np.array([fabric.endpoint_switch[order[low]] for low in bounds[:-1]])
    rows = np.arange(len(links))
    following[rows, ends] = ends
    last = following
    for _ in range(max(1, int(n).bit_length())):
        last = np.take_along_axis(last, last, axis=1)
    sources = np.flatnonzero(fabric.per_switch)
    for row in np.flatnonzero((last[:, sources] != ends[:, None]).any(axis=1)):
        endpoints = order[bounds[row] : bounds[row + 1]]
        stops = last[row, sources]
        for stop in map(int, np.unique(stops[stops != ends[row]])):
            pairs = int(fabric.per_switch[sources[stops == stop]].sum()) * len(endpoints)
            if following[row, stop] == stop:
                missing.setdefault(stop, Trouble()).add(endpoints, pairs)
            else:
                circles.setdefault(circle(following[row], stop), Trouble()).add(endpoints, pairs)


def circle(following: NDArray[np.int64], start: int) -> tuple[int, ...]:
    """The switches of a circle from its lowest on."""
    found = [start]
    while (after := int(following[found[-1]])) != start:
        found.append(after)
    low = found.index(min(found))
    return tuple(found[low:] + found[:low])


def unroutable(fabric: Fabric, missing: dict[int, Trouble]) -> Iterator[Finding]:
    for switch, trouble in sorted(missing.items()):
        names = some(fabric.endpoint_names[e] for e in sorted(set(trouble.endpoints)))
        yield {
            "kind": "unroutable",
            "severity": "error",
            "where": fabric.switch_names[switch],
            "what": f"has no entry for {names}: {counted(trouble.pairs, 'pair')} of endpoints cannot communicate",
            "remedy": AGAIN,
        }


def looped(fabric: Fabric, circles: dict[tuple[int, ...], Trouble]) -> Iterator[Finding]:
    for switches, trouble in sorted(circles.items()):
        shown = [fabric.switch_names[s] for s in [*switches[:8], switches[0]]]
        names = some(fabric.endpoint_names[e] for e in sorted(set(trouble.endpoints)))
        yield {
            "kind": "loop",
            "severity": "error",
            "where": " > ".join(shown) + (f" ({len(switches)} hops)" if len(switches) > 8 else ""),
            "what": f"packets to {names} go in this circle: "
            f"{counted(trouble.pairs, 'pair')} of endpoints cannot communicate",
            "remedy": AGAIN,
        }


def deadlock(fabric: Fabric, name: str) -> Iterator[Finding]:
    found = fabric.net.routing(f"tables({json.dumps(name)})").deadlock()
    if found["free"]:
        return
    cycle = [link for link, _ in found["cycle"]]
    more = f" ({len(cycle)} links)" if len(cycle) > 2 * NAMED + 2 else ""
    yield {
        "kind": "deadlock",
        "severity": "warning",
        "where": " > ".join(fabric.port(link) for link in cycle[: 2 * NAMED + 2]) + more,
        "what": f"packets on these {len(cycle)} links can wait for each other in a circle on one virtual lane",
        "remedy": "route with several lanes (opensm -R dfsssp or nue with QoS) or without circles (updn, ftree)",
    }


def unbalanced(fabric: Fabric, column_of: NDArray[np.uint32], links: NDArray[np.uint32]) -> Iterator[Finding]:
    """Switches one of whose cables upwards (all, without levels) has at least 1.5 times its even share of endpoints."""
    weight = np.bincount(column_of, minlength=len(links))
    taken = np.zeros(len(fabric.tails), dtype=np.int64)
    for row, endpoints in zip(links, weight, strict=True):
        used = row[row != NONE]
        taken[used] += endpoints
    rises = fabric.rises if fabric.has_levels else np.ones(len(fabric.tails), dtype=bool)
    offsets = fabric.net.offsets
    for switch in map(int, np.flatnonzero(fabric.per_switch)):
        own = np.arange(offsets[switch], offsets[switch + 1])
        own = own[rises[own]]
        if len(own) < 2:
            continue
        most, least = int(taken[own].max()), int(taken[own].min())
        share = -(-int(taken[own].sum()) // len(own))
        if most - least > 1 and 2 * most >= 3 * share:
            top = int(own[taken[own].argmax()])
            yield {
                "kind": "balance",
                "severity": "warning",
                "where": fabric.cable(top),
                "what": f"has the routes of {fabric.switch_names[switch]} to {counted(most, 'endpoint')}, "
                f"of {len(own)} cables the least used has {least}",
                "remedy": BALANCE,
            }
