"""What of a network is paid for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .. import _core

#: 100 Gb/s, the cable bandwidth of Cui 2024, section 5.6.
DEFAULT_BANDWIDTH_BYTES_PER_S = 12.5e9


@dataclass(frozen=True, eq=False)
class Parts:
    """Switches, the cables between them, and endpoints.

    Attributes
    ----------
    switches
        Number of switches.
    tails, heads
        Directed switch links, both directions of every cable, as a network holds them; each cable is counted once.
    endpoint_switch
        Switch of every endpoint, shape (endpoints,).
    class_of, class_names
        Class of every link and their names, for the rows of `Cost.by_class`.
    bandwidth_bytes_per_s
        Of a cable in one direction: one number, or one per link. Default 100 Gb/s.
    endpoint_bandwidth_bytes_per_s
        Of the cables to endpoints.
    """

    switches: int
    tails: ArrayLike
    heads: ArrayLike
    endpoint_switch: ArrayLike = ()
    class_of: ArrayLike | None = None
    class_names: Sequence[str] = ()
    bandwidth_bytes_per_s: ArrayLike = DEFAULT_BANDWIDTH_BYTES_PER_S
    endpoint_bandwidth_bytes_per_s: float = DEFAULT_BANDWIDTH_BYTES_PER_S

    @classmethod
    def of(cls, net: _core.Network) -> Parts:
        """Those of a network, all its endpoints with the bandwidth of the first. O(links)."""
        speed = np.array([kind["bandwidth_bytes_per_s"] for kind in net.classes], dtype=float)
        ends = net.link_bandwidth_bytes_per_s[len(net.tails) :]
        return cls(
            net.switches,
            net.tails,
            net.heads,
            endpoint_switch=net.endpoint_switch,
            class_of=net.class_index,
            class_names=[str(kind["name"]) for kind in net.classes],
            bandwidth_bytes_per_s=speed[net.class_index] if len(speed) else DEFAULT_BANDWIDTH_BYTES_PER_S,
            endpoint_bandwidth_bytes_per_s=float(ends[0]) if len(ends) else DEFAULT_BANDWIDTH_BYTES_PER_S,
        )
