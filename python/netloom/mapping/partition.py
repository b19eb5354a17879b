"""Recursive bisection of the traffic and of the machine at the same time, by METIS."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..plugin.classes import Optimiser

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .._core import Network
    from ..plugin.classes import Problem

    Vector = NDArray[np.int64]

#: Least ranks that are halved.
_FEW = 3


class Partition(Optimiser):
    """METIS halves the ranks, so that few bytes are exchanged between the halves, and the machine, again and again.

    Parameters of a call: `tries`, the seeds that are tried, and `seed`, the first of them. The machine is halved by
    METIS where its switches are linked to each other, and by the numbers of its endpoints: the better one is kept.

    Dual recursive bisection: Pellegrini and Roman 1996; on a machine with any allocation: Jain 2016, section 2.3.
    Karypis and Kumar 1998 describe METIS. Cost: (ranks + pairs that exchange messages) * log2(ranks) for each try.
    """

    name = "partition"
    example = "partition(tries=2,seed=1)"

    def improve(self, problem: Problem, tries: int = 2, seed: int = 1) -> list[int]:
        """The endpoint of every rank.

        Raises
        ------
        NetloomError
            `NL-G008` without the package pymetis; `NL-A006` for tries outside 1..1000.
        """
        if not (isinstance(tries, int) and 1 <= tries <= 1000):
            raise NetloomError([Fault("NL-A006", "partition.tries", "an integer in 1..1000", str(tries))])
        if not (isinstance(seed, int) and 0 <= seed < 2**31 - 1000):
            raise NetloomError([Fault("NL-A006", "partition.seed", "an integer in 0..2147482647", str(seed))])
        machine = _Machine.of(problem.network)
        guests = _traffic(problem)
        ways = [False, True] if machine.is_direct(problem.start) else [False]
        made = [
            _Halving(machine, guests, seed + attempt, cut).mapping(problem.start)
            for cut in ways
            for attempt in range(tries)
        ]
        best: list[int] = min(made, key=problem.value).tolist()
        return best


@dataclass(frozen=True)
class _Graph:
    """Undirected, its rows compressed: the neighbours of v are `adjacent[first[v]:first[v + 1]]`."""

    first: Vector
    adjacent: Vector
    weight: Vector

    @classmethod
    def of(cls, vertices: int, tails: Vector, heads: Vector, weight: Vector) -> _Graph:
        """Of edges in both directions; parallel ones are added up, loops left out."""
        import numpy as np

        real = tails != heads
        pairs = np.concatenate([tails[real] * vertices + heads[real], heads[real] * vertices + tails[real]])
        keys, index = np.unique(pairs, return_inverse=True)
        total = np.bincount(index, weights=np.concatenate([weight[real]] * 2), minlength=len(keys))
        first = np.searchsorted(keys, np.arange(vertices + 1, dtype=np.int64) * vertices)
        return cls(first, keys % vertices, total.astype(np.int64))

    def of_some(self, some: Vector) -> _Graph:
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
        return _Graph(first.astype(np.int64), new[self.adjacent[edges[inside]]], self.weight[edges[inside]])


def _traffic(problem: Problem) -> _Graph:
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
    return _Graph.of(load.ranks, table["src"].astype(np.int64), table["dst"].astype(np.int64), whole)


@dataclass(frozen=True)
class _Machine:
    switch_of: Vector
    switches: _Graph

    @classmethod
    def of(cls, network: Network) -> _Machine:
        import numpy as np

        tails, heads = network.tails.astype(np.int64), network.heads.astype(np.int64)
        links = (tails < network.switches) & (heads < network.switches)
        weight = np.ones(int(links.sum()), dtype=np.int64)
        graph = _Graph.of(network.switches, tails[links], heads[links], weight)
        return cls(network.endpoint_switch.astype(np.int64), graph)

    def is_direct(self, endpoints: NDArray[np.uint32]) -> bool:
        """Each switch of these endpoints has a link to another of them."""
        import numpy as np

        used = np.unique(self.switch_of[endpoints])
        return len(used) > 1 and bool(np.all(np.diff(self.switches.of_some(used).first) > 0))


@dataclass(frozen=True)
class _Halving:
    machine: _Machine
    guests: _Graph
    seed: int
    #: METIS halves the machine too; else its endpoints are halved by number.
    cut: bool

    def mapping(self, start: NDArray[np.uint32]) -> Vector:
        """All ranks onto the endpoints of `start`."""
        import numpy as np

        made = np.empty(len(start), dtype=np.int64)
        waiting = [(np.arange(len(start)), np.sort(start).astype(np.int64))]
        while waiting:
            ranks, seats = waiting.pop()
            if len(ranks) < _FEW:
                made[ranks] = seats
                continue
            near = self.near_half(seats)
            first = _bisect(self.guests.of_some(ranks), np.ones(len(ranks), dtype=np.int64), len(near), self.seed)
            far = np.setdiff1d(seats, near, assume_unique=True)
            waiting += [(ranks[first], near), (ranks[~first], far)]
        return made

    def near_half(self, seats: Vector) -> Vector:
        """Some half of the seats, ascending; whole switches stay together where there are several."""
        import numpy as np

        used, counts = np.unique(self.machine.switch_of[seats], return_counts=True)
        if self.cut:
            half = _bisect(self.machine.switches.of_some(used), counts, len(seats) // 2, self.seed, exact=False)
            if half.any() and not half.all():
                return seats[np.isin(self.machine.switch_of[seats], used[half])]
        # By number: a boundary between switches, the one that divides by the largest power of two.
        at = len(seats) // 2
        edges = np.flatnonzero(np.diff(self.machine.switch_of[seats])) + 1
        if len(edges):
            at = int(edges[np.argmin(np.abs(edges - at))])
        return seats[:at]


def _bisect(graph: _Graph, sizes: Vector, wanted: int, seed: int, *, exact: bool = True) -> NDArray[np.bool_]:
    """Vertices of total size `wanted` with few edges to the others.

    METIS comes near that size; vertices that lose least are then moved until it is met, if it must be.
    """
    import numpy as np

    metis = _metis()
    total = int(sizes.sum())
    share = wanted / total
    if len(graph.adjacent):
        _, part = metis.part_graph(
            2, metis.CSRAdjacency(graph.first, graph.adjacent), eweights=graph.weight, vweights=sizes,
            tpwgts=[share, 1 - share], options=metis.Options(seed=seed),
        )  # fmt: skip
        inside: NDArray[np.bool_] = np.asarray(part) == 0
    else:
        inside = np.cumsum(sizes) <= wanted
    if not exact:
        return inside
    owner = np.repeat(np.arange(len(sizes)), np.diff(graph.first))
    while (extra := int(inside.sum()) - wanted) != 0:
        leaving = extra > 0
        # Gain of a move: bytes to the other side less those to its own.
        across = np.where(inside[owner] != inside[graph.adjacent], graph.weight, -graph.weight)
        gain = np.bincount(owner, weights=across, minlength=len(sizes))
        movable = np.flatnonzero(inside == leaving)
        best = movable[np.argsort(-gain[movable], kind="stable")[: max(1, abs(extra) // 4)]]
        inside[best] = not leaving
    return inside


def _metis() -> ModuleType:
    try:
        return import_module("pymetis")
    except ImportError:
        hint = "pip install 'netloom[partition]'"
        raise NetloomError([Fault("NL-G008", "partition", "needs the package pymetis", "", hint)]) from None
