"""CPU time on one core, peak memory of a child: the two measures that every case uses.

Imports nothing that starts threads, so that `pin` can run before anything does.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
THREADS = ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
CORES = sorted(os.sched_getaffinity(0))


def pin() -> None:
    """Keep this process and its libraries on one core. Call it before NumPy or any peer is imported."""
    for variable in THREADS:
        os.environ[variable] = "1"
    # Interrupts and other programs start on the first core.
    os.sched_setaffinity(0, {CORES[-1]})


@dataclass(frozen=True)
class Timing:
    """Median CPU seconds of one call with the extremes, and what the call returned."""

    seconds: float
    low: float
    high: float
    runs: int
    answer: Any = None

    def scaled(self, factor: float) -> Timing:
        """The same measure for `factor` times the work."""
        return Timing(self.seconds * factor, self.low * factor, self.high * factor, self.runs, self.answer)


def cpu(call: Callable[[], Any], runs: int = 5, floor_s: float = 0.02, limit_s: float = 30.0) -> Timing:
    """Median CPU time of `call` (user and system, all threads of this process).

    Parameters
    ----------
    runs
        Measures to take the median of.
    floor_s
        A measure repeats the call until it lasts this long: shorter ones would measure the clock.
    limit_s
        No new measure starts after this much CPU time in total; a slow call is measured once.
    """
    start = time.process_time()
    answer = call()
    first = time.process_time() - start
    if first > limit_s / 2:
        return Timing(first, first, first, 1, answer)
    repeat = max(1, int(floor_s / max(first, 1e-7)))
    measures = []
    spent = first
    while len(measures) < runs and (not measures or spent < limit_s):
        start = time.process_time()
        for _ in range(repeat):
            answer = call()
        total = time.process_time() - start
        spent += total
        measures.append(total / repeat)
    return Timing(statistics.median(measures), min(measures), max(measures), len(measures), answer)


@dataclass(frozen=True)
class Command:
    """A finished program: wall and CPU seconds, and what it printed."""

    wall_s: float
    cpu_s: float
    stdout: str


def command(
    arguments: Sequence[str], cores: int = 1, timeout_s: float = 3600.0, codes: Sequence[int] = (0,)
) -> Command:
    """Run a program on `cores` of our cores and time it; `codes` are the exit codes that count as success.

    Raises
    ------
    RuntimeError
        If it fails, with the end of what it wrote to stderr.
    """
    allowed = set(CORES[-cores:])
    environment = {k: v for k, v in os.environ.items() if k not in THREADS or cores == 1}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(
        list(arguments),
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout_s,
        preexec_fn=lambda: os.sched_setaffinity(0, allowed),
    )
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in codes:
        raise RuntimeError(f"{arguments[0]} ended with {done.returncode}: {done.stderr[-500:]}")
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Command(wall, spent, done.stdout)


def resident_bytes(field: str = "VmRSS") -> int:
    """Resident memory of this process now (`VmRSS`) or at its peak (`VmHWM`)."""
    # Not getrusage: its ru_maxrss survives exec and would show the parent's size.
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no {field} in the status of this process")


def python(module: str, *arguments: str) -> list[str]:
    """Command line of one of our modules in this interpreter."""
    return [sys.executable, "-m", module, *arguments]


def machine() -> dict[str, Any]:
    """What the numbers were measured on."""
    model = ""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return {"processor": model, "cores": len(CORES), "python": sys.version.split()[0]}
