"""Endpoints for a job of which only the size is known."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from .. import _core, api, plugin
from ..arrays import ndarray
from ..jobs.resolve import in_service

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..arrays import Endpoints

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


def spread_ranks(nodes: Endpoints, cores: int, ranks: int) -> Endpoints:
    """Endpoint of every rank: rank r on `nodes[r // cores]`. Few ranks need no NumPy. O(ranks)."""
    if cores == 1:
        return nodes
    if ranks <= _FEW:
        return array("I", [nodes[rank // cores] for rank in range(ranks)])
    return ndarray(nodes).repeat(cores)[:ranks]
