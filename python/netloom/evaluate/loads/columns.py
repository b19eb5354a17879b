"""Tables of the columns per link: least load of a link in use, histograms, groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.arrays import in_service

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ... import _core
    from .result import Loads

#: Bins of a histogram per doubling of the load.
PER_DOUBLING = 2


def of_class(net: _core.Network, column: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """Bytes on the links of one class; `all` are the switch links. Endpoints out of service have none. O(links).

    Parameters
    ----------
    column
        Bytes of all links of the network: switch links, then injection, then ejection.
    """
    switch_links, endpoints = len(column) - 2 * net.endpoints, net.endpoints
    if name == "all":
        return column[:switch_links]
    import numpy as np

    if name in ("injection", "ejection"):
        ends: NDArray[np.float64] = column[switch_links:].reshape(2, endpoints)[("injection", "ejection").index(name)]
        usable = in_service(net)
        return ends if usable is None else np.take(ends, usable)
    # Links of several speeds may share a name.
    numbers = [number for number, row in enumerate(net.classes) if row["name"] == name]
    picked: NDArray[np.float64] = column[:switch_links][np.isin(net.class_index[:switch_links], numbers)]
    return picked


def least_used(column: NDArray[np.float64]) -> float | None:
    """The least bytes on a link that carries something; None if none does."""
    used = column[column > 0]
    return float(used.min()) if len(used) else None


def histogram(column: NDArray[np.float64]) -> list[dict[str, float]]:
    """Links by load: `from_bytes`, `to_bytes` (the latter excluded), `links`; idle ones first, from 0 to 0.

    Two bins per doubling, at powers of the square root of 2, the same for all columns, so that histograms compare. From
    the least bin with a link to the greatest. O(links log bins).
    """
    import numpy as np

    idle = int((column <= 0).sum())
    rows: list[dict[str, float]] = [{"from_bytes": 0.0, "to_bytes": 0.0, "links": idle}] if idle else []
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


def blocks(cells: NDArray[np.float64], most: int) -> tuple[NDArray[np.float64], int]:
    """A square with neighbouring rows and columns added up, so that at most `most` are left; and how many in each."""
    import numpy as np

    block = -(-len(cells) // most)
    if block <= 1:
        return cells, 1
    first = np.arange(0, len(cells), block)
    return np.add.reduceat(np.add.reduceat(cells, first, axis=0), first, axis=1), block


def csv_bytes(loads: Loads) -> bytes:
    """Every directed link as a line: `link,class,from,to,bytes,time_s`, and with several jobs the bytes of each.

    Switch links, then injection, then ejection; switches and endpoints by name, else as `s0`, `e0`. Where several
    cables join two switches, `from_port,to_port` follow `to`, or `cable`, from 0, if the network has no ports. Jobs
    only load switch links here: their fields of other links are empty. O(links * jobs).
    """
    import csv
    import io

    from ...results.write import plain_cell
    from .names import LinkNames

    net = loads.network
    switches = net.switch_names if net.has_names else [f"s{i}" for i in range(net.switches)]
    endpoints = net.endpoint_names if net.has_names else [f"e{i}" for i in range(net.endpoints)]
    classes = [str(c["name"]) for c in net.classes]
    speeds, carried = net.link_bandwidth_bytes_per_s.tolist(), loads.link_bytes.tolist()
    several = len(loads.jobs) > 1
    parts = [loads.job_link_bytes(k).tolist() for k in range(len(loads.jobs))] if several else []
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [f"{job['name']} bytes" for job in loads.jobs] if several else []
    columns, told = LinkNames(net).cells()
    writer.writerow(["link", "class", "from", "to", *columns, "bytes", "time_s", *map(plain_cell, names)])
    ends = zip(net.tails.tolist(), net.heads.tolist(), net.class_index.tolist(), strict=True)
    links = [(classes[c], switches[a], switches[b]) for a, b, c in ends]
    at = [switches[s] for s in net.endpoint_switch.tolist()]
    links += [("injection", e, s) for e, s in zip(endpoints, at, strict=True)]
    links += [("ejection", s, e) for e, s in zip(endpoints, at, strict=True)]
    count = len(net.tails)
    for link, (words, size, cells) in enumerate(zip(links, carried, told, strict=True)):
        shares = [part[link] for part in parts] if link < count else [""] * len(parts)
        writer.writerow([link, *map(plain_cell, words), *cells, repr(size), repr(size / speeds[link]), *shares])
    return out.getvalue().encode()
