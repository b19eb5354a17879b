"""The one line for programs that can be changed: a communicator with reordered ranks over mpi4py; in C, `netloom.h`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.errors import Fault, NetloomError
from .. import codes
from .given import read_new_ranks, reordered, require_order

if TYPE_CHECKING:
    from mpi4py import MPI

#: The C header that does the same.
HEADER = Path(__file__).parent / "c" / "netloom.h"


def reordered_world(
    new_ranks: Sequence[int] | str | Path | None = None,
    *,
    levels: str | Sequence[int] | None = None,
    order: str | Sequence[int] | None = None,
    comm: MPI.Intracomm | None = None,
) -> MPI.Intracomm:
    """A communicator of the same processes with other ranks.

    Parameters
    ----------
    new_ranks
        The new rank of each old one, or a file as `netloom reorder --mapping` takes it.
    levels, order
        Instead: sizes of the levels of the machine, outermost first, and the order in which they count.
    comm
        The communicator; MPI_COMM_WORLD by default.

    Raises
    ------
    NetloomError
        NL-I010 for no order of that many ranks, NL-A007 for levels and order that do not fit together.
    """
    from mpi4py import MPI

    base = MPI.COMM_WORLD if comm is None else comm
    if levels is not None and order is not None:
        ranks = reordered(levels, order)
    elif isinstance(new_ranks, (str, Path)):
        ranks = read_new_ranks(new_ranks)
    else:
        ranks = list(new_ranks or ())
    require_order("new_ranks", ranks)
    if len(ranks) != base.size:
        expected = f"an order of {base.size} ranks, as many as the communicator has"
        raise NetloomError([Fault(codes.NO_ORDER, "new_ranks", expected, f"{len(ranks)}")])
    return MPI.Intracomm(base.Split(0, ranks[base.rank]))
