"""Causal sweeps: closed forms with flows, the same messages on every rung, options, refusals."""

from __future__ import annotations

import csv
from math import prod
from pathlib import Path

import pytest

import netloom
from netloom import NetloomError
from netloom.cli import main
from netloom.study import run_study

#: A link takes N / 1e9 seconds; what an endpoint sends to all its neighbours leaves it at once.
N = 1000
LINKS = "bandwidth=1GB/s,endpoint_bandwidth=1TB/s,latency=0,endpoint_latency=0"


def seconds(dims: tuple[int, ...], **options: object) -> float:
    """On a mesh of the same grid, where every message has a link of its own."""
    extents = ",".join(map(str, dims))
    given = "".join(f",{name}={str(value).lower()}" for name, value in options.items())
    found = netloom.simulate(
        f"mesh({extents},{LINKS})",
        workload=f"sweep({extents},bytes={N}{given})",
        ranks=prod(dims),
        routing="dimension-ordered",
        calibration="pure",
    )
    return float(found["time_s"])


@pytest.mark.parametrize("dims", [(8,), (3, 5), (4, 4), (2, 3, 4)])
@pytest.mark.parametrize("times", [1, 2, 7])
def test_a_sweep_takes_a_link_at_a_time(dims: tuple[int, ...], times: int) -> None:
    """The farthest rank is `sum(d - 1)` messages away; every further sweep ends a message later."""
    link_s = N / 1e9
    diagonal = sum(d - 1 for d in dims)
    up = diagonal + times - 1
    # 1 in 1000: what the ends of the two links take.
    assert seconds(dims, times=times, back=False) == pytest.approx(up * link_s, rel=3e-3)
    # The last rank turns each sweep when it has all of them; the way back is as long.
    assert seconds(dims, times=times) == pytest.approx(2 * up * link_s, rel=3e-3)


def test_all_at_once_is_faster() -> None:
    """The pattern wave-front has the same messages without their order."""
    forgotten = netloom.simulate(
        f"mesh(8,8,{LINKS})", workload=f"wave-front(8,8,bytes={N})", ranks=64, calibration="pure"
    )
    assert forgotten["time_s"] < seconds((8, 8)) / 10
    assert forgotten["messages"] == 224


def test_hops_and_loads_count_the_same_messages() -> None:
    given = {"workload": "sweep(4,4,bytes=100)", "ranks": 16}
    hops, loads = netloom.hops("torus(4,4)", **given), netloom.loads("mesh(4,4)", **given)
    assert hops["total_hops"] == 48
    assert loads.classes["all"]["max_bytes"] == loads.classes["all"]["min_bytes"] == 100


@pytest.mark.parametrize("model", ["flow", "packet"])
def test_the_command_line_has_it(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "-n", "thin_tree(8,4,2)", "-a", "sweep(8,8)", "--ranks", "64", "--model", model, "-q"]
    with pytest.raises(SystemExit) as left:
        main(words)
    assert not left.value.code
    assert "224" in capsys.readouterr().out


STUDY = """
title = "Sweeps"
[[experiment]]
name = "sweeps"
evaluate = "MODEL"
[experiment.axes]
network = "thin_tree(8,4,2)"
workload = ["sweep(4,4)", "sweep(4,4,back=false)", "sweep(2,2,4)"]
ranks = 16
"""


@pytest.mark.parametrize("model", ["time", "packet", "hops", "loads"])
def test_a_study_has_it_on_every_rung(model: str, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY.replace("MODEL", model))
    run_study(tmp_path / "study.toml", tmp_path / "out", figures=False)
    with next((tmp_path / "out").rglob("sweeps.csv")).open() as lines:
        rows = list(csv.DictReader(lines))
    assert [row["workload"] for row in rows] == ["sweep(4,4)", "sweep(4,4,back=false)", "sweep(2,2,4)"]
    assert [float(row["messages"]) for row in rows] == [48.0, 24.0, 56.0]


def test_wrong_numbers_of_ranks_name_the_right_one() -> None:
    with pytest.raises(NetloomError, match=r"(?s)NL-P004.*64"):
        netloom.workload("sweep(8,8)", 63)
