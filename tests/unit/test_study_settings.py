"""Axes that are settings of the evaluation."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from netloom.base.errors import NetloomError
from netloom.study import prepare, run_study

STUDY = """
title = "t"
[[experiment]]
name = "e"
evaluate = "packet"
[experiment.axes]
network = "torus(4,4)"
workload = "shift(k=5,bytes='8 KiB')"
"""


def plan(tmp_path: Path, more: str) -> list[dict[str, object]]:
    (tmp_path / "s.toml").write_text(STUDY + more)
    return [{"key": run.key, **run.options} for _, run in prepare(tmp_path / "s.toml").runs()]


def test_every_run_has_its_own_setting(tmp_path: Path) -> None:
    buffers = 'buffer = [4096, 65536]\nswitch = "output-queued(packet_bytes=1024,buffer_bytes={buffer})"\n'
    runs = plan(tmp_path, buffers)
    switches = [f"output-queued(packet_bytes=1024,buffer_bytes={size})" for size in (4096, 65536)]
    assert [run["switch"] for run in runs] == switches
    fixed = [plan(tmp_path, f'[experiment.options]\nswitch = "{switch}"\n')[0] for switch in switches]
    assert fixed == runs, "a run is known by its settings, wherever they stand"


def test_settings_are_used_and_shown(tmp_path: Path) -> None:
    rows = """switch = [
  { value = "output-queued(packet_bytes=1024)", label = "small" },
  { value = "output-queued(packet_bytes=8192,switching=store-and-forward)", label = "large" },
]
[[experiment.chart]]
title = "Time"
kind = "bar"
x = "switch"
y = "time_s"
"""
    (tmp_path / "s.toml").write_text(STUDY + rows)
    run_study(tmp_path / "s.toml", tmp_path / "out")
    with (tmp_path / "out" / "tables" / "e.csv").open() as file:
        small, large = csv.DictReader(file)
    assert (small["switch"], large["switch"]) == ("small", "large")
    assert float(small["time_s"]) < float(large["time_s"])


@pytest.mark.parametrize(
    ("more", "mention"),
    [
        ("threads = [1, 'many']\n", 'got "many"'),
        ("threads = [1, 2]\n[experiment.options]\nthreads = 3\n", '"threads" is an axis too'),
        ("time_s = [5, 6]\n", 'packet has a column "time_s"'),
    ],
)
def test_settings_that_are_refused(more: str, mention: str, tmp_path: Path) -> None:
    with pytest.raises(NetloomError) as caught:
        plan(tmp_path, more)
    assert mention in str(caught.value), caught.value
