"""Names of collectives and algorithms as tools have them, and what their sizes count."""

from __future__ import annotations

from functools import lru_cache

from .. import _core
from ..base.errors import NetloomError
from ..plugin.registry import find
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
        found = _named(call)
        if found is None and find("collectives", call) is not None:
            found = call
        if found is not None and found.startswith(f"{of}:"):
            return found.removeprefix(f"{of}:")
    return None


@lru_cache(4096)
def _named(call: str) -> str | None:
    """The call as the core's catalogue writes it, without parameters that nobody named."""
    try:
        found = _core.canonical("collectives", call)
    except NetloomError:
        return None
    bare = found.partition("(")[0]
    return bare if _core.canonical("collectives", bare) == found else found


def part_of(of: str, total_bytes: int, ranks: int) -> int | None:
    """netloom's size of a collective whose whole buffer, the parts of all ranks together, is given.

    None if the ranks do not divide it.
    """
    if of not in PARTED:
        return total_bytes
    return total_bytes // ranks if total_bytes % ranks == 0 else None
