"""Cables that are slower than their neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.quantities import counted
from ...base.records import Subnet
from .base import Fabric, Finding, gbps, most_frequent, some

RETRAIN = "reseat or replace the cable, then let the port train again"
SAME = "check these links, or describe endpoints of each rate by a file of their own"
#: Part by which rates may differ and be the same.
EQUAL = 1e-9


class Most(NamedTuple):
    """The most frequent of some bandwidths, of equally frequent ones the largest; 0 of none."""

    rate: float
    having: int
    total: int


class Best:
    """What cables could carry, by switch and port."""

    def __init__(self, fabric: Fabric) -> None:
        self._rates = {} if fabric.subnet is None else {(s, port): rate for s, port, rate in fabric.subnet["best"]}
        ends = [(*fabric.end(link), float(fabric.bandwidth[link])) for link in range(len(fabric.tails))]
        if fabric.subnet is not None:
            ports, rates = fabric.subnet["port_of_endpoint"], fabric.endpoint_rates
            ends += zip(map(int, fabric.endpoint_switch), map(int, ports), map(float, rates), strict=True)
        more = sum(_below(own, self._rates.get((switch, port), own)) for switch, port, own in ends)
        #: Where most could carry more, the fabric is built so.
        self.told = 2 * more <= len(ends)

    def more(self, switch: int, port: int, own: float) -> float | None:
        """What a cable could carry more, unless most could."""
        best = self._rates.get((switch, port), own)
        return best if self.told and _below(own, best) else None

    def reached(self, switch: int, port: int, own: float) -> bool:
        """Whether it is known that the ports and the cable can carry no more."""
        best = self._rates.get((switch, port))
        return best is not None and not _below(own, best)


def degraded(fabric: Fabric) -> Iterator[Finding]:
    """Cables below what they could carry, or below most at one of their switches."""
    best = Best(fabric)
    yield from _between_switches(fabric, best)
    if fabric.subnet is not None:
        yield from _to_endpoints(fabric, fabric.subnet, best)


def _between_switches(fabric: Fabric, best: Best) -> Iterator[Finding]:
    usual, endpoints = _usual(fabric)
    # What most cables of the fabric carry is meant, though endpoints have more.
    meant = most_frequent(fabric.bandwidth[fabric.cables]) if len(fabric.cables) > 1 else np.inf
    for link in map(int, fabric.cables):
        ends, own = [int(fabric.tails[link]), int(fabric.heads[link])], float(fabric.bandwidth[link])
        due = max(ends, key=lambda switch: _weight(usual[switch]))
        by = max(ends, key=lambda switch: _weight(endpoints[switch]))
        at = fabric.end(link)
        if (more := best.more(*at, own)) is not None:
            yield slow(fabric.cable(link), own, f"could run at {gbps(more)}")
        elif best.reached(*at, own):
            continue
        elif _below(own, usual[due].rate):
            yield slow(fabric.cable(link), own, _others(usual[due], "cable", f"{fabric.switch_names[due]} to switches"))
        elif _below(own, min(meant, endpoints[by].rate)):
            yield slow(fabric.cable(link), own, _others(endpoints[by], "endpoint", fabric.switch_names[by]))


def _to_endpoints(fabric: Fabric, subnet: Subnet, best: Best) -> Iterator[Finding]:
    rate = subnet["endpoint_bytes_per_s"]
    _, usual = _usual(fabric)
    others = []
    read_as = _most(rate)
    for endpoint, switch in enumerate(map(int, fabric.endpoint_switch)):
        own, at = float(rate[endpoint]), (switch, int(subnet["port_of_endpoint"][endpoint]))
        if (more := best.more(*at, own)) is not None:
            yield slow(fabric.endpoint(endpoint), own, f"could run at {gbps(more)}")
        elif _below(own, usual[switch].rate) and not best.reached(*at, own):
            yield slow(fabric.endpoint(endpoint), own, _others(usual[switch], "endpoint", fabric.switch_names[switch]))
        elif abs(own - read_as.rate) > read_as.rate * EQUAL:
            others.append(endpoint)
    for own in np.unique(rate[others]):
        there = [fabric.endpoint(endpoint) for endpoint in others if rate[endpoint] == own]
        verb = "runs" if len(there) == 1 else "run"
        what = f"{verb} at {gbps(float(own))}, {_others(read_as, 'endpoint')}, and all are read as these"
        yield {"kind": "rate", "severity": "warning", "where": some(there), "what": what, "remedy": SAME}


def _usual(fabric: Fabric) -> tuple[list[Most], list[Most]]:
    """Of every switch, the most frequent bandwidth of its cables to switches, and to endpoints."""
    found = []
    for ends, rates in (fabric.tails, fabric.bandwidth), (fabric.endpoint_switch, fabric.endpoint_rates):
        usual = [Most(0.0, 0, 0)] * fabric.net.switches
        order = np.argsort(ends, kind="stable")
        there, first = np.unique(ends[order], return_index=True)
        for switch, own in zip(map(int, there), np.split(rates[order], first[1:]), strict=False):
            usual[switch] = _most(own)
        found.append(usual)
    between, down = found
    return between, down


def _most(rates: NDArray[np.float64]) -> Most:
    if not len(rates):
        return Most(0.0, 0, 0)
    rate = most_frequent(rates)
    return Most(rate, int((rates == rate).sum()), len(rates))


def _weight(most: Most) -> tuple[float, float]:
    """Orders by rate, equal ones by the part that has it."""
    return most.rate, most.having / max(most.total, 1)


def _others(most: Most, word: str, whose: str = "") -> str:
    """`3 of 4 cables of leaf1 at 100 Gb/s`: in numbers, since the most frequent need not be most."""
    return f"{most.having} of {counted(most.total, word)}{whose and ' of '}{whose} at {gbps(most.rate)}"


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
