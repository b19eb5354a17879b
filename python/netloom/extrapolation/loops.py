"""Loops that get longer with the number of ranks: each other rank in turn, doubling distance, each root."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .grid import Grid, Numbers

#: Fewest turns of what counts as a loop: shorter ones are neighbours.
SHORTEST = 3
#: The same of loops at doubling distance.
SHORTEST_DOUBLING = 2
#: Most actions of one turn.
LONGEST_BODY = 6


class Loop(NamedTuple):
    """Turns over the ranks that differ in one dimension, or over all (-1).

    Parameters
    ----------
    name
        Which partners, one a turn.
    """

    name: str
    axis: int

    def text(self) -> str:
        """In words."""
        where = "all ranks" if self.axis < 0 else f"dimension {self.axis}"
        return f"{self.name} of {where}"

    def least(self) -> int:
        """Fewest turns."""
        return SHORTEST_DOUBLING if "doubling" in self.name or "halving" in self.name else SHORTEST


#: Names, from what is asked first on.
MESSAGE_LOOPS = (
    "each next", "each previous", "each by xor", "doubling xor", "halving xor", "doubling up", "doubling down",
    "each other",
)  # fmt: skip
ROOT_LOOP = "each root"


def _steps(name: str, size: int) -> list[int]:
    doubling = [1 << k for k in range(max(size - 1, 0).bit_length())]
    if name in ("doubling xor", "halving xor", "each by xor") and size & (size - 1):
        return []
    return {
        "doubling xor": doubling, "doubling up": doubling, "doubling down": doubling, "halving xor": doubling[::-1],
    }.get(name, list(range(1, size)))  # fmt: skip


def turns(loop: Loop, grid: Grid) -> int:
    """How many there are."""
    size = grid.size if loop.axis < 0 else grid.dims[loop.axis]
    return size if loop.name == ROOT_LOOP else len(_steps(loop.name, size))


def peers_in(loop: Loop, grid: Grid, ranks: Numbers) -> Numbers:
    """The peers of ranks, a column for each turn; of roots their number among the members."""
    import numpy as np

    if loop.name == ROOT_LOOP:
        return np.tile(np.arange(turns(loop, grid)), (len(ranks), 1))
    size = grid.size if loop.axis < 0 else grid.dims[loop.axis]
    own = ranks if loop.axis < 0 else grid.coordinates[ranks][:, loop.axis]
    at, steps = own[:, None], np.array(_steps(loop.name, size), dtype=np.int64)[None, :]
    if "xor" in loop.name:
        there = at ^ steps
    elif loop.name in ("each previous", "doubling down"):
        there = (at - steps) % size
    elif loop.name == "each other":
        there = steps - 1 + (steps - 1 >= at)
    else:
        there = (at + steps) % size
    if loop.axis < 0:
        return np.asarray(there, dtype=np.int64)
    stride = int(np.prod(grid.dims[loop.axis + 1 :], dtype=np.int64))
    return np.asarray(ranks[:, None] + (there - at) * stride, dtype=np.int64)


def loops_of(grid: Grid, is_message: bool) -> list[Loop]:
    """All that a grid may have."""
    axes = [-1] if len(grid.dims) == 1 else [*range(len(grid.dims)), -1]
    names = MESSAGE_LOOPS if is_message else (ROOT_LOOP,)
    return [Loop(name, axis) for axis in axes for name in names]
