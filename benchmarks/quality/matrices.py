"""Traffic of a sparse matrix times a vector, of five matrices made here in the likeness of those of SuiteSparse."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Pairs = NDArray[np.int64]
#: Bytes of a number.
NUMBER = 8
#: Of the mesh.
PARTS = 1024


def grid_2d(rng: np.random.Generator, side: int) -> Pairs:
    """Five points of a plane, rows in the order of a sweep (as ecology2)."""
    at = np.arange(side * side).reshape(side, side)
    return np.concatenate([_ends(at[:, :-1], at[:, 1:]), _ends(at[:-1], at[1:])])


def shell_3d(rng: np.random.Generator, side: int) -> Pairs:
    """27 points of a box (as a mechanical model of solid elements)."""
    n = round(side ** (2 / 3))
    at = np.arange(n**3).reshape(n, n, n)
    steps = [(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) if (i, j, k) > (0, 0, 0)]
    return np.concatenate([_ends(*_shifted(at, step)) for step in steps])


def shuffled_mesh(rng: np.random.Generator, side: int) -> Pairs:
    """A triangulated plane whose parts are numbered in no order (as delaunay_n20 after a partitioner)."""
    at = np.arange(side * side).reshape(side, side)
    edges = np.concatenate([grid_2d(rng, side), _ends(at[:-1, :-1], at[1:, 1:])])
    block = side * side // PARTS
    return part_numbers(rng)[edges // block] * block + edges % block


def part_numbers(rng: np.random.Generator) -> Pairs:
    """The new number of every part of the mesh."""
    return rng.permutation(PARTS)


def circuit(rng: np.random.Generator, side: int) -> Pairs:
    """Near neighbours, a few far ones, and rails that touch many (as G3_circuit, rajat31)."""
    n = side * side
    near = rng.integers(0, n, 3 * n)
    far = rng.integers(0, n, (n // 10, 2))
    rails = np.stack([rng.integers(0, 8, n // 20) * (n // 8), rng.integers(0, n, n // 20)], axis=1)
    return np.concatenate([np.stack([near, np.minimum(near + rng.geometric(0.01, 3 * n), n - 1)], axis=1), far, rails])


def web(rng: np.random.Generator, side: int) -> Pairs:
    """A recursive matrix of unequal quarters (Chakrabarti, Zhan and Faloutsos 2004), as links between pages."""
    bits = int(np.log2(side * side))
    ends = np.zeros((8 << bits, 2), np.int64)
    for _ in range(bits):
        quarter = rng.choice(4, len(ends), p=[0.57, 0.19, 0.19, 0.05])
        ends = 2 * ends + np.stack([quarter // 2, quarter % 2], axis=1)
    return ends


MATRICES: dict[str, Callable[[np.random.Generator, int], Pairs]] = {
    "plane, 5 points": grid_2d,
    "box, 27 points": shell_3d,
    "mesh, shuffled parts": shuffled_mesh,
    "circuit": circuit,
    "web": web,
}


def traffic(name: str, ranks: int, side: int = 512, seed: int = 1) -> tuple[Pairs, NDArray[np.int64]]:
    """Pairs of ranks, source first, and bytes: what a rank's block of rows needs of another's vector."""
    edges = MATRICES[name](np.random.default_rng(seed), side)
    rows = int(edges.max()) + 1
    both = np.concatenate([edges, edges[:, ::-1]])
    owner = both * ranks // rows
    apart = owner[:, 0] != owner[:, 1]
    # Of the column's owner to the row's; each number once.
    wanted = np.unique(np.stack([owner[apart, 0], both[apart, 1]], axis=1), axis=0)
    pairs, counts = np.unique(
        np.stack([wanted[:, 1] * ranks // rows, wanted[:, 0]], axis=1), axis=0, return_counts=True
    )
    return pairs, counts * NUMBER


def _ends(a: NDArray[np.int64], b: NDArray[np.int64]) -> Pairs:
    return np.stack([a.ravel(), b.ravel()], axis=1)


def _shifted(at: NDArray[np.int64], step: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    one = tuple(slice(max(0, -s), at.shape[i] - max(0, s)) for i, s in enumerate(step))
    other = tuple(slice(max(0, s), at.shape[i] + min(0, s)) for i, s in enumerate(step))
    return at[one], at[other]
