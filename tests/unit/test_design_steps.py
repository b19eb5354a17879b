"""Steps of schedules for `netloom design`: rebuilt from one rank, and timed next to flows."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

import netloom
from netloom import _core
from netloom.design.measure import Job, measure
from netloom.design.mix import members
from netloom.design.steps import SAMPLED, has_steps, sampled, steps_of

steps: Any = import_module("netloom.design.steps")


def _messages(schedule: _core.Schedule) -> dict[tuple[int, int], float]:
    """Bytes of each pair of ranks, every step as often as it stands for."""
    made: dict[tuple[int, int], float] = {}
    for _, src, dst, size, times in steps_of(schedule):
        for a, b, some in zip(src, dst, size, strict=True):
            made[int(a), int(b)] = made.get((int(a), int(b)), 0.0) + times * float(some)
    return made


@pytest.mark.parametrize(
    "call", ["alltoall:pairwise", "alltoall:bruck", "allreduce:ring", "allreduce:recursive-doubling", "allgather:ring"]
)
def test_steps_from_one_rank_are_those_of_the_list(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = _core.Schedule.build(call, 8, 0, 8 << 10)
    table, exact = schedule.table(), dict[tuple[int, int], float]()
    for src, dst, size in zip(table["src"], table["dst"], table["bytes"], strict=True):
        exact[int(src), int(dst)] = exact.get((int(src), int(dst)), 0.0) + float(size)
    assert _messages(schedule) == exact or schedule.steps > SAMPLED
    monkeypatch.setattr(steps, "LISTED", 0)
    assert has_steps(schedule) and _messages(schedule) == pytest.approx(exact)


def test_what_is_not_alike_is_not_told_from_one_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = _core.Schedule.build("broadcast:binomial", 8, 0, 1024)
    assert has_steps(schedule)
    monkeypatch.setattr(steps, "LISTED", 0)
    assert not has_steps(schedule)


def test_a_sample_is_spread() -> None:
    assert sampled(5) == [0, 1, 2, 3, 4]
    chosen = sampled(1000)
    assert len(chosen) == SAMPLED and all(0 <= one < 1000 for one in chosen)
    assert max(np.diff([0, *chosen, 1000])) < 2.5 * 1000 / SAMPLED


CALLS = {
    'hyperx(8,parallel=2,p=16,bandwidth="400 Gbps")': "minimal",
    "dragonfly(a=4,p=4,h=2,g=9)": "group-minimal",
    "torus(4,4,4,p=2)": "minimal",
    "xgft(m=[16,8],w=[1,8],parallel=[1,2])": "minimal",
    "random_regular(16,degree=6,p=8,seed=1)": "minimal",
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("workload", ["alltoall:pairwise", "allreduce:ring"])
def test_steps_take_nearly_what_flows_take(call: str, workload: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where loads of all steps at once are far off: on HyperX a pairwise exchange takes several times as long."""
    monkeypatch.setattr(import_module("netloom.design.mix"), "FLOW_MESSAGES", 0)
    (member,) = members({workload: 1.0}, 128, {"calibration": "pure"})
    assert member.rungs[-1] == "steps"
    found = {}
    for rung in ("loads", "steps", "time"):
        done = measure(Job(call, rung, (member.inputs,), routing=(CALLS[call], "static-direct")))
        assert not done.refused
        found[rung] = done.times[0]
    assert found["loads"] <= found["steps"] * (1 + 1e-9)
    assert found["steps"] == pytest.approx(found["time"], rel=0.25)
    if call.startswith("hyperx") and workload == "alltoall:pairwise":
        assert found["time"] > 3 * found["loads"]


def test_a_large_alltoall_is_no_bargain_on_a_hyperx(monkeypatch: pytest.MonkeyPatch) -> None:
    """By loads alone it would be: the design times steps, and the order is that of flows."""
    monkeypatch.setattr(import_module("netloom.design.mix"), "FLOW_MESSAGES", 0)
    from netloom.design import Settings, design

    how = Settings(calibration="pure", goal="time", least_ports=64, most_ports=64)
    found = design(256, ["alltoall:pairwise"], families=["hyperx", "fat-tree"], how=how)
    order = [one for one in found.ranked if one.sized.switch.gbps == 800]
    assert order[0].sized.family == "fat-tree"
    times = []
    for one in (order[0], order[-1]):
        inputs = {"network": one.sized.call, "workload": "alltoall:pairwise", "size_bytes": 1 << 20, "ranks": 256}
        routing, variant = one.routing
        times.append(
            netloom.evaluate({**inputs, "routing": routing, "variant": variant, "calibration": "pure"}, "time").time_s
        )
    assert times == sorted(times)
    assert any("step by step" in note for note in found.notes)
