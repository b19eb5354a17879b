"""Processes that `mpirun` started to answer one question together, over mpi4py."""

from __future__ import annotations

import hashlib
import os
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from .. import _core
from . import files
from .errors import Fault, NetloomError

if TYPE_CHECKING:
    from mpi4py import MPI

#: Where launchers say which process this is, and how many there are: Open MPI, MPICH and Intel MPI, PMIx under Slurm.
_LAUNCHERS = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("PMIX_RANK", "SLURM_STEP_NUM_TASKS"),
)
MISSING, ELSEWHERE, INTERNAL, OTHER_MPI = "NL-X012", "NL-E023", "NL-X013", "NL-X018"
#: The first byte of what a process sends: it goes on, or has failed (`netloom-py/src/processes.rs`).
_GOING, _FAILED = b"\0", b"\1"
#: Looks for mail before a process sleeps where processes outnumber cores; what is added to each sleep, and the longest.
_POLLS, _NAP_S, _LONGEST_NAP_S = 20, 1e-5, 2e-4


def started() -> tuple[int, int] | None:
    """Number of this process and how many there are; None for one alone. Asks the environment only."""
    for rank, size in _LAUNCHERS:
        place = os.environ.get(rank, ""), os.environ.get(size, "")
        if all(text.isascii() and text.isdigit() for text in place) and int(place[1]) > 1:
            return int(place[0]), int(place[1])
    return None


@cache
def build() -> str:
    """Version and digest of the core: what another build computes is not taken for what this one does."""
    return f"{_core.version()}+{hashlib.sha256(files.read(str(_core.__file__))).hexdigest()[:16]}"


@dataclass
class Processes:
    """All processes, as the core reaches them; see `_core.evaluate_together`.

    Parameters
    ----------
    comm
        An MPI communicator.
    """

    comm: MPI.Comm
    #: More processes run on this machine than it has cores: one that waits sleeps, so that the others get on.
    outnumber: bool = False
    #: No process waits for another call of `all_to_all`.
    over: bool = False

    @property
    def rank(self) -> int:
        """Number of this process."""
        return self.comm.Get_rank()

    @property
    def size(self) -> int:
        """How many there are."""
        return self.comm.Get_size()

    def all_to_all(self, out: Sequence[bytes]) -> list[bytes]:
        """Gives process i `out[i]`; what each has for this one. All call it at the same time."""
        from mpi4py import MPI

        missing = {number for number in range(self.size) if number != self.rank}
        sent = [self.comm.Isend([out[number], MPI.BYTE], number) for number in missing]
        found, status, polls = list(out), MPI.Status(), 0
        while missing:
            for number in tuple(missing):
                message = self.comm.Improbe(number, 0, status)
                if message is not None:
                    into = bytearray(status.Get_count(MPI.BYTE))
                    message.Recv([into, MPI.BYTE])
                    found[number], polls = bytes(into), 0
                    missing.remove(number)
            polls += 1
            if polls > _POLLS and self.outnumber:
                time.sleep(min(_NAP_S * (polls - _POLLS), _LONGEST_NAP_S))
        MPI.Request.Waitall(sent)
        self.over |= out[0][:1] != _GOING or any(one[:1] == _FAILED for one in found)
        return found

    def settle(self, mine: Sequence[Fault]) -> None:
        """The end of all: if some have failed, every process raises.

        Raises
        ------
        NetloomError
            This process's own faults, or those of the first one that failed.
        """
        if mine and not self.over:
            self.all_to_all([_FAILED] * self.size)
        every: list[list[Fault]] = self.comm.allgather(list(mine))
        real = [faults for faults in every if any(fault.code != ELSEWHERE for fault in faults)]
        if any(every):
            raise NetloomError([*real, *filter(None, every)][0])


def world() -> MPI.Intracomm:
    """All processes, one alone among them.

    Raises
    ------
    NetloomError
        `NL-X012` without mpi4py or an MPI library, `NL-X018` where mpi4py has another one than `mpirun`.
    """
    try:
        with warnings.catch_warnings():
            # That the two are of different libraries is said below.
            warnings.filterwarnings("ignore", "suspicious MPI execution environment", RuntimeWarning)
            from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        hint = "pip install 'netloom[mpi]', and an MPI library such as Debian's openmpi-bin"
        words = " ".join(f"needs the package mpi4py: {error}".split())
        raise NetloomError([Fault(MISSING, "mpirun", words[:200], "", hint)]) from None
    place, size = started(), MPI.COMM_WORLD.Get_size()
    if place is not None and place[1] != size:
        name = MPI.Get_library_version().split(",")[0].split("\n")[0]
        sentence = f"started {place[1]} processes, of which {name.strip()[:40]}, the library of mpi4py, sees {size}"
        hint = "take the mpirun of that library, or set MPI4PY_MPIABI to mpich or openmpi"
        raise NetloomError([Fault(OTHER_MPI, "mpirun", sentence, "", hint)])
    return MPI.COMM_WORLD


_current: ContextVar[Processes | None] = ContextVar("processes", default=None)


def current() -> Processes | None:
    """The processes that answer together here; None for one alone."""
    return _current.get()


@contextmanager
def together() -> Iterator[None]:
    """What is inside is done by all processes that `mpirun` started; only the first one of them says anything.

    Raises
    ------
    NetloomError
        `NL-X012` without mpi4py; in every process, the faults of one that failed.
    """
    place = started()
    if place is None:
        yield
        return
    if place[0] > 0:
        _silence()
    everyone = world()
    from mpi4py import MPI

    here = everyone.Split_type(MPI.COMM_TYPE_SHARED)
    processes = Processes(everyone, outnumber=here.Get_size() > (os.cpu_count() or 1))
    here.Free()
    token = _current.set(processes)
    mine: Sequence[Fault] = ()
    try:
        yield
    except NetloomError as error:
        mine = error.faults
    except Exception as error:
        # Its own words are better than these, which the others get.
        with suppress(NetloomError):
            processes.settle([Fault(INTERNAL, "netloom", f"internal error: {type(error).__name__}: {error}"[:200])])
        raise
    except BaseException:
        # The others may be at any point: nothing can be agreed with them any more.
        sys.stderr.flush()
        MPI.COMM_WORLD.Abort(130)
        raise
    finally:
        _current.reset(token)
    processes.settle(mine)


def _silence() -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(null, stream)
    os.close(null)
