"""A network in a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from ..base.errors import printable
from ..network.endpoint_bisection import EndpointBisection


class Spread(TypedDict):
    """Times of a workload under one policy of routing, over the seeds of hashes, placements and failures."""

    policy: str
    routing: str
    variant: str
    runs: int
    time_s: float
    least_s: float
    most_s: float


class Asked(TypedDict):
    """Times of a workload on a network: means over the draws of the policy that is compared, and the spread."""

    workload: str
    max_link_s: float | None
    time_s: float
    #: Of all messages, mean over the draws; over the time; and that over the price, None where there is none.
    bytes: NotRequired[float]
    rate_bytes_per_s: NotRequired[float | None]
    rate_per_usd: NotRequired[float | None]
    #: How much the time counts in `phi`, and what is over that of the baseline; absent without one.
    weight: NotRequired[float]
    relative_time: NotRequired[float | None]
    relative_rate: NotRequired[float | None]
    relative_rate_per_usd: NotRequired[float | None]
    #: Within the known median error of the fastest network's prediction; absent where no error is known.
    tie: NotRequired[bool]
    #: Over all policies and draws; absent where the spread was not asked for.
    least_s: NotRequired[float]
    most_s: NotRequired[float]
    policies: NotRequired[list[Spread]]
    #: Policies that this network refuses, with the reason.
    refused: NotRequired[list[str]]
    #: Sentences about the inputs, such as a variant without effect.
    says: NotRequired[list[str]]


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
    #: What the price is in: USD, or what the cost model counts.
    price_unit: NotRequired[str]
    #: What the price leaves open, such as that it is extrapolated.
    price_notes: NotRequired[list[str]]
    workloads: list[Asked]
    #: The network that others are relative to; absent without one, as are the next three.
    baseline: NotRequired[str]
    relative_price: NotRequired[float | None]
    #: Over the weighted workloads; absent without one.
    phi: NotRequired[float | None]
    #: `phi` over the price, of networks with as many endpoints as the baseline; None for others.
    efficiency: NotRequired[float | None]
    #: What is compared: the policy, and what it is on this network.
    policy: NotRequired[str]
    routing: NotRequired[str]
    variant: NotRequired[str]
    #: What the times are means over, such as ``placement=random(seed=1)``; empty for one run.
    draws: NotRequired[list[str]]
    #: Median share by which such predictions were off; absent where it is not known.
    error: NotRequired[float]
    #: Costs of software, where no machine gives them.
    calibration: NotRequired[str]


def names(rows: Sequence[Compared]) -> list[str]:
    """What words and pictures call the networks: their labels, numbered where two are the same."""
    labels = [printable(row["network"]) for row in rows]
    return [
        label if labels.count(label) == 1 else f"{label} ({labels[: at + 1].count(label)})"
        for at, label in enumerate(labels)
    ]


def unit_of(rows: Sequence[Compared]) -> str:
    """What the prices are in: one cost model prices all."""
    return next((unit for row in rows if (unit := row.get("price_unit"))), "USD")
