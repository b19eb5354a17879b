"""Who goes through the steps of a schedule: C where it can be compiled and messages are small, else Python."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.errors import Fault, NetloomError
from . import codes
from .check import job_of
from .execute import Execution
from .in_c import InC, compiled, loaded
from .kinds import Case, Data
from .patience import Wait, spinning
from .plan import Plan, plan

if TYPE_CHECKING:
    from mpi4py import MPI

    from ... import _core

#: What can be asked for.
ASKED = ("auto", "c", "python")
#: With `auto`, the largest message that C is taken for.
SMALL_BYTES = 1 << 18


@dataclass(frozen=True)
class Runner:
    """One of the two, as `c` or `python`; a call of it is a schedule ready to run.

    Parameters
    ----------
    library
        Of C; None is Python. Operations that are not MPI's own are always Python's.
    """

    name: str
    library: ctypes.CDLL | None = None

    def __call__(
        self, comm: MPI.Intracomm, plan: Plan, case: Case, buffers: tuple[Data, Data], wait: Wait = spinning,
        hollow: bool = False,
    ) -> Execution:  # fmt: skip
        if self.library is None or not case.operation.mpi:
            return Execution(comm, plan, case, buffers, wait, hollow)
        return InC(self.library, comm, plan, case, buffers, wait, hollow)


PYTHON = Runner("python")


@dataclass(frozen=True)
class Runners:
    """Those that are there, and which is asked for.

    Parameters
    ----------
    asked
        One of `ASKED`.
    in_c
        None where it cannot be compiled; then `why` says the reason.
    """

    asked: str = "python"
    in_c: Runner | None = None
    why: str = ""

    def facts(self) -> dict[str, object]:
        """Why there is no C, where it was wanted."""
        return {"no_c": self.why} if self.why else {}

    def of(self, comm: MPI.Intracomm, schedule: _core.Schedule, case: Case) -> Runner:
        """The one for a schedule, the same on all ranks."""
        if self.in_c is None:
            return PYTHON
        return self.in_c if self.asked == "c" or _largest_bytes(comm, schedule, case) <= SMALL_BYTES else PYTHON


def _largest_bytes(comm: MPI.Intracomm, schedule: _core.Schedule, case: Case) -> int:
    from mpi4py import MPI

    steps = plan(schedule, job_of(schedule, comm.Get_rank(), case.kind)).steps
    elements = max((message.elements for step in steps for message in step.sends), default=0)
    most: int = comm.allreduce(elements, MPI.MAX)
    return case.kind.bytes * most


def runners(comm: MPI.Intracomm, asked: str, case: Case, mpicc: str | None = None) -> Runners:
    """What was asked for, as far as it is there on all machines; one process of each compiles.

    Raises
    ------
    NetloomError
        NL-I052 if C is asked for with an operation that is not MPI's own; if it is asked for and not there, what
        `compiled` and `loaded` raise.
    """
    if asked == "python":
        return Runners()
    if asked == "c" and not case.operation.mpi:
        hint = "leave --runner c out, or take --op sum"
        raise NetloomError([Fault(codes.BAD_KIND, "--op", "an operation of MPI's own for --runner c", "maps", hint)])
    library, faults = _library(comm, mpicc)
    every: list[list[Fault]] = comm.allgather(faults)
    first = next(filter(None, every), [])
    if not first:
        return Runners(asked, Runner("c", library))
    if asked == "c":
        raise NetloomError(first)
    return Runners(asked, None, str(NetloomError(first)).splitlines()[0])


def _library(comm: MPI.Intracomm, mpicc: str | None) -> tuple[ctypes.CDLL | None, list[Fault]]:
    """Compiled by the first process of each machine."""
    from mpi4py import MPI

    here = comm.Split_type(MPI.COMM_TYPE_SHARED, comm.Get_rank())
    path, faults = "", []
    if here.Get_rank() == 0:
        try:
            path = str(compiled(mpicc))
        except NetloomError as error:
            faults = list(error.faults)
    path, faults = here.bcast((path, faults))
    here.Free()
    if faults:
        return None, faults
    try:
        return loaded(Path(path)), []
    except NetloomError as error:
        return None, list(error.faults)
