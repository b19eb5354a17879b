"""The runner of small messages: C goes through the steps, on the memory and the requests that Python made."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...base.errors import Fault, NetloomError
from .. import codes
from ..compiled import kept, without_mpi
from ..installed import of_process
from .execute import Execution
from .kinds import Case, Data
from .patience import LONGEST_S, NAP_S, POLLS, Wait, sleeping, spinning
from .plan import Plan

if TYPE_CHECKING:
    from mpi4py import MPI

_NAME = "runner.so"
_SOURCE = Path(__file__).parent / "c" / "runner.c"
_COPY, _COMBINE, _START, _WAIT = range(4)


class _Program(ctypes.Structure):
    """`struct nl_program` of `runner.c`."""

    _fields_ = (
        ("acts", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("requests", ctypes.c_void_p),
        ("type", ctypes.c_void_p),
        ("operation", ctypes.c_void_p),
        ("polls", ctypes.c_int64),
        ("nap_ns", ctypes.c_int64),
        ("longest_ns", ctypes.c_int64),
    )


class InC(Execution):
    """A call of it goes through the steps in C. Operations must be MPI's own.

    Parameters
    ----------
    library
        As `loaded` gives it. The others are those of `Execution`.
    """

    def __init__(
        self, library: ctypes.CDLL, comm: MPI.Intracomm, plan: Plan, case: Case, buffers: tuple[Data, Data],
        wait: Wait = spinning, hollow: bool = False,
    ) -> None:  # fmt: skip
        from mpi4py import MPI

        super().__init__(comm, plan, case, buffers, wait, hollow)
        requests = [request for step in self.steps for request in step.requests]
        size = MPI._sizeof(MPI.Request)
        # Handles of persistent requests stay the same until they are freed.
        self._requests = bytearray().join(ctypes.string_at(MPI._addressof(one), size) for one in requests)
        self._acts = np.array(self._listed(), np.int64).reshape(-1, 4)
        self._mpi = case.kind.of_mpi(), case.operation.of_mpi()
        kind, operation = map(MPI._addressof, self._mpi)
        naps = (POLLS, int(1e9 * NAP_S), int(1e9 * LONGEST_S)) if wait is sleeping else (0, 0, 0)
        handles = ctypes.addressof((ctypes.c_char * len(self._requests)).from_buffer(self._requests))
        program = _Program(self._acts.ctypes.data, len(self._acts), handles, kind, operation, *naps)
        self._program, self._run = program, library.nl_run
        self._given = ctypes.byref(program)

    def __call__(self) -> None:
        """All steps once."""
        code = self._run(self._given)
        if code:
            from mpi4py import MPI

            raise MPI.Exception(code)

    def _listed(self) -> list[tuple[int, int, int, int]]:
        """Kind, target, source and size of each act, as `runner.c` takes them."""
        rows = [_copy(*pair) for pair in self.before]
        first = 0
        for step in self.steps:
            count = len(step.requests)
            rows += [_copy(*pair) for pair in step.packs]
            if count:
                rows += [(_START, first, 0, count), (_WAIT, first, 0, count)]
            rows += [_act(*one) for one in step.after]
            first += count
        return rows + [_copy(*pair) for pair in self.after]


def _copy(to: Data, source: Data) -> tuple[int, int, int, int]:
    return _COPY, to.ctypes.data, source.ctypes.data, to.nbytes


def _act(act: Callable[..., object], given: tuple[Data, ...]) -> tuple[int, int, int, int]:
    """MPI's own operations commute: what comes is combined with what is there, on either side of it."""
    if act is np.copyto:
        return _copy(given[0], given[1])
    left, right, into = given
    source = right if left is into else left
    return _COMBINE, into.ctypes.data, source.ctypes.data, len(into)


def compiled(mpicc: str | None = None) -> Path:
    """The library for the MPI of this process; compiled if it was not.

    Raises
    ------
    NetloomError
        NL-I001 to NL-I004, NL-X003.
    """
    from mpi4py import MPI

    mpi = of_process(MPI.Get_library_version(), mpicc)

    def make(folder: Path) -> None:
        without_mpi(mpi, folder / _NAME, [_SOURCE], [])

    return kept("runner", mpi, {_SOURCE.name: _SOURCE.read_text()}, make) / _NAME


def loaded(path: Path) -> ctypes.CDLL:
    """The library in this process, on the MPI that mpi4py has loaded.

    Raises
    ------
    NetloomError
        NL-I003 if it does not fit.
    """
    from mpi4py import MPI

    try:
        # What mpi4py is linked to becomes visible to what is loaded next.
        ctypes.CDLL(MPI.__file__, ctypes.RTLD_GLOBAL)
        made = ctypes.CDLL(str(path))
    except OSError as error:
        raise _unfit(path, f"cannot be loaded: {error}"[:300]) from None
    if made.nl_handle_bytes() != MPI._sizeof(MPI.Request):
        raise _unfit(path, "was compiled for another MPI than mpi4py has")
    return made


def _unfit(path: Path, why: str) -> NetloomError:
    return NetloomError([Fault(codes.NOT_BUILT, str(path), why, "", "name the compiler of mpi4py's MPI with --mpicc")])
