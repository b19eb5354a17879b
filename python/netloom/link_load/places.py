"""Endpoints for a job of which only the size is known."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from .. import _core, api, plugin
from ..arrays import ndarray
from ..errors import Fault, NetloomError
from ..jobs.codes import MORE_RANKS
from ..jobs.resolve import in_service

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..arrays import Endpoints

#: Ranks of a job, at most.
MOST_RANKS = 1 << 24
#: Ranks whose list takes less time than the import of NumPy.
_FEW = 1 << 18


def in_service_count(net: _core.Network) -> int:
    """How many endpoints have a switch that has not failed."""
    usable = in_service(net)
    return net.endpoints if usable is None else len(usable)


def place_endpoints(net: _core.Network, count: int, placement: str) -> NDArray[np.uint32]:
    """As `placed_endpoints`, as an ndarray of uint32."""
    return ndarray(placed_endpoints(net, count, placement))


def placed_endpoints(net: _core.Network, count: int, placement: str) -> Endpoints:
    """The endpoints that a placement gives to a job of `count` of them, from those in service. O(endpoints).

    Raises
    ------
    NetloomError
        NL-M001 where there are not so many, and what the placement reports.
    """
    usable = in_service(net)
    if usable is None:
        return api.placed(net, count, placement)
    made = plugin.place(placement, net, count, usable)
    if made is not None:
        return made
    return _core.place_jobs(net, [("job", count, placement)], usable)[0]


def job_endpoints(net: _core.Network, ranks: int, cores: int, placement: str) -> Endpoints:
    """The endpoints of a job that has at most `cores` ranks on each, as a placement gives them. O(endpoints).

    Raises
    ------
    NetloomError
        NL-J004 where so many ranks do not fit, and what the placement reports.
    """
    require_few("ranks", ranks)
    usable, wanted = in_service_count(net), -(-ranks // cores)
    if wanted > usable and cores > 1:
        expected = f"at most {usable * cores} ranks: {usable} endpoints of {cores} cores"
        raise NetloomError([Fault(MORE_RANKS, "ranks", expected, str(ranks), f"{wanted} endpoints hold them")])
    return placed_endpoints(net, wanted, placement)


def require_few(place: str, ranks: int) -> None:
    """Says so before memory is taken for more ranks than traffic can be said for.

    Raises
    ------
    NetloomError
        NL-J004.
    """
    if ranks > MOST_RANKS:
        raise NetloomError([Fault(MORE_RANKS, place, f"at most {MOST_RANKS} ranks", str(ranks), "use fewer cores")])


def spread_ranks(nodes: Endpoints, cores: int, ranks: int) -> Endpoints:
    """Endpoint of every rank: rank r on `nodes[r // cores]`. Few ranks need no NumPy. O(ranks)."""
    if cores == 1:
        return nodes
    if ranks <= _FEW:
        return array("I", [nodes[rank // cores] for rank in range(ranks)])
    return ndarray(nodes).repeat(cores)[:ranks]
