"""The processes that run here: their library, their machines, and how they can start at one time."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .clock import synchronised
from .schedules.measure import Pace
from .schedules.patience import Wait, crowded, sleeping, spinning

if TYPE_CHECKING:
    from mpi4py import MPI


def library() -> str:
    """Name and version of the MPI library, as it says them."""
    from mpi4py import MPI

    words = MPI.Get_library_version().split("\n")[0].split(",")[0]
    return " ".join(words.replace("\0", "").split())[:60]


def spread(comm: MPI.Intracomm) -> dict[str, int]:
    """Machines, and ranks on each where all have as many."""
    from mpi4py import MPI

    here = comm.Split_type(MPI.COMM_TYPE_SHARED, comm.Get_rank())
    first: int = here.bcast(comm.Get_rank())
    here.Free()
    counts = Counter(comm.allgather(first))
    each = set(counts.values())
    return {"nodes": len(counts)} | ({"ranks_per_node": each.pop()} if len(each) == 1 else {})


def pace(comm: MPI.Intracomm, seconds: float, timed: bool) -> tuple[Pace | None, Wait, str]:
    """How calls begin, how processes wait in checks, and what is to be said of it.

    Where more processes run than cores, no common start can be kept: a rank may not run when it comes.
    """
    if crowded(comm):
        words = "after a barrier: more processes than cores, so that times are also of waiting for a core"
        return (Pace(None, seconds) if timed else None), sleeping, words
    if not timed:
        return None, spinning, ""
    clock = synchronised(comm)
    error_s = comm.allreduce(clock.line.error_s, _max())
    known = f"known within {1e6 * error_s:.2g} us" if error_s else "that of the one machine"
    words = f"at one time of a common clock, {known}"
    return Pace(clock, seconds), spinning, words


def _max() -> MPI.Op:
    from mpi4py import MPI

    return MPI.MAX
