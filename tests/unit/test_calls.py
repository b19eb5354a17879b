"""Time of ranks in each call of MPI: closed forms, and what all calls of a rank add up to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import netloom

#: Two endpoints of a star: bytes per second of a link, and seconds of the four links on the way.
STAR, SPEED, LATENCY = 'star(2,bandwidth="1 GBps",latency="1 us")', 1e9, 4e-6
SIZE = 1_000_000
TRANSFER = SIZE / SPEED + LATENCY


def rows(network: str, workload: object, model: str = "time", **inputs: Any) -> dict[str, dict[str, Any]]:
    found = netloom.evaluate(
        netloom.Scenario(network, workload=workload, calibration="pure", **inputs), model, calls=True
    )
    return {str(row["call"]): row for row in found.tables["calls"]}


def exchange(peer: int) -> list[tuple[Any, ...]]:
    return [("start_receive", peer, SIZE), ("start_send", peer, SIZE), ("wait_all",)]


def spent(row: dict[str, Any]) -> list[float]:
    return [row["mean_s"], row["least_s"], row["most_s"]]


@pytest.mark.parametrize("model", ["time", "packet"])
def test_a_rank_that_waits_for_another_is_in_its_receive(model: str) -> None:
    late = netloom.programs([[("sleep", 1e-3), ("start_send", 1, SIZE), ("wait", 1)], [("receive", 0, SIZE)]])
    found = rows(STAR, late, model)
    assert set(found) == {"compute", "recv", "wait"}
    near = 1e-2 if model == "packet" else 1e-9
    assert spent(found["compute"]) == pytest.approx([0.5e-3, 0.0, 1e-3])
    assert spent(found["recv"])[1:] == pytest.approx([0.0, 1e-3 + TRANSFER], rel=near)
    assert (found["recv"]["most_rank"], found["wait"]["most_rank"]) == (1, 0)
    assert sum(row["share_percent"] for row in found.values()) == pytest.approx(100)


def test_several_requests_and_strands_have_names_of_their_own() -> None:
    both = netloom.programs([[*exchange(1), ("strand", 1), ("sleep", 1e-3), ("join",)], exchange(0)])
    found = rows(STAR, both)
    assert spent(found["waitall"]) == pytest.approx([TRANSFER] * 3)
    assert spent(found["join"]) == pytest.approx([0.5e-3, 0.0, 1e-3])


def test_a_collective_is_one_call_with_what_it_combines() -> None:
    found = rows("star(8)", "allreduce:rabenseifner", size_bytes="1 MiB")
    assert set(found) == {"allreduce"} and found["allreduce"]["share_percent"] == pytest.approx(100)
    application = rows("torus(4,4)", "is(class=S)", flops_per_s="1 Gflops")
    assert {"alltoall", "allreduce", "compute"} <= set(application)


@pytest.mark.parametrize("workload", ["cg(class=S)", "lu(class=S)", "ft(class=S)"])
@pytest.mark.parametrize("model", ["time", "packet"])
def test_calls_of_all_ranks_add_up_to_their_ends(workload: str, model: str) -> None:
    scenario = netloom.Scenario(
        "torus(4,4)", workload=workload, ranks=16, calibration="mpi-rdma", flops_per_s="1 Gflops"
    )
    found: Any = netloom.evaluate(scenario, model, calls=True)
    whole = sum(row["mean_s"] for row in found.tables["calls"])
    assert whole == pytest.approx(float(np.mean(found["finish_s"])), rel=1e-9)
    assert all(row["least_s"] <= row["mean_s"] <= row["most_s"] for row in found.tables["calls"])


def test_jobs_have_their_own_rows() -> None:
    jobs = [
        {"name": "a", "ranks": 4, "workload": "alltoall:pairwise"},
        {"name": "b", "ranks": 2, "workload": "shift(k=1)"},
    ]
    found = netloom.evaluate(
        netloom.Scenario("star(8)", jobs=jobs, size_bytes="4 KiB", calibration="pure"), "time", calls=True
    )
    assert [(row["job"], row["call"]) for row in found.tables["calls"]] == [("a", "alltoall"), ("b", "waitall")]


def test_without_the_option_nothing_is_recorded() -> None:
    found = netloom.evaluate(netloom.Scenario("star(4)", workload="allreduce:ring", size_bytes=8), "time")
    assert "calls" not in found.tables and "trace" not in found
