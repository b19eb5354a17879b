"""One piece of work on one candidate: its bill, or a rung's time of some workloads. Runs in any process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..base.ahead import announced
from ..base.errors import NetloomError
from ..compare.policy import routing_of
from ..evaluate import evaluate
from ..scenario import Scenario
from .bill import Bill, bill

if TYPE_CHECKING:
    from .catalogue import Catalogue, Switch


@dataclass(frozen=True)
class Job:
    """What is asked of a candidate.

    Attributes
    ----------
    rung
        ``bill``, ``cut``, ``hops``, ``loads``, ``time`` or ``packet``.
    inputs
        Of each workload.
    policy
        Of routing.
    fail
        What fails before; "" for nothing.
    """

    call: str
    rung: str
    inputs: tuple[Mapping[str, object], ...] = ()
    policy: str = ""
    fail: str = ""
    parts: tuple[Switch, Catalogue, int] | None = None


@dataclass(frozen=True)
class Done:
    """What was found.

    Attributes
    ----------
    times
        Of each workload, s; None where the rung cannot say.
    refused
        Why nothing was found; "" where something was.
    """

    times: tuple[float | None, ...] = ()
    bill: Bill | None = None
    cut: tuple[float, bool] | None = None
    lost: int = 0
    refused: str = ""
    routing: tuple[str, str] = field(default=("", ""))


def measure(job: Job) -> Done:
    """Do it. What the network or its routing refuses is said, not raised."""
    try:
        with announced():
            return _measured(job)
    except NetloomError as error:
        fault = error.faults[0]
        return Done(refused=f"{fault.place}: {fault.expected}" + (f", got {fault.got}" if fault.got else ""))


def _measured(job: Job) -> Done:
    net = _network(job.call)
    if job.rung == "bill":
        assert job.parts is not None
        switch, catalogue, endpoints = job.parts
        made = bill(net, switch, catalogue, endpoints)
        if made.radix > switch.ports:
            return Done(refused=f"a switch would need {made.radix} ports")
        return Done(bill=made, routing=routing_of(net, job.policy))
    if job.rung == "cut":
        from ..network.capacity import capacity

        found = capacity(net)
        return Done(cut=(found["bisection"], found["exact"]))
    routing = routing_of(net, job.policy)
    left = net.endpoints
    if job.fail:
        net = net.without([job.fail])
        left -= int(np.isin(np.asarray(net.endpoint_switch), list(net.failed["switches"])).sum()) if net.failed else 0
        if net.rails is None:
            routing = routing_of(net, job.policy)
    times = [_time(net, inputs, job.rung, routing, left) for inputs in job.inputs]
    return Done(tuple(times), lost=net.endpoints - left, routing=routing)


@lru_cache(maxsize=8)
def _network(call: str) -> _core.Network:
    return _core.Network.build(call)


def scenario_of(call: str | _core.Network, inputs: Mapping[str, object], routing: tuple[str, str]) -> Scenario:
    """The scenario that a rung answers, and that is written for a candidate."""
    return Scenario.from_dict({"network": call, **inputs, "routing": routing[0], "variant": routing[1]})


def _time(
    net: _core.Network, inputs: Mapping[str, object], rung: str, routing: tuple[str, str], left: int
) -> float | None:
    """Seconds by a rung; by hops and loads they are bounds below."""
    ranks = min(int(str(inputs["ranks"])), left)
    asked = scenario_of(net, {**inputs, "ranks": ranks}, routing)
    if rung in ("hops", "loads"):
        asked = asked.without("calibration")
    if rung == "hops":
        found = evaluate(asked.without("routing", "variant"), "hops")
        links = np.asarray(net.link_bandwidth_bytes_per_s)
        between = float(links[: len(net.tails)].sum())
        ends = float(links[len(net.tails) :].max(initial=0.0))
        # All links together carry no more than their sum; an endpoint sends the mean at least.
        through = float(found["hop_bytes"]) / between if between else 0.0
        return max(through, float(found["total_bytes"]) / ranks / ends if ends else 0.0)
    if rung == "loads":
        rows = evaluate(asked, "loads", hottest=0).tables["classes"]
        return max((float(row["max_s"] or 0.0) for row in rows), default=0.0)  # type: ignore[arg-type]
    answer = evaluate(asked, rung)
    value = answer["time_s"] if "time_s" in answer.record else answer["packet_s"]
    return None if value is None else float(value)
