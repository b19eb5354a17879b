"""`calibrate --run` and `validate --run` on both MPI libraries: files are whole, machines work; no time is asserted."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from netloom.machine import load
from netloom.mpi.micro.rows import read

from .conftest import ASKED
from .mpi_libraries import NETLOOM, Library

pytestmark = [pytest.mark.skipif(not ASKED, reason="run by `make peers`"), pytest.mark.timeout(200)]
SECONDS = "2"


def run(library: Library, folder: Path, *words: str, ranks: int = 2) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*NETLOOM, *words, "--launch", f"{library.launcher} -n {ranks}"],
        capture_output=True, text=True, timeout=150, env=library.environment, cwd=folder, check=False,
    )  # fmt: skip


def test_a_machine_is_measured_and_predicts(library: Library, tmp_path: Path) -> None:
    done = run(library, tmp_path, "calibrate", "--run", "--seconds", SECONDS, "-o", "mine.toml", "--oversubscribe")
    assert done.returncode == 0, done.stderr
    found = read(tmp_path / "calibration.jsonl")
    assert found.about.mpi.startswith(library.title) and found.about.ranks == 2
    assert {row.what for row in found.rows} >= {"binding", "pingpong"}
    assert all(row.time_s > 0 for row in found.rows if row.what == "pingpong")
    machine = load(tmp_path / "mine.toml")
    assert str(machine.values["library"].value) in ("openmpi", "mpich")
    words = ("validate", "--run", "--seconds", SECONDS, "--machine", "mine.toml", "--json", "--oversubscribe")
    done = run(library, tmp_path, *words)
    assert done.returncode == 0, done.stderr
    held = json.loads(done.stdout)
    assert held["rows_used"] == held["rows"] > 0 and held["median_error"] >= 0


def test_more_processes_than_cores_are_refused(library: Library, tmp_path: Path) -> None:
    """Unless that is asked for: then it is said."""
    done = run(library, tmp_path, "calibrate", "--run", "--seconds", "1", ranks=5)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("error: NL-I07") == 1 and "Traceback" not in done.stderr
    assert not (tmp_path / "calibration.jsonl").exists()


def test_one_process_is_refused(library: Library, tmp_path: Path) -> None:
    done = run(library, tmp_path, "calibrate", "--run", ranks=1)
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: NL-I071 --launch" in done.stderr


def test_a_full_disk_is_one_line(library: Library, tmp_path: Path) -> None:
    done = run(library, tmp_path, "calibrate", "--run", "--oversubscribe", "--measured", "/dev/full")
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: NL-X003 /dev/full: cannot be written: No space left on device" in done.stderr


def test_ctrl_c_leaves_what_was_measured(open_mpi: Library, tmp_path: Path) -> None:
    words = ["calibrate", "--run", "--seconds", "60", "--oversubscribe", "--launch", f"{open_mpi.launcher} -n 2"]
    kept = tmp_path / "calibration.jsonl"
    process = subprocess.Popen(
        [*NETLOOM, *words], env=open_mpi.environment, cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and not (kept.exists() and kept.read_text().count("pingpong") >= 5):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "calibration.jsonl has what was measured: netloom calibrate calibration.jsonl" in said
    assert len(read(kept).of("pingpong")) >= 5
