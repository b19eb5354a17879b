"""Times of repeated work between pairs of processes that measure at the same time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...base.statistics import quantile
from ..schedules.patience import Wait

if TYPE_CHECKING:
    from mpi4py import MPI

#: Repetitions before the clock counts, fewest and most that are timed.
WARM_UP, FEWEST, MOST = 3, 9, 2000
#: The time of repeated work is the one that so many of the repetitions were quicker than: others only add to it.
SHARE = 0.1

#: So many repetitions take up to so many times the time that is planned: of few, all may have been disturbed.
ENOUGH, PATIENCE = 36, 4

Work = Callable[[], object]


def more(count: int, took_s: float, seconds: float) -> int:
    """How many repetitions follow those that were made: as many again, as far as time is left; 0 at the end."""
    whole = seconds if count >= ENOUGH else PATIENCE * seconds
    return max(0, min(count, int((whole / took_s - 1) * count), MOST - count))


@dataclass(frozen=True)
class Time:
    """Of one repetition: seconds, scatter, and how many there were."""

    seconds: float
    scatter: float
    count: int


def of(samples: Sequence[float]) -> Time:
    """What is said of repeated times."""
    found = quantile(samples, SHARE)
    width = quantile(samples, 0.5) - found
    return Time(found, width / found if found > 0 else 0.0, len(samples))


def alone(work: Work, seconds: float) -> Time:
    """Of one process."""
    for _ in range(WARM_UP):
        work()
    samples: list[float] = []
    end = time.perf_counter() + seconds
    while len(samples) < FEWEST or (time.perf_counter() < end and len(samples) < MOST):
        began = time.perf_counter()
        work()
        samples.append(time.perf_counter() - began)
    return of(samples)


@dataclass(frozen=True)
class Team:
    """All processes, as they measure together.

    Parameters
    ----------
    wait
        How those wait that have nothing to do.
    """

    comm: MPI.Intracomm
    wait: Wait

    @property
    def rank(self) -> int:
        """Number of this process."""
        return self.comm.Get_rank()

    def meet(self) -> None:
        """Waits for all."""
        self.wait([self.comm.Ibarrier()])

    def agreed(self, value: float) -> float:
        """The largest value of all."""
        found, mine = np.zeros(1), np.array([float(value)])
        self.wait([self.comm.Iallreduce(mine, found, _max())])
        return float(found[0])

    def timed(self, work: Work | None, seconds: float, told: bool = True) -> Time | None:
        """Runs the work in all processes that have some, as often in each; the mean of those that tell a time.

        Parameters
        ----------
        work
            What this process does; None if it has no part in it.
        seconds
            For all repetitions together.
        told
            This process tells its times: one of a pair is enough.
        """
        samples: list[float] = []
        began, chunk, count = 0.0, WARM_UP, -WARM_UP
        while chunk:
            self.meet()
            samples += _repeated(work, chunk) if work else []
            count += chunk
            if count == 0:
                samples, began, chunk = [], time.perf_counter(), FEWEST
                continue
            took = self.agreed(time.perf_counter() - began)
            chunk = more(count, took, seconds)
        self.meet()
        own = of(samples) if work and told else None
        every = [one for one in self.comm.allgather(own) if one is not None]
        if not every:
            return None
        return Time(
            sum(one.seconds for one in every) / len(every), sum(one.scatter for one in every) / len(every), count
        )


def _repeated(work: Work, times: int) -> list[float]:
    """Seconds of each."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return found


def _max() -> MPI.Op:
    from mpi4py import MPI

    return MPI.MAX
