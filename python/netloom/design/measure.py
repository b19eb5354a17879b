"""One piece of work on one candidate: its bill, or a rung's time of some workloads. Runs in any process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import fsum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.ahead import announced
from ..base.errors import NetloomError
from ..compare.policy import OWN, routing_of
from ..evaluate import evaluate
from ..scenario import Scenario
from .bill import Bill, bill
from .excerpt import excerpt
from .grown import Before, Growth, grown
from .software import of_call, of_step
from .steps import steps_of

if TYPE_CHECKING:
    from .catalogue import Catalogue, Switch


@dataclass(frozen=True)
class Job:
    """What is asked of a candidate.

    Attributes
    ----------
    rung
        ``bill``, ``growth``, ``cut``, ``hops``, ``loads``, ``steps``, ``time`` or ``packet``.
    inputs
        Of each workload.
    policy
        Of routing.
    routing
        What the policy is on this network, as its bill says; of a damaged one it is asked again.
    before
        The network that grows to this one.
    fail
        What fails before: ``links`` or ``switches``, how many or what share, and the seed; empty for nothing.
    """

    call: str
    rung: str
    inputs: tuple[Mapping[str, object], ...] = ()
    policy: str = ""
    routing: tuple[str, str] = ("", "")
    fail: tuple[str, str, int] | None = None
    parts: tuple[Switch, Catalogue, int] | None = None
    before: Before | None = None


@dataclass(frozen=True)
class Done:
    """What was found.

    Attributes
    ----------
    times
        Of each workload, s; None where the rung cannot say.
    undamaged
        Where endpoints were lost: the same of the undamaged network with the same ranks on the same endpoints.
    lost
        Endpoints of failed switches.
    failed
        Cables or switches that fail, and how many there are.
    refused
        Why nothing was found; "" where something was.
    """

    times: tuple[float | None, ...] = ()
    undamaged: tuple[float | None, ...] = ()
    bill: Bill | None = None
    growth: Growth | None = None
    cut: tuple[float, bool] | None = None
    lost: int = 0
    failed: tuple[int, int] = (0, 0)
    refused: str = ""
    routing: tuple[str, str] = field(default=("", ""))


def measure(job: Job) -> Done:
    """Do it. What the network or its routing refuses is said, not raised."""
    try:
        with announced():
            return _measured(job)
    except NetloomError as error:
        return Done(refused=_said(error))


def _said(error: NetloomError) -> str:
    fault = error.faults[0]
    return f"{fault.place}: {fault.expected}" + (f", got {fault.got}" if fault.got else "")


def _measured(job: Job) -> Done:
    net = _network(job.call)
    if job.rung == "bill":
        assert job.parts is not None
        switch, catalogue, endpoints = job.parts
        made = bill(net, switch, catalogue, endpoints)
        if made.radix > switch.ports:
            return Done(refused=f"a switch would need {made.radix} ports")
        routing = _routing(net, job.policy) if "parallel=" in job.call else routing_of(net, job.policy)
        return Done(bill=made, routing=routing)
    if job.rung == "growth":
        assert job.parts is not None and job.before is not None
        switch, catalogue, endpoints = job.parts
        larger = grown(job.before, net, job.call, endpoints, switch, catalogue)
        if larger.radix > switch.ports:
            return Done(refused=f"a switch would need {larger.radix} ports")
        return Done(growth=larger)
    if job.rung == "cut":
        from ..network.capacity import capacity

        found = capacity(net)
        return Done(cut=(found["bisection"], found["exact"]))
    if job.fail is not None:
        what, failed = _failing(net, *job.fail)
        if what.startswith("no "):
            return Done(refused=what, failed=failed)
        try:
            return replace(_damaged(net, net.without([what]), job), failed=failed)
        except NetloomError as error:
            return Done(refused=_said(error), failed=failed)
    return Done(tuple(_time(net, inputs, job.rung, job.routing, net.endpoints) for inputs in job.inputs))


def _damaged(whole: _core.Network, net: _core.Network, job: Job) -> Done:
    """Times of the workloads that the ranks that are left can run as well.

    Raises
    ------
    NetloomError
        If the network falls apart.
    """
    failed = list(net.failed["switches"]) if net.failed else []
    left = np.flatnonzero(np.isin(np.asarray(net.endpoint_switch), failed, invert=True))
    lost = net.endpoints - len(left)
    routings = [_routing(net, job.policy), routing_of(net, OWN)]
    times, undamaged = list[float | None](), list[float | None]()
    for inputs in job.inputs:
        try:
            times.append(_by_first(net, inputs, job.rung, routings, len(left)))
        except NetloomError:
            times.append(None)
        if lost:
            # Fewer ranks have less to do: the ratio to all of them would not tell what the failure costs.
            known = times[-1] is not None
            undamaged.append(_time(whole, inputs, job.rung, job.routing, left) if known else None)
    if all(time_s is None for time_s in times):
        return Done(lost=lost, refused="no workload of the mix runs on the ranks that are left")
    return Done(tuple(times), tuple(undamaged), lost=lost)


def _by_first(
    net: _core.Network, inputs: Mapping[str, object], rung: str, routings: Sequence[tuple[str, str]], left: int
) -> float | None:
    """Seconds with the first routing that the network takes."""
    for routing in routings[:-1]:
        try:
            return _time(net, inputs, rung, routing, left)
        except NetloomError:
            continue
    return _time(net, inputs, rung, routings[-1], left)


def _routing(net: _core.Network, policy: str) -> tuple[str, str]:
    """The policy on a network; its own routing where that has too many paths between two switches.

    Raises
    ------
    NetloomError
        Of routing, if its own one has too many paths as well.
    """
    asked, own = routing_of(net, policy), routing_of(net, OWN)
    for routing in dict.fromkeys((asked, own)):
        try:
            _across(net, routing)
        except NetloomError as error:
            refused = error
        else:
            return routing
    raise refused


def _across(net: _core.Network, routing: tuple[str, str]) -> None:
    """Messages of every endpoint, to see whether the routing takes the network.

    To one half of them away, and to the one as far from the end as it is from the beginning: in a grid the one goes
    along the first dimension, the other along all of them, where paths are the most.
    """
    failed = set(net.failed["switches"]) if net.failed else set()
    ranks = int(np.isin(np.asarray(net.endpoint_switch), list(failed), invert=True).sum())
    if ranks > 1:
        own = np.arange(ranks, dtype=np.int64)
        src, dst = np.tile(own, 2), np.concatenate([(own + ranks // 2) % ranks, own[::-1]])
        src, dst = src[src != dst], dst[src != dst]
        traffic = _core.Traffic.from_flows("across", ranks, src, dst, np.ones_like(src), np.ones_like(src))
        inputs = {"workload": traffic, "ranks": ranks}
        evaluate(scenario_of(net, inputs, (routing[0], "static-direct")), "loads", hottest=0)


def _failing(net: _core.Network, kind: str, much: str, seed: int) -> tuple[str, tuple[int, int]]:
    """What fails, as a network takes it, or why nothing of that kind can, beginning with "no"; how many of how many."""
    rails = net.rails is not None
    if kind == "switches":
        if rails:
            return "no switches are drawn: those inside nodes would be among them", (0, 0)
        count = _count(much, net.switches)
        what = f"switches:{count},seed={seed}" if count < net.switches else "no switch is left"
        return what, (count, net.switches)
    # Only cables between switches of the catalogue.
    of = [at for at, one in enumerate(net.classes) if not rails or one["name"] == "spine"]
    cables = int(np.isin(np.asarray(net.class_index), of).sum()) // 2
    count = _count(much, cables)
    if not cables or count >= cables:
        why = "no cable between switches is left" if cables else "no cable joins two switches"
        return why, (count if cables else 0, cables)
    return f"links:{count},seed={seed}" + (",class=spine" if rails else ""), (count, cables)


def _count(much: str, total: int) -> int:
    """A number, or a share of all, one at least."""
    share = much.endswith("%")
    return max(1, round(float(much[:-1]) / 100 * total)) if share else int(much)


@lru_cache(maxsize=8)
def _network(call: str) -> _core.Network:
    return _core.Network.build(call)


def scenario_of(call: str | _core.Network, inputs: Mapping[str, object], routing: tuple[str, str]) -> Scenario:
    """The scenario that a rung answers, and that is written for a candidate."""
    return Scenario.from_dict({"network": call, **inputs, "routing": routing[0], "variant": routing[1]})


def written(asked: Scenario) -> Scenario:
    """The scenario without a calibration that it takes anyway."""
    other = asked.without("calibration")
    return other if other["calibration"] == asked["calibration"] and not other["library"] else asked


def _time(
    net: _core.Network,
    inputs: Mapping[str, object],
    rung: str,
    routing: tuple[str, str],
    left: int | NDArray[np.int64],
) -> float | None:
    """Seconds by a rung; by hops and loads they are bounds below.

    Parameters
    ----------
    left
        Endpoints in service: how many, for ranks on the first of them, or those that are taken of an undamaged network.
    """
    ranks = min(int(str(inputs["ranks"])), left if isinstance(left, int) else len(left))
    asked = scenario_of(net, {**inputs, "ranks": ranks}, routing)
    if not isinstance(left, int):
        asked = asked.without("ranks").but(mapping=left[:ranks])
    calibration = str(inputs["calibration"])
    if rung in ("hops", "loads", "steps"):
        asked = asked.without("calibration")
    if rung == "hops":
        found = evaluate(asked.without("routing", "variant"), "hops")
        links = np.asarray(net.link_bandwidth_bytes_per_s)
        between = float(links[: len(net.tails)].sum())
        ends = float(links[len(net.tails) :].max(initial=0.0))
        # All links together carry no more than their sum; an endpoint sends the mean at least.
        through = float(found["hop_bytes"]) / between if between else 0.0
        return max(through, float(found["total_bytes"]) / ranks / ends if ends else 0.0)
    if rung == "steps":
        return _by_steps(net, asked, ranks, calibration)
    if rung == "loads":
        return _busiest(asked)
    value = evaluate(asked, rung)["time_s"]
    return float(value) if isinstance(value, (int, float)) else None


def _busiest(asked: Scenario) -> float:
    """What the busiest link needs for its bytes, those to endpoints among them."""
    rows = evaluate(asked, "loads", hottest=0).tables["classes"]
    return max((float(row["max_s"] or 0.0) for row in rows), default=0.0)


def _by_steps(net: _core.Network, asked: Scenario, ranks: int, calibration: str) -> float:
    """The sum over steps of what the busiest link needs, the longest route delays and software takes; of a sample where
    many differ."""
    schedule = _schedule(str(asked["workload"]), ranks, int(str(asked["size_bytes"])))
    if net.rails is not None and (found := excerpt(schedule)) is not None:
        return _by_excerpt(*found, asked.but(calibration=calibration))
    speed = min(float(one["bandwidth_bytes_per_s"]) for one in net.classes)
    parts = [of_call(schedule, calibration, speed)]
    for step in steps_of(schedule):
        traffic = _core.Traffic.from_flows("step", ranks, step.src, step.dst, np.ones_like(step.src), step.size)
        one = asked.without("workload", "size_bytes").but(workload=traffic)
        added = of_step(schedule, step, calibration, speed)
        wires = added.per_byte * _busiest(one) + added.per_latency * _passing(net, one)
        parts.append(step.times * (wires + added.software_s))
    return fsum(parts)


def _by_excerpt(some: _core.Schedule, times: float, asked: Scenario) -> float:
    """Seconds by flows of some of the steps, each as often as it stands for. What a collective costs besides counts
    once."""
    none = _core.Schedule.from_transfers(some.collective, some.ranks, some.root, some.size_bytes, [])
    call, whole = (evaluate(asked.without("size_bytes").but(workload=one), "time")["time_s"] for one in (none, some))
    assert isinstance(call, float) and isinstance(whole, float)
    return call + times * (whole - call)


def _passing(net: _core.Network, asked: Scenario) -> float:
    """What the links of the longest route delay a message, all as the slowest class of them."""
    hops = evaluate(asked.without("routing", "variant"), "hops")["max_hops"]
    return (float(hops) + 2) * max((float(one["latency_s"]) for one in net.classes), default=0.0)


@lru_cache(maxsize=4)
def _schedule(workload: str, ranks: int, size_bytes: int) -> _core.Schedule:
    return _core.Schedule.build(workload, ranks, 0, size_bytes)
