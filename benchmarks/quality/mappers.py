"""Mappers that people can install, on the allreduce of Cui 2024, free choice of endpoints: SciPy's FAQ, Scotch."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality import scotch
from benchmarks.quality.instances import RANKS, network
from benchmarks.quality.spread import Spread
from netloom import _core

COLUMNS = ["method", "hops: least / median / most", "CPU s"]


def exchanges() -> NDArray[np.int64]:
    """Pairs of ranks that exchange in recursive doubling, each once."""
    return np.array(
        [(rank, rank ^ 1 << k) for k in range(RANKS.bit_length() - 1) for rank in range(RANKS) if not rank >> k & 1]
    )


def rows(seeds: int, live_scotch: bool, faq: bool) -> Iterator[list[Any]]:
    if live_scotch:
        yield measure("Scotch, any host graph", seeds, by_scotch)
    if faq:
        yield measure("SciPy quadratic_assignment, FAQ", seeds, by_faq)


def measure(name: str, seeds: int, mapper: Any) -> list[Any]:
    values, spent = [], []
    pairs = exchanges()
    for seed in range(1, seeds + 1):
        began = time.process_time()
        place = mapper(seed, network(seed))
        spent.append(time.process_time() - began)
        # Each exchange is a message in either direction.
        values.append(2 * int(network(seed).hop_matrix()[place[pairs[:, 0]], place[pairs[:, 1]]].sum(dtype=np.int64)))
    return [name, str(Spread.of(values)), Spread.of(spent).median if mapper is by_faq else None]


def by_scotch(seed: int, host: _core.Network) -> NDArray[np.int64]:
    once = host.tails < host.heads
    cables = np.stack([host.tails[once], host.heads[once]], axis=1).astype(np.int64)
    return scotch.onto_graph(RANKS, exchanges(), host.switches, cables)


def by_faq(seed: int, host: _core.Network) -> NDArray[np.int64]:
    from scipy.optimize import quadratic_assignment

    guest = np.zeros((host.switches, host.switches))
    a, b = exchanges().T
    guest[a, b] = guest[b, a] = 1
    found = quadratic_assignment(
        guest, network(seed).hop_matrix().astype(float), method="faq", options={"rng": np.random.default_rng(seed)}
    )
    return found.col_ind[:RANKS]
