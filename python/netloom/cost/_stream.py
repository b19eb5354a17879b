"""The seeded stream of the core, for the one random choice that is made in Python.

The same ``(seed, name)`` gives the same numbers as ``netloom_model::Stream``: PCG64 (XSL-RR) raw output and a bounded
sampler of our own, so that a permutation means the same for ever.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_MASK = (1 << 128) - 1
_STEP = 0x2360ED051FC65DA44385DF649FCCF645


class Stream:
    """See `Stream` in the model crate."""

    def __init__(self, seed: int, name: str) -> None:
        hash_ = 0xCBF29CE484222325
        for byte in name.encode():
            hash_ = ((hash_ ^ byte) * 0x100000001B3) & (2**64 - 1)
        self._add = hash_ | 1
        self._state = ((seed + self._add) * _STEP + self._add) & _MASK
        for _ in range(4):
            self.next_u64()

    def next_u64(self) -> int:
        state = self._state = (self._state * _STEP + self._add) & _MASK
        word = ((state >> 64) ^ state) & (2**64 - 1)
        turn = state >> 122
        return ((word >> turn) | (word << (64 - turn))) & (2**64 - 1)

    def below(self, bound: int) -> int:
        """Uniform in ``0..bound``, `bound` from 1 to 2^32-1."""
        threshold = (2**32 - bound) % bound
        while True:
            wide = (self.next_u64() >> 32) * bound
            if wide & 0xFFFFFFFF >= threshold:
                return wide >> 32


def shuffled(count: int, seed: int, name: str) -> NDArray[np.int64]:
    """``0..count`` in random order (Fisher-Yates). O(count)."""
    stream = Stream(seed, name)
    items = list(range(count))
    for i in range(count - 1, 0, -1):
        j = stream.below(i + 1)
        items[i], items[j] = items[j], items[i]
    return np.asarray(items, dtype=np.int64)
