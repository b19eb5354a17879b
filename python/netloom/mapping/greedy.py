"""Ranks one after another to the seat that is nearest to their partners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..plugin.classes import Optimiser
from .graphs import traffic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..plugin.classes import Problem

    Vector = NDArray[np.int64]

#: Partners that decide on the seat of a rank, those that exchange most with it.
_PARTNERS = 64


class Greedy(Optimiser):
    """The rank that exchanges most with those already placed takes the free seat that is nearest to them.

    The first rank is the one that exchanges most at all, on the node in the middle. Distance is counted in hops between
    switches, with two more links to leave a node; the seats of a node are taken in turn.

    Greedy heuristic of Hoefler and Snir 2011, with the distance to all placed partners instead of the last one. Cost:
    ranks * (seats + partners * switches).
    """

    name = "greedy"
    example = "greedy"

    def improve(self, problem: Problem) -> list[int]:
        """The endpoint of every rank."""
        import numpy as np

        guests, units = traffic(problem), _Units.of(problem)
        ranks = len(problem.start)
        owner = np.repeat(np.arange(ranks), np.diff(guests.first))
        # Far below any weight: it decides where nothing is placed yet.
        attraction = np.bincount(owner, weights=guests.weight, minlength=ranks) / (1.0 + ranks) ** 2
        placed = np.full(ranks, -1, dtype=np.int64)
        made = np.empty(ranks, dtype=np.int64)
        for _ in range(ranks):
            problem.require_time()
            rank = int(np.argmax(np.where(placed < 0, attraction, -1.0)))
            row = slice(guests.first[rank], guests.first[rank + 1])
            there = placed[guests.adjacent[row]] >= 0
            homes, loads = placed[guests.adjacent[row]][there], guests.weight[row][there]
            if len(homes) > _PARTNERS:
                most = np.argpartition(loads, -_PARTNERS)[-_PARTNERS:]
                homes, loads = homes[most], loads[most]
            placed[rank] = units.nearest(homes, loads)
            made[rank] = units.take(int(placed[rank]))
            attraction[guests.adjacent[row]] += guests.weight[row]
        best: list[int] = made.tolist()
        return best


class _Units:
    """Nodes, or switches where a node has one seat: seats that count as one place."""

    def __init__(self, seats: Vector, unit_of_seat: Vector, switch: Vector, distance: NDArray[np.uint8]) -> None:
        import numpy as np

        self.seats = seats[np.argsort(unit_of_seat, kind="stable")]
        self.free = np.bincount(unit_of_seat).astype(np.int64)
        self.next = np.concatenate([[0], np.cumsum(self.free)[:-1]])
        self.switch, self.distance = switch, distance

    @classmethod
    def of(cls, problem: Problem) -> _Units:
        import numpy as np

        seats = np.sort(problem.start).astype(np.int64)
        switch = problem.network.endpoint_switch.astype(np.int64)[seats]
        _, first, unit = np.unique(
            seats // problem.seats if problem.seats > 1 else switch, return_index=True, return_inverse=True
        )
        return cls(seats, unit, switch[first], problem.distance)

    def nearest(self, homes: Vector, loads: Vector) -> int:
        """The unit with a free seat and the least bytes times hops to some units; their own come before all others."""
        import numpy as np

        if not len(homes):
            # The first rank: in the middle, O(units^2) once.
            sums = self.distance[np.ix_(self.switch, self.switch)].sum(axis=0, dtype=np.float64)
        else:
            rows = self.distance[np.ix_(self.switch[homes], self.switch)].astype(np.float64)
            # A node is left over two links, whatever the hops between switches.
            rows += 2.0
            rows[np.arange(len(homes)), homes] = 0.0
            sums = loads @ rows
        return int(np.argmin(np.where(self.free > 0, sums, np.inf)))

    def take(self, unit: int) -> int:
        """The next free seat of a unit."""
        seat = int(self.seats[self.next[unit]])
        self.next[unit] += 1
        self.free[unit] -= 1
        return seat
