"""Copies, combinations, and what entering a collective takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .rows import Row
from .timing import Team

#: Buffers of each process: in its own caches, in a shared one, in memory.
NEAR, MIDDLE, FAR = 1 << 15, 1 << 20, 1 << 26


def copy(team: Team, level: str, members: Sequence[int], size: int, seconds: float) -> Row:
    """Of one buffer, by all members at the same time."""
    is_member = team.rank in members
    source = np.ones(size if is_member else 0, dtype=np.uint8)
    target = source.copy()
    found = team.timed((lambda: np.copyto(target, source)) if is_member else None, seconds)
    assert found is not None
    return Row("copy", found.seconds, size, level, len(members), found.scatter, found.count)


def combine(team: Team, size: int, seconds: float) -> Row:
    """The library's own sum of 32-bit integers, by process 0."""
    from mpi4py import MPI

    part = np.ones(size // 4, dtype=np.int32)
    total = np.zeros_like(part)
    work = (lambda: MPI.SUM.Reduce_local([part, MPI.INT], [total, MPI.INT])) if team.rank == 0 else None
    found = team.timed(work, seconds)
    assert found is not None
    return Row("combine", found.seconds, size, "", 1, found.scatter, found.count)


def call(team: Team, binding_s: float, seconds: float) -> Row:
    """An allreduce of a process with itself: all that is left is to enter it, and the copy of one number."""
    from mpi4py import MPI

    own, result = np.ones(1, dtype=np.int32), np.zeros(1, dtype=np.int32)
    work = (lambda: MPI.COMM_SELF.Allreduce([own, MPI.INT], [result, MPI.INT])) if team.rank == 0 else None
    found = team.timed(work, seconds)
    assert found is not None
    return Row("call", max(found.seconds - binding_s, 1e-9), 4, "", 1, found.scatter, found.count)
