"""Names of collectives and algorithms as tools have them, and what their sizes count."""

from __future__ import annotations

from functools import lru_cache

from .. import _core
from ..base.errors import NetloomError
from .rows import POINT_TO_POINT

#: Operations of the catalogue by their names without hyphens, underscores and capitals.
_COLLECTIVES = {
    name.replace("-", ""): name
    for name in (
        "allreduce",
        "allgather",
        "reduce-scatter",
        "alltoall",
        "broadcast",
        "reduce",
        "gather",
        "scatter",
        "barrier",
        "scan",
        "exscan",
        *POINT_TO_POINT,
    )
} | {"bcast": "broadcast", "reducescatterblock": "reduce-scatter"}
#: Whose size in netloom is a rank's part, or a pair's block, of a buffer that has one for each rank.
PARTED = ("allgather", "reduce-scatter", "gather", "scatter", "alltoall")


def collective(text: str) -> str | None:
    """The catalogue's name of `MPI_Allreduce`, `all_reduce`, `Reduce_scatter`, ...; None if it has none."""
    word = text.strip().lower().removeprefix("mpi_")
    return _COLLECTIVES.get(word.replace("-", "").replace("_", ""))


@lru_cache(4096)
def algorithm(of: str, text: str) -> str | None:
    """The catalogue's name of a collective's algorithm, with its parameters; None if it has none.

    Parameters
    ----------
    text
        A name or an alias, with or without its operation; `default` and "" stay.
    """
    text = text.strip()
    if text in ("", "default"):
        return text
    if of in POINT_TO_POINT or len(text) > 200:
        return None
    for call in (f"{of}:{text}", text):
        try:
            found = _core.canonical("collectives", call)
        except NetloomError:
            continue
        if found.startswith(f"{of}:"):
            # Parameters that nobody named are left out.
            bare = found.partition("(")[0]
            named = bare if _core.canonical("collectives", bare) == found else found
            return named.removeprefix(f"{of}:")
    return None


def part_of(of: str, total_bytes: int, ranks: int) -> int | None:
    """netloom's size of a collective whose whole buffer, the parts of all ranks together, is given.

    None if the ranks do not divide it.
    """
    if of not in PARTED:
        return total_bytes
    return total_bytes // ranks if total_bytes % ranks == 0 else None
