"""Grids of ranks: which there are of a number of ranks, where a rank stands in one, and what it is like."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import prod
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

#: Most dimensions.
DEEPEST = 4
#: Ranks of a dimension that has a first one, a last one, and one between.
NARROWEST = 3
#: What one rank is like in each dimension.
Kind = tuple[tuple[str, int], ...]


class Scheme(NamedTuple):
    """What makes ranks alike: how many from each border on are on their own, and of the others which modulo."""

    border: int
    modulus: int


#: From the simplest on.
SCHEMES = (Scheme(1, 1), Scheme(1, 2), Scheme(2, 1))


@dataclass(frozen=True)
class Grid:
    """Ranks in a grid, the last dimension fastest."""

    dims: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of ranks."""
        return prod(self.dims)

    @cached_property
    def coordinates(self) -> Numbers:
        """Of each rank, by dimension."""
        import numpy as np

        made: Numbers = np.stack(np.unravel_index(np.arange(self.size), self.dims), axis=1).astype(np.int64)
        return made

    def rank(self, coordinates: Numbers) -> Numbers:
        """Ranks at coordinates, which are all within."""
        import numpy as np

        return np.asarray(np.ravel_multi_index(tuple(coordinates.T), self.dims), dtype=np.int64)

    def kinds(self, scheme: Scheme) -> dict[Kind, Numbers]:
        """Ranks by what they are like, ascending."""
        import numpy as np

        names = [[_position(at, size, scheme) for at in range(size)] for size in self.dims]
        made: dict[Kind, list[int]] = {}
        for rank, at in enumerate(self.coordinates.tolist()):
            made.setdefault(tuple(names[d][c] for d, c in enumerate(at)), []).append(rank)
        return {kind: np.array(ranks, dtype=np.int64) for kind, ranks in made.items()}

    def members(self, axes: tuple[int, ...]) -> Numbers:
        """Of each rank, those that differ from it in these dimensions alone, in their order."""
        import numpy as np

        others = [d for d in range(len(self.dims)) if d not in axes]
        table = np.arange(self.size).reshape(self.dims).transpose(*others, *axes)
        table = table.reshape(prod(self.dims[d] for d in others), -1)
        made = np.empty((self.size, table.shape[1]), dtype=np.int64)
        made[table.reshape(-1)] = np.repeat(table, table.shape[1], axis=0)
        return made

    def text(self) -> str:
        """Such as 4 x 4."""
        return " x ".join(map(str, self.dims))


def _position(at: int, size: int, scheme: Scheme) -> tuple[str, int]:
    if at < scheme.border or size <= 2 * scheme.border:
        return "first", at
    if size - at <= scheme.border:
        return ("last", size - 1 - at) if scheme.modulus == 1 else (f"last of {size % scheme.modulus}", size - 1 - at)
    return "between", at % scheme.modulus


def grids(ranks: int, deepest: int = DEEPEST) -> list[list[Grid]]:
    """Grids of ranks by their number of dimensions, the squarest first; dimensions have three ranks or more."""
    made = [[Grid((ranks,))]]
    for depth in range(2, deepest + 1):
        found = {one for dims in _factors(ranks, depth, NARROWEST) for one in permutations(dims)}
        made.append(
            [Grid(dims) for dims in sorted(found, key=lambda dims: (max(dims) - min(dims), [-d for d in dims]))]
        )
    return [some for some in made if some]


def _factors(number: int, depth: int, least: int) -> list[tuple[int, ...]]:
    """Ascending factors."""
    if depth == 1:
        return [(number,)] if number >= least else []
    return [
        (first, *rest)
        for first in range(least, int(number ** (1 / depth)) + 2)
        if number % first == 0
        for rest in _factors(number // first, depth - 1, first)
    ]


def balanced(ranks: int, depth: int) -> tuple[int, ...] | None:
    """Dimensions as near to each other as can be, the largest first, as of MPI_Dims_create."""
    found = _factors(ranks, depth, 1)
    return max((tuple(sorted(dims, reverse=True)) for dims in found), key=lambda dims: (-dims[0], dims), default=None)


def grown(recorded: list[Grid], ranks: int) -> Grid | None:
    """The grid of another number of ranks: balanced if all recorded ones are, else with what all have in common.

    None where neither tells.
    """
    depth = len(recorded[0].dims)
    for turn in (1, -1):
        wanted = [balanced(one.size, depth) for one in recorded]
        if all(dims is not None and dims[::turn] == one.dims for dims, one in zip(wanted, recorded, strict=True)):
            dims = balanced(ranks, depth)
            return Grid(dims[::turn]) if dims is not None else None
    fixed = [len({one.dims[d] for one in recorded}) == 1 and len(recorded) > 1 for d in range(depth)]
    open_ = [d for d in range(depth) if not fixed[d]]
    last = recorded[-1].dims
    factor = ranks / prod(last)
    each = round(factor ** (1 / len(open_))) if open_ else 1
    dims = tuple(last[d] * (1 if fixed[d] else each) for d in range(depth))
    return Grid(dims) if prod(dims) == ranks else None
