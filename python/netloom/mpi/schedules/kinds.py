"""Datatypes and operations, the same for NumPy and for MPI."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from ...base.errors import Fault, NetloomError
from ...base.nearest import did_you_mean
from . import codes

if TYPE_CHECKING:
    from mpi4py import MPI

Data = NDArray[np.generic]
#: What gives `left` and `right` combined in `out`, which may be one of them.
Combine = Callable[[Data, Data, Data], object]

#: The maps x -> a x + b of whole numbers modulo a prime, a in the upper half of 32 bits and b in the lower one.
_PRIME, _HALF = 65_521, 16


@dataclass(frozen=True)
class Datatype:
    """A type of elements: its names in NumPy and in MPI."""

    name: str
    numpy: str
    mpi: str

    @property
    def bytes(self) -> int:
        """Of one element."""
        return np.dtype(self.numpy).itemsize

    @property
    def is_real(self) -> bool:
        """Sums and products are rounded."""
        return np.dtype(self.numpy).kind == "f"

    def of_mpi(self) -> MPI.Datatype:
        """MPI's own."""
        from mpi4py import MPI

        made: MPI.Datatype = getattr(MPI, self.mpi)
        return made


@dataclass(frozen=True)
class Operation:
    """How two contributions make one.

    Parameters
    ----------
    mpi
        Its name in MPI; "" for an operation of our own.
    types
        Datatypes that MPI, or we, apply it to.
    commutes
        False: the lower ranks' contribution must stand on the left.
    """

    name: str
    combine: Combine
    mpi: str
    types: tuple[str, ...]
    commutes: bool = True

    def of_mpi(self) -> MPI.Op:
        """MPI's own, or one that calls ours."""
        from mpi4py import MPI

        if self.mpi:
            made: MPI.Op = getattr(MPI, self.mpi)
            return made
        numpy = DATATYPES[self.types[0]].numpy

        def called(left: object, right: object, _: MPI.Datatype) -> None:
            below, own = (np.frombuffer(cast("bytes", memory), numpy) for memory in (left, right))
            self.combine(below, own, own)

        return MPI.Op.Create(called, commute=self.commutes)


def _then(left: Data, right: Data, out: Data) -> None:
    """First the map on the left, then the one on the right: associative, and not commutative."""
    (a, b), (c, d) = ((one.astype(np.int64) >> _HALF, one.astype(np.int64) & (1 << _HALF) - 1) for one in (left, right))
    out[...] = (a * c % _PRIME) << _HALF | (c * b + d) % _PRIME


_NUMBERS = ("int32", "int64", "float32", "float64")
DATATYPES = {
    one.name: one
    for one in (
        Datatype("int32", "int32", "INT32_T"),
        Datatype("int64", "int64", "INT64_T"),
        Datatype("float32", "float32", "FLOAT"),
        Datatype("float64", "float64", "DOUBLE"),
        Datatype("byte", "uint8", "BYTE"),
    )
}
#: The operation `maps` is ours: an order-sensitive one with exact results.
OPERATIONS = {
    one.name: one
    for one in (
        Operation("sum", np.add, "SUM", _NUMBERS),
        Operation("prod", np.multiply, "PROD", _NUMBERS),
        Operation("max", np.maximum, "MAX", _NUMBERS),
        Operation("min", np.minimum, "MIN", _NUMBERS),
        Operation("bor", np.bitwise_or, "BOR", ("int32", "int64", "byte")),
        Operation("bxor", np.bitwise_xor, "BXOR", ("int32", "int64", "byte")),
        Operation("maps", _then, "", ("int64",), commutes=False),
    )
}


#: Collectives that combine what ranks contribute.
COMBINES = ("reduce", "allreduce", "reduce-scatter", "scan", "exscan")


@dataclass(frozen=True)
class Case:
    """One way to call a collective."""

    kind: Datatype
    operation: Operation
    in_place: bool = False

    def words(self, collective: str) -> str:
        """`float64 sum, in place`."""
        named = f"{self.kind.name} {self.operation.name}" if collective in COMBINES else self.kind.name
        return named + ", in place" * self.in_place


def chosen(datatype: str, operation: str | None) -> tuple[Datatype, Operation]:
    """What two names mean; of bytes the operation is `bor` unless one is named, else `sum`.

    Raises
    ------
    NetloomError
        `NL-I052`.
    """
    if datatype not in DATATYPES:
        hint = did_you_mean(datatype, DATATYPES, "datatypes")
        raise NetloomError([Fault(codes.BAD_KIND, "--datatype", f'there is no datatype "{datatype}"', "", hint)])
    name = operation or ("bor" if datatype == "byte" else "sum")
    if name not in OPERATIONS:
        hint = did_you_mean(name, OPERATIONS, "operations")
        raise NetloomError([Fault(codes.BAD_KIND, "--op", f'there is no operation "{name}"', "", hint)])
    if datatype not in OPERATIONS[name].types:
        fitting = ", ".join(one.name for one in OPERATIONS.values() if datatype in one.types)
        fault = Fault(codes.BAD_KIND, "--op", f"an operation on {datatype}", name, f"take one of {fitting}")
        raise NetloomError([fault])
    return DATATYPES[datatype], OPERATIONS[name]
