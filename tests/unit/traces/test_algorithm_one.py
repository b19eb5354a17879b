"""Graphs of tasks next to algorithm 1 of Jain 2016: every rank's end, to the picosecond.

Messages of up to 60 KB, whose sends return at once, as all of TraceR's do.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.papers.jain_2016 import tasks

import netloom


def ends_ps(graphs: tasks.Graphs, folder: Path, model: str = "time") -> list[int]:
    """When each rank ends, in netloom."""
    path = folder / "tasks.goal"
    path.write_text(tasks.as_goal(graphs))
    network = tasks.SIMPLE.format(ranks=len(graphs))
    scenario = netloom.Scenario(network, workload=str(path), calibration="pure")
    return [round(float(end) * 1e12) for end in netloom.evaluate(scenario, model)["finish_s"]]


@pytest.mark.parametrize("model", ["time", "packet"])
@pytest.mark.parametrize("seed", range(60))
def test_ranks_end_when_algorithm_one_ends_them(tmp_path: Path, seed: int, model: str) -> None:
    graphs = tasks.drawn(seed, ranks=4, tasks=60)
    found, wanted = ends_ps(graphs, tmp_path, model), tasks.algorithm_one(graphs).ends_ps
    # A packet begins at a whole picosecond: each message may come one later.
    late = 0 if model == "time" else 60
    assert all(0 <= end - least <= late for end, least in zip(found, wanted, strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_large_messages_delay_no_task(tmp_path: Path, seed: int) -> None:
    """Their send returns when they have arrived: a rank may end later than its tasks, but what they start does not."""
    graphs = tasks.drawn(seed, ranks=4, tasks=60, largest=1_000_000)
    assert max(ends_ps(graphs, tmp_path)) == max(tasks.algorithm_one(graphs).ends_ps)


def test_messages_leave_at_their_offsets(tmp_path: Path) -> None:
    """The first message goes before the second of its task, whose rest goes on; what waits for each begins then."""
    first, second = tasks.Send(400, 1, 0, 100), tasks.Send(700, 1, 1, 100)
    graphs = [
        [tasks.Task(1000, sends=[second, first])],
        [tasks.Task(10, messages=1), tasks.Task(10, messages=1)],
    ]
    message = tasks.LATENCY_PS + 100 * tasks.PS_PER_BYTE
    assert tasks.algorithm_one(graphs).starts_ps[1] == [400_000 + message, 700_000 + message]
    assert ends_ps(graphs, tmp_path) == [1_000_000, 710_000 + message]


def test_tasks_that_become_ready_together_run_in_the_order_of_the_file(tmp_path: Path) -> None:
    """Task 2 has long waited for all but task 1, task 3 goes on where it ends: the earlier one is first."""
    sends = tasks.Send(0, 1, 0, 1)
    graphs = [
        [tasks.Task(5), tasks.Task(100, [0]), tasks.Task(30, [0, 1], [sends]), tasks.Task(40, [1])],
        [tasks.Task(1, messages=1)],
    ]
    assert tasks.algorithm_one(graphs).starts_ps[0] == [0, 5_000, 105_000, 135_000]
    found = ends_ps(graphs, tmp_path)
    assert found == [175_000, 106_000 + tasks.LATENCY_PS + tasks.PS_PER_BYTE] == tasks.algorithm_one(graphs).ends_ps


def test_the_stencil_of_the_paper_ends_with_algorithm_one(tmp_path: Path) -> None:
    graphs = tasks.stencil((4, 3, 2))
    assert ends_ps(graphs, tmp_path) == tasks.algorithm_one(graphs).ends_ps
