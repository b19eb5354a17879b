"""What optimisers written in Python see of a problem: traffic and network as graphs, and curves through networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .._core import Network
    from ..plugin.classes import Problem

    Vector = NDArray[np.int64]


@dataclass(frozen=True)
class Graph:
    """Undirected, its rows compressed: the neighbours of v are `adjacent[first[v]:first[v + 1]]`."""

    first: Vector
    adjacent: Vector
    weight: Vector

    @classmethod
    def of(cls, vertices: int, tails: Vector, heads: Vector, weight: Vector) -> Graph:
        """Of edges in both directions; parallel ones are added up, loops left out."""
        import numpy as np

        real = tails != heads
        pairs = np.concatenate([tails[real] * vertices + heads[real], heads[real] * vertices + tails[real]])
        keys, index = np.unique(pairs, return_inverse=True)
        total = np.bincount(index, weights=np.concatenate([weight[real]] * 2), minlength=len(keys))
        first = np.searchsorted(keys, np.arange(vertices + 1, dtype=np.int64) * vertices)
        return cls(first, keys % vertices, total.astype(np.int64))

    def of_some(self, some: Vector) -> Graph:
        """The part between some vertices, which are numbered anew."""
        import numpy as np

        new = np.full(len(self.first) - 1, -1, dtype=np.int64)
        new[some] = np.arange(len(some))
        degree = self.first[some + 1] - self.first[some]
        ends = np.cumsum(degree)
        edges = np.arange(ends[-1] if len(ends) else 0) + np.repeat(self.first[some] - ends + degree, degree)
        owner = np.repeat(np.arange(len(some)), degree)
        inside = new[self.adjacent[edges]] >= 0
        first = np.concatenate([[0], np.cumsum(np.bincount(owner[inside], minlength=len(some)))])
        return Graph(first.astype(np.int64), new[self.adjacent[edges[inside]]], self.weight[edges[inside]])


def traffic(problem: Problem) -> Graph:
    """Bytes between ranks, scaled so that METIS adds them up without overflow; each edge weighs at least 1."""
    import numpy as np

    from .. import _core

    load = problem.workload
    table = (_core.Traffic.of_schedule(load) if isinstance(load, _core.Schedule) else load).table()
    weight = table["messages"].astype(np.float64) * table["bytes"].astype(np.float64)
    if not weight.any():
        weight = table["messages"].astype(np.float64)
    scale = min(1.0, 2.0**30 / max(float(weight.sum()), 1.0))
    whole = np.maximum(np.rint(weight * scale), 1).astype(np.int64)
    return Graph.of(load.ranks, table["src"].astype(np.int64), table["dst"].astype(np.int64), whole)


def along_curve(network: Network, seats: Vector) -> Vector:
    """Seats in the order of a Hilbert curve through the switches of a grid, those of a switch by number.

    Any allocation is a piece of the curve, so that neighbours in the order are near in the network. O(switches log
    switches).

    Raises
    ------
    NetloomError
        NL-A007 for a network without a grid.
    """
    import numpy as np

    if network.grid is None:
        hint = "machine=auto takes what the network has"
        raise NetloomError([Fault("NL-A007", "partition.machine", "a torus, mesh or HyperX", network.label, hint)])
    from .boxes import positions

    order: Vector = positions(tuple(network.grid[0])).astype(np.int64)
    found: Vector = seats[np.lexsort([seats, order[network.endpoint_switch[seats].astype(np.int64)]])]
    return found
