"""Switches with fewer cables upwards than others of their kind."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...base.arrays import ndarray
from ...base.quantities import counted
from .base import Fabric, Finding, most_frequent

REMEDY = "find the cables that are missing or down"
#: A switch of a size that no other has is compared with those that are at most this part larger.
NEAR = 1 / 8
#: Hosts of a leaf or cables downwards of another switch, bandwidth of most links to endpoints, of most cables upwards.
Kind = tuple[int, float, float]


def uplinks(fabric: Fabric) -> Iterator[Finding]:
    """Switches with fewer cables upwards than most of their kind.

    A leaf for storage, for services or in reserve is built with other cables than one for computing, so that only
    switches of one level with the same number of hosts and rates are compared; above leaves, with as many cables
    downwards. O(links log links).
    """
    level, rises = _levels(fabric)
    up = np.bincount(fabric.tails[rises], minlength=fabric.net.switches)
    falls = level[fabric.heads] < level[fabric.tails]
    size = np.where(level == 0, _hosts(fabric), np.bincount(fabric.tails[falls], minlength=fabric.net.switches))
    down_rate = _rates(fabric.endpoint_switch, fabric.endpoint_rates, fabric.net.switches)
    up_rate = _rates(fabric.tails[rises], fabric.bandwidth[rises], fabric.net.switches)
    for own in range(int(level.max(initial=0))):
        there = np.flatnonzero(level == own)
        kinds: dict[Kind, list[int]] = {}
        for switch in map(int, there):
            kind = (int(size[switch]), float(down_rate[switch]), float(up_rate[switch]))
            kinds.setdefault(kind, []).append(switch)
        for kind, alike in kinds.items():
            group = np.array(sorted([*alike, *_near(kind, alike, kinds)]))
            words = "of its level" if len(group) == len(there) else _words(size[group], "host" if own == 0 else "cable")
            yield from _fewer(fabric, up, np.array(alike), group, words)


def _fewer(
    fabric: Fabric, up: NDArray[np.int64], alike: NDArray[np.int64], group: NDArray[np.int64], kind: str
) -> Iterator[Finding]:
    due = int(most_frequent(up[group]))
    having = int((up[group] == due).sum())
    have = f"{having} of {counted(len(group), 'switch')} {kind} {'has' if having == 1 else 'have'} {due}"
    for switch in map(int, alike[up[alike] < due]):
        yield {
            "kind": "uplinks",
            "severity": "warning",
            "where": fabric.switch_names[switch],
            "what": f"has {counted(int(up[switch]), 'cable')} upwards, {have}",
            "remedy": REMEDY,
        }


def _near(kind: Kind, alike: list[int], kinds: dict[Kind, list[int]]) -> list[int]:
    """The next larger kind of a switch that is alone, as it is where one of its hosts is down; none without one."""
    size, *rates = kind
    if len(alike) > 1 or not size:
        return []
    larger = [
        other
        for other, those in kinds.items()
        if len(those) > 1 and list(other[1:]) == rates and other[0] * (1 - NEAR) <= size < other[0]
    ]
    return kinds[min(larger)] if larger else []


def _words(sizes: NDArray[np.int64], thing: str) -> str:
    least, most = int(sizes.min()), int(sizes.max())
    number = counted(most, thing) if least == most else f"{least} or {counted(most, thing)}"
    return f"of its kind ({number}{' downwards' if thing == 'cable' else ''} each)"


def _hosts(fabric: Fabric) -> NDArray[np.int64]:
    """Hosts of every switch: several ports of one host count once."""
    found = fabric.net.hosts
    if found is None:
        return fabric.per_switch
    pairs = np.unique(np.column_stack([fabric.endpoint_switch, ndarray(found["of_endpoint"])]), axis=0)
    return np.bincount(pairs[:, 0], minlength=fabric.net.switches)


def _rates(ends: NDArray[np.int64], rates: NDArray[np.float64], switches: int) -> NDArray[np.float64]:
    """Of every switch, the most frequent of the rates of its links; 0 without any."""
    usual = np.zeros(switches)
    order = np.argsort(ends, kind="stable")
    there, first = np.unique(ends[order], return_index=True)
    for switch, own in zip(map(int, there), np.split(rates[order], first[1:]), strict=False):
        usual[switch] = most_frequent(own)
    return usual


def _levels(fabric: Fabric) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Levels, and the links that lead upwards, with leaves without hosts where other leaves are.

    By its cables alone a leaf in reserve is above the switches that it is joined to. One that joins parts of the tree
    is there to do so; where a leaf is joined to all of these switches already, it is a leaf too.
    """
    level = fabric.level.copy()
    offsets = np.asarray(fabric.net.offsets, dtype=np.int64)

    def joined(switch: int) -> NDArray[np.int64]:
        return fabric.heads[offsets[switch] : offsets[switch + 1]]

    for switch in map(int, np.flatnonzero((fabric.level == 2) & (fabric.per_switch == 0))):
        below = np.unique(joined(switch))
        if (fabric.level[below] != 1).any():
            continue
        shared: set[int] | None = None
        for other in map(int, below):
            leaves = {int(leaf) for leaf in joined(other) if fabric.level[leaf] == 0}
            shared = leaves if shared is None else shared & leaves
            if not shared:
                break
        if shared:
            level[switch] = 0
    return level, level[fabric.heads] > level[fabric.tails]
