"""The case of Cui 2024: 512 ranks of three collectives on 1,024 switches in a ring with 17 random matchings."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import netloom
from netloom import _core

RANKS = 512
# The collectives of Cui 2024 chapter 3 and the number of their messages: at one hop each, no mapping is better.
COLLECTIVES = {"broadcast:binomial": 511, "allreduce:recursive-doubling": 4608, "alltoall:bruck": 4608}
PLACEMENTS = {"random": "random(seed={seed})", "tree": "tree(seed={seed})", "ring": "ring(start=0)"}


@lru_cache(maxsize=2)
def network(seed: int) -> _core.Network:
    return netloom.network(f"random_shortcut(1024,degree=19,seed={seed})")


@lru_cache(maxsize=4)
def schedule(collective: str) -> _core.Schedule:
    return _core.Schedule.build(collective, RANKS)


def start(placement: str, seed: int) -> NDArray[np.uint32]:
    """Endpoints in the order in which the placement draws or visits them."""
    return netloom.place(network(seed), RANKS, PLACEMENTS[placement].format(seed=seed), "draw")
