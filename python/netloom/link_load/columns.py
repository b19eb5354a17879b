"""Tables of the columns per link: least load of a link in use, histograms, groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .result import Loads

#: Bins of a histogram per doubling of the load.
PER_DOUBLING = 2


def of_class(loads: Loads, name: str) -> NDArray[np.float64]:
    """Bytes on the links of one class; `all` are the switch links. O(links)."""
    net, column = loads.network, loads.link_bytes
    switch_links, endpoints = len(column) - 2 * net.endpoints, net.endpoints
    if name == "all":
        return column[:switch_links]
    if name == "injection":
        return column[switch_links : switch_links + endpoints]
    if name == "ejection":
        return column[switch_links + endpoints :]
    number = [str(c["name"]) for c in net.classes].index(name)
    picked: NDArray[np.float64] = column[:switch_links][net.class_index[:switch_links] == number]
    return picked


def least_used(column: NDArray[np.float64]) -> float | None:
    """The least bytes on a link that carries something; None if none does."""
    used = column[column > 0]
    return float(used.min()) if len(used) else None


def histogram(column: NDArray[np.float64]) -> list[dict[str, Any]]:
    """Links by load: `from_bytes`, `to_bytes` (the latter excluded), `links`; idle ones first, from 0 to 0.

    Two bins per doubling, at powers of the square root of 2, the same for all columns, so that histograms compare. From
    the least bin with a link to the greatest. O(links log bins).
    """
    import numpy as np

    idle = int((column <= 0).sum())
    rows: list[dict[str, Any]] = [{"from_bytes": 0.0, "to_bytes": 0.0, "links": idle}] if idle else []
    used = column[column > 0]
    if not len(used):
        return rows
    # Exact at even powers, and once rounded between: the same edges everywhere.
    edges = np.array([2.0 ** (k // 2) * (2.0**0.5 if k % 2 else 1.0) for k in range(-40, 160)])
    at = np.searchsorted(edges, used, side="right")
    counts = np.bincount(at, minlength=len(edges) + 1)
    first, last = int(at.min()), int(at.max())
    for k in range(max(first, 1), min(last, len(edges) - 1) + 1):
        rows.append({"from_bytes": float(edges[k - 1]), "to_bytes": float(edges[k]), "links": int(counts[k])})
    return rows
