"""Steps, groups and jobs of a recorded run: when each begins and ends, its bytes and bandwidth, alone and together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import netloom
from netloom.cli import simulate_run
from netloom.cli.simulate_run import Run, Shown
from netloom.evaluate import bound_of, evaluator
from netloom.evaluate.time import over_time, phases
from netloom.scenario import Calls, Workshop
from netloom.workload.step_parts import steps_of

#: Bytes per second of a link, seconds of three links on the way, of a megabyte on one.
SPEED, LATENCY = 12.5e9, 3e-7
MEGABYTE = 1e6 / SPEED
#: Two switches with two endpoints each and one cable: ranks 0 and 1 are on the first one.
PAIR = "complete(2,p=2)"


def run_of(model: str = "time", network: str = PAIR, **inputs: Any) -> Run:
    scenario = netloom.Scenario(network, calibration="pure", **inputs)
    bound = bound_of(evaluator(model), scenario, Workshop(Calls(Path())), lambda _done, _all: None)
    found: Any = netloom.evaluate(scenario, model, trace=True)
    return Run(bound, model, {}, found)


def shown(model: str = "time", network: str = PAIR, **inputs: Any) -> Shown:
    return run_of(model, network, **inputs).shown()


@pytest.fixture
def steps(tmp_path: Path) -> Callable[[str], str]:
    """Writes a file of steps of four ranks in two pairs over the cable, or two on one switch each."""

    def written(text: str) -> str:
        groups = "ranks = 4\n[groups]\nover = { lists = [[0, 2], [1, 3]] }\nwithin = { lists = [[0, 1], [2, 3]] }\n"
        path = tmp_path / "steps.toml"
        path.write_text(groups + text)
        return str(path)

    return written


ACROSS = "[[step]]\non = \"over\"\nworkload = 'shift(k=1,bytes=1000000)'\n"


@pytest.mark.parametrize("model", ["time", "packet"])
def test_groups_that_share_a_cable_take_twice_as_long_together(model: str, steps: Callable[[str], str]) -> None:
    made = shown(model, workload=steps(f'[[step]]\ncompute = "10 us"\n{ACROSS}repeat = 2\n'))
    (step,) = made.tables["steps"]
    both = 2 * MEGABYTE + LATENCY
    assert (step["step"], step["times"], step["messages"], step["bytes"]) == (
        "2: shift(k=1,bytes=1000000) on over", 2, 8, 8_000_000,
    )  # fmt: skip
    assert step["start_s"] == pytest.approx(10e-6)
    assert step["time_s"] == pytest.approx(both, rel=1e-3) and step["alone_s"] == pytest.approx(both, rel=1e-3)
    assert step["bandwidth_bytes_per_s"] == pytest.approx(4e6 / both, rel=1e-3)
    first, second = made.tables["groups"]
    assert (first["ranks"], second["ranks"], first["bytes"]) == ("0, 2", "1, 3", 4_000_000)
    assert first["alone_s"] == pytest.approx(MEGABYTE + LATENCY, rel=1e-3)
    assert first["slowdown"] == pytest.approx(both / (MEGABYTE + LATENCY), rel=1e-3)
    assert first["alone_bandwidth_bytes_per_s"] == pytest.approx(2e6 / (MEGABYTE + LATENCY), rel=1e-3)


def test_branches_that_run_together_are_told_apart_by_their_pairs(steps: Callable[[str], str]) -> None:
    branches = "[[step]]\ntogether = ["
    branches += "{on = \"over\", workload = 'shift(k=1,bytes=1000000)'}, "
    branches += "{on = \"within\", workload = 'shift(k=1,bytes=500000)'}]\n"
    over, within = shown(workload=steps(branches)).tables["steps"]
    assert (over["bytes"], within["bytes"]) == (4_000_000, 2_000_000)
    assert within["step"] == "1.2: shift(k=1,bytes=500000) on within"
    # Alone a message within a switch has its NICs for itself.
    assert within["alone_s"] == pytest.approx(500_000 / SPEED + 2e-7)
    assert within["slowdown"] > 1.05 and over["alone_s"] == pytest.approx(2 * MEGABYTE + LATENCY)


def test_branches_between_the_same_ranks_are_one_row(steps: Callable[[str], str]) -> None:
    branch = "{on = \"over\", workload = 'shift(k=1,bytes=1000)'}"
    made = shown(workload=steps(f"[[step]]\ntogether = [{branch}, {branch}]\n"))
    (row,) = made.tables["steps"]
    assert str(row["step"]).count("shift") == 2 and row["messages"] == 8 and row.get("alone_s") is None
    assert "groups" not in made.tables


def test_a_file_that_repeats_and_computes_is_walked_once(steps: Callable[[str], str]) -> None:
    inner = '{ steps = [{ compute = "1 ns" }], repeat = 100000 }'
    text = "[[step]]\nrepeat = 3\nsteps = [" + inner + ", { on = \"over\", workload = 'shift(k=1,bytes=1000)' }]\n"
    found = steps_of(steps(text), 4, {}, Path())
    assert found is not None and found.order == (0, 0, 0) and len(found.parts) == 1
    assert steps_of("uniform", 4, {}, Path()) is None


def test_messages_that_are_not_those_of_the_file_have_no_step(steps: Callable[[str], str]) -> None:
    run = run_of(workload=steps(ACROSS))
    (given,) = run.sent
    other = steps_of(steps(ACROSS.replace("over", "within")), 4, {}, Path())
    assert other is not None and phases.placed(given, other, 1) is None
    same = steps_of(steps(ACROSS), 4, {}, Path())
    assert same is not None and phases.placed(given, same, 1) is not None
    assert phases.placed(given, same, 2) is None


def test_rounds_of_a_collective() -> None:
    made = shown(network="complete(1,p=4)", workload="allreduce:ring", size_bytes=4_000_000)
    rows = made.tables["steps"]
    assert [row["step"] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    for row in rows:
        assert (row["messages"], row["bytes"]) == (4, 4_000_000)
        assert row["time_s"] == pytest.approx(MEGABYTE + 2e-7)
        assert row["bandwidth_bytes_per_s"] == pytest.approx(4e6 / (MEGABYTE + 2e-7))


def test_what_a_rank_sends_at_once_is_one_round() -> None:
    columns = (np.array([0, 0, 1]), np.array([1, 2, 2]), np.array([10, 20, 30]))
    at = np.array([0.0, 0.0, 0.0])
    given = phases.Sent(3, *columns, at, at, at + 1)
    assert phases.rounds(given).tolist() == [0, 0, 0]
    later = phases.Sent(3, *columns, np.array([0.0, 1.0, 0.0]), at, at + 1)
    assert phases.rounds(later).tolist() == [0, 1, 0]
    many = phases.Sent(
        2, np.zeros(100, int), np.ones(100, int), np.ones(100, int), np.arange(100.0), *[np.arange(100.0)] * 2
    )
    rows = phases.rows_of_rounds(many)
    assert len(rows) == phases.BANDS and sum(int(row["messages"] or 0) for row in rows) == 100
    assert rows[0]["step"] == "1 to 5"


@pytest.mark.parametrize("model", ["time", "packet"])
def test_jobs_that_share_a_cable(model: str) -> None:
    jobs = [
        {"name": name, "workload": "shift(k=1,bytes=1000000)", "mapping": [at, at + 2]}
        for at, name in enumerate(("one", "two"))
    ]
    made = shown(model, jobs=jobs)
    for row in made.jobs:
        assert row["bytes"] == 2_000_000 and row["alone_s"] == pytest.approx(MEGABYTE + LATENCY, rel=1e-3)
        assert row["time_s"] == pytest.approx(2 * MEGABYTE + LATENCY, rel=1e-3)
        assert row["slowdown"] == pytest.approx(1.996, rel=1e-3)
        assert row["bandwidth_bytes_per_s"] == pytest.approx(2e6 / (2 * MEGABYTE + LATENCY), rel=1e-3)
    first = made.tables["steps"][0]
    assert (first["job"], first["step"]) == ("one", "1")
    assert first["slowdown"] == pytest.approx(1.996, rel=1e-3)
    assert "Alone is without other jobs" in " ".join(made.says)


def test_a_job_beside_background_flows() -> None:
    made = shown(workload="shift(k=1,bytes=1000000)", mapping=[0, 2], background=[{"src": 1, "dst": 3}])
    (row,) = made.jobs
    assert row["messages"] == 2 and row["slowdown"] == pytest.approx(1.996, rel=1e-3)


def test_what_is_not_simulated_alone_is_said(monkeypatch: pytest.MonkeyPatch, steps: Callable[[str], str]) -> None:
    monkeypatch.setattr(simulate_run, "ONE", 3)
    made = shown(workload=steps(ACROSS))
    (step,) = made.tables["steps"]
    assert step.get("alone_s") is None
    # The step has four messages, each of its groups two.
    assert [row["alone_s"] is not None for row in made.tables["groups"]] == [True, True]
    assert made.says[-1].startswith("1 job, step or group was not simulated alone: at most 3 messages each")


def test_hot_links_are_those_of_switches_and_of_endpoints() -> None:
    load = netloom.Traffic.from_flows(
        "f", 4, *(np.array(c, np.int64) for c in ([0, 1], [2, 3], [1, 1], [10**6, 10**6]))
    )
    made = shown(workload=load)
    rows = made.tables["hot links"]
    took = 2 * MEGABYTE + LATENCY
    assert (rows[0]["class"], rows[0]["from"], rows[0]["to"], rows[0]["bytes"]) == ("dim0", "0", "1", 2_000_000)
    assert rows[0]["use_percent"] == pytest.approx(100 * 2 * MEGABYTE / took)
    assert {str(row["class"]) for row in rows[1:]} == {"injection", "ejection"}
    assert rows[1]["use_percent"] == pytest.approx(100 * MEGABYTE / took)
    assert made.says[0].startswith("The hottest link, of 5 that carried anything, is the dim0 link from 0 to 1: 99.8 %")
    by_class = {row["links of"]: row for row in made.tables["link classes"]}
    assert (by_class["dim0"]["used"], by_class["injection"]["used"]) == (1, 2)


def test_bytes_under_way_and_ranks_over_time_add_up() -> None:
    run = run_of(network="complete(1,p=4)", workload="allreduce:ring", size_bytes=4_000_000)
    (given,) = run.sent
    wide = run.end_s / over_time.ACROSS
    sending = over_time.senders(list(run._ranks_drawn()), run.end_s)
    area = sum(float(value) * wide for value in sending["under_way_bytes"])  # type: ignore[arg-type]
    assert area == pytest.approx(float((given.bytes * (given.finish_s - given.start_s)).sum()))
    doing = over_time.activities(run.trace, run.end_s)
    assert max(map(float, doing["ranks"])) == pytest.approx(4)  # type: ignore[arg-type]
    assert set(map(str, doing["activity"])) == {"waits for requests"}


def test_many_ranks_are_means_of_neighbours() -> None:
    run = run_of(network="star(60)", workload="allreduce:ring", size_bytes=4096)
    names = [name for name, _, _ in run._ranks_drawn()]
    assert len(names) <= over_time.ROWS and names[0] == "0 to 2" and names[-1] == "57 to 59"


def test_the_critical_path_names_ranks_of_jobs() -> None:
    load = netloom.Traffic.from_flows("f", 3, *(np.array([c], np.int64) for c in (1, 2, 1, 10**6)))
    jobs = [
        {"name": "a", "workload": "shift(k=1,bytes=1000)", "mapping": [0, 1]},
        {"name": "b", "workload": load, "mapping": [2, 3, 4]},
    ]
    path = shown(network="complete(1,p=8)", jobs=jobs).tables["critical path"]
    # Sender and receiver end together; the first of them is named.
    assert {(row["job"], row["rank"]) for row in path} == {("b", 1)}
    assert path[-1]["end_s"] == pytest.approx(MEGABYTE + 2e-7)


@pytest.mark.parametrize(
    ("members", "words"),
    [([0, 1, 2, 3], "0 to 3"), ([0, 4], "0, 4"), ([0, 4, 8, 12], "0, 4, ..., 12 (4)"), ([5], "5")],
)
def test_groups_are_spelt_out(members: list[int], words: str) -> None:
    assert phases.spelt(members) == words
