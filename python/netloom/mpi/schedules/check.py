"""Whether a schedule gives what the library's own collective gives, for datatypes, operations, and in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...base.registries import ROOTED
from .execute import Execution, Ready
from .kinds import COMBINES, DATATYPES, OPERATIONS, Case, Data, Datatype
from .library import library_call
from .patience import Wait, spinning
from .places import Job
from .plan import keeps_order, plan

if TYPE_CHECKING:
    from mpi4py import MPI

    from ... import _core

#: What memory of results holds before a call.
_BEFORE = 77


def cases(schedule: _core.Schedule, size_bytes: int) -> list[Case]:
    """Every datatype whose elements fill the size, with every operation on it that the schedule may use, out of place
    and in place."""
    name = schedule.collective
    sensitive = name in COMBINES and keeps_order(schedule)
    found = []
    for kind in DATATYPES.values():
        operations = [one for one in OPERATIONS.values() if kind.name in one.types and (one.commutes or sensitive)]
        if name not in COMBINES:
            operations = operations[:1]
        if size_bytes % kind.bytes == 0:
            ways = (False, True) if name not in ("barrier", "broadcast") else (False,)
            found += [Case(kind, one, in_place) for one in operations for in_place in ways]
    return found


def difference(
    comm: MPI.Intracomm, schedule: _core.Schedule, case: Case, wait: Wait = spinning, ready: Ready = Execution
) -> str:
    """What is wrong with the results, at the lowest rank where something is; "" where all agree.

    Parameters
    ----------
    ready
        What makes the schedule ready to run.

    Raises
    ------
    NetloomError
        What `plan` raises.
    """
    from mpi4py import MPI

    found = _difference(comm, schedule, case, wait, ready)
    first = np.array([comm.Get_rank() if found else comm.Get_size()])
    wait([comm.Iallreduce(MPI.IN_PLACE, first, MPI.MIN)])
    if first[0] == comm.Get_size():
        return ""
    said: str = comm.bcast(f"rank {first[0]}: {found}", int(first[0]))
    return said


def _difference(comm: MPI.Intracomm, schedule: _core.Schedule, case: Case, wait: Wait, ready: Ready) -> str | None:
    job = job_of(schedule, comm.Get_rank(), case.kind, case.in_place)
    send, ours = filled(job, case)
    kept, theirs = send.copy(), ours.copy()
    made = plan(schedule, job, ordered=not case.operation.commutes)
    run = ready(comm, made, case, (send, ours), wait)
    # Twice, since requests are used again; the second time on the input of the first.
    before = ours.copy()
    for _ in range(2):
        ours[...] = before
        run()
    run.free()
    if not np.array_equal(send, kept):
        return "the input is not what it was before"
    if job.collective == "barrier":
        return _told(job, ours)
    operation = case.operation.of_mpi()
    wait([library_call(comm, job, case.kind, operation, (kept, theirs)).start()])
    bound = _bound(comm, job, case, (kept, before), wait)
    if not case.operation.mpi:
        operation.Free()
    return _first(job, ours, theirs, bound)


def job_of(schedule: _core.Schedule, rank: int, kind: Datatype, in_place: bool = False) -> Job:
    """One rank's call; of a barrier with a token of each rank in place of nothing."""
    root = schedule.root if schedule.collective in ROOTED else 0
    count = 1 if schedule.collective == "barrier" else schedule.size_bytes // kind.bytes
    return Job(schedule.collective, schedule.ranks, rank, root, count, in_place)


def filled(job: Job, case: Case) -> tuple[Data, Data]:
    """The buffers of a call, the input with values that are known by rank and place."""
    given, got = job.lengths
    send, receive = values(job.rank, case, given), np.full(got, _BEFORE, case.kind.numpy)
    if job.collective == "barrier":
        receive[job.rank] = 1 + job.rank % 100
    elif (job.collective == "broadcast" and job.at_root) or (job.in_place and job.takes_in_place and not given):
        receive[...] = values(job.rank, case, got)
    return send, receive


def values(rank: int, case: Case, count: int) -> Data:
    """Numbers of one rank. Products are of powers of two, exact in every type; sums of real numbers are rounded."""
    rng = np.random.default_rng([rank, count])
    numpy, name = case.kind.numpy, case.operation.name
    if name == "prod":
        two = (rng.integers(0, 8, count) == rank % 8) & (rank < 64)
        signed: Data = ((1 + two) * rng.choice([-1, 1], count)).astype(numpy)
        return signed
    if name == "maps":
        return rng.integers(1, 1 << 15, count) << 16 | rng.integers(0, 1 << 15, count)
    if case.kind.is_real:
        between: Data = (2 * rng.random(count) - 1).astype(numpy)
        return between
    return rng.integers(0, 256 if numpy == "uint8" else 1 << 20, count).astype(numpy)


def _bound(comm: MPI.Intracomm, job: Job, case: Case, given: tuple[Data, Data], wait: Wait) -> Data | None:
    """How far apart two sums of the same real numbers may be; None where results are exact.

    Each of two sums of p numbers is off by at most (p - 1) u S / (1 - p u), with u half of the distance from 1 to the
    next number and S the sum of magnitudes (Higham 2002, section 4.2).
    """
    from mpi4py import MPI

    if job.collective not in COMBINES or case.operation.name != "sum" or not case.kind.is_real:
        return None
    own = np.abs(given[job.in_place and job.takes_in_place]).astype(np.float64)
    total = np.empty_like(own)
    wait([comm.Iallreduce(own, total, MPI.SUM)])
    if job.collective == "reduce-scatter":
        total = total[job.rank * job.count : (job.rank + 1) * job.count]
    made: Data = job.ranks * float(np.finfo(case.kind.numpy).eps) * total[: job.count]
    return made


def _told(job: Job, ours: Data) -> str | None:
    """Every rank must have heard that every rank has come."""
    missing = [rank for rank in range(job.ranks) if ours[rank] != 1 + rank % 100]
    return f"left the barrier without word of rank {missing[0]}" if missing else None


def _first(job: Job, ours: Data, theirs: Data, bound: Data | None) -> str | None:
    """The first place in which the results differ."""
    length = job.count if job.collective == "reduce-scatter" else len(theirs)
    if job.collective == "exscan" and job.rank == 0:
        # MPI leaves it undefined.
        return None
    ours, theirs = ours[:length], theirs[:length]
    apart = ours != theirs if bound is None else _apart(ours, theirs, bound[:length])
    for at in np.flatnonzero(apart)[:1].tolist():
        return f"element {at} is {ours[at]}, the library has {theirs[at]}"
    return None


def _apart(ours: Data, theirs: Data, bound: Data) -> NDArray[np.bool_]:
    """Farther than the bound, or no number."""
    return ~(np.abs(ours.astype(np.float64) - theirs.astype(np.float64)) <= bound.astype(np.float64))
