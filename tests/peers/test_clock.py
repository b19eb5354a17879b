"""The common clock on processes whose own clocks are set wrong and run at other speeds."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from .conftest import ASKED
from .mpi_libraries import Library

pytestmark = [
    pytest.mark.skipif(not ASKED, reason="the check on real MPI libraries is run by `make peers`"),
    pytest.mark.timeout(300),
]
#: One machine has one clock: each process reads it with an error of its own, and knows what process 0 reads.
PROGRAM = """
import json, time
from mpi4py import MPI
from netloom.mpi.clock import synchronised

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
ahead, drift, true = 100.0 * rank, 1e-3 * rank, time.perf_counter
read = lambda: true() * (1 + drift) + ahead
clock = synchronised(comm, read=read, span_s=0.05, apart=True)
before = true()
now = clock.now_s()
after = true()
found = comm.gather((before - now, now - after, clock.line.error_s, clock.line.drift))
one = synchronised(comm, span_s=0.05)
same = comm.allreduce(one.line.ahead_s == 0 == one.line.drift, MPI.LAND)
if rank == 0:
    print(json.dumps({"found": found, "same": bool(same)}))
"""


def test_offsets_and_drifts_are_found(open_mpi: Library, tmp_path: Path) -> None:
    (tmp_path / "clock.py").write_text(PROGRAM)
    done = open_mpi.run(5, [sys.executable, "clock.py"], tmp_path)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    for rank, (early_s, late_s, error_s, drift) in enumerate(said["found"]):
        # Clocks are 100 s and a thousandth apart; what is left is within the error that the line states, and what
        # the drift adds until the clock is read.
        allowed = 10 * error_s + 1e-3
        assert early_s <= allowed and late_s <= allowed, (rank, early_s, late_s, error_s)
        assert drift == pytest.approx(1 / (1 + 1e-3 * rank) - 1, abs=max(2e-4, 100 * error_s))
    assert said["same"]
