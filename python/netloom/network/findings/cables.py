"""Cables that are slower than their neighbours, and switches with fewer of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...base.quantities import counted
from .base import Fabric, Finding, gbps, most_frequent

RETRAIN = "reseat or replace the cable, then let the port train again"


def degraded(fabric: Fabric) -> Iterator[Finding]:
    """Cables below the most frequent bandwidth at one of their switches, endpoints' included."""
    switches = range(fabric.net.switches)
    offsets = fabric.net.offsets
    usual = np.array(
        [
            most_frequent(fabric.bandwidth[offsets[s] : offsets[s + 1]]) if offsets[s] < offsets[s + 1] else 0
            for s in switches
        ]
    )
    for link in map(int, fabric.cables):
        own, due = float(fabric.bandwidth[link]), float(max(usual[fabric.tails[link]], usual[fabric.heads[link]]))
        if own < due * (1 - 1e-9):
            yield slow(fabric.cable(link), own, due, "most cables of these switches")
    if fabric.subnet is None:
        return
    rate = fabric.subnet["endpoint_bytes_per_s"]
    for switch in np.unique(fabric.endpoint_switch):
        there = np.flatnonzero(fabric.endpoint_switch == switch)
        due = most_frequent(rate[there])
        for endpoint in map(int, there[rate[there] < due * (1 - 1e-9)]):
            yield slow(fabric.endpoint(endpoint), float(rate[endpoint]), due, "most endpoints of this switch")


def slow(where: str, own: float, due: float, who: str) -> Finding:
    return {
        "kind": "degraded",
        "severity": "warning",
        "where": where,
        "what": f"runs at {gbps(own)}, {who} at {gbps(due)}",
        "remedy": RETRAIN,
    }


def uplinks(fabric: Fabric) -> Iterator[Finding]:
    """Switches with fewer cables upwards than most of their level."""
    up = np.bincount(fabric.tails[fabric.rises], minlength=fabric.net.switches)
    for level in range(int(fabric.level.max(initial=0))):
        there = np.flatnonzero(fabric.level == level)
        due = int(most_frequent(up[there]))
        for switch in map(int, there[up[there] < due]):
            yield {
                "kind": "uplinks",
                "severity": "warning",
                "where": fabric.switch_names[switch],
                "what": f"has {counted(int(up[switch]), 'cable')} upwards, most switches of its level {due}",
                "remedy": "find the cables that are missing or down",
            }
