"""The script of docs/how-to/close-the-loop.md under a real Slurm: recorded, mapped, run in the new order, compared."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from netloom.workload.traces.netloom_record import read_record

from . import slurm
from .conftest import ASKED
from .mpi_libraries import OPEN_MPI, missing

REASON = slurm.missing() or missing(OPEN_MPI)
pytestmark = [
    pytest.mark.skipif(not ASKED, reason="run by `make peers`"),
    pytest.mark.skipif(bool(REASON), reason=str(REASON)),
    pytest.mark.timeout(240),
]
HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "close-the-loop.md"
#: The heavy partner of a rank is half of the ranks away: with two ranks a node all of it crosses the network.
PROGRAM = """import numpy as np
from mpi4py import MPI
comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
out, into = np.ones(1 << 14), np.empty(1 << 14)
for _ in range(20):
    other = (rank + size // 2) % size
    comm.Sendrecv(out, other, 0, into, other)
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Slurm, with mpi4py's library and a cache of the recorder of its own."""
    folder = tmp_path_factory.mktemp("loop")
    with slurm.cluster(tmp_path_factory.mktemp("slurm")) as found:
        yield OPEN_MPI.environment | found | {"XDG_CACHE_HOME": str(folder / "cache")}


def script(folder: Path) -> Path:
    """As documented, on the one node that there is; its two nodes are in the topology only."""
    (text,) = re.findall(r"```sh\n(#!/bin/bash.*?)```", HOW_TO.read_text(), re.DOTALL)
    assert len(text.splitlines()) <= 10
    command = f"{sys.executable} -m netloom"
    for old, new in (
        ("--nodes=2 --ntasks-per-node=2", "--nodes=1 --ntasks=1 --output=job.log"),
        ("mpirun -n 4", "mpirun.openmpi --oversubscribe -n 4"),
        ("./app", f"{sys.executable} app.py"),
        ("netloom record", f"{command} record"),
        ("netloom map", f"{command} map"),
        ("netloom reorder", f"{command} reorder"),
        ("netloom verify-mapping", f"{command} verify-mapping"),
        ("netloom gained", f"{command} gained --json"),
    ):
        assert old in text
        text = text.replace(old, new)
    (folder / "app.py").write_text(PROGRAM)
    (folder / "topology.conf").write_text(
        "SwitchName=s0 Nodes=n0\nSwitchName=s1 Nodes=n1\nSwitchName=top Switches=s[0-1]\n"
    )
    path = folder / "loop.sbatch"
    path.write_text(text)
    return path


def test_the_loop_runs_in_one_job(tmp_path: Path, cluster: dict[str, str]) -> None:
    slurm.submit(script(tmp_path), cluster)
    log = (tmp_path / "job.log").read_text()
    assert "all 4 ranks are as asked" in log, log
    found = json.loads(log[log.rindex("\n{") :].split("\n}")[0] + "\n}")
    assert found["ranks"] == 4 and found["before_s"] > 0 and found["after_s"] > 0
    # Half of the ranks away becomes the neighbour: the simulated program no longer waits for the network.
    assert 0 < found["simulated_after_s"] < found["simulated_before_s"]
    assert found["predicted_s"] == pytest.approx(found["before_s"] - found["predicted_gain_s"])
    # By rank the program sends the same in both orders.
    first, last = (read_record(tmp_path / name) for name in ("sent", "again"))
    assert list(first.pairs) == list(last.pairs)
    assert [row.split(",")[1] for row in (tmp_path / "maps" / "ranks.csv").read_text().splitlines()[1:]] in (
        ["0", "1", "0", "1"], ["1", "0", "1", "0"],
    )  # fmt: skip
