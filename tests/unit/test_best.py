"""What `netloom map` decides, as an order of scenarios and studies."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import netloom
from netloom import NetloomError
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
    assert np.array_equal(ordered.slot_of_rank, decision.best.slots)
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
    job = Scenario("fat_tree(radix=8,levels=2)", workload="stencil(8,16,bytes=1000)", cores=8, order="random(seed=1)")
    decision = contest(bound_job(job), check=False)
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
