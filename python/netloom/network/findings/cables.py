"""Cables that are slower than their neighbours, and switches with fewer of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...base.quantities import counted
from ...base.records import Subnet
from .base import Fabric, Finding, gbps, most_frequent, some

RETRAIN = "reseat or replace the cable, then let the port train again"
SAME = "check these links, or describe endpoints of each rate by a file of their own"
#: Part by which rates may differ and be the same.
EQUAL = 1e-9


def degraded(fabric: Fabric) -> Iterator[Finding]:
    """Cables below what they could carry, or below most at one of their switches."""
    could = _could(fabric)
    yield from _between_switches(fabric, could)
    if fabric.subnet is not None:
        yield from _to_endpoints(fabric, fabric.subnet, could)


def _could(fabric: Fabric) -> dict[tuple[int, int], float]:
    """By switch and port, what a cable could carry; none where most could carry more: the fabric is built so."""
    faster = [] if fabric.subnet is None else fabric.subnet["faster"]
    if 2 * len(faster) > len(fabric.tails) + len(fabric.endpoint_switch):
        return {}
    return {(switch, port): rate for switch, port, rate in faster}


def _between_switches(fabric: Fabric, could: dict[tuple[int, int], float]) -> Iterator[Finding]:
    usual, endpoints = _usual(fabric)
    # What most cables of the fabric carry is meant, though endpoints have more.
    meant = most_frequent(fabric.bandwidth[fabric.cables]) if len(fabric.cables) > 1 else np.inf
    for link in map(int, fabric.cables):
        ends, own = [fabric.tails[link], fabric.heads[link]], float(fabric.bandwidth[link])
        due, by_endpoints = float(usual[ends].max()), float(endpoints[ends].max())
        if (faster := could.get(fabric.end(link))) is not None:
            yield slow(fabric.cable(link), own, f"could run at {gbps(faster)}")
        elif _below(own, due):
            yield slow(fabric.cable(link), own, f"most cables of these switches at {gbps(due)}")
        elif _below(own, min(meant, by_endpoints)):
            yield slow(fabric.cable(link), own, f"most endpoints of these switches at {gbps(by_endpoints)}")


def _to_endpoints(fabric: Fabric, subnet: Subnet, could: dict[tuple[int, int], float]) -> Iterator[Finding]:
    rate = subnet["endpoint_bytes_per_s"]
    _, usual = _usual(fabric)
    others = []
    read_as = most_frequent(rate) if len(rate) else 0.0
    for endpoint, switch in enumerate(map(int, fabric.endpoint_switch)):
        own, due = float(rate[endpoint]), float(usual[switch])
        if (faster := could.get((switch, int(subnet["port_of_endpoint"][endpoint])))) is not None:
            yield slow(fabric.endpoint(endpoint), own, f"could run at {gbps(faster)}")
        elif _below(own, due):
            yield slow(fabric.endpoint(endpoint), own, f"most endpoints of this switch at {gbps(due)}")
        elif abs(own - read_as) > read_as * EQUAL:
            others.append(endpoint)
    for own in np.unique(rate[others]):
        there = [fabric.endpoint(endpoint) for endpoint in others if rate[endpoint] == own]
        verb = "runs" if len(there) == 1 else "run"
        what = f"{verb} at {gbps(float(own))}, most endpoints at {gbps(read_as)}, and all are read as these"
        yield {"kind": "rate", "severity": "warning", "where": some(there), "what": what, "remedy": SAME}


def _usual(fabric: Fabric) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of every switch, the most frequent bandwidth of its cables to switches, and to endpoints; 0 without any."""
    between, down = np.zeros(fabric.net.switches), np.zeros(fabric.net.switches)
    for ends, rates, usual in (
        (fabric.tails, fabric.bandwidth, between),
        (fabric.endpoint_switch, fabric.endpoint_rates, down),
    ):
        order = np.argsort(ends, kind="stable")
        there, first = np.unique(ends[order], return_index=True)
        for switch, own in zip(there, np.split(rates[order], first[1:]), strict=False):
            usual[switch] = most_frequent(own)
    return between, down


def _below(own: float, due: float) -> bool:
    return own < due * (1 - EQUAL)


def slow(where: str, own: float, but: str) -> Finding:
    return {
        "kind": "degraded",
        "severity": "warning",
        "where": where,
        "what": f"runs at {gbps(own)}, {but}",
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
