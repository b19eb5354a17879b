"""What no mapping can be below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _core
from ..base.arrays import ndarray

if TYPE_CHECKING:
    from ..scenario import Question


def alone(bound: Question) -> bool:
    """True if every rank has a node of its own: all its bytes leave by the links of its endpoint."""
    return bound.site.cores == 1 and bound.site.node is None and bound.network.hosts is None


def least_link_s(bound: Question) -> float | None:
    """Seconds below which the worst link of no mapping can be; None where ranks share nodes.

    The bytes of the rank that sends or receives most, over the fastest link of an endpoint. O(messages).
    """
    import numpy as np

    if not alone(bound):
        return None
    load = bound.messages
    table = (load if isinstance(load, _core.Traffic) else _core.Traffic.of_schedule(load)).table()
    source, target = (ndarray(table[key]) for key in ("src", "dst"))
    sent = np.where(source == target, 0, ndarray(table["bytes"]))
    most = max((np.bincount(ends, weights=sent).max(initial=0.0) for ends in (source, target)), default=0.0)
    ends = ndarray(bound.network.link_bandwidth_bytes_per_s)[2 * bound.network.switch_links :]
    return float(most / ends.max()) if len(ends) else None
