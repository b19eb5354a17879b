"""What software does in `netloom design`: the same costs for every rung and every candidate, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import netloom
from netloom import _core
from netloom.design import Design, Settings, design
from netloom.design.excerpt import excerpt
from netloom.design.measure import Job, measure, scenario_of, written
from netloom.design.mix import members
from netloom.design.software import Added, of_call, of_step
from netloom.design.steps import steps_of

mix: Any = import_module("netloom.design.mix")
RING, PAIRWISE, DOUBLING = "allreduce:ring", "alltoall:pairwise", "allreduce:recursive-doubling"
NETWORKS = {
    'xgft(m=[32,4],w=[1,8],parallel=[1,4],bandwidth="400 Gbps")': "minimal",
    'xgft(m=[32,4],w=[1,4],parallel=[1,4],bandwidth="400 Gbps")': "minimal",
    'torus(4,4,4,p=2,bandwidth="400 Gbps")': "minimal",
    'dragonfly(a=8,p=4,h=4,g=4,bandwidth="400 Gbps")': "group-minimal",
}
RAILS = 'rail_cluster(nodes=16,gpus=8,pod=16,spine=absent,radix=36,nic_bandwidth="400 Gbps")'


def _timed(call: str, rung: str, workload: str, size: int, calibration: str) -> float:
    inputs = {"workload": workload, "ranks": 128, "size_bytes": size, "calibration": calibration}
    done = measure(Job(call, rung, (inputs,), routing=(NETWORKS.get(call, "minimal"), "static-direct")))
    assert not done.refused and done.times[0] is not None, done.refused
    return done.times[0]


@pytest.mark.parametrize("call", NETWORKS)
@pytest.mark.parametrize("workload", [RING, PAIRWISE, DOUBLING])
@pytest.mark.parametrize("size", [1 << 10, 1 << 17, 1 << 24])
@pytest.mark.parametrize("calibration", ["mpi-rdma", "gpu-rdma", "pure"])
def test_steps_take_nearly_what_flows_take(call: str, workload: str, size: int, calibration: str) -> None:
    """The whole range of sizes, from latency of software to bytes; without software they were 90 % too low."""
    steps, flows = (_timed(call, rung, workload, size, calibration) for rung in ("steps", "time"))
    assert steps == pytest.approx(flows, rel=0.13)


@pytest.mark.parametrize("workload", [RING, PAIRWISE, DOUBLING])
@pytest.mark.parametrize("size", [1 << 10, 1 << 17, 1 << 24])
def test_steps_inside_nodes_and_between_them(workload: str, size: int) -> None:
    """Messages inside nodes have other costs: as if all waited after each step, a ring was up to 30 % off."""
    steps, flows = (_timed(RAILS, rung, workload, size, "gpu-rdma") for rung in ("steps", "time"))
    assert steps == pytest.approx(flows, rel=0.05)


def test_an_excerpt_of_all_steps_is_the_schedule() -> None:
    schedule = _core.Schedule.build("allreduce:rabenseifner", 16, 0, 16 << 10)
    found = excerpt(schedule)
    assert found is not None and found[1] == 1.0
    one, other = ({name: list(column) for name, column in made.table().items()} for made in (schedule, found[0]))
    assert sorted(zip(*one.values(), strict=True)) == sorted(zip(*other.values(), strict=True))
    assert excerpt(_core.Schedule.build("alltoall:linear", 300, 0, 1024)) is None
    assert excerpt(_core.Schedule.build("alltoall:bruck", 1024, 0, 1024)) is None


@pytest.mark.parametrize("calibration", ["mpi-rdma", "gpu-rdma", "simgrid-smpi", "pure"])
@pytest.mark.parametrize("call", [RING, PAIRWISE, DOUBLING, "allgather:ring", "reduce-scatter:ring"])
@pytest.mark.parametrize("size", [1 << 12, 1 << 22])
def test_on_a_crossbar_steps_are_those_of_flows(calibration: str, call: str, size: int) -> None:
    """Nothing is shared there and all routes are alike: what the two add up is the same."""
    network = 'complete(1,p=16,bandwidth="100 Gbps",latency="300 ns")'
    asked = {"network": network, "workload": call, "ranks": 16, "size_bytes": size, "calibration": calibration}
    schedule = _core.Schedule.build(call, 16, 0, size)
    speed, found = 100e9 / 8, of_call(schedule, calibration, 100e9 / 8)
    for step in steps_of(schedule):
        added = of_step(schedule, step, calibration, speed)
        sent = np.bincount(step.src, step.size).max() / speed
        found += step.times * (added.per_byte * sent + added.per_latency * 2 * 300e-9 + added.software_s)
    flows = netloom.evaluate(asked, "time")["time_s"]
    assert found == pytest.approx(flows, rel=0.02 if calibration == "simgrid-smpi" else 1e-9)


def test_no_costs_add_nothing() -> None:
    schedule = _core.Schedule.build(RING, 8, 0, 1024)
    assert of_call(schedule, "pure", 1e9) == 0.0
    assert {of_step(schedule, step, "pure", 1e9) for step in steps_of(schedule)} == {Added(1.0, 1.0, 0.0)}


def test_protocols_of_gpu_libraries_have_no_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mix, "FLOW_MESSAGES", 0)
    name = "allreduce:ring(channels=1,protocol=ll)"
    one, other = members({name: 1.0, RING: 1.0}, 32, {"calibration": "gpu-rdma"})
    assert (one.rungs[-1], other.rungs[-1]) == ("loads", "steps")


TREES = ("fat-tree",)


def _asked(workloads: Sequence[str], endpoints: int = 64, families: Sequence[str] = TREES, **how: Any) -> Design:
    limits = {"least_ports": 36, "most_ports": 40} | how
    return design(endpoints, workloads, families=families, how=Settings(**limits))


@pytest.mark.parametrize("workload", [RING, PAIRWISE])
def test_beyond_the_threshold_of_messages_times_go_on(monkeypatch: pytest.MonkeyPatch, workload: str) -> None:
    flows = _asked([workload], size_bytes=1 << 16)
    monkeypatch.setattr(mix, "FLOW_MESSAGES", 0)
    steps = _asked([workload], size_bytes=1 << 16)
    assert (flows.mix[0].rungs[-1], steps.mix[0].rungs[-1]) == ("time", "steps")
    assert steps.decision is not None and flows.decision is not None and steps.decision.name == flows.decision.name
    assert steps.time_s(steps.decision) == pytest.approx(flows.time_s(flows.decision), rel=0.13)
    pure = _asked([workload], size_bytes=1 << 16, calibration="pure")
    assert pure.decision is not None and pure.time_s(pure.decision) < 0.5 * steps.time_s(steps.decision)


def test_steps_that_combine_differ_from_those_that_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ring first combines, then passes on: to the same rank as many bytes, with other costs."""
    monkeypatch.setattr(import_module("netloom.design.steps"), "LISTED", 0)
    schedule = _core.Schedule.build(RING, 32, 0, 1 << 20)
    some = list(steps_of(schedule))
    assert [step.times for step in some] == [31.0, 31.0]
    first, second = (of_step(schedule, step, "mpi-rdma", 1e10).software_s for step in some)
    assert first > second > 0


