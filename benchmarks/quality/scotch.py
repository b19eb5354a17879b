"""Scotch as a live peer (Debian package `scotch`): a guest graph mapped onto a torus, a tree or any host graph."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Edges = NDArray[np.int64]
#: Most that all weights of a graph add up to: times a distance of up to 60 it must fit into 31 bits.
SUM = (1 << 31) / 60


def available() -> bool:
    return all(shutil.which(program) for program in ("scotch_gmap", "amk_grf"))


def graph_text(vertices: int, edges: Edges, weights: NDArray[np.int64] | None = None) -> str:
    """Scotch's source graph format, version 0: vertices from 0, edges at both of their ends, weights if given."""
    neighbours: list[list[tuple[int, ...]]] = [[] for _ in range(vertices)]
    loads = [()] * len(edges) if weights is None else [(load,) for load in weights.tolist()]
    for (a, b), load in zip(edges.tolist(), loads, strict=True):
        neighbours[a].append((b, *load))
        neighbours[b].append((a, *load))
    lines = ["0", f"{vertices} {2 * len(edges)}", "0 000" if weights is None else "0 010"]
    # Ascending neighbours: other orders of the same graph cost Scotch a quarter on the stencil. A weight stands before
    # its neighbour.
    lines += [
        " ".join(map(str, [len(row), *(number for arc in sorted(row) for number in reversed(arc))]))
        for row in neighbours
    ]
    return "\n".join(lines) + "\n"


def merged(ends: Edges, weights: NDArray[np.int64]) -> tuple[Edges, NDArray[np.int64]]:
    """Each pair once with the sum of its weights, which are scaled to what Scotch's 32-bit sums hold, at least 1."""
    pairs, at = np.unique(ends, axis=0, return_inverse=True)
    total = np.bincount(at.ravel(), weights=weights)
    largest = min(total.max() / total.min(), SUM / (total.sum() / total.max()))
    return pairs, np.maximum(np.rint(total / total.max() * largest), 1).astype(np.int64)


def onto_tree(
    ranks: int, edges: Edges, weights: NDArray[np.int64], sizes: Sequence[int], costs: Sequence[int]
) -> NDArray[np.int64]:
    """Leaf of every rank, one rank each, on a tree of `sizes[k]` children at level k that are `costs[k]` apart."""
    levels = " ".join(f"{size} {cost}" for size, cost in zip(sizes, costs, strict=True))
    return one_each(_map(ranks, edges, f"tleaf\n{len(sizes)} {levels}\n", ("-b0",), weights))


def one_each(place: NDArray[np.int64]) -> NDArray[np.int64]:
    """As `place`, but ranks that share a leaf with another take the nearest free leaf: Scotch may overfill some."""
    place = place.copy()
    _, first = np.unique(place, return_index=True)
    free = np.setdiff1d(np.arange(len(place)), place)
    for rank in np.setdiff1d(np.arange(len(place)), first):
        nearest = int(np.argmin(np.abs(free - place[rank])))
        place[rank], free = free[nearest], np.delete(free, nearest)
    return place


def onto_torus(ranks: int, edges: Edges, dims: Sequence[int], *options: str) -> Iterator[NDArray[np.int64]]:
    """Switch of every rank on a torus of row-major numbers: one mapping for every order of the axes.

    Scotch's answer depends on the order in which the target lists its axes, and nothing tells which order is best.
    """
    for axes in permutations(range(len(dims))):
        listed = [dims[axis] for axis in axes]
        place = _map(ranks, edges, f"torusXD\n{len(dims)} {' '.join(map(str, listed))}\n", options)
        # The first listed dimension runs fastest.
        coordinates = np.unravel_index(place, listed, order="F")
        yield np.ravel_multi_index([coordinates[axes.index(axis)] for axis in range(len(dims))], dims)


def onto_graph(ranks: int, edges: Edges, switches: int, cables: Edges, *options: str) -> NDArray[np.int64]:
    """Switch of every rank on any host, at most one rank each (Scotch's decomposition-defined architecture)."""
    with tempfile.TemporaryDirectory() as folder:
        host = Path(folder) / "host.grf"
        host.write_text(graph_text(switches, cables))
        made = subprocess.run(["amk_grf", str(host), "-"], capture_output=True, text=True, check=True)
    return _map(ranks, edges, made.stdout, options)


def _map(
    ranks: int, edges: Edges, target: str, options: Sequence[str], weights: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    with tempfile.TemporaryDirectory() as folder:
        guest, host, out = (str(Path(folder) / name) for name in ("guest.grf", "host.tgt", "out.map"))
        Path(guest).write_text(graph_text(ranks, edges, weights))
        Path(host).write_text(target)
        subprocess.run(["scotch_gmap", guest, host, out, *options], capture_output=True, check=True)
        pairs = np.loadtxt(out, np.int64, skiprows=1)
    place = np.empty(ranks, np.int64)
    place[pairs[:, 0]] = pairs[:, 1]
    return place
