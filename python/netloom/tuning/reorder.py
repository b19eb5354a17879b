"""Schedules run with their ranks in bit-reversed order, which is how some libraries number the same tree.

Our halving and binomial trees reach far partners first (p/2, ..., 2, 1); Open MPI's and MPICH's reduce-scatter and Open
MPI's binomial broadcast reach near ones first (1, 2, ..., p/2). On a power of two of ranks the one is the other with
the bits of every rank reversed, message for message (`tests/oracle/test_open_mpi.py`).
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    #: Endpoint of every rank, with or without NumPy.
    Places = array[int] | NDArray[np.uint32]

#: Suffix of a call that is run so.
SUFFIX = "@bit-reversed"


def split(call: str) -> tuple[str, bool]:
    """The schedule's call, and whether its ranks are to be reversed."""
    return call.removesuffix(SUFFIX), call.endswith(SUFFIX)


def reversed_ranks(ranks: int, root: int = 0) -> NDArray[np.int64]:
    """Real rank that plays each rank of the schedule; counted from the root, which plays itself.

    Parameters
    ----------
    ranks
        A power of two.
    """
    import numpy as np

    bits = ranks.bit_length() - 1
    away = (np.arange(ranks) - root) % ranks
    turned = np.zeros(ranks, dtype=np.int64)
    for bit in range(bits):
        turned |= ((away >> bit) & 1) << (bits - 1 - bit)
    return (turned + root) % ranks


def places(mapping: Places, call: str, root: int) -> tuple[str, Places]:
    """Schedule and mapping of a call; the mapping stays a column or an ndarray."""
    schedule, turned = split(call)
    if not turned:
        return schedule, mapping
    if isinstance(mapping, array):
        return schedule, array(mapping.typecode, (mapping[rank] for rank in reversed_ranks(len(mapping), root)))
    return schedule, mapping[reversed_ranks(len(mapping), root)]
