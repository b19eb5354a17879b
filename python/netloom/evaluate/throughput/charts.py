"""Pictures of a curve: accepted load and latency over offered load, latencies of each load, use of links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from types import ModuleType
from typing import TYPE_CHECKING

from ...plot.figure import _rc, require
from ...plot.style import DASHES, HEAT, MARKERS, PALETTE
from ...plot.text import powers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..answer import Row

#: Most columns of the picture of links; of more, neighbours are averaged.
COLUMNS = 480
_FAINT = {"linewidth": 1, "alpha": 0.7}


def curve(
    curves: Mapping[str, Sequence[Row]], title: str = "", bounds: Mapping[str, Mapping[str, object]] | None = None
) -> Figure:
    """A matplotlib ``Figure`` of two panels: accepted over offered load with the diagonal, and mean latency.

    Parameters
    ----------
    curves
        Rows of `points` by the name of their line.
    bounds
        Records by the same names: their `ideal` load and `zero_load_latency` are drawn as horizontal lines.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib.
    """
    matplotlib = require()
    with matplotlib.rc_context(_rc(matplotlib)):
        sheet: Figure = matplotlib.figure.Figure(figsize=(9.0, 3.8), layout="constrained")
        loads, latencies = sheet.subplots(1, 2)
        loads.plot([0, 1], [0, 1], color="#888888", linestyle=":", linewidth=1, label="all accepted")
        for at, (name, rows) in enumerate(curves.items()):
            look = {
                "color": PALETTE[at % len(PALETTE)],
                "marker": MARKERS[at % len(MARKERS)],
                "linestyle": DASHES[at % len(DASHES)],
            }
            rows = sorted(rows, key=_offered)
            offered = [row["offered"] for row in rows]
            loads.plot(offered, [row["accepted"] for row in rows], label=name, **look)
            settled = [row for row in rows if row["latency_mean"] is not None and row["drained"]]
            latencies.plot([row["offered"] for row in settled], [row["latency_mean"] for row in settled], **look)
            record = (bounds or {}).get(name, {})
            _bound(loads, record.get("ideal"), "ideal", look["color"])
            _bound(latencies, record.get("zero_load_latency"), "zero load", look["color"])
        loads.set(xlabel="offered load", ylabel="accepted load", xlim=(0, 1.02), ylim=(0, 1.02))
        latencies.set(xlabel="offered load", ylabel="mean latency (cycles)", yscale="log", xlim=(0, 1.02))
        powers(matplotlib, latencies.yaxis)
        sheet.legend(loc="outside lower center", ncols=min(3, len(curves) + 1))
        if title:
            sheet.suptitle(title, fontsize=11)
    return sheet


def _offered(row: Row) -> float:
    return float(row["offered"] or 0)


def _bound(axes: Axes, value: object, words: str, colour: str) -> None:
    if isinstance(value, (int, float)):
        axes.axhline(value, color=colour, linestyle="--", **_FAINT)
        axes.annotate(
            f"{words} {value:.3g}", (1.0, value), xytext=(0, 2), textcoords="offset points", ha="right", size=8
        )


def latencies(histogram: Sequence[Row], title: str = "") -> Figure:
    """A matplotlib ``Figure``: for each load, the share of packets that take longer than n cycles.

    Parameters
    ----------
    histogram
        Rows of the table `histogram`.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib.
    """
    matplotlib = require()
    with matplotlib.rc_context(_rc(matplotlib)):
        sheet: Figure = matplotlib.figure.Figure(figsize=(6.0, 3.8), layout="constrained")
        axes = sheet.subplots()
        by_load = [(load, list(rows)) for load, rows in groupby(sorted(histogram, key=_offered), key=_offered)]
        for at, (load, rows) in enumerate(by_load):
            cycles, shares = _longer(rows)
            colour = _colours(matplotlib, len(by_load))[at]
            axes.plot(cycles, shares, color=colour, label=f"{load:g}", linewidth=1.4)
        axes.set(xlabel="latency (cycles)", ylabel="share of packets that take longer", xscale="log", yscale="log")
        powers(matplotlib, axes.xaxis)
        powers(matplotlib, axes.yaxis)
        sheet.legend(title="offered load", loc="outside right upper")
        if title:
            sheet.suptitle(title, fontsize=11)
    return sheet


def _longer(rows: Iterable[Row]) -> tuple[list[float], list[float]]:
    """Upper bounds of the bins, and the share of packets beyond each; the last, beyond which is none, is left out."""
    bins = [(float(row["from_cycles"] or 0), float(row["to_cycles"] or 0), int(row["packets"] or 0)) for row in rows]
    left = total = sum(packets for *_, packets in bins)
    cycles, shares = [bins[0][0]], [1.0]
    for _, to, packets in bins[:-1]:
        left -= packets
        cycles.append(to)
        shares.append(left / total)
    return cycles, shares


def _colours(matplotlib: ModuleType, number: int) -> list[object]:
    """From dark to light, without the lightest, which is too faint for lines."""
    heat = matplotlib.colormaps[HEAT]
    return [heat(0.85 * at / max(number - 1, 1)) for at in range(number)]


def link_use(links: Sequence[Row], title: str = "") -> Figure:
    """A matplotlib ``Figure``: a heat map of the share of time in which each link is busy at each load.

    Parameters
    ----------
    links
        Rows of the table `links`, with every link at every load. They are sorted by use at the greatest load.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib.
    """
    matplotlib = require()
    busy: dict[float, dict[object, float]] = {}
    for row in links:
        busy.setdefault(_offered(row), {})[row["link"]] = float(row["busy"] or 0)
    loads = sorted(busy)
    last = busy[loads[-1]]
    order = sorted(last, key=lambda link: -last[link])
    with matplotlib.rc_context(_rc(matplotlib)):
        sheet: Figure = matplotlib.figure.Figure(figsize=(7.0, 3.4), layout="constrained")
        axes = sheet.subplots()
        cells = [_pooled([busy[load].get(link, 0.0) for link in order]) for load in loads]
        area = axes.imshow(
            cells,
            aspect="auto",
            origin="lower",
            cmap=HEAT,
            vmin=0,
            vmax=1,
            interpolation="nearest",
            extent=(0, len(order), -0.5, len(loads) - 0.5),
        )
        axes.grid(visible=False)
        axes.set(xlabel="links, most used first", ylabel="offered load")
        axes.set_yticks(range(len(loads)), [f"{load:g}" for load in loads])
        sheet.colorbar(area, ax=axes, label="share of time busy")
        if title:
            sheet.suptitle(title, fontsize=11)
    return sheet


def _pooled(values: list[float]) -> list[float]:
    """At most `COLUMNS` means of neighbours."""
    size = -(-len(values) // COLUMNS) or 1
    blocks = [values[at : at + size] for at in range(0, len(values), size)]
    return [sum(block) / len(block) for block in blocks]
