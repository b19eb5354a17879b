"""A fabric as arrays, and the names of its parts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from ... import _core

#: Names listed in one sentence.
NAMED = 3


class Finding(TypedDict):
    """Something wrong with a fabric."""

    kind: str
    severity: Literal["error", "warning"]
    where: str
    what: str
    remedy: str


class Fabric:
    """A network with what is asked of it repeatedly."""

    def __init__(self, net: _core.Network) -> None:
        self.net = net
        self.tails: NDArray[np.int64] = np.asarray(net.tails, dtype=np.int64)
        self.heads: NDArray[np.int64] = np.asarray(net.heads, dtype=np.int64)
        self.endpoint_switch: NDArray[np.int64] = np.asarray(net.endpoint_switch, dtype=np.int64)
        self.subnet = _core.subnet(net)
        self.bandwidth: NDArray[np.float64] = net.link_bandwidth_bytes_per_s[: len(self.tails)]

    @cached_property
    def switch_names(self) -> list[str]:
        return self.net.switch_names

    @cached_property
    def endpoint_names(self) -> list[str]:
        return self.net.endpoint_names

    @cached_property
    def _levels(self) -> NDArray[np.uint8] | None:
        return _core.likely_levels(self.net)

    @property
    def has_levels(self) -> bool:
        """Whether its cables join one level to the next; a few endpoints may be on upper switches."""
        return self._levels is not None

    @cached_property
    def in_service(self) -> NDArray[np.bool_]:
        """Of every switch, whether it has not failed."""
        there = np.ones(self.net.switches, dtype=bool)
        if self.net.failed is not None:
            there[self.net.failed["switches"]] = False
        return there

    @cached_property
    def level(self) -> NDArray[np.int64]:
        """Level of every switch, 0 at the endpoints; all 0 for a network without levels."""
        found = self._levels
        return np.zeros(self.net.switches, dtype=np.int64) if found is None else np.asarray(found, dtype=np.int64)

    @cached_property
    def rises(self) -> NDArray[np.bool_]:
        """Of every link, whether it leads to a higher level."""
        return self.level[self.heads] > self.level[self.tails]

    @cached_property
    def per_switch(self) -> NDArray[np.int64]:
        """Endpoints of every switch."""
        return np.bincount(self.endpoint_switch, minlength=self.net.switches)

    @cached_property
    def cables(self) -> NDArray[np.int64]:
        """Links from the lower switch to the higher one, by number: each cable once."""
        return np.flatnonzero(self.tails < self.heads)

    @cached_property
    def endpoint_rates(self) -> NDArray[np.float64]:
        """Bandwidth of every endpoint's link; none for a network without them."""
        if self.subnet is not None:
            return self.subnet["endpoint_bytes_per_s"]
        return np.zeros(len(self.endpoint_switch))

    def end(self, link: int) -> tuple[int, int]:
        """The switch that a link leaves and its port; port 0 if the file does not say it."""
        port = 0 if self.subnet is None else int(self.subnet["port_of_link"][link])
        return int(self.tails[link]), port

    def port(self, link: int) -> str:
        """`leaf1[7]`: the switch that a link leaves, with its port if the file says it."""
        name = self.switch_names[self.tails[link]]
        return name if self.subnet is None else f"{name}[{self.subnet['port_of_link'][link]}]"

    def cable(self, link: int) -> str:
        """`leaf1[7] - spine0[2]`."""
        return f"{self.port(link)} - {self.port(int(self.net.reverse[link]))}"

    def endpoint(self, endpoint: int) -> str:
        """`leaf1[2] - cn01`."""
        switch = self.switch_names[self.endpoint_switch[endpoint]]
        port = "" if self.subnet is None else f"[{self.subnet['port_of_endpoint'][endpoint]}]"
        return f"{switch}{port} - {self.endpoint_names[endpoint]}"


def some(names: Iterable[str]) -> str:
    """The first names, and how many more there are."""
    listed = list(names)
    more = f" and {len(listed) - NAMED} more" if len(listed) > NAMED else ""
    return ", ".join(listed[:NAMED]) + more


def gbps(bytes_per_s: float) -> str:
    """`100 Gb/s`."""
    return f"{bytes_per_s * 8e-9:.4g} Gb/s"


def most_frequent(values: NDArray[np.float64] | NDArray[np.int64]) -> float:
    """The most frequent value, of equally frequent ones the largest."""
    found, counts = np.unique(values, return_counts=True)
    return float(found[counts == counts.max()][-1])
