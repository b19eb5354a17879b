"""Trees of the fewest switches: leaves tapered, upper levels full, whatever cables are parallel.

Of trees with as many switches the one with the fewest cables is taken, of those the one whose taper is the nearest to
the asked one. A leaf has no more ports down than the endpoints need.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod


def ceiling(a: int, b: int) -> int:
    return -(-a // b)


@dataclass(frozen=True)
class Tree:
    """A tree of two or three levels of switches.

    Attributes
    ----------
    down
        Children of a switch by level, endpoints of a leaf first.
    up
        Parents of a switch by level, from the leaves on.
    parallel
        Cables to each of these parents.
    """

    down: tuple[int, ...]
    up: tuple[int, ...]
    parallel: tuple[int, ...]

    @property
    def switches(self) -> int:
        """Of all levels."""
        return sum(prod(self.down[level + 1 :]) * prod(self.up[:level]) for level in range(len(self.down)))

    @property
    def cables(self) -> int:
        """Between switches."""
        made = 0
        for level, parallel in enumerate(self.parallel):
            made += prod(self.down[level + 1 :]) * prod(self.up[: level + 1]) * parallel
        return made

    @property
    def taper(self) -> float:
        """Endpoints of a leaf over its uplinks."""
        return self.down[0] / (self.up[0] * self.parallel[0])

    @property
    def rank(self) -> tuple[int, int, float]:
        """The least is the best."""
        return self.switches, self.cables, -self.taper

    @property
    def ports(self) -> list[int]:
        """Most ports in use at a switch of each level."""
        below = [1, *self.parallel]
        above = [up * parallel for up, parallel in zip(self.up, self.parallel, strict=True)]
        return [m * one + up for m, one, up in zip(self.down, below, [*above, 0], strict=True)]

    def call(self) -> str:
        """Of the network, without its last parenthesis."""
        lists = (self.down, (1, *self.up), (1, *self.parallel))
        m, w, parallel = (",".join(map(str, one)) for one in lists)
        return f"xgft(m=[{m}],w=[{w}],parallel=[{parallel}]"


def parents(need: int, room: int, most: int) -> tuple[int, int] | None:
    """The fewest parents that give a switch its uplinks, and the fewest cables to each of them.

    Parameters
    ----------
    need, room
        Uplinks at least and at most.
    most
        Cables to a parent at most.
    """
    if need > room or most < 1:
        return None
    # With as many parents as uplinks one cable each is enough, so one of these fits.
    return next((many, ceiling(need, many)) for many in range(ceiling(need, most), need + 1)
                if many * ceiling(need, many) <= room)  # fmt: skip


def tree(n: int, r: int, taper: int) -> Tree | None:
    """The tree of the fewest switches of `r` ports for `n` endpoints; None where three levels do not reach.

    Parameters
    ----------
    taper
        Endpoints of a leaf over its uplinks, at most.

    Notes
    -----
    Two levels where they reach. O(r) for two, O(r^2 log r) for three.
    """
    for shapes in (two_levels, three_levels):
        best = min(shapes(n, r, taper), key=lambda one: one.rank, default=None)
        if best is not None:
            return best
    return None


def topped(old: Tree, n: int, r: int, taper: int) -> Tree | None:
    """The same tree with more below its top, leaves with as many endpoints as their uplinks allow; None beyond it."""
    uplinks = old.up[0] * old.parallel[0]
    full = max(old.down[0], min(r - uplinks, taper * uplinks))
    inner = prod(old.down[1:-1])
    top = ceiling(n, full * inner)
    made = Tree((max(old.down[0], ceiling(n, top * inner)), *old.down[1:-1], top), old.up, old.parallel)
    return made if top >= old.down[-1] and max(made.ports) <= r else None


def two_levels(n: int, r: int, taper: int) -> Iterator[Tree]:
    """Of each number of leaves the tree with the fewest spines."""
    least = 2 * r
    for leaves in range(max(2, ceiling(n, r)), r + 1):
        if leaves > least:
            return
        down = ceiling(n, leaves)
        found = parents(ceiling(down, taper), r - down, r // leaves)
        if found is not None:
            spines, parallel = found
            least = min(least, leaves + spines)
            yield Tree((down, leaves), (spines,), (parallel,))


def three_levels(n: int, r: int, taper: int) -> Iterator[Tree]:
    """Of each number of pods, of leaves of a pod and of parallel cables in it the tree with the fewest switches."""
    least = 5 * r * r
    for pods in range(2, r + 1):
        # A switch above the leaves has at least half of its ports for its pod's uplinks.
        for leaves in range(max(1, ceiling(n, r * pods)), r // 2 + 1):
            if leaves * pods > least:
                break
            down = ceiling(n, leaves * pods)
            for most in range(1, (r // 2) // leaves + 1):
                lower = parents(ceiling(down, taper), r - down, most)
                if lower is None:
                    break
                inner, parallel = lower
                through = leaves * parallel
                upper = parents(through, r - through, r // pods)
                if upper is not None:
                    made = Tree((down, leaves, pods), (inner, upper[0]), (parallel, upper[1]))
                    least = min(least, made.switches)
                    yield made
