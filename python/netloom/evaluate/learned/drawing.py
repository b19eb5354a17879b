"""Mappings to be rated: the slots of the start in orders of levels, and changes of the best so far.

The number of a rank is written in digits, whose radices are prime factors of the levels of the machine where these hold
as many ranks as the job, else of the number of ranks. Orders of the digits are tiles and mixed-radix orders of all
kinds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...base.arrays import ndarray

if TYPE_CHECKING:
    from ...base.arrays import Endpoints, Vector
    from ...scenario import Question

#: Share of changes that exchange blocks of ranks in place of digits.
BLOCKS = 0.3
#: Draws of one that is not known yet.
TRIES = 20


@dataclass(frozen=True, eq=False)
class Drawn:
    """A mapping.

    Attributes
    ----------
    slots
        Slot of every rank.
    radix
        Of the digits of its ranks, first the one that changes least.
    """

    slots: Vector[np.uint32]
    radix: tuple[int, ...]

    def ordered(self, order: list[int]) -> Drawn:
        """The same slots, with the digits of the ranks in another order."""
        made: Vector[np.uint32] = np.ascontiguousarray(self.slots.reshape(self.radix).transpose(order)).reshape(-1)
        return Drawn(made, tuple(self.radix[at] for at in order))

    def exchanged(self, a: int, b: int, size: int) -> Drawn:
        """Two blocks of `size` ranks exchanged, numbered by their places."""
        made, first, second = self.slots.copy(), slice(a * size, (a + 1) * size), slice(b * size, (b + 1) * size)
        made[first], made[second] = self.slots[second], self.slots[first]
        return Drawn(made, self.radix)


def start_of(bound: Question) -> Drawn:
    """The mapping of a scenario; digits are those of its slots in order."""
    grid = bound.network.grid
    levels: tuple[int, ...] = (bound.ranks,)
    if grid is not None and math.prod(grid[0]) * bound.site.cores == bound.ranks:
        levels = (*grid[0], bound.site.cores)
    start: Endpoints = bound.place.start
    return Drawn(ndarray(start), tuple(prime for level in levels for prime in _primes(level)))


def _primes(number: int) -> list[int]:
    found, prime = [], 2
    while prime * prime <= number:
        while number % prime == 0:
            found.append(prime)
            number //= prime
        prime += 1
    return found + [number] * (number > 1)


class Drawing:
    """Draws mappings of the slots of a start, each once."""

    def __init__(self, start: Drawn, seed: int) -> None:
        self._in_order = Drawn(np.sort(start.slots), start.radix)
        self._draws = np.random.Generator(np.random.PCG64(seed))
        self._seen = {start.slots.tobytes()}

    def anew(self) -> Drawn | None:
        """The slots in a drawn order of their digits; None where those that were drawn are known."""
        digits = len(self._in_order.radix)
        return self._unknown(lambda: self._in_order.ordered(self._draws.permutation(digits).tolist()))

    def changed(self, one: Drawn) -> Drawn | None:
        """A mapping with two digits or two blocks of ranks exchanged; None as of `anew`."""
        return self._unknown(lambda: self._change(one))

    def _unknown(self, draw: Callable[[], Drawn]) -> Drawn | None:
        for _ in range(TRIES):
            made = draw()
            if (key := made.slots.tobytes()) not in self._seen:
                self._seen.add(key)
                return made
        return None

    def _change(self, one: Drawn) -> Drawn:
        ranks, digits = len(one.slots), len(one.radix)
        if digits > 2 and self._draws.random() >= BLOCKS:
            order = list(range(digits))
            a, b = self._draws.choice(digits, 2, replace=False).tolist()
            order[a], order[b] = b, a
            return one.ordered(order)
        size = 1 << int(self._draws.integers(0, max(1, (ranks // 2).bit_length())))
        if ranks // size < 2:
            return one
        a, b = self._draws.choice(ranks // size, 2, replace=False).tolist()
        return one.exchanged(a, b, size)
