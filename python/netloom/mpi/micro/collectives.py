"""The library's own collectives, and exchanges with neighbours: what calibration does not measure."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..clock import Clock
from .rows import Row
from .timing import FEWEST, WARM_UP, Team, Time, more, of

if TYPE_CHECKING:
    from mpi4py import MPI

#: Bytes in the meaning of each collective.
SIZES = (8, 64, 512, 4096, 32768, 262144, 2097152)
#: How far ahead a common start is set, in times of the barrier before.
AHEAD = 3.0
#: Of all ranks together.
MOST_BYTES = 1 << 27
NAMES = ("exchange", "alltoall", "allreduce", "allgather", "broadcast")


def timed(team: Team, clock: Clock | None, name: str, size: int, seconds: float) -> Row:
    """From the start until the last process is done, without what the same costs of no call at all.

    Parameters
    ----------
    name
        One of `NAMES`.
    clock
        All begin at one time of it; None: after a barrier, as more processes than cores can do no better.
    """
    nobody = _exchange(team.comm, size, to_nobody=True) if name == "exchange" else lambda: None
    nothing = _timed(team, clock, nobody, seconds / 4)
    found = _timed(team, clock, _call(team.comm, name, size), 3 * seconds / 4)
    time_s = max(found.seconds - nothing.seconds, found.seconds / 100)
    return Row("collective", time_s, size, "", 1, found.scatter, found.count, name)


def _timed(team: Team, clock: Clock | None, call: Callable[[], object], seconds: float) -> Time:
    comm = team.comm
    samples: list[float] = []
    for _ in range(WARM_UP):
        call()
    began, count, chunk = time.perf_counter(), 0, FEWEST
    while chunk:
        own = np.array([_whole(comm, clock, call) for _ in range(chunk)])
        last = np.zeros(chunk)
        comm.Allreduce(own, last, _max())
        samples += last.tolist()
        count += chunk
        took = team.agreed(time.perf_counter() - began)
        chunk = more(count, took, seconds)
    return of(samples)


def _whole(comm: MPI.Intracomm, clock: Clock | None, call: Callable[[], object]) -> float:
    """Seconds from the common start to the end here."""
    began = _started(comm, clock)
    call()
    return (clock.now_s() if clock else time.perf_counter()) - began


def _started(comm: MPI.Intracomm, clock: Clock | None) -> float:
    """When the call begins; of one who was late, when all others did."""
    began = time.perf_counter()
    comm.Barrier()
    if clock is None:
        return time.perf_counter()
    at = np.array([clock.now_s() + AHEAD * min(max(time.perf_counter() - began, 5e-6), 1e-4)])
    comm.Bcast(at)
    clock.until(float(at[0]))
    return float(at[0])


def _max() -> MPI.Op:
    from mpi4py import MPI

    return MPI.MAX


def _call(comm: MPI.Intracomm, name: str, size: int) -> Callable[[], object]:
    """Numbers of 32 bits, so that sums are those that calibration timed."""
    from mpi4py import MPI

    ranks, count = comm.Get_size(), size // 4
    own, every = np.ones(count, dtype=np.int32), np.ones(count * ranks, dtype=np.int32)
    if name == "alltoall":
        into = np.zeros_like(every)
        return lambda: comm.Alltoall([every, MPI.INT], [into, MPI.INT])
    if name == "allreduce":
        total = np.zeros_like(own)
        return lambda: comm.Allreduce([own, MPI.INT], [total, MPI.INT])
    if name == "allgather":
        return lambda: comm.Allgather([own, MPI.INT], [every, MPI.INT])
    if name == "broadcast":
        return lambda: comm.Bcast([own, MPI.INT], 0)
    return _exchange(comm, size)


def _exchange(comm: MPI.Intracomm, size: int, to_nobody: bool = False) -> Callable[[], object]:
    """With both neighbours in a ring, as `IMB-MPI1 Exchange` does; with nobody only the interpreter's part is left."""
    from mpi4py import MPI

    left, right = (comm.Get_rank() - 1) % comm.Get_size(), (comm.Get_rank() + 1) % comm.Get_size()
    if to_nobody:
        left = right = MPI.PROC_NULL
    own = np.ones(size // 4, dtype=np.int32)
    first, second = np.zeros_like(own), np.zeros_like(own)

    def work() -> None:
        requests = [comm.Irecv([first, MPI.INT], left, 0), comm.Irecv([second, MPI.INT], right, 1)]
        requests += [comm.Isend([own, MPI.INT], right, 0), comm.Isend([own, MPI.INT], left, 1)]
        MPI.Request.Waitall(requests)

    return work
