"""A periodic 16×8×8×8 stencil on an 8×8×8×16 torus: pair swaps cannot find the optimum, axis moves can."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import netloom
from benchmarks.quality import scotch

GUEST, HOST = (16, 8, 8, 8), (8, 8, 8, 16)
RANKS = 8192
# Every edge on one link.
OPTIMUM = 32_768
COLUMNS = ["method", "hop-bytes", "optimum", "largest dilation", "CPU s"]
SCOTCH_OPTIONS = ((), ("-cs",), ("-cq",))


def edges(dims: Sequence[int]) -> NDArray[np.int64]:
    """Edges of a periodic grid with row-major numbers, each once; every extent at least 3."""
    ids = np.arange(np.prod(dims)).reshape(dims)
    return np.concatenate([np.stack([ids.ravel(), np.roll(ids, -1, axis).ravel()], 1) for axis in range(len(dims))])


def judge(switches: NDArray[np.int64]) -> tuple[int, int]:
    """Hop-bytes (one byte per edge) and largest dilation, from torus coordinates and not from netloom's counter."""
    ends = edges(GUEST)
    dilation = np.zeros(len(ends), np.int64)
    for extent, coordinate in zip(HOST, np.unravel_index(switches, HOST), strict=True):
        apart = np.abs(coordinate[ends[:, 0]] - coordinate[ends[:, 1]])
        dilation += np.minimum(apart, extent - apart)
    return int(dilation.sum()), int(dilation.max())


def is_mapping(switches: NDArray[np.int64]) -> bool:
    """One rank per switch; Scotch may put two on one."""
    return len(np.unique(switches)) == RANKS


def rows(live_scotch: bool) -> Iterator[list[Any]]:
    network = netloom.network(f"torus({','.join(map(str, HOST))})")
    traffic = netloom.workload(f"stencil({','.join(map(str, GUEST))},periodic=true)", RANKS)
    start = netloom.place(network, RANKS, "linear")
    yield row("row-major ranks", np.asarray(start, np.int64), None)
    for name, text in (("two-opt, 200,000 swaps", "two-opt(swaps=200000)"), ("grid", "grid"), ("default", "auto")):
        began = time.process_time()
        done = netloom.map_ranks(network, workload=traffic, mapping=start, optimiser=text, objective="hop-bytes")
        yield row(name, np.asarray(done["mapping"], np.int64), time.process_time() - began)
    if not live_scotch:
        yield ["Scotch 7.0.3, -cs (measured elsewhere)", 50_822, OPTIMUM, 10, 0.28]
        return
    for options in SCOTCH_OPTIONS:
        found = [judge(m) for m in scotch.onto_torus(RANKS, edges(GUEST), HOST, *options) if is_mapping(m)]
        best = min(found)
        yield [
            f"Scotch {' '.join(options) or 'default'}, best of {len(found)} runs over the orders of the axes",
            best[0],
            OPTIMUM,
            best[1],
            None,
        ]


def row(method: str, switches: NDArray[np.int64], spent: float | None) -> list[Any]:
    if not is_mapping(switches):
        raise SystemExit(f"{method} puts two ranks on one switch")
    hop_bytes, dilation = judge(switches)
    return [method, hop_bytes, OPTIMUM, dilation, spent]
