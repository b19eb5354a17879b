"""Collectives that run side by side: time of a call and bandwidth of each communicator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import netloom
from netloom.study.run import run_study

#: Four ranks on a switch with no delay: bytes per second of a link.
SPEED = 1e9
STAR = 'star(8,bandwidth="1 GBps",latency="0 ns")'
SIZE = 64_000
STEPS = "ranks = 8\n[groups]\nwho = {{ lists = {lists} }}\n[[step]]\non = \"who\"\nworkload = '{load}'\nsize = {size}\n"


def steps(folder: Path, lists: list[list[int]], more: str = "", load: str = "alltoall:pairwise") -> str:
    path = folder / "steps.toml"
    path.write_text(STEPS.format(lists=lists, size=SIZE, load=load) + more)
    return str(path)


def answer(workload: object, model: str = "time", **inputs: Any) -> Any:
    scenario = netloom.Scenario(STAR, workload=workload, calibration="pure", **inputs)
    return netloom.evaluate(scenario, model, communicators=True)


def test_a_plain_collective_is_one_communicator() -> None:
    found = answer("alltoall:pairwise", size_bytes=SIZE, ranks=8)
    # Seven rounds, in each a block from every rank.
    took = 7 * SIZE / SPEED
    (row,) = found.tables["communicators"]
    assert row["communicator_bytes"] == 8 * SIZE and row["time_s"] == pytest.approx(took)
    assert found["bandwidth_bytes_per_s"] == pytest.approx(8 * SIZE / took)


@pytest.mark.parametrize("model", ["time", "packet"])
def test_each_group_is_a_communicator(tmp_path: Path, model: str) -> None:
    found = answer(steps(tmp_path, [[0, 1, 2, 3], [4, 5], [6, 7]]), model)
    rows = found.tables["communicators"]
    assert [(row["communicator_ranks"], row["communicator_bytes"]) for row in rows] == [
        (2, 2 * SIZE), (2, 2 * SIZE), (4, 4 * SIZE),
    ]  # fmt: skip
    near = 0.05 if model == "packet" else 1e-9
    assert [row["time_s"] for row in rows] == pytest.approx([SIZE / SPEED, SIZE / SPEED, 3 * SIZE / SPEED], rel=near)
    each = [row["bandwidth_bytes_per_s"] for row in rows]
    assert found["bandwidth_bytes_per_s"] == pytest.approx(sum(each) / 3)


def test_a_call_is_a_part_of_what_repeats(tmp_path: Path) -> None:
    once = answer(steps(tmp_path, [[0, 1, 2, 3]])).tables["communicators"]
    again = answer(steps(tmp_path, [[0, 1, 2, 3]], "repeat = 5\n"), repetitions=3).tables["communicators"]
    assert again[0]["time_s"] == pytest.approx(once[0]["time_s"]) and again[0]["rank_0_s"] == pytest.approx(
        once[0]["rank_0_s"]
    )


def test_what_is_no_collective_alone_has_no_bandwidth(tmp_path: Path) -> None:
    for workload in (
        "uniform(seed=1,messages=100)",
        "cg(class=S)",
        steps(tmp_path, [[0, 1]], "[[step]]\ncompute = '1 us'\n"),
    ):
        found = answer(workload)
        assert found.tables["communicators"] == [] and found["bandwidth_bytes_per_s"] is None
    assert answer("barrier:dissemination")["bandwidth_bytes_per_s"] is None


def test_the_band_of_a_chart_is_over_communicators(tmp_path: Path) -> None:
    steps(tmp_path, [[0, 1, 2, 3], [4, 5], [6, 7]])
    (tmp_path / "study.toml").write_text(
        f"""
title = "Bandwidth"
[[experiment]]
name = "e"
evaluate = "time"
options = {{ communicators = true }}
[experiment.axes]
calibration = "pure"
network = '{STAR}'
workload = ["steps.toml"]
[[experiment.chart]]
title = "Bandwidth"
kind = "bar"
table = "communicators"
x = "workload"
y = "bandwidth_bytes_per_s"
aggregate = "mean"
band = "deciles"
"""
    )
    finished = run_study(tmp_path / "study.toml", tmp_path / "out", figures=False)
    assert finished.problems == []
    assert "Bands: first to last decile." in (tmp_path / "out" / "report.html").read_text()
    assert len((tmp_path / "out" / "tables" / "e-communicators.csv").read_text().splitlines()) == 4
