"""Pictures of link loads: box plots of the six numbers, histograms, groups by groups, jobs by jobs.

Classes differ in colour and in hatch or dash; numbers carry their units; whatever is drawn is in the tables too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from ...plot.draw import GRAPH_LIMIT
from ...plot.figure import _rc, require
from ...plot.style import DASHES, PALETTE
from ...plot.trace import nothing
from ..answer import Row
from .columns import histogram, of_class
from .of_core import Numbers, numbers
from .pictures_minimaps import minimaps, require_maps
from .pictures_slices import require_planes, slices
from .pictures_style import byte_ticks, decimal, headline, matrix, sample
from .words import NOT_LEVELS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ... import _core
    from .result import Loads

#: Most boxes across one picture.
MAX_BOXES = 240
_NEEDED = ("min_bytes", "q1_bytes", "median_bytes", "mean_bytes", "q3_bytes", "max_bytes")


def boxes(
    rows: Sequence[Row],
    *,
    name: str = "name",
    group: str | None = None,
    title: str = "",
    y_label: str = "",
    best: bool = True,
) -> Figure:
    """The box plot of Jain 2016: minimum, quartiles, median, mean and maximum of each row on a logarithmic axis.

    Parameters
    ----------
    rows
        With the six numbers of `netloom.evaluate.loads.result.SIX`, bytes.
    name
        Key of the label below each box.
    group
        Key whose values are drawn side by side, one colour each, labelled above.
    y_label
        Default: bytes on a link.

    Returns
    -------
    matplotlib.figure.Figure
        The box is the quartiles, the bar in it the median, the dot the mean, the whiskers minimum and maximum. A
        minimum or quartile of 0 is drawn down to the end of the axis. With `best`, a dotted line shows the lowest
        maximum.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib, NL-X105 without a row that has a maximum above 0, NL-X106 for more than 240 boxes.

    Notes
    -----
    After Jain 2016, figures 3.17, 3.18 and 3.20 to 3.23.
    """
    matplotlib = require()
    known = [row for row in rows if numbers(row).keys() >= set(_NEEDED) and numbers(row)["max_bytes"] > 0]
    if not known:
        raise nothing("loads", "no link carried anything")
    sample(len(known), MAX_BOXES, "boxes")
    groups = list(dict.fromkeys(row[group] for row in known)) if group else [None]
    ordered = [row for g in groups for row in known if group is None or row[group] == g]
    least = min(v for row in ordered for key in _NEEDED if (v := numbers(row)[key]) > 0)
    floor = least / 3
    with matplotlib.rc_context(_rc(matplotlib)):
        longest = max(len(decimal(row.get(name, ""))) for row in ordered)
        each = float(np.clip(0.12 + 0.075 * longest, 0.34, 0.9))
        wide = float(np.clip(1.6 + each * len(ordered) + 0.2 * len(groups), 4.8, 22.0))
        sheet: Figure = matplotlib.figure.Figure(figsize=(wide, 4.2), layout="constrained")
        ax = sheet.subplots()
        ax.set_yscale("log")
        at, ticks, start = 0.0, [], 0.0
        for number, value in enumerate(groups):
            members = [row for row in ordered if group is None or row[group] == value]
            start = at
            for row in members:
                _box(ax, at, numbers(row), PALETTE[number % len(PALETTE)], floor)
                ticks.append(at)
                at += 1.0
            if group:
                middle = (start + at - 1) / 2
                colour = PALETTE[number % len(PALETTE)]
                slant = 0 if _fits(value, members, wide, len(ordered)) else 20
                ax.annotate(
                    str(value), (middle, 1.0), xycoords=("data", "axes fraction"), xytext=(0, 3),
                    textcoords="offset points", ha="center", va="bottom", fontsize=8, color=colour, rotation=slant,
                )  # fmt: skip
                if number + 1 < len(groups):
                    ax.axvline(at, color="#bbbbbb", linewidth=0.6)
                at += 1.0
        lowest = min(numbers(row)["max_bytes"] for row in ordered) if best else None
        if lowest is not None:
            ax.axhline(lowest, color="#333333", linestyle=":", linewidth=1.0)
        ax.set_xticks(ticks, [decimal(row.get(name, "")) for row in ordered], fontsize=8)
        slanted = (0.12 + 0.075 * longest) * len(ordered) > wide - 1.2
        for label in ax.get_xticklabels() if slanted else ():
            label.set(rotation=60, ha="right", rotation_mode="anchor")
        ax.set_xlim(-0.8, at - (1.2 if group else 0.2))
        ax.set_ylim(floor, max(numbers(row)["max_bytes"] for row in ordered) * 1.6)
        ax.set_ylabel(y_label or "bytes on a link")
        byte_ticks(matplotlib, ax.yaxis)
        ax.grid(False, axis="x")
        _box_legend(matplotlib, sheet, lowest)
        headline(sheet, title)
    return sheet


def _fits(value: object, members: Sequence[object], wide: float, boxes_: int) -> bool:
    return len(str(value)) * 0.075 < len(members) * wide / (boxes_ + 2)


def _box(ax: Axes, at: float, row: Numbers, colour: str, floor: float) -> None:
    low, q1, median, mean, q3, high = (max(row[key], floor) for key in _NEEDED)
    ax.vlines(at, low, high, color=colour, linewidth=1.1)
    ax.hlines([low, high] if row["min_bytes"] > 0 else [high], at - 0.2, at + 0.2, color=colour, linewidth=1.1)
    ax.bar(at, q3 - q1, 0.56, bottom=q1, facecolor=colour, alpha=0.4, edgecolor=colour, linewidth=0.8)
    if row["median_bytes"] > 0:
        ax.hlines(median, at - 0.28, at + 0.28, color="#111111", linewidth=1.4)
    ax.plot([at], [mean], "o", color="#111111", markersize=3.2, markerfacecolor="white", markeredgewidth=0.9)


def _box_legend(matplotlib: ModuleType, sheet: Figure, lowest: float | None) -> None:
    line, patch = matplotlib.lines.Line2D, matplotlib.patches.Patch
    handles = [
        patch(facecolor="#999999", alpha=0.5, edgecolor="#666666", label="quartiles"),
        line([], [], color="#111111", linewidth=1.4, label="median"),
        line([], [], color="#111111", marker="o", markerfacecolor="white", linestyle="", markersize=4, label="mean"),
        line([], [], color="#666666", linewidth=1.1, label="minimum to maximum"),
    ]
    if lowest is not None:
        handles.append(line([], [], color="#333333", linestyle=":", label=f"lowest maximum, {decimal(lowest)}B"))
    columns = 5 if sheet.get_figwidth() > 7 else 3
    sheet.legend(handles=handles, loc="outside lower center", ncols=columns, fontsize=7.5)


def classes(loads: Loads, *, title: str = "") -> Figure:
    """Box plot of every class of links; see `boxes`."""
    rows: list[Row] = [{"name": name, **row} for name, row in loads.classes.items() if row]
    return boxes(rows, title=title or _title(loads), best=False)


def histograms(binned: Mapping[str, Sequence[Mapping[str, float]]], *, title: str = "", share: bool = True) -> Figure:
    """Histogram of link loads per class on a logarithmic axis of bytes; after Jain 2016, figure 3.19.

    Parameters
    ----------
    binned
        By name of the class: rows of `netloom.evaluate.loads.columns.histogram`.
    share
        Per cent of the class's links instead of their number. The legend counts idle links.

    Raises
    ------
    NetloomError
        NL-X101, NL-X105.
    """
    matplotlib = require()
    used = {name: rows for name, rows in binned.items() if any(row["to_bytes"] > 0 for row in rows)}
    if not used:
        raise nothing("loads", "no link carried anything")
    sample(len(used), len(PALETTE) * len(DASHES), "classes")
    with matplotlib.rc_context(_rc(matplotlib)):
        sheet: Figure = matplotlib.figure.Figure(figsize=(6.4, 3.9), layout="constrained")
        ax = sheet.subplots()
        for number, (name, rows) in enumerate(used.items()):
            bins = [row for row in rows if row["to_bytes"] > 0]
            links = sum(row["links"] for row in rows)
            idle = links - sum(row["links"] for row in bins)
            heights, edges = _steps(bins, 100.0 / links if share else 1.0)
            label = name + (f" ({100 * idle / links:.0f} % idle)" if idle else "")
            ax.stairs(
                heights, edges, color=PALETTE[number % len(PALETTE)], linewidth=1.5, label=label,
                linestyle=DASHES[number % len(DASHES)],
            )  # fmt: skip
        ax.set_xscale("log")
        ax.set(xlabel="bytes on a link", ylabel="links of the class (%)" if share else "links", ylim=(0, None))
        byte_ticks(matplotlib, ax.xaxis)
        sheet.legend(loc="outside lower center", ncols=min(len(used), 4), fontsize=8)
        headline(sheet, title)
    return sheet


def _steps(bins: Sequence[Mapping[str, float]], scale: float) -> tuple[list[float], list[float]]:
    """Heights and edges; where bins do not meet there is nothing between them."""
    heights: list[float] = []
    edges: list[float] = [bins[0]["from_bytes"]]
    for row in bins:
        if row["from_bytes"] > edges[-1]:
            heights.append(0.0)
            edges.append(row["from_bytes"])
        heights.append(row["links"] * scale)
        edges.append(row["to_bytes"])
    return heights, edges


def histogram_of(loads: Loads, *, title: str = "") -> Figure:
    """Histogram of every class of switch links."""
    names = [name for name in loads.classes if name not in NOT_LEVELS] or ["all"]
    return histograms(
        {name: histogram(of_class(loads.network, loads.link_bytes, name)) for name in names},
        title=title or _title(loads),
    )


def groups(loads: Loads, *, title: str = "") -> Figure:
    """Bytes from group to group as a heat map; inside a group on the diagonal.

    Raises
    ------
    NetloomError
        NL-X101, NL-X105 for a network without groups.
    """
    require_groups(loads.network)
    cells = loads.group_bytes
    if cells is None:
        raise nothing("loads", f"{loads.network.label} has too many groups")
    words = ("to group", "from group", "bytes on the links between")
    return matrix(cells, words, title=title or _title(loads), log=True)


def jobs(loads: Loads, *, title: str = "") -> Figure:
    """Slowdown of each job (rows) by each other one (columns) as a heat map.

    Raises
    ------
    NetloomError
        NL-X101, NL-X105 with less than two jobs.
    """
    require_neighbours(len(loads.jobs))
    cells = np.array([job["slowdown_by"] for job in loads.jobs], dtype=np.float64)
    np.fill_diagonal(cells, np.nan)
    names = [str(job["name"]) for job in loads.jobs]
    words = ("with this job", "slowdown of this job", "time on its worst link over that alone")
    return matrix(cells, words, names=names, title=title or _title(loads), log=bool(np.nanmax(cells) > 20))


def topology(loads: Loads, *, title: str = "") -> Figure:
    """The network with its links coloured by load; up to 300 switches.

    Raises
    ------
    NetloomError
        NL-X101, NL-X106 for more switches.
    """
    from ...report.pictures import network_figure
    from .views import network_view

    require_small(loads.network)
    return network_figure(network_view(loads, label=title or _title(loads)))


def require_small(net: _core.Network) -> None:
    """NL-X106 for a network whose links cannot be told apart."""
    sample(net.switches, GRAPH_LIMIT, "switches in a drawing of loads")


def require_groups(net: _core.Network) -> None:
    """NL-X105 for a network that `groups` cannot draw."""
    if net.groups is None:
        raise nothing("loads", f"{net.label} has no groups")


def require_neighbours(count: int) -> None:
    """NL-X105 for a number of jobs that `jobs` cannot draw."""
    if count < 2:
        raise nothing("loads", "one job has no neighbours")


def require_drawable(picture: str, net: _core.Network, count: int) -> None:
    """Refuses what `PICTURES[picture]` cannot draw for `count` jobs on this network, before loads are computed."""
    if picture == "groups":
        require_groups(net)
    elif picture == "slices":
        require_planes(net)
    elif picture == "minimaps":
        require_maps(net)
    elif picture == "jobs":
        require_neighbours(count)
    elif picture == "network":
        require_small(net)


def _title(loads: Loads) -> str:
    ways = list(dict.fromkeys(str(job["variant"]) for job in loads.jobs))
    return f"{loads.network.label}, {', '.join(ways)}"


#: What `netloom loads --picture` draws.
PICTURES: dict[str, Callable[[Loads], Figure]] = {
    "classes": classes,
    "histogram": histogram_of,
    "groups": groups,
    "slices": slices,
    "minimaps": minimaps,
    "jobs": jobs,
    "network": topology,
}
