"""A network in a comparison."""

from __future__ import annotations

from typing import TypedDict

from ..network.endpoint_bisection import EndpointBisection


class Asked(TypedDict):
    """Times of a workload on a network."""

    workload: str
    max_link_s: float
    time_s: float


class Compared(TypedDict):
    """A row of `compare`; see there."""

    network: str
    endpoints: int
    switches: int
    radix: int
    diameter: int
    aspl: float
    bisection: EndpointBisection
    bisection_per_endpoint: float
    usd: float | None
    usd_per_endpoint: float | None
    price: str
    workloads: list[Asked]
