"""The same call by the MPI library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .kinds import Data, Datatype
from .places import Job

if TYPE_CHECKING:
    from mpi4py import MPI

#: What mpi4py calls them.
NAMES = {
    "barrier": "Barrier",
    "broadcast": "Bcast",
    "reduce": "Reduce",
    "allreduce": "Allreduce",
    "allgather": "Allgather",
    "gather": "Gather",
    "scatter": "Scatter",
    "reduce-scatter": "Reduce_scatter_block",
    "alltoall": "Alltoall",
    "scan": "Scan",
    "exscan": "Exscan",
}


@dataclass(frozen=True)
class LibraryCall:
    """The library's own collective on the buffers of a call; a call of it runs the collective once."""

    comm: MPI.Comm
    name: str
    words: tuple[object, ...]

    def __call__(self) -> None:
        """Blocking."""
        getattr(self.comm, self.name)(*self.words)

    def start(self) -> MPI.Request:
        """Not blocking."""
        made: MPI.Request = getattr(self.comm, f"I{self.name.lower()}")(*self.words)
        return made


def library_call(
    comm: MPI.Comm, job: Job, kind: Datatype, operation: MPI.Op, buffers: tuple[Data, Data]
) -> LibraryCall:
    """The call of the same collective on buffers of the same lengths."""
    from mpi4py import MPI

    mpi, (send, receive) = kind.of_mpi(), buffers
    here = job.in_place and job.takes_in_place
    given: object = MPI.IN_PLACE if here else [send, mpi]
    got: object = [receive, mpi]
    at_root = got if job.at_root else None
    if job.collective == "scatter":
        given, got = ([send, mpi] if job.at_root else None), (MPI.IN_PLACE if here else got)
    words: dict[str, tuple[object, ...]] = {
        "barrier": (),
        "broadcast": (got, job.root),
        "reduce": (given, at_root, operation, job.root),
        "gather": (given, at_root, job.root),
        "scatter": (given, got, job.root),
        "allgather": (given, got),
        "alltoall": (given, got),
    }
    return LibraryCall(comm, NAMES[job.collective], words.get(job.collective, (given, got, operation)))
