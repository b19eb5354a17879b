"""The picture of a curve: accepted load and latency over offered load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...plot.figure import _rc, require
from ...plot.style import DASHES, MARKERS, PALETTE
from ...plot.text import powers
from ..answer import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def curve(curves: Mapping[str, Sequence[Row]], title: str = "") -> Figure:
    """A matplotlib ``Figure`` of two panels: accepted over offered load with the diagonal, and mean latency.

    Parameters
    ----------
    curves
        Rows of `points` by the name of their line.

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
            rows = sorted(rows, key=lambda row: float(row["offered"] or 0))
            offered = [row["offered"] for row in rows]
            loads.plot(offered, [row["accepted"] for row in rows], label=name, **look)
            settled = [row for row in rows if row["latency_mean"] is not None and row["drained"]]
            latencies.plot([row["offered"] for row in settled], [row["latency_mean"] for row in settled], **look)
        loads.set(xlabel="offered load", ylabel="accepted load", xlim=(0, 1.02), ylim=(0, 1.02))
        latencies.set(xlabel="offered load", ylabel="mean latency (cycles)", yscale="log", xlim=(0, 1.02))
        powers(matplotlib, latencies.yaxis)
        sheet.legend(loc="outside lower center", ncols=min(3, len(curves) + 1))
        if title:
            sheet.suptitle(title, fontsize=11)
    return sheet
