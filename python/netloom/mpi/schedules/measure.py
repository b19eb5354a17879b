"""Times of a schedule next to those of the library's own collective, call by call."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...base.statistics import quantile
from ..clock import Clock
from .check import filled, job_of
from .execute import Execution, Ready
from .kinds import Case
from .library import library_call
from .plan import plan

if TYPE_CHECKING:
    from mpi4py import MPI

    from ... import _core

#: Calls before the clock counts, fewest and most calls that are timed.
WARM_UP, FEWEST, MOST = 3, 10, 1000
#: Seconds in which the runner's part is measured.
LONG_S = 1e-3
#: Of the time that a barrier takes: how far ahead a common start is set, and tries for one call to start in time.
AHEAD, TRIES = 3.0, 3
#: Times above the third quartile by so many times the distance of the quartiles are outliers (Tukey 1977).
FAR = 3.0
#: Of the ranks.
SHARES = {"p50_s": 0.5, "p90_s": 0.9, "p99_s": 0.99}

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Times:
    """Of one collective at one size; on all processes the same.

    Parameters
    ----------
    calls_s
        Of each call, from the start until the last rank was done.
    ranks_s
        Of each rank, the mean over its calls: what the OSU benchmarks print the mean, least and most of.
    late
        Calls in which a rank was not ready at the common start; they count from when it began.
    """

    calls_s: list[float]
    ranks_s: list[float]
    late: int

    def facts(self) -> dict[str, object]:
        """Seconds, by name."""
        outliers = self.outliers()
        return {
            "min_s": min(self.calls_s),
            "median_s": quantile(self.calls_s, 0.5),
            "mean_s": sum(self.calls_s) / len(self.calls_s),
            "max_s": max(self.calls_s),
            "calls": len(self.calls_s),
            "late": self.late,
            "outliers": len(outliers),
            "ranks": {
                "mean_s": sum(self.ranks_s) / len(self.ranks_s),
                "min_s": min(self.ranks_s),
                "max_s": max(self.ranks_s),
                **{name: quantile(self.ranks_s, share) for name, share in SHARES.items()},
            },
        }

    def outliers(self) -> list[float]:
        """Calls that took far longer than most."""
        low, high = quantile(self.calls_s, 0.25), quantile(self.calls_s, 0.75)
        return [one for one in self.calls_s if one > high + FAR * (high - low)]


@dataclass(frozen=True)
class Pace:
    """How calls begin, and how long they may take.

    Parameters
    ----------
    clock
        All ranks begin at one time of it; None: after a barrier.
    seconds
        Of all timed calls of a size together.
    """

    clock: Clock | None
    seconds: float


def measured(
    comm: MPI.Intracomm, schedule: _core.Schedule, case: Case, pace: Pace, ready: Ready = Execution
) -> tuple[Times, Times, float]:
    """Times of the schedule and of the library, call after call in turn, and the seconds of a call of the schedule that
    are the runner's, on the rank where they are most."""
    job = job_of(schedule, comm.Get_rank(), case.kind)
    ours, theirs = filled(job, case), filled(job, case)
    made = plan(schedule, job, ordered=not case.operation.commutes)
    run, hollow = ready(comm, made, case, ours), ready(comm, made, case, ours, hollow=True)
    operation = case.operation.of_mpi()
    calls: tuple[Callable[[], object], ...] = (run, library_call(comm, job, case.kind, operation, theirs))
    count = _count(comm, calls, pace.seconds)
    found: tuple[list[tuple[float, float, bool]], ...] = ([], [])
    for _ in range(count):
        for call, rows in zip(calls, found, strict=True):
            rows.append(_timed(comm, call, pace.clock))
    slowest = comm.allreduce(_runner_s(hollow), _max())
    run.free()
    if not case.operation.mpi:
        operation.Free()
    return _gathered(comm, found[0]), _gathered(comm, found[1]), slowest


def _max() -> MPI.Op:
    from mpi4py import MPI

    return MPI.MAX


def _count(comm: MPI.Intracomm, calls: tuple[Callable[[], object], ...], seconds: float) -> int:
    """Calls of each, as rank 0 sees it."""
    took = 0.0
    for number in range(WARM_UP):
        comm.Barrier()
        began = time.perf_counter()
        for call in calls:
            call()
        took = time.perf_counter() - began if number else 0.0
    made: int = comm.bcast(int(min(MOST, max(FEWEST, seconds / max(took, 1e-9)))))
    return made


def _timed(comm: MPI.Intracomm, call: Callable[[], object], clock: Clock | None) -> tuple[float, float, bool]:
    """Start and end of one call here, on the common clock if there is one; and whether the rank was late."""
    late = clock is not None and not _started(comm, clock)
    if clock is None:
        comm.Barrier()
    now = time.perf_counter if clock is None else clock.now_s
    began = now()
    call()
    return began, now(), late


def _started(comm: MPI.Intracomm, clock: Clock) -> bool:
    """Waits for a start that rank 0 sets; False if this rank heard of it too late."""
    began = clock.now_s()
    comm.Barrier()
    at = np.array([clock.now_s() + AHEAD * max(clock.now_s() - began, 10e-6)])
    comm.Bcast(at)
    return clock.until(float(at[0]))


def _gathered(comm: MPI.Intracomm, rows: list[tuple[float, float, bool]]) -> Times:
    own = np.array(rows, dtype=np.float64)
    every = np.empty((comm.Get_size(), *own.shape))
    comm.Allgather(own, every)
    starts, ends, late = every[:, :, 0], every[:, :, 1], every[:, :, 2]
    return Times(_whole(starts, ends), (ends - starts).mean(axis=1).tolist(), int(late.any(axis=0).sum()))


def _whole(starts: Floats, ends: Floats) -> list[float]:
    """Of each call, that of the rank that was in it the longest: with a common start, until the last one was done."""
    made: list[float] = (ends - starts).max(axis=0).tolist()
    return made


def _runner_s(run: Execution) -> float:
    """Seconds of one call, the median."""
    run()
    began = time.perf_counter()
    found: list[float] = []
    while len(found) < FEWEST or time.perf_counter() - began < LONG_S:
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    run.free()
    return quantile(found, 0.5)
