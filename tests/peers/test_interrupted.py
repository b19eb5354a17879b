"""Ctrl-C on jobs: they end soon, nothing half written is left, and no process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import ASKED
from .mpi_libraries import NETLOOM, OPEN_MPI, Library
from .test_bench_orders import LISTED, STUDY
from .test_run_schedule import NO_SUM

pytestmark = [pytest.mark.skipif(not ASKED, reason="run by `make peers`"), pytest.mark.timeout(120)]
#: Seconds for a job to begin and to end.
BEGIN_S, END_S = 60, 30
#: A program that dies of a signal, as one of C does, and says when it has begun.
LOOP = """
import signal, pathlib, numpy as np
from mpi4py import MPI
signal.signal(signal.SIGINT, signal.SIG_DFL)
own, comm = np.zeros(8), MPI.COMM_WORLD
for number in range(10**9):
    comm.Allreduce(MPI.IN_PLACE, own)
    if number == 1000:
        pathlib.Path("begun").touch()
"""


def interrupted(library: Library, words: list[str], folder: Path, begun: str) -> tuple[int, str]:
    """Exit code and stderr of a job in a session of its own whose terminal sends Ctrl-C when a file is there."""
    process = subprocess.Popen(
        words, env=library.environment, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    end = time.monotonic() + BEGIN_S
    while not (folder / begun).exists():
        assert time.monotonic() < end and process.poll() is None, process.communicate()[1]
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    try:
        _, said = process.communicate(timeout=END_S)
        return process.returncode, said
    finally:
        left = _of_session(process.pid)
        end = time.monotonic() + END_S
        while left and time.monotonic() < end:
            time.sleep(0.1)
            left = _of_session(process.pid)
        for number in left:
            os.kill(number, signal.SIGKILL)
        assert not left


def told(library: Library, code: int) -> bool:
    """Whether the launcher says that its job was ended, which MPICH's does at times only.

    It ends with 2, the number of the signal, or with 0 if its ranks end before it has seen the signal.
    """
    return code != 0 or library != OPEN_MPI


def _of_session(leader: int) -> list[int]:
    """Processes that a job left."""
    found = subprocess.run(["ps", "-s", str(leader), "-o", "pid=,stat="], capture_output=True, text=True, check=False)
    lines = (line.split() for line in found.stdout.splitlines())
    return [int(number) for number, state in lines if not state.startswith("Z")]


#: A plug-in that is loaded when a job begins, and tells so.
BEGUN = f"import pathlib\npathlib.Path('begun').touch()\n{NO_SUM}"


def test_run_schedule(library: Library, tmp_path: Path) -> None:
    (tmp_path / "mark.py").write_text(BEGUN)
    words = [*NETLOOM, "run-schedule", "allreduce:ring", "--seconds", "100", "--plugin", "mark.py", "-o", "made.csv"]
    code, said = interrupted(library, library.mpirun(3, *words), tmp_path, "begun")
    assert told(library, code) and "Traceback" not in said
    # MPICH has words of its own, and Open MPI may drop ours.
    assert library != OPEN_MPI or said.strip() in ("", "interrupted")
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {"mark.py", "begun"}


def test_bench_orders(library: Library, tmp_path: Path) -> None:
    (tmp_path / "mark.py").write_text(BEGUN)
    (tmp_path / "study.toml").write_text(STUDY.format(order=LISTED))
    words = [*NETLOOM, "bench-orders", "study.toml", "--window", "20", "--plugin", "mark.py", "-o", "made.csv"]
    code, said = interrupted(library, library.mpirun(8, *words), tmp_path, "begun")
    assert told(library, code) and "Traceback" not in said
    # MPICH has words of its own, and Open MPI may drop ours.
    assert library != OPEN_MPI or said.strip() in ("", "interrupted")
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {"mark.py", "study.toml", "begun"}


def test_record(library: Library, tmp_path: Path) -> None:
    """What was sent until then is told; the exit code is the program's."""
    (tmp_path / "loop.py").write_text(LOOP)
    words = [*NETLOOM, "record", "-o", "sent", "--", *library.mpirun(2, sys.executable, "loop.py")]
    code, said = interrupted(library, words, tmp_path, "begun")
    assert "incomplete: ranks 0, 1 did not reach the end of MPI_Finalize" in said
    assert told(library, code)
    made = {path.name for path in (tmp_path / "sent").iterdir()}
    assert made == {"rank-0.sums", "rank-1.sums", "record.json", "matrix.csv", "summary.json", "report.html"}


def test_a_library_that_is_being_built_leaves_nothing(library: Library, tmp_path: Path) -> None:
    """Neither of the recorder nor where compilers keep what they make."""
    compiler = tmp_path / "mpicc"
    compiler.write_text(f'#!/bin/sh\ncase "$*" in *-show*) touch begun; sleep 1;; esac\nexec {library.mpicc} "$@"\n')
    compiler.chmod(0o755)
    words = ["env", f"XDG_CACHE_HOME={tmp_path}/cache", *NETLOOM, "record", "--build", "--mpicc", str(compiler)]
    code, said = interrupted(library, words, tmp_path, "begun")
    assert code == 130 and said.strip() == "interrupted"
    assert not list((tmp_path / "cache" / "netloom" / "mpi").iterdir())
