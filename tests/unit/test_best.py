"""What `netloom map` decides, as an order of scenarios and studies."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import netloom
from netloom import NetloomError, _core
from netloom.evaluate.ask import bound_job
from netloom.evaluate.contest import contest
from netloom.scenario import Scenario
from netloom.study import run_study

JOB = {"workload": "stencil(4,8,bytes=1000)", "cores": 4}
STUDY = """
title = "Orders"
[[experiment]]
name = "orders"
evaluate = "time"
[experiment.axes]
network = "torus(4,2)"
workload = "stencil(4,8,bytes=1000)"
cores = 4
order = ["draw", "best(swaps=500)"]
"""


def test_the_order_is_the_mapping_that_the_contest_takes() -> None:
    decision = contest(bound_job(Scenario("torus(4,2)", **JOB)), swaps=500)
    ordered = bound_job(Scenario("torus(4,2)", **JOB, order="best(swaps=500)"))
    assert np.array_equal(ordered.place.slot_of_rank, decision.best.slots)
    found = netloom.map_ranks("torus(4,2)", **JOB, optimiser="best(swaps=500)")
    assert (found.value, found.decided_by) == (decision.search().value, "time of packets")
    assert np.array_equal(found.mapping, np.asarray(decision.best.slots) // 4)


def test_a_study_has_it_as_a_value_of_its_axis(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    run_study(tmp_path / "study.toml", tmp_path / "out", figures=False)
    with next((tmp_path / "out").rglob("orders.csv")).open() as lines:
        times = {row["order"]: float(row["time_s"]) for row in csv.DictReader(lines)}
    timed = netloom.simulate("torus(4,2)", **JOB, order="best(swaps=500)")["time_s"]
    assert times["best(swaps=500)"] == pytest.approx(timed)
    assert timed < times["draw"]


def test_another_mapping_can_be_taken_in_every_door() -> None:
    job = {"workload": "allreduce:recursive-doubling", "size_bytes": 65536, "ranks": 64}
    decision = contest(bound_job(Scenario("random_shortcut(64,degree=5,seed=1)", **job)))
    other = next(one.name for one in decision.candidates if one not in (decision.best, decision.start))
    taken = netloom.map_ranks("random_shortcut(64,degree=5,seed=1)", **job, optimiser=f'best(take="{other}")')
    assert np.array_equal(taken.mapping, decision.taking(other, "take").best.slots)
    assert not np.array_equal(taken.mapping, decision.best.slots)
    with pytest.raises(NetloomError, match=r"best\.take.* no method is called 'other'"):
        netloom.map_ranks("torus(4,2)", **JOB, optimiser='best(take="other")')


def test_a_start_that_is_not_simulated_is_compared_by_its_worst_link() -> None:
    job = {"workload": "stencil(8,16,bytes=1000)", "cores": 8, "order": "random(seed=1)"}
    # Without time of software the worst link of the start alone takes longer than all of a better mapping.
    wires = Scenario("fat_tree(radix=8,levels=2)", calibration="pure", **job)
    decision = contest(bound_job(wires), check=False)
    assert decision.start.worth["time_s"] is None and decision.best.worth["time_s"] is not None
    found = decision.search()
    assert found.decided_by == "worst link" and 0 < found.value < found.start_value
    assert found.value == round((decision.best.worth["max_link_s"] or 0) * 1e12)


def test_ranks_in_random_order_are_a_candidate_where_order_meets_on_few_links() -> None:
    job = {"workload": "alltoall:bruck", "size_bytes": 1024, "ranks": 72, "cores": 1}
    decision = contest(bound_job(Scenario("dragonfly(a=4,p=2,h=2,g=9)", **job)))
    names = [one.name for one in decision.candidates]
    assert "shuffled" in names and not np.array_equal(decision.best.slots, decision.start.slots)
    again = contest(bound_job(Scenario("dragonfly(a=4,p=2,h=2,g=9)", **job)), seed=5)
    one, other = (made.taking("shuffled", "take").best.slots for made in (decision, again))
    assert not np.array_equal(one, other)


def test_nodes_are_arranged_so_that_few_messages_go_far() -> None:
    # Four groups of four. 0 and 1, 2 and 3 exchange one long message; 0 and 2, 1 and 3 many short ones.
    inside = [(4 * g + i, 4 * g + j, 5000) for g in range(4) for i in range(4) for j in range(4) if i != j]
    long = [(0, 4, 1002), (8, 12, 1002)]
    short = [(a + i, b + i, 125) for a, b in ((0, 8), (8, 0), (4, 12), (12, 4)) for i in range(4)]
    pairs = np.array([*inside, *long, *short])
    load = _core.Traffic.from_flows("groups", 16, pairs[:, 0], pairs[:, 1], np.ones(len(pairs), np.int64), pairs[:, 2])
    # The random start is simulated last, or not at all.
    job = Scenario("fat_tree(radix=4,levels=2)", workload=load, ranks=16, cores=4, order="random(seed=1)")
    found = {one.name: one for one in contest(bound_job(job), check=False).candidates}
    fewest_bytes, fewest_messages = (
        next(one for one in found.values() if one.worth["hop_bytes"] == hop_bytes) for hop_bytes in (4000, 4008)
    )
    assert fewest_messages.name == "nodes of few messages"
    assert fewest_messages.worth["inter_node_bytes"] == fewest_bytes.worth["inter_node_bytes"] == 4004
    assert found["as given"].worth["time_s"] is None


@pytest.mark.parametrize("call", ["best(swaps=-1)", "best(seed=0.5)", "best(tries=2)"])
def test_wrong_arguments_are_refused(call: str) -> None:
    with pytest.raises(NetloomError):
        netloom.map_ranks("torus(4,2)", **JOB, optimiser=call)


def test_an_objective_or_another_workload_is_refused() -> None:
    with pytest.raises(NetloomError, match="evaluators decide"):
        netloom.map_ranks("torus(4,2)", **JOB, optimiser="best", objective="max-link-load")
    search = {"workload": "broadcast:binomial"}
    with pytest.raises(NetloomError, match="the job's own"):
        netloom.simulate("torus(4,2)", **JOB, order="best", search=search)
