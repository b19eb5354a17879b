"""Ranks on whole nodes: how many nodes, and how many ranks on each."""

from __future__ import annotations

from array import array
from functools import cached_property
from typing import TYPE_CHECKING

from .. import _core
from ..base.arrays import in_service, ndarray
from ..base.errors import Fault, NetloomError
from ..base.quantities import counted
from .codes import MORE_RANKS
from .place import endpoints_of, place_jobs, require_few

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..base.arrays import Endpoints


class Nodes:
    """The nodes of a machine: hosts that share endpoints, endpoints that share a node, or single endpoints.

    Parameters
    ----------
    node
        What is behind the endpoints; one with several NICs has as many endpoints, one after the other.
    """

    def __init__(self, net: _core.Network, node: _core.Node | None = None) -> None:
        self._net, self._node = net, node
        hosts = net.hosts
        #: The network joins the endpoints of a node, as NVLink does: each is a place of its own.
        self.joined = hosts is not None and hosts["joined"]
        self._of_endpoint = None if hosts is None else ndarray(hosts["of_endpoint"])
        self._nics = 1 if node is None or hosts is not None else node.nics

    @property
    def endpoints(self) -> int:
        """Endpoints of a node; of the largest, where they differ."""
        return self._nics if self._of_endpoint is None else max(map(len, self._all))

    def in_service(self) -> Endpoints | None:
        """The first endpoint of every node that is wholly in service; None for all endpoints. O(endpoints)."""
        usable = in_service(self._net)
        if self.endpoints == 1 and self._of_endpoint is None:
            return usable
        import numpy as np

        free = np.ones(self._net.endpoints, dtype=bool)
        if usable is not None:
            free[:] = False
            free[np.asarray(usable)] = True
        firsts = [own[0] for own in self._all if free[own].all()]
        made: Endpoints = np.asarray(firsts, dtype=np.uint32)
        return made

    @cached_property
    def _all(self) -> list[NDArray[np.integer]]:
        """The endpoints of every node, ascending. O(endpoints log endpoints)."""
        import numpy as np

        if self._of_endpoint is None:
            if self._net.endpoints % self._nics:
                expected = f"a divisor of the network's {self._net.endpoints} endpoints"
                raise NetloomError([Fault("NL-A007", "node.nics", expected, str(self._nics))])
            return list(np.arange(self._net.endpoints).reshape(-1, self._nics))
        known = np.flatnonzero(self._of_endpoint < self._net.endpoints)
        order = known[np.argsort(self._of_endpoint[known], kind="stable")]
        ends = np.cumsum(np.bincount(self._of_endpoint[known]))
        return np.split(order, ends[:-1])

    @property
    def count(self) -> int:
        """Nodes that are wholly in service."""
        firsts = self.in_service()
        return self._net.endpoints if firsts is None else len(firsts)

    def of_endpoints(self, endpoints: Endpoints) -> set[int]:
        """Numbers of the nodes that have these endpoints."""
        if self._of_endpoint is None:
            return {int(one) // self._nics for one in endpoints}
        return {int(self._of_endpoint[int(one)]) for one in endpoints}

    def _of(self, first: int) -> list[int]:
        """The endpoints of a node, from its first."""
        if self._of_endpoint is None:
            return list(range(first, first + self._nics))
        return [int(one) for one in self._all[int(self._of_endpoint[first])]]

    def _seats(self, first: int, cores: int) -> list[int]:
        """The slots of a node in order of endpoint and seat."""
        rooms = None if self._node is None else self._node.rooms(self._net)
        room = [cores if rooms is None else min(rooms[one], cores) for one in self._of(first)]
        return [one * cores + seat for one, most in zip(self._of(first), room, strict=True) for seat in range(most)]

    def most_each(self, cores: int) -> int:
        """Ranks that fit on a node, on the first one that is in service."""
        firsts = self.in_service()
        return len(self._seats(0 if firsts is None else int(firsts[0]), cores))

    def slots(self, nodes: int, each: int, placement: str, cores: int) -> Endpoints:
        """Slot of every rank: `each` on each of `nodes` nodes that a placement chooses, node after node.

        Rank i of K on a node with S seats gets seat i * S // K, so that ranks spread over sockets and NICs; on GPUs
        that a switch of the node joins, the first K of them.

        Raises
        ------
        NetloomError
            NL-J004 where nodes or seats are too few, and what the placement reports. O(endpoints + ranks).
        """
        require_few("nodes * ranks_per_node", nodes * each)
        firsts = self.in_service()
        most = self._net.endpoints if firsts is None else len(firsts)
        if nodes > most:
            what = f"at most {counted(most, 'node')}, those in service"
            raise NetloomError([Fault(MORE_RANKS, "nodes", what, str(nodes), "use fewer, or a larger network")])
        if firsts is None:
            chosen: Endpoints = endpoints_of(self._net, nodes, placement)
        else:
            chosen = place_jobs(self._net, [("job", nodes, placement)], firsts)[0]
        made = array("I")
        for first in chosen:
            seats = self._seats(int(first), cores)
            if each > len(seats):
                what = f"at most {counted(len(seats), 'rank')}, the seats of a node"
                hint = "use more nodes, fewer ranks on each, or more cores on an endpoint (--cores)"
                raise NetloomError([Fault(MORE_RANKS, "ranks_per_node", what, str(each), hint)])
            shares = max(each, len(seats) // cores) if self.joined else each
            made.extend(seats[rank * len(seats) // shares] for rank in range(each))
        return made
