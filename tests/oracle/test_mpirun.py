"""A simulation over processes of a real MPI gives the bytes of one process; a failure anywhere ends all at once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

pytestmark = [
    pytest.mark.skipif(shutil.which("mpirun") is None, reason="no mpirun"),
    pytest.mark.skipif(find_spec("mpi4py") is None, reason="no mpi4py"),
]

SIMULATE = [sys.executable, "-m", "netloom", "simulate", "--model", "packet", "--json"]
#: A few thousand windows each: processes meet at the end of each one, and more of them than free cores wait long. At
#: 512 B hybrid routing takes paths of both kinds.
CASES = (
    ("torus(4,4,4)", ["-c", "allreduce:ring", "--size", "64KiB"]),
    ("dragonfly(a=4,p=2,h=1,g=5)", ["-t", "uniform(seed=1,bytes=512)", "--variant", "adaptive-hybrid"]),
    ("fat_tree(radix=8,levels=3)", ["-a", "is(class=S)", "--ranks", "64", "--background", "0:60"]),
    ("torus(4,4,4)", ["-t", "uniform(seed=1,bytes=1024)", "--details"]),
)


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=200, check=False)


def over(processes: int, *words: str) -> subprocess.CompletedProcess[str]:
    return run("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(processes), *words)


def said(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Lines of netloom on stderr, without those of mpirun."""
    return [line for line in done.stderr.splitlines() if line.startswith("error: ")]


@pytest.mark.parametrize(("network", "rest"), CASES)
def test_same_bytes(network: str, rest: list[str]) -> None:
    words = [*SIMULATE, "-n", network, *rest]
    alone = run(*words)
    assert alone.returncode == 0 and json.loads(alone.stdout)["time_s"] > 0, alone.stderr
    for processes in (2, 3):
        together = over(processes, *words)
        assert (together.returncode, together.stdout) == (0, alone.stdout), together.stderr


def test_more_processes_than_switches() -> None:
    done = over(3, *SIMULATE, "-n", "complete(2,p=2)", "-c", "allreduce:ring")
    assert done.returncode == 2 and done.stdout == ""
    assert said(done) == ["error: NL-A007 processes must be at most 2, the switches of the network, got 3"]


def test_processes_that_disagree() -> None:
    words = [*SIMULATE, "-n", "torus(4,4)", "-c", "allreduce:ring", "--size"]
    done = over(1, *words, "64KiB", ":", "-n", "1", *words, "65KiB", ":", "-n", "1", *words, "64KiB")
    assert done.returncode == 2 and done.stdout == ""
    (line,) = said(done)
    assert line.startswith("error: NL-E024 simulation: processes do not simulate the same")


def test_a_fault_of_one_process_alone_ends_all_and_is_said_once() -> None:
    words = [*SIMULATE, "-n", "torus(4,4)", "-c"]
    done = over(1, *words, "allreduce:ring", ":", "-n", "2", *words, "allreduce:rong")
    assert done.returncode == 2 and done.stdout == ""
    (line,) = said(done)
    assert "rong" in line
    assert len(said(over(2, *words, "allreduce:ring", "--bogus"))) == 1


def test_flows_are_refused() -> None:
    words = [*SIMULATE, "-n", "torus(4,4)", "-c", "allreduce:ring"]
    (line,) = said(over(2, *(word for word in words if word not in ("--model", "packet"))))
    assert line.startswith("error: NL-X010 mpirun: starts several processes")
