"""The faults that are tried, in the order in which equals are listed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .algorithm import other_algorithm
from .links import congested_spine, half_rate, nic_gone
from .software import host_memory, protocol, slow_node

if TYPE_CHECKING:
    from ..sound import Sound, Way


@dataclass(frozen=True)
class Hypothesis:
    """A fault of a machine.

    Parameters
    ----------
    name
        In JSON.
    ways
        How it can change a sound machine; a text that says why it cannot.
    remedy
        What to look at.
    """

    name: str
    ways: Callable[[Sound], list[Way] | str]
    remedy: str


FAULTS: tuple[Hypothesis, ...] = (
    Hypothesis(
        "nic-gone",
        nic_gone,
        "Count the NICs that are active on each node (ibstat, ethtool), and those that the library uses (NCCL_IB_HCA, "
        "UCX_NET_DEVICES).",
    ),
    Hypothesis(
        "half-link-rate",
        half_rate,
        "Compare rate and width of each NIC's link, and of its PCIe slot, with the data sheet (ibstat, ethtool, "
        "lspci -vv); one slow link slows all ranks.",
    ),
    Hypothesis(
        "host-memory",
        host_memory,
        "See whether the library moves data directly (GPUDirect RDMA: nvidia-peermem, NCCL_NET_GDR_LEVEL; cache of "
        "registrations: UCX_RNDV_SCHEME), or copies it through memory of the host.",
    ),
    Hypothesis(
        "slow-node",
        slow_node,
        "Time pairs of nodes, and give their matrix to netloom expect; look at clocks, other processes and errors of "
        "the node that stands out.",
    ),
    Hypothesis(
        "congested-spine",
        congested_spine,
        "Look for cables that are down and for traffic of other jobs between the switches (ibdiagnet, counters of "
        "switch ports); repeat the test on nodes of one switch.",
    ),
    Hypothesis(
        "other-algorithm",
        other_algorithm,
        "Ask the library which algorithm ran (NCCL_DEBUG=INFO, coll_base_verbose of Open MPI), and for which sizes it "
        "changes.",
    ),
    Hypothesis(
        "other-protocol",
        protocol,
        "Look at the limit of eager messages (UCX_RNDV_THRESH, FI_CXI_RDZV_THRESHOLD, NCCL_PROTO).",
    ),
)
