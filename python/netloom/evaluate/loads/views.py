"""The network coloured by its loads, with the causes of the hottest links; before and after a change of the mapping."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import report
from ...base.quantities import amount_text, time_text
from .names import LinkNames
from .words import one_speed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .of_core import HotLink
    from .result import Loads

#: Jobs and pairs of ranks that are named for a link.
JOBS, PAIRS = 4, 3


def network_view(loads: Loads, *, label: str = "", boxes: ArrayLike | None = None) -> report.NetworkView:
    """The network, its links coloured by bytes, or by time where links differ in speed.

    Parameters
    ----------
    loads
        With columns of links (`arrays=True`); those of `hottest` have their causes: jobs, and ranks that send most.
    label
        Default: the network's.
    boxes
        One integer for each switch that colours it, a part of a mapping for example.

    Notes
    -----
    O(links).
    """
    net = loads.network
    links = len(net.tails)
    load = loads.link_bytes[:links].astype(np.float64)
    timed = not one_speed(loads.classes)
    if timed:
        load = load / np.asarray(net.link_bandwidth_bytes_per_s)[:links]
    names = LinkNames(net)
    notes = {int(link["link"]): causes(loads, link, names) for link in loads.hottest if link["link"] < links}
    return report.NetworkView(
        label=label or net.label,
        switches=net.switches,
        tails=net.tails,
        heads=net.heads,
        dims=net.grid[0] if net.grid else None,
        levels=net.levels,
        groups=net.groups,
        load=load,
        load_label="time of the bytes on a link" if timed else "bytes on a link",
        load_unit="s" if timed else "B",
        notes=notes,
        boxes=boxes,
        caption="Colour and width of a link show the more loaded of its directions. "
        + (f"Point at one of the {len(notes)} hottest links for what causes its load." if notes else ""),
    )


def before_after(before: Loads, after: Loads, title: str = "Before and after") -> report.Pair:
    """Both networks on one scale of loads."""
    views = [
        network_view(
            made, label=f"{word}: {amount_text(made.classes['all'].get('max_bytes', 0.0))} on the worst switch link"
        )
        for word, made in (("before", before), ("after", after))
    ]
    return report.Pair(title, views, caption="Both have the same scale.")


def causes(loads: Loads, link: HotLink, names: LinkNames) -> str:
    """Direction, class and time of a link, then per job its share and the ranks that send most."""
    ends = names.ends(link)
    lines = [
        f"{link['class']} link from {ends[0]} to {ends[1]}: {amount_text(link['bytes'])}, {time_text(link['seconds'])}"
    ]
    for share in [share for share in link["jobs"] if share["bytes"] > 0][:JOBS]:
        job = loads.jobs[share["job"]]["name"]
        part = 100 * share["bytes"] / link["bytes"]
        ranks = ", ".join(f"{a} to {b} ({amount_text(size)})" for a, b, size in share["pairs"][:PAIRS])
        lines.append(f"{job}: {part:.0f} %" + (f", most from rank {ranks}" if ranks else ""))
    return "\n".join(lines)
