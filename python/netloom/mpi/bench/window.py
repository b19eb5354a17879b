"""Calls of a collective for a span of time, in one communicator or in several at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...study.measured import Window
from ..schedules.check import filled
from ..schedules.kinds import Case, chosen
from ..schedules.library import library_call
from ..schedules.places import Job
from .asked import Bench, Communicator

if TYPE_CHECKING:
    from mpi4py import MPI

#: Most calls between two looks at the clock, as a share of those before.
_GROWTH = 2.0


def windows(
    comm: MPI.Intracomm, asked: Sequence[Bench], seconds: float, told: Callable[[Bench], object]
) -> Iterator[list[Window]]:
    """The windows of each run, on process 0; empty lists elsewhere. All call it together."""
    known: dict[tuple[object, ...], list[tuple[int, float]]] = {}
    for bench in asked:
        if bench.alike not in known:
            told(bench)
            known[bench.alike] = _measured(comm, bench, seconds)
        found = known[bench.alike]
        yield [
            Window(
                bench.experiment, bench.labels, one.number, len(one.members), len(one.members) * one.size_bytes, *row
            )
            for one, row in zip(bench.communicators, found, strict=False)
        ]


def _measured(comm: MPI.Intracomm, bench: Bench, seconds: float) -> list[tuple[int, float]]:
    """Calls and seconds of each communicator."""
    from mpi4py import MPI

    me = comm.Get_rank()
    mine = next((one for one in bench.communicators if me in one.members), None)
    key = mine.members.index(me) if mine else 0
    own = comm.Split(mine.number if mine else MPI.UNDEFINED, key)
    found: tuple[int, int, float] | None = None
    call = _call(own, mine) if mine else None
    if call:
        call()
    comm.Barrier()
    if mine and call:
        calls, took = window(own, call, seconds)
        found = (mine.number, calls, took) if key == 0 else None
    every: list[tuple[int, int, float] | None] | None = comm.gather(found)
    if own != MPI.COMM_NULL:
        own.Free()
    return [(calls, took) for _, calls, took in sorted(filter(None, every or []))]


def _call(comm: MPI.Comm, one: Communicator) -> Callable[[], object]:
    """The library's own collective on bytes."""
    kind, operation = chosen("byte", None)
    count = 1 if one.collective == "barrier" else one.size_bytes
    job = Job(one.collective, comm.Get_size(), comm.Get_rank(), 0, count)
    return library_call(comm, job, kind, operation.of_mpi(), filled(job, Case(kind, operation)))


def window(comm: MPI.Comm, call: Callable[[], object], seconds: float) -> tuple[int, float]:
    """Calls, and seconds from the first to the end of the last. All of a communicator do as many.

    Rank 0 decides how many follow, and tells it: as often as the logarithm of the number of calls.
    """
    more, done = np.array([1]), 0
    began = time.perf_counter()
    while more[0]:
        for _ in range(int(more[0])):
            call()
        done += int(more[0])
        took = time.perf_counter() - began
        left = (seconds - took) / took * done
        more[0] = 0 if left <= 0 else max(1, int(min(left, _GROWTH * done)))
        comm.Bcast(more)
    return done, time.perf_counter() - began
