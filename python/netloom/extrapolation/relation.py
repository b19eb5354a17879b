"""Who a partner is, as seen from a rank: what holds for all ranks of one kind, in words that grow with the grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .grid import Grid, Numbers


class Relation(NamedTuple):
    """How a coordinate of the partner follows from that of the rank, both of `size`.

    Parameters
    ----------
    name
        "offset" by `value` around the end, "at" `value`, "from end", "xor", "mirror", "half" the dimension away, "like"
        the coordinate in dimension `value`.
    """

    name: str
    value: int = 0

    def text(self) -> str:
        """In words."""
        said: dict[str, str] = {
            "offset": f"{self.value:+d}" if self.value else "0", "at": f"at {self.value}", "xor": f"xor {self.value}",
            "from end": "at the end" if not self.value else f"{self.value} from the end", "mirror": "mirrored",
            "half": "half way round", "like": f"that of dimension {self.value}",
        }  # fmt: skip
        return said[self.name]


#: Relations by what is likelier.
def _order(one: Relation) -> tuple[int, int]:
    near = abs(one.value) <= 2
    likely = {"offset": 0 if near else 7, "at": 1 if not one.value else 8, "from end": 2 if not one.value else 9}
    return likely.get(one.name, {"xor": 3, "like": 4, "mirror": 5, "half": 6}.get(one.name, 10)), abs(one.value)


class Partner(NamedTuple):
    """All that is known of a partner: what may hold in each dimension, or of the number of the rank as a whole."""

    by_dimension: tuple[frozenset[Relation], ...]
    whole: frozenset[Relation]

    def narrowed(self, other: Partner) -> Partner:
        """What holds in both recordings."""
        both = zip(self.by_dimension, other.by_dimension, strict=True)
        return Partner(tuple(one & two for one, two in both), self.whole & other.whole)

    @property
    def is_known(self) -> bool:
        """Whether anything is left that explains it."""
        return bool(self.whole) or all(self.by_dimension)

    def best(self) -> tuple[Relation, ...] | Relation:
        """The likeliest explanation: by dimension, or of the whole number."""
        if not all(self.by_dimension):
            return min(self.whole, key=_order)
        return tuple(min(one, key=_order) for one in self.by_dimension)

    def text(self) -> str:
        """In words."""
        best = self.best()
        if isinstance(best, Relation):
            return f"rank {best.text()}"
        return f"({', '.join(one.text() for one in best)})"


def partner(grid: Grid, ranks: Numbers, peers: Numbers) -> Partner:
    """What holds of the peers of these ranks, one each."""
    own, other = grid.coordinates[ranks], grid.coordinates[peers]
    by_dimension = [
        frozenset(_held(own[:, d], other[:, d], size) | _likes(grid, own, other, d)) for d, size in enumerate(grid.dims)
    ]
    whole = frozenset(_held(ranks, peers, grid.size)) if len(grid.dims) > 1 else frozenset()
    return Partner(tuple(by_dimension), whole)


def _held(own: Numbers, other: Numbers, size: int) -> set[Relation]:
    import numpy as np

    def only(values: Numbers) -> int | None:
        return int(values[0]) if np.all(values == values[0]) else None

    found = set()
    if (by := only((other - own) % size)) is not None:
        found.add(Relation("offset", by if 2 * by <= size else by - size))
        if 2 * by == size:
            found |= {Relation("offset", -by), Relation("half")}
    if (at := only(other)) is not None:
        found |= {Relation("at", at), Relation("from end", size - 1 - at)}
    if (mask := only(own ^ other)) is not None:
        found.add(Relation("xor", mask))
    if only(own + other) == size - 1:
        found.add(Relation("mirror"))
    return found


def _likes(grid: Grid, own: Numbers, other: Numbers, dimension: int) -> set[Relation]:
    import numpy as np

    same = (d for d, size in enumerate(grid.dims) if d != dimension and size == grid.dims[dimension])
    return {Relation("like", d) for d in same if np.array_equal(other[:, dimension], own[:, d])}


def peers_of(best: tuple[Relation, ...] | Relation, grid: Grid, ranks: Numbers) -> Numbers | None:
    """The peers of ranks in a grid; None where one would be outside."""
    import numpy as np

    if isinstance(best, Relation):
        found = _applied(best, ranks, grid.size, grid.coordinates[ranks])
        return found if np.all((found >= 0) & (found < grid.size)) else None
    own = grid.coordinates[ranks]
    parts = [_applied(one, own[:, d], size, own) for d, (one, size) in enumerate(zip(best, grid.dims, strict=True))]
    made = np.stack(parts, axis=1)
    if np.any(made < 0) or np.any(made >= np.array(grid.dims)):
        return None
    return grid.rank(made)


def _applied(one: Relation, own: Numbers, size: int, likes: Numbers) -> Numbers:
    import numpy as np

    value = one.value
    if one.name == "like":
        made = likes[:, value]
    elif one.name == "offset":
        made = (own + value) % size
    elif one.name == "at":
        made = np.full_like(own, value)
    elif one.name == "from end":
        made = np.full_like(own, size - 1 - value)
    elif one.name == "xor":
        made = own ^ value
    elif one.name == "mirror":
        made = size - 1 - own
    else:
        made = (own + size // 2) % size
    return np.asarray(made, dtype=np.int64)
