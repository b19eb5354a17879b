"""Scripts answer Ctrl-C while the core works, also where the work itself cannot be stopped; no thread is no failure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

#: Calls that take minutes, and the part of the core in which they do.
LONG = {
    "network": 'netloom.network("random_shortcut(200000,degree=60,seed=1)")',
    "routing": 'netloom.network("random_shortcut(20000,degree=10,seed=1)").routing("up-down")',
    "verify": 'netloom.verify("allreduce:ring", ranks=8192)',
    "hops": 'netloom.hops("torus(64,64)", workload="allreduce:ring", ranks=4096, order="cco")',
    "simulate": 'netloom.simulate("torus(16,16,16,16)", workload="allreduce:ring", ranks=65536, size_bytes="1 MiB")',
}
START = """
import signal, sys, threading, netloom
netloom.network("ring(4)")
signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
signal.setitimer(signal.ITIMER_REAL, 1.0)
try:
    for _ in range(1000):
        {call}
except KeyboardInterrupt:
    print("answered", flush=True)
"""


def run(code: str, limit: float, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **more}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=limit, check=False
    )


@pytest.mark.parametrize("name", LONG)
def test_a_script_answers_ctrl_c(name: str) -> None:
    done = run(START.format(call=LONG[name]), 40)
    assert done.stdout == "answered\n" and done.returncode == 0, done.stderr[-500:]


def test_after_an_interruption_all_goes_on() -> None:
    more = 'print(netloom.hops("ring(8)", workload="nearest-ring", ranks=8).total_hops)'
    assert run(START.format(call=LONG["network"]) + more, 40).stdout == "answered\n16\n"


COUNT = """
import netloom, pathlib
netloom.hops("torus(8,8)", workload="alltoall:pairwise", ranks=64)
netloom.describe("torus(16,16)")
print(len(list(pathlib.Path("/proc/self/task").iterdir())))
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="counts threads in /proc")
def test_the_environment_does_not_ask_for_thousands_of_threads() -> None:
    cores = os.cpu_count() or 1
    done = run(COUNT, 100, RAYON_NUM_THREADS="5000", OPENBLAS_NUM_THREADS="1")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) <= max(16, 4 * cores) + 4
    few = run(COUNT, 100, RAYON_NUM_THREADS="3", OPENBLAS_NUM_THREADS="1")
    assert int(few.stdout) <= 3 + 4


SAME = (
    'import netloom; f = netloom.loads("torus(8,8)", workload="alltoall:pairwise", ranks=64); print(f.record, end="")'
)


def test_without_threads_the_calling_one_computes() -> None:
    """A stack that no address space holds keeps the pool's threads from starting."""
    alone = run(SAME, 100, RUST_MIN_STACK=str(1 << 46))
    assert alone.returncode == 0, alone.stderr
    assert alone.stdout == run(SAME, 100).stdout and "panicked" not in alone.stderr


def test_no_room_for_any_thread() -> None:
    code = """
import netloom, numpy, resource, pathlib
from netloom import _core
held = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (held + (7 << 20), -1))
print(_core.Network.build("ring(8)").endpoints)
print(_core.place(_core.Network.build("ring(8)"), 4, "linear", "draw").tolist())
"""
    done = run(code, 100, RUST_MIN_STACK=str(1 << 46), OPENBLAS_NUM_THREADS="1")
    assert done.stdout == "8\n[0, 1, 2, 3]\n", done.stderr


def test_the_command_takes_no_thread_for_linear_algebra(tmp_path: Path) -> None:
    """OpenBLAS would start one per processor, and interrupt the command where it cannot."""
    code = """
import os
from netloom.cli import main
try:
    main(["list", "topologies"])
except SystemExit:
    print(os.environ["OPENBLAS_NUM_THREADS"])
"""
    environment = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=100)
    assert done.stdout.endswith("\n1\n"), done.stderr


def test_a_study_without_threads_is_computed_one_run_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    from netloom.study.run import run_study

    text = 'title="t"\n[[experiment]]\nname="a"\nevaluate="hops"\n[experiment.axes]\nnetwork="ring(4)"\nranks=[2,3,4]\n'
    (tmp_path / "s.toml").write_text(text + 'workload="alltoall:pairwise"\n')
    run_study(tmp_path / "s.toml", tmp_path / "threads", figures=False)

    def none(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", none)
    run_study(tmp_path / "s.toml", tmp_path / "alone", figures=False)
    monkeypatch.undo()
    assert (tmp_path / "alone" / "runs.jsonl").read_bytes() == (tmp_path / "threads" / "runs.jsonl").read_bytes()
