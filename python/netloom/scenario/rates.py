"""Rates of a node's NICs and GPUs, as a library of GPUs finds them before it chooses."""

from __future__ import annotations

from typing import NamedTuple

from .. import _core
from ..base.quantities import parse_bytes_per_s

#: Quicker than any NIC: what joins endpoints is NVLink, whose domain counts as one node.
NVLINK_BYTES_PER_S = 150e9
#: GPUs from which on a switch joins those of a node; fewer are joined by links of their own.
SWITCHED = 8


class Rates(NamedTuple):
    """What a node has.

    Attributes
    ----------
    nics
        Of a node.
    nic_bytes_per_s, gpu_bytes_per_s
        Of one NIC, and of one GPU to the others of its node, in one direction; 0 if not known.
    is_switched
        A switch joins the GPUs of a node.
    is_one_node
        All GPUs are joined by links quicker than any NIC.
    """

    nics: int
    nic_bytes_per_s: float
    gpu_bytes_per_s: float
    is_switched: bool
    is_one_node: bool


def rates_of(network: _core.Network, node: str, endpoints: int) -> Rates:
    """Of a network and a node's call text, "" for none. O(links).

    Parameters
    ----------
    endpoints
        Of a node.
    """
    if (rails := network.rails) is not None:
        speed = {kind["name"]: kind["bandwidth_bytes_per_s"] for kind in network.classes}
        return Rates(rails["rails"], speed["rail"], speed["nvlink"], rails["gpus_per_node"] >= SWITCHED, False)
    speeds = network.link_bandwidth_bytes_per_s
    # Injection comes after both directions of every cable.
    injection = float(speeds[2 * network.switch_links]) if len(speeds) > 2 * network.switch_links else 0.0
    given = _core.parse_call(node)[2] if node else {}
    if "gpus" not in given:
        return Rates(endpoints, injection, 0.0, True, False)
    by_links = _of_links(str(given.get("links", "")))
    by_switch = parse_bytes_per_s(str(given["gpu_bandwidth"]), "gpu_bandwidth") if "gpu_bandwidth" in given else 0.0
    is_one_node = injection > NVLINK_BYTES_PER_S
    seats = _core.Node(node).seats
    return Rates(
        endpoints, injection, max(by_links, by_switch), is_one_node or (not by_links and seats >= SWITCHED), is_one_node
    )


def _of_links(text: str) -> float:
    """Bytes/s of the direct links of the first GPU, as `0-1,0-2:640 Gbps; 0>3:320 Gbps` has them."""
    total = 0.0
    for group in filter(None, map(str.strip, text.split(";"))):
        pairs, _, speed = group.rpartition(":")
        ends = [set(pair.replace(">", "-").split("-")) for pair in pairs.replace(" ", "").split(",")]
        total += sum("0" in pair for pair in ends) * parse_bytes_per_s(speed, "links")
    return total