@pytest.mark.parametrize("calibration", ["mpi-rdma", "pure"])
def test_the_front_of_steps_is_that_of_all_candidates(monkeypatch: pytest.MonkeyPatch, calibration: str) -> None:
    """Bounds have no software in them, so they hold."""
    monkeypatch.setattr(mix, "FLOW_MESSAGES", 0)
    families = ("fat-tree", "torus", "hyperx", "slim-fly", "random-regular")
    some, every = (
        _asked([PAIRWISE, RING], 96, families, calibration=calibration, prune=prune, most_ports=64)
        for prune in (True, False)
    )
    assert [one.name for one in some.front] == [one.name for one in every.front]
    assert some.counts["steps"] <= every.counts["steps"] and some.decision == every.decision
    for one in every.candidates:
        for loads, steps in zip(one.by_rung["loads"], one.by_rung["steps"], strict=True):
            assert loads is not None and steps is not None and loads <= steps


SHIFT = "shift(k=21,bytes=65536)"


def test_a_calibration_without_effect_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mix, "FLOW_MESSAGES", 0)
    for calibration in ("", "gpu-rdma"):
        found = _asked([SHIFT], calibration=calibration)
        (note,) = [note for note in found.notes if "link loads alone" in note]
        assert ("--calibration gpu-rdma has no effect there" in note) is bool(calibration) and SHIFT in note
        assert found.sure is not None and found.sure.model_error is None
        assert any("No median error is quoted" in note for note in found.notes)


