"""Waiting where more processes run than there are cores: one that spins keeps those that it waits for from running."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mpi4py import MPI

#: Looks before a process sleeps, what is added to each sleep, and the longest one.
POLLS, NAP_S, LONGEST_S = 5, 1e-5, 2e-4

Wait = Callable[[Sequence["MPI.Request"]], object]


def spinning(requests: Sequence[MPI.Request]) -> None:
    """As the library waits."""
    from mpi4py import MPI

    MPI.Request.Waitall(requests)


def sleeping(requests: Sequence[MPI.Request]) -> None:
    """Sleeps between looks, each time a little longer."""
    from mpi4py import MPI

    polls = 0
    while not MPI.Request.Testall(requests):
        polls += 1
        if polls > POLLS:
            time.sleep(min(NAP_S * (polls - POLLS), LONGEST_S))


def crowded(comm: MPI.Intracomm) -> bool:
    """More of the processes are on some machine than cores that they may use, together."""
    from mpi4py import MPI

    here = comm.Split_type(MPI.COMM_TYPE_SHARED)
    cores: set[int] = set().union(*here.allgather(os.sched_getaffinity(0)))
    full = here.Get_size() > len(cores)
    here.Free()
    found: bool = comm.allreduce(full, MPI.LOR)
    return found
