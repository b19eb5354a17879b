"""Scotch as a live peer (Debian package `scotch`): a guest graph mapped onto a torus or onto any host graph."""

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


def available() -> bool:
    return all(shutil.which(program) for program in ("scotch_gmap", "amk_grf"))


def graph_text(vertices: int, edges: Edges) -> str:
    """Scotch's source graph format, version 0: vertices from 0, no weights, every edge at both of its ends."""
    neighbours: list[list[int]] = [[] for _ in range(vertices)]
    for a, b in edges.tolist():
        neighbours[a].append(b)
        neighbours[b].append(a)
    lines = ["0", f"{vertices} {2 * len(edges)}", "0 000"]
    # Ascending neighbours: other orders of the same graph cost Scotch a quarter on the stencil.
    lines += [" ".join(map(str, [len(row), *sorted(row)])) for row in neighbours]
    return "\n".join(lines) + "\n"


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


def _map(ranks: int, edges: Edges, target: str, options: Sequence[str]) -> NDArray[np.int64]:
    with tempfile.TemporaryDirectory() as folder:
        guest, host, out = (str(Path(folder) / name) for name in ("guest.grf", "host.tgt", "out.map"))
        Path(guest).write_text(graph_text(ranks, edges))
        Path(host).write_text(target)
        subprocess.run(["scotch_gmap", guest, host, out, *options], capture_output=True, check=True)
        pairs = np.loadtxt(out, np.int64, skiprows=1)
    place = np.empty(ranks, np.int64)
    place[pairs[:, 0]] = pairs[:, 1]
    return place
