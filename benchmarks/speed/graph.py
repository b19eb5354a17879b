"""The input that every tool gets: a number of switches and their cables, nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Graph:
    """A simple connected graph.

    Parameters
    ----------
    edges
        Integers, shape (edges, 2), each cable once.
    """

    name: str
    switches: int
    edges: NDArray[np.int64]

    @staticmethod
    def of(name: str, network: Any) -> Graph:
        """The graph of a netloom network."""
        tails, heads = network.tails.astype(np.int64), network.heads.astype(np.int64)
        once = tails < heads
        return Graph(name, network.switches, np.stack([tails[once], heads[once]], axis=1))

    @cached_property
    def neighbours(self) -> NDArray[np.int64]:
        """Neighbours of each switch, shape (switches, largest degree); a switch of less degree repeats itself."""
        both = np.concatenate([self.edges, self.edges[:, ::-1]])
        both = both[np.argsort(both[:, 0], kind="stable")]
        degree = np.bincount(both[:, 0], minlength=self.switches)
        table = np.repeat(np.arange(self.switches)[:, None], degree.max(), axis=1)
        table[np.arange(degree.max()) < degree[:, None]] = both[:, 1]
        return table

    @cached_property
    def matrix(self) -> Any:
        """Adjacency as a SciPy CSR matrix of float32 ones."""
        from scipy.sparse import csr_matrix

        tail, head = np.concatenate([self.edges, self.edges[:, ::-1]]).T
        return csr_matrix((np.ones(len(tail), np.float32), (tail, head)), shape=(self.switches, self.switches))


class Sums(NamedTuple):
    """Distances from some sources to all switches, summed up: enough for diameter and ASPL."""

    sources: int
    farthest: int
    total: int

    def aspl(self, switches: int) -> float:
        return self.total / (self.sources * (switches - 1))
