"""Recursive bisection of the traffic and of the machine at the same time, by METIS."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..plugin.classes import Optimiser
from .graphs import Graph, along_curve, traffic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..plugin.classes import Problem

    Vector = NDArray[np.int64]

#: What halves the machine.
WAYS = ("auto", "switches", "numbers", "curve")
#: Least ranks that are halved.
_FEW = 3


class Partition(Optimiser):
    """METIS halves the ranks, so that few bytes are exchanged between the halves, and the machine, again and again.

    Parameters of a call: `tries`, the seeds that are tried, `seed`, the first of them, and `machine`, what halves the
    machine: `switches` (METIS, where switches are linked to each other), `numbers` (of the endpoints), `curve` (along a
    Hilbert curve through the switches of a grid), or `auto`, the better one of the first two.

    Dual recursive bisection: Pellegrini and Roman 1996; on a machine with any allocation: Jain 2016, section 2.3.
    Karypis and Kumar 1998 describe METIS. Cost: (ranks + pairs that exchange messages) * log2(ranks) for each try.
    """

    name = "partition"
    example = "partition(tries=2,seed=1)"

    def improve(self, problem: Problem, tries: int = 2, seed: int = 1, machine: str = "auto") -> list[int]:
        """The endpoint of every rank.

        Raises
        ------
        NetloomError
            `NL-G008` without the package pymetis; `NL-A006` for tries outside 1..1000; `NL-A007` for a curve through a
            network without a grid.
        """
        if machine not in WAYS:
            raise NetloomError([Fault("NL-A007", "partition.machine", " or ".join(WAYS), repr(machine))])
        if not (isinstance(tries, int) and 1 <= tries <= 1000):
            raise NetloomError([Fault("NL-A006", "partition.tries", "an integer in 1..1000", str(tries))])
        if not (isinstance(seed, int) and 0 <= seed < 2**31 - 1000):
            raise NetloomError([Fault("NL-A006", "partition.seed", "an integer in 0..2147482647", str(seed))])
        host, guests = _Machine.of(problem), traffic(problem)
        ways = [machine]
        if machine == "auto":
            ways = ["switches", "numbers"] if host.is_direct(problem.start) else ["numbers"]
        made = [
            _Halving(host, guests, seed + attempt, way).mapping(problem) for way in ways for attempt in range(tries)
        ]
        best: list[int] = min(made, key=problem.value).tolist()
        return best


@dataclass(frozen=True)
class _Machine:
    switch_of: Vector
    switches: Graph
    #: Of a node.
    seats: int

    @classmethod
    def of(cls, problem: Problem) -> _Machine:
        import numpy as np

        network = problem.network
        tails, heads = network.tails.astype(np.int64), network.heads.astype(np.int64)
        links = (tails < network.switches) & (heads < network.switches)
        weight = np.ones(int(links.sum()), dtype=np.int64)
        graph = Graph.of(network.switches, tails[links], heads[links], weight)
        return cls(network.endpoint_switch.astype(np.int64), graph, problem.seats)

    def is_direct(self, endpoints: NDArray[np.uint32]) -> bool:
        """Each switch of these endpoints has a link to another of them."""
        import numpy as np

        used = np.unique(self.switch_of[endpoints])
        return len(used) > 1 and bool(np.all(np.diff(self.switches.of_some(used).first) > 0))


@dataclass(frozen=True)
class _Halving:
    machine: _Machine
    guests: Graph
    seed: int
    #: One of `WAYS`, but for auto.
    way: str

    def mapping(self, problem: Problem) -> Vector:
        """All ranks onto the endpoints of the start."""
        import numpy as np

        listed = np.sort(problem.start).astype(np.int64)
        if self.way == "curve":
            listed = along_curve(problem.network, listed)
        made = np.empty(len(listed), dtype=np.int64)
        waiting = [(np.arange(len(listed)), listed)]
        while waiting:
            problem.require_time()
            ranks, seats = waiting.pop()
            if len(ranks) < _FEW:
                made[ranks] = seats
                continue
            near, far = self.halves(seats)
            first = _bisect(self.guests.of_some(ranks), np.ones(len(ranks), dtype=np.int64), len(near), self.seed)
            waiting += [(ranks[first], near), (ranks[~first], far)]
        return made

    def halves(self, seats: Vector) -> tuple[Vector, Vector]:
        """Two halves of the seats in their order; whole switches stay together where there are several."""
        import numpy as np

        homes = self.machine.switch_of[seats]
        if self.way == "switches":
            used, counts = np.unique(homes, return_counts=True)
            half = _bisect(self.machine.switches.of_some(used), counts, len(seats) // 2, self.seed, exact=False)
            if half.any() and not half.all():
                near = np.isin(homes, used[half])
                return seats[near], seats[~near]
        # In order: the boundary between switches, or else between nodes, that is nearest to the middle.
        at = len(seats) // 2
        for units in (homes, seats // self.machine.seats):
            edges = np.flatnonzero(np.diff(units)) + 1
            if len(edges):
                at = int(edges[np.argmin(np.abs(edges - at))])
                break
        return seats[:at], seats[at:]


def _bisect(graph: Graph, sizes: Vector, wanted: int, seed: int, *, exact: bool = True) -> NDArray[np.bool_]:
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
