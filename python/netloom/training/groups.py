"""Where the groups of each kind stand: ranks in a mixed radix of their axes, one GPU after another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

from .split import Split
from .traffic import GROUPS


@dataclass(frozen=True)
class Layout:
    """Places of the groups of a split: place k is the k-th GPU of the job.

    Attributes
    ----------
    order
        Axes, the first one fastest.
    sizes
        Extent of each.
    """

    order: tuple[str, ...]
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, split: Split, order: tuple[str, ...] = ()) -> Layout:
        """That of the split's own order, or of another one."""
        order, extents = order or split.order, split.sizes()
        return cls(order, tuple(extents[axis] for axis in order))

    @property
    def ranks(self) -> int:
        """All of them."""
        return prod(self.sizes)

    @cached_property
    def strides(self) -> dict[str, int]:
        """Places between neighbours along each axis."""
        return {axis: prod(self.sizes[:k]) for k, axis in enumerate(self.order)}

    def levels(self, kind: str) -> list[str]:
        """The axes with more than one rank that its groups have, fastest first."""
        return [axis for axis, size in zip(self.order, self.sizes, strict=True) if axis in GROUPS[kind] and size > 1]

    def first(self, kind: str) -> list[int]:
        """Places of the first group, in order."""
        extents = dict(zip(self.order, self.sizes, strict=True))
        ranges = [range(0, extents[axis] * self.strides[axis], self.strides[axis]) for axis in self.levels(kind)]
        return sorted(map(sum, product(*ranges)))

    def groups(self, kind: str, stage: int | None = None) -> list[list[int]]:
        """Places of every group, or of those of a stage of the pipeline. O(ranks)."""
        extents, first = dict(zip(self.order, self.sizes, strict=True)), self.first(kind)
        inside = self.levels(kind)
        outside = [
            range(stage * self.strides[axis], (stage + 1) * self.strides[axis], self.strides[axis])
            if axis == "pp" and stage is not None
            else range(0, extents[axis] * self.strides[axis], self.strides[axis])
            for axis in self.order
            if axis not in inside
        ]
        return [[start + place for place in first] for start in sorted(map(sum, product(*outside)))]

    def span(self, kind: str) -> int:
        """Places of a block of whole groups: groups of different blocks have no place in common."""
        last = max((self.order.index(axis) for axis in self.levels(kind)), default=0)
        return prod(self.sizes[: last + 1])

    def shape(self, kind: str) -> tuple[tuple[int, int], ...]:
        """Extent and stride of each level: equal ones are the same groups."""
        extents = dict(zip(self.order, self.sizes, strict=True))
        return tuple((extents[axis], self.strides[axis]) for axis in self.levels(kind))

    def steps(self, kind: str, step: dict[str, object], ranks: int) -> dict[str, object]:
        """A step of all its groups among the first `ranks` places, as a file of steps has it."""
        extents = dict(zip(self.order, self.sizes, strict=True))
        below = self.span(kind)
        names, groups = [], dict[str, object]()
        for axis in self.order:
            if self.strides[axis] * extents[axis] <= below and extents[axis] > 1:
                names.append(axis)
                groups[axis] = extents[axis]
        if ranks > below:
            names.append("block")
            groups["block"] = ranks // below
        levels = self.levels(kind)
        return {
            "groups": {"order": names, **groups},
            "step": [{"on": levels[0] if len(levels) == 1 else levels, **step}],
        }


def places(split: Split, order: tuple[str, ...]) -> list[int]:
    """The place of each rank of the split's own order if the ranks stand in another one."""
    own, other = Layout.of(split), Layout.of(split, order)
    made = []
    for rank in range(own.ranks):
        place, rest = 0, rank
        for axis, size in zip(own.order, own.sizes, strict=True):
            rest, digit = divmod(rest, size)
            place += digit * other.strides[axis]
        made.append(place)
    return made
