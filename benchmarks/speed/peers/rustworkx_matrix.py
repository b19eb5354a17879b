"""rustworkx: `distance_matrix`; faster than its own average path length call, and it has no diameter."""

from __future__ import annotations

import numpy as np
import rustworkx
from numpy.typing import NDArray

from benchmarks.speed.graph import Graph, Sums

NAME = "rustworkx"
WHOLE_LIMIT = 4096
COMPLETE_LIMIT = 16384
SAMPLE = 0
sample = None


def prepare(graph: Graph) -> rustworkx.PyGraph:
    made = rustworkx.PyGraph(multigraph=False)
    made.add_nodes_from(range(graph.switches))
    made.add_edges_from_no_data([(int(a), int(b)) for a, b in graph.edges])
    return made


def whole(g: rustworkx.PyGraph) -> Sums:
    distances = rustworkx.distance_matrix(g)
    return Sums(len(distances), int(distances.max()), int(distances.sum()))


def matrix(g: rustworkx.PyGraph) -> NDArray[np.uint8]:
    return rustworkx.distance_matrix(g).astype(np.uint8)
