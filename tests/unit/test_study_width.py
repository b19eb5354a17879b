"""Runs of several threads: they share the cores with the others, and leave the same bytes."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pytest

from netloom import NetloomError
from netloom.study.backends import check
from netloom.study.execute import _Scheduling
from netloom.study.run import run_study
from netloom.study.work import Ticket

STUDY = """
title = "Widths"
[[experiment]]
name = "wide"
evaluate = "packet"
options = {{ threads = {threads} }}
[experiment.axes]
network = "torus(4,4)"
workload = ["allreduce:ring", "alltoall:pairwise"]
size_bytes = ["1 KiB", "4 KiB"]
[[experiment]]
name = "narrow"
evaluate = "hops"
[experiment.axes]
network = "torus(4,4)"
workload = ["allreduce:ring", "alltoall:pairwise"]
"""


class Cluster:
    """Workers of four cores that end nothing by themselves, and the most that was asked of them."""

    room, cores, widest, retries, place = 8, 4, 4, 0, ""

    def submit(self, one: Ticket) -> Future[dict[str, object]]:
        return Future()


def scheduling(*widths: int) -> tuple[_Scheduling, list[int]]:
    made = _Scheduling(Cluster(), None, lambda _: None, None, None, None)  # type: ignore[arg-type]
    queue = ((Ticket(str(at), "", "", {}, {}, {}, "", "", (), width), 1.0) for at, width in enumerate(widths))
    made.refill(queue)
    return made, [one.width for one, _ in made.running.values()]


@pytest.mark.parametrize(
    ("widths", "running"),
    [((1,) * 20, (1,) * 8), ((2, 2, 2), (2, 2)), ((4, 1), (4,)), ((2, 1, 1, 1), (2, 1, 1)), ((1, 1, 4), (1, 1))],
)
def test_cores_are_given_once(widths: tuple[int, ...], running: tuple[int, ...]) -> None:
    assert tuple(scheduling(*widths)[1]) == running


@pytest.mark.parametrize("on", ["threads", "processes"])
@pytest.mark.parametrize("threads", [1, 2, 0])
def test_same_bytes(on: str, threads: int, tmp_path: Path) -> None:
    rows = []
    for at, number in enumerate((1, threads)):
        (tmp_path / "s.toml").write_text(STUDY.format(threads=number))
        run_study(tmp_path / "s.toml", tmp_path / str(at), figures=False, jobs=2, on=on)
        rows.append((tmp_path / str(at) / "tables" / "wide.csv").read_bytes())
    assert rows[0] == rows[1]


@pytest.mark.parametrize("number", ["0", "x", "2000"])
def test_cores_of_a_job(number: str) -> None:
    assert check("slurm(cores=16)")[1]["cores"] == "16"
    with pytest.raises(NetloomError, match="cores"):
        check(f"slurm(cores={number})")