@pytest.mark.parametrize(("weight", "quoted"), [(1, False), (10**6, True)])
def test_the_error_of_flows_is_of_what_flows_time(monkeypatch: pytest.MonkeyPatch, weight: int, quoted: bool) -> None:
    """A ring by steps, a recursive doubling by flows, whose share of the time is small or nearly all."""
    monkeypatch.setattr(mix, "FLOW_MESSAGES", 64 * 6)
    found = _asked([RING, f"{DOUBLING}={weight}"], size_bytes=1 << 10)
    assert [one.rungs[-1] for one in found.mix] == ["steps", "time"] and found.sure is not None
    assert found.sure.model_error == (0.34 if quoted else None)
    (note,) = [note for note in found.notes if "median error" in note]
    assert "34 %" in note and ("not quoted" in note) is not quoted
    assert not any("median error" in note for note in _asked([DOUBLING]).notes)


def test_clusters_and_other_families_have_the_same_costs() -> None:
    """NCCL was chosen for one of the families alone, whose ring was four times as fast for it."""
    both = ("rail-optimised", "fat-tree")
    found = _asked([RING], 96, both)
    same = _asked([RING], 96, both, calibration="gpu-rdma")
    assert {one.name: found.time_s(one) for one in found.candidates} == {
        one.name: same.time_s(one) for one in same.candidates
    }
    assert found.to_dict()["calibration"] == "gpu-rdma"
    assert any("gpu-rdma, taken because rail-optimised is among them" in note for note in found.notes)
    best = {
        family: min(found.time_s(one) for one in found.candidates if one.final and one.sized.family == family)
        for family in both
    }
    assert best["rail-optimised"] == pytest.approx(best["fat-tree"], rel=0.2)
    assert _asked([RING]).to_dict()["calibration"] == "mpi-rdma"
    (one, *_) = [one for one in found.candidates if one.final and one.sized.family == "rail-optimised"]
    asked = written(scenario_of(one.sized.call, found.mix[0].inputs, one.routing))
    assert asked["calibration"] == "gpu-rdma" and not asked["library"]
    assert netloom.evaluate(asked, "time")["time_s"] == pytest.approx(found.time_s(one))


def test_a_calibration_that_is_taken_anyway_is_not_written() -> None:
    found = _asked([RING])
    (one, *_) = found.front
    asked = scenario_of(one.sized.call, found.mix[0].inputs, one.routing)
    assert "calibration" in asked and "calibration" not in written(asked)
    assert written(asked)["calibration"] == asked["calibration"]


@pytest.mark.parametrize(
    ("family", "endpoints", "ports"),
    [("dragonfly", 200, 36), ("fat-tree", 200, 36), ("hyperx", 300, 128), ("torus", 200, 36)],
)
def test_a_failed_switch_is_held_against_the_same_ranks(family: str, endpoints: int, ports: int) -> None:
    """Its endpoints and their work are gone: next to all ranks it seemed to make the network faster."""
    how = {"failed_links": "0", "calibration": "pure", "least_ports": ports, "most_ports": ports}
    found = _asked([PAIRWISE], endpoints, [family], **how)
    some = 0
    for one in found.front:
        known = found.around[one.name].switches
        if known is None or known.slowdown is None or not known.lost:
            continue
        some += 1
        assert known.slowdown >= 1 - 1e-9, one.name
        ratios = []
        for seed in (1, 2):
            whole = _core.Network.build(one.sized.call)
            net = whole.without([f"switches:1,seed={seed}"])
            left = np.flatnonzero(~np.isin(whole.endpoint_switch, list(net.failed["switches"])))[:endpoints]
            routing = {"routing": one.routing[0], "workload": PAIRWISE, "size_bytes": 1 << 20}
            loads = [
                max(row["max_s"] or 0 for row in netloom.evaluate({**asked, **routing}, "loads").tables["classes"])
                for asked in ({"network": net, "ranks": len(left)}, {"network": whole, "mapping": left})
            ]
            ratios.append(loads[0] / loads[1])
        assert known.slowdown == pytest.approx(max(ratios)), one.name
    assert some
