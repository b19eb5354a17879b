"""One study is predicted and measured: communicators of reordered processes on both MPI libraries."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest

from netloom.study import run_study
from netloom.study.measured import read

from .conftest import ASKED
from .mpi_libraries import NETLOOM, Library, facts, said

pytestmark = [
    pytest.mark.skipif(not ASKED, reason="the check on real MPI libraries is run by `make peers`"),
    pytest.mark.timeout(300),
]
#: [2,0,1] and [2,1,0] put communicators of two on the same cores, in the same order.
STUDY = """
title = "Orders of eight"
[[experiment]]
name = "one"
evaluate = "time"
options = {{ communicators = true }}
measured = "measured.csv"
[experiment.axes]
network = "star(2)"
node = "node(sockets=2,cores=2)"
ranks = 8
order = {order}
workload = ["communicators(alltoall,2,one,bytes=64)", "communicators(allreduce,4,bytes=64)"]
[[experiment.chart]]
title = "Measured"
x = "order"
y = "measured_bytes_per_s"
series = "workload"
kind = "bar"
"""
LISTED = (
    '["mixed-radix(2,0,1,levels=[2,2,2])", "mixed-radix(2,1,0,levels=[2,2,2])", "mixed-radix(0,1,2,levels=[2,2,2])"]'
)
#: Its process 0 tells the members of the communicators of every run, as MPI has them.
MEMBERS = """
import sys
from mpi4py import MPI
from netloom.base.processes import world
from netloom.mpi.bench.asked import benches, experiments
from netloom.study import prepare

comm = world()
plan = prepare(sys.argv[1])
(part,) = experiments(plan, (), comm.Get_size())
for bench in benches(plan, part):
    me = comm.Get_rank()
    mine = next((one for one in bench.communicators if me in one.members), None)
    own = comm.Split(mine.number if mine else MPI.UNDEFINED, mine.members.index(me) if mine else 0)
    place = (mine.number, own.Get_rank()) if mine else None
    found = comm.gather(place)
    if comm.Get_rank() == 0:
        print("at", found, flush=True)
"""


def test_measured_stands_beside_predicted(library: Library, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY.format(order=LISTED))
    words = [*NETLOOM, "bench-orders", "study.toml", "--window", "0.002", "-o", "measured.csv"]
    done = library.run(8, [*words, "--json"], tmp_path)
    assert done.returncode == 0, done.stderr
    rows = facts(done)["runs"]
    assert [(row["communicators"], row["bytes"]) for row in rows] == 3 * [(1, 2 * 64), (2, 4 * 64)]
    assert all(row["calls"] >= 1 and row["time_s"] > 0 for row in rows)
    windows = read(str(tmp_path / "measured.csv"))
    assert len(windows) == 3 * (1 + 2)
    # Similar orders are measured once: for communicators of two, the first two orders.
    first, _, second = (row["time_s"] for row in rows[:3])
    assert first == second
    finished = run_study(tmp_path / "study.toml", tmp_path / "out", figures=False)
    table = finished.outcomes["one"].table.rows
    for row, measured in zip(table, rows, strict=True):
        assert row["measured_s"] == pytest.approx(measured["time_s"])
        assert row["measured_over_predicted"] == pytest.approx(
            measured["bandwidth_bytes_per_s"] / row["bandwidth_bytes_per_s"]
        )
    with (tmp_path / "out" / "tables" / "one-communicators.csv").open() as file:
        longer = list(csv.DictReader(file))
    assert sum(bool(line["measured_bytes_per_s"]) for line in longer) == len(windows)
    assert "predicted and measured" in (tmp_path / "out" / "report.html").read_text()


def test_processes_get_the_numbers_of_the_order(open_mpi: Library, tmp_path: Path) -> None:
    """[0,1,2] of [2,2,2]: new rank 0, 1, 2, 3 are cores 0, 4, 2, 6 (algorithms 1 and 2 of the paper)."""
    (tmp_path / "study.toml").write_text(STUDY.format(order='"mixed-radix(0,1,2,levels=[2,2,2])"'))
    (tmp_path / "members.py").write_text(MEMBERS)
    done = open_mpi.run(8, [sys.executable, "members.py", "study.toml"], tmp_path)
    lines = [line for line in done.stdout.splitlines() if "(" in line]
    new = {0: 0, 4: 1, 2: 2, 6: 3, 1: 4, 5: 5, 3: 6, 7: 7}
    pairs = [(0, new[old]) if new[old] < 2 else None for old in range(8)]
    fours = [divmod(new[old], 4) for old in range(8)]
    assert [line.partition(" ")[2].strip() for line in lines] == [str(pairs), str(fours)]


def test_another_number_of_processes_is_refused(open_mpi: Library, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY.format(order=LISTED))
    done = open_mpi.run(2, [*NETLOOM, "bench-orders", "study.toml", "-o", "measured.csv"], tmp_path)
    (line,) = said(done)
    assert line == (
        "error: NL-S031 mpirun: started 2 processes, and the experiments have other numbers of ranks: one 8"
    )
    assert done.returncode == 2 and not (tmp_path / "measured.csv").exists()
