"""A recorded run over time: what ranks do, what they send, which links are full; columns for charts of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...base.quantities import time_text
from ...plot.flight import flown
from ...plot.timeline import ACTIVITIES, LABELS
from ...plot.utilisation import shares
from ..loads.names import LinkNames

if TYPE_CHECKING:
    from ... import _core
    from ..answer import Row
    from .of_core import Trace
    from .phases import Sent

Floats = NDArray[np.float64]
Columns = dict[str, list[object]]

#: Places in time of an area, columns of a heat map, its most rows.
PLACES, ACROSS, ROWS = 120, 40, 24
#: Links that are named: n between switches and n of endpoints.
HOT = 8


def activities(trace: Trace, end_s: float) -> Columns:
    """How many ranks do what: a row for each activity and place in time. O(intervals log intervals)."""
    intervals = trace["intervals"]
    start, end = (intervals[name].astype(np.float64) for name in ("start_s", "end_s"))
    what = intervals["activity"].astype(np.int64)
    edges = np.linspace(0.0, end_s, PLACES + 1)
    out: Columns = {"time_s": [], "ranks": [], "activity": []}
    for number, name in enumerate(ACTIVITIES):
        mine = what == number
        if mine.any():
            _add_band(
                out, "ranks", "activity", LABELS.get(name, name), edges, start[mine], end[mine], np.ones(mine.sum())
            )
    return out


def _add_band(
    out: Columns, value: str, series: str, name: str, edges: Floats, start: Floats, end: Floats, weight: Floats
) -> None:
    """The mean over every place of a weight that holds from its start to its end."""
    mean = np.maximum(np.diff(flown(edges, start, end, weight)), 0.0) / np.diff(edges)
    # Each value holds until the next place; the last place ends the run.
    out["time_s"] += edges.tolist()
    out[value] += [*mean.tolist(), 0.0]
    out[series] += [name] * len(edges)


def senders(rows: Sequence[tuple[str, Sent, NDArray[np.bool_] | None]], end_s: float) -> Columns:
    """The bytes under way of each of these senders: the mean over every cell, as columns of a heat map.

    A message is under way from its start to its end.
    """
    edges = np.linspace(0.0, end_s, ACROSS + 1)
    names = [time_text(float(at)) for at in edges[:-1]]
    out: Columns = {"time": [], "of": [], "under_way_bytes": []}
    for name, given, mine in rows:
        start, finish, size = given.start_s, given.finish_s, given.bytes.astype(np.float64)
        if mine is not None:
            start, finish, size = start[mine], finish[mine], size[mine]
        mean = np.maximum(np.diff(flown(edges, start, finish, size)), 0.0) / np.diff(edges)
        out["time"] += names
        out["of"] += [name] * ACROSS
        out["under_way_bytes"] += mean.tolist()
    return out


@dataclass(frozen=True)
class Links:
    """Links of a recorded run.

    Parameters
    ----------
    number
        Of the links that carried anything, their numbers in the network; `total` their bytes.
    use
        Share of their bandwidth, in every cell of time, whose bounds are `edges`.
    between
        Links between switches of the network; those of endpoints have greater numbers.
    """

    number: NDArray[np.int64]
    total: Floats
    use: Floats
    edges: Floats
    between: int

    @property
    def mean(self) -> Floats:
        """Mean use of each link over the run."""
        wide = np.diff(self.edges)
        mean: Floats = (self.use * wide).sum(axis=1) / wide.sum()
        return mean

    def hottest(self) -> NDArray[np.int64]:
        """Rows of the most used ones between switches and of endpoints, the first with the greatest mean."""
        order = np.argsort(-self.mean, kind="stable")
        inner = self.number[order] < self.between
        kept = np.where(inner, np.cumsum(inner), np.cumsum(~inner)) <= HOT
        hottest: NDArray[np.int64] = order[kept]
        return hottest


def links(net: _core.Network, trace: Trace) -> Links | None:
    """None where nothing went over links."""
    bins = trace["link_bins"]
    if not len(bins["links"]) or not np.asarray(bins["bytes"]).any():
        return None
    number, use, edges = shares(dict(trace), np.asarray(net.link_bandwidth_bytes_per_s))
    return Links(number, np.asarray(bins["bytes"], np.float64).sum(axis=1), use, edges, len(net.tails))


def class_of(net: _core.Network, link: int) -> str:
    """Class of a link, also of those between endpoints and switches."""
    between = len(net.tails)
    if link < between:
        return str(net.classes[net.class_index[link]]["name"])
    return "injection" if link < between + net.endpoints else "ejection"


def called(net: _core.Network, names: LinkNames, link: int) -> tuple[str, str]:
    """What a link leads from and to."""
    between = len(net.tails)
    if link < between:
        return names.of(link)
    endpoint = (link - between) % net.endpoints
    end = net.endpoint_names[endpoint] if net.has_names else f"endpoint {endpoint}"
    switch = int(net.endpoint_switch[endpoint])
    at = net.switch_names[switch] if net.has_names else str(switch)
    return (end, at) if link < between + net.endpoints else (at, end)


def rows_of_links(net: _core.Network, found: Links) -> list[Row]:
    """The hottest links: bytes, mean and greatest use."""
    names = LinkNames(net)
    made: list[Row] = []
    for at in found.hottest().tolist():
        link = int(found.number[at])
        start, end = called(net, names, link)
        made.append(
            {
                "from": start,
                "to": end,
                "class": class_of(net, link),
                "bytes": float(found.total[at]),
                "bandwidth_bytes_per_s": float(net.link_bandwidth_bytes_per_s[link]),
                "use_percent": 100 * float(found.mean[at]),
                "most_use_percent": 100 * float(found.use[at].max()),
            }
        )
    return made


def heat_of_links(rows: Sequence[Row], found: Links) -> Columns:
    """Use of the hottest links over time, as columns of a heat map; cells that are too many are averaged."""
    by = -(-len(found.edges) // ACROSS)
    first = np.arange(0, len(found.edges) - 1, by)
    wide = np.diff(found.edges)
    names = [time_text(float(found.edges[at])) for at in first]
    out: Columns = {"time": [], "link": [], "use_percent": []}
    for row, at in zip(rows, found.hottest().tolist(), strict=True):
        mean = np.add.reduceat(found.use[at] * wide, first) / np.add.reduceat(wide, first)
        out["time"] += names
        out["link"] += [f"{row['from']} → {row['to']}"] * len(names)
        out["use_percent"] += (100 * mean).tolist()
    return out


def rows_of_classes(net: _core.Network, found: Links) -> list[Row]:
    """Of each class of links: how many carried anything, their bytes, mean and greatest use."""
    named = np.array([class_of(net, int(link)) for link in found.number])
    made: list[Row] = []
    for name in dict.fromkeys(named.tolist()):
        mine = named == name
        made.append(
            {
                "links of": name,
                "used": int(mine.sum()),
                "bytes": float(found.total[mine].sum()),
                "mean_use_percent": 100 * float(found.mean[mine].mean()),
                "hottest_use_percent": 100 * float(found.mean[mine].max()),
            }
        )
    return made
