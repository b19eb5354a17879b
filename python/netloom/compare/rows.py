"""A network in a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from ..base.errors import printable
from ..network.endpoint_bisection import EndpointBisection


class Asked(TypedDict):
    """Times of a workload on a network."""

    workload: str
    max_link_s: float | None
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


def names(rows: Sequence[Compared]) -> list[str]:
    """What words and pictures call the networks: their labels, numbered where two are the same."""
    labels = [printable(row["network"]) for row in rows]
    return [
        label if labels.count(label) == 1 else f"{label} ({labels[: at + 1].count(label)})"
        for at, label in enumerate(labels)
    ]
