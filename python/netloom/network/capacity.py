"""How wide a network is: the taper at its endpoints, and the share of full bisection."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from .. import _core
from .endpoint_bisection import endpoint_bisection
from .whole_nodes import whole_nodes


class Capacity(TypedDict):
    """What `capacity` gives; see there."""

    taper: float
    bisection: float
    bisection_per_endpoint: float
    exact: bool


def capacity(net: _core.Network) -> Capacity:
    """Taper and bisection of a network in full service.

    Returns
    -------
    dict
        `taper`: most bandwidth of a switch's endpoints over that of its cables to other switches, 1 where it can all
        leave, infinite where no cable does; `bisection`: bandwidth of the best cut found between equal halves of the
        endpoints, over what half of the endpoints inject; `bisection_per_endpoint`: cables of that cut over endpoints,
        0.5 where each endpoint has one of its own; `exact`: whether no cut is smaller.

    Notes
    -----
    Of a rail cluster, whose endpoints are GPUs, nodes count as whole ones that inject what their NICs can: NVLink is
    no part of the network between them. Cost: that of `endpoint_bisection`.
    """
    if net.rails is not None:
        net = whole_nodes(net)
    links, count = net.link_bandwidth_bytes_per_s, len(net.tails)
    inject = links[count : count + net.endpoints]
    out = np.bincount(net.tails, weights=links[:count], minlength=net.switches)
    own = np.bincount(net.endpoint_switch, weights=inject, minlength=net.switches)
    with np.errstate(divide="ignore", invalid="ignore"):
        taper = np.where(own > 0, own / out, 0.0)
    found = endpoint_bisection(net)
    cut = found["bytes_per_s"]
    half = net.endpoints // 2 * float(inject.max(initial=0.0))
    return {
        "taper": float(taper.max(initial=0.0)),
        "bisection": float(cut["value"]) / half if half else 1.0,
        "bisection_per_endpoint": float(found["value"]) / max(net.endpoints, 1),
        "exact": bool(cut["exact"]),
    }
