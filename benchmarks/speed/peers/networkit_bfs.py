"""NetworKit: the exact `NeighborhoodFunction` for the whole, `SPSP` for some sources, `APSP` for the matrix."""

from __future__ import annotations

from collections.abc import Sequence

import networkit
import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.graph import Graph, Sums

NAME = "NetworKit"
WHOLE_LIMIT = 32768
COMPLETE_LIMIT = 32768
SAMPLE = 256


def prepare(graph: Graph) -> networkit.Graph:
    networkit.setNumberOfThreads(1)
    made = networkit.Graph(graph.switches)
    for a, b in graph.edges.tolist():
        made.addEdge(a, b)
    return made


def whole(g: networkit.Graph) -> Sums:
    function = networkit.distance.NeighborhoodFunction(g)
    function.run()
    # Pairs within 1, 2, ... hops, each pair in both directions.
    within = function.getNeighborhoodFunction()
    counts = np.diff(np.array(within, np.int64), prepend=0)
    return Sums(g.numberOfNodes(), len(within), int((counts * np.arange(1, len(within) + 1)).sum()))


def sample(g: networkit.Graph, sources: Sequence[int]) -> Sums:
    search = networkit.distance.SPSP(g, list(sources))
    search.run()
    rows = search.getDistances(asarray=True)
    return Sums(len(sources), int(rows.max()), int(rows.sum()))


def matrix(g: networkit.Graph) -> NDArray[np.uint8]:
    search = networkit.distance.APSP(g)
    search.run()
    return search.getDistances(asarray=True).astype(np.uint8)
