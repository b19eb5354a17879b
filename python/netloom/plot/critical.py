"""The critical path of a simulated run: what the time went into, and where the path leads."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from ..base.quantities import time_text, unit_of_time
from .figure import _rc, require
from .trace import Floats, Ints, columns, headline, nothing, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Kinds of stretches in the order of the bar, and their colours from :data:`netloom.plot.style.PALETTE`; what a rank
#: does has the colour that the timeline gives it.
STRETCHES: dict[str, str] = {
    "compute": "#009E73",
    "combine": "#7FCFB5",
    "copy": "#CCEBE1",
    "call": "#8C8C8C",
    "overhead": "#000000",
    "gap": "#F0E442",
    "rendezvous": "#E69F00",
    "software": "#A36A00",
    "latency": "#56B4E9",
    "bandwidth": "#0072B2",
    "contention": "#D55E00",
    "waiting": "#CC79A7",
}
#: Most ranks that have a row each; more share a numbered axis.
ROWS = 48
#: More stretches than these are pixels in the SVG.
VECTORS = 5000


def critical(path: Mapping[str, object], *, title: str = "") -> Figure:
    """A matplotlib ``Figure``: a bar of the shares of the time, and below it the path by time and rank.

    Parameters
    ----------
    path
        ``{"segments": {...}}`` with the columns `rank`, `kind` (a key of :data:`STRETCHES`), `start_s` and `end_s`, in
        order of time.
    title
        Above the picture.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib, NL-X105 for a path without length, NL-X108 for another shape.

    Notes
    -----
    A message's stretches stand in the row of the rank that waits for it; thin vertical lines lead to the rank that it
    waited for. Cost O(segments log segments).
    """
    matplotlib = require()
    segments = columns(path, "segments", ("start_s", "end_s"), ("rank",))
    kind = words(path, "segments", "kind", tuple(STRETCHES), len(segments["rank"]))
    spent = shares(kind, segments["end_s"] - segments["start_s"])
    total = float(spent.sum())
    if not total > 0:
        raise nothing("path.segments", "the path has no length")
    size, unit = unit_of_time(total)
    on, row = np.unique(segments["rank"], return_inverse=True)
    with matplotlib.rc_context(_rc(matplotlib)):
        tall = float(np.clip(0.8 + 0.16 * min(len(on), ROWS), 1.8, 7.5))
        sheet: Figure = matplotlib.figure.Figure(figsize=(9.0, tall + 2.0), layout="constrained")
        top, low = sheet.subplots(2, 1, height_ratios=(0.5, tall))
        _bar(top, spent / total)
        many = len(on) > ROWS
        at = segments["rank"] if many else row
        _path(matplotlib, low, at, segments["start_s"] / size, segments["end_s"] / size, kind)
        if many:
            low.set_ylim(int(on[-1]) + 1, int(on[0]) - 1)
        else:
            low.set_yticks(range(len(on)), [str(r) for r in on], fontsize=8 if len(on) <= 24 else 6)
            low.set_ylim(len(on) - 0.5, -0.5)
        end = float(segments["end_s"].max()) / size
        low.set(xlabel=f"time ({unit})", ylabel="rank on the path", xlim=(0, end))
        low.grid(False, axis="y")
        names = list(STRETCHES)
        handles = [
            matplotlib.patches.Patch(
                color=STRETCHES[names[k]],
                label=f"{names[k]} {spent[k] / total * 100:.1f} %, {time_text(float(spent[k]))}",
            )
            for k in np.flatnonzero(spent)
        ]
        sheet.legend(
            handles=handles, loc="outside lower center", ncols=len(handles) if len(handles) <= 4 else 3, fontsize=8
        )
        headline(sheet, title or f"Critical path of {time_text(total)}")
    return sheet


def shares(kind: Ints, seconds: Floats) -> Floats:
    """Seconds by kind, in the order of :data:`STRETCHES`."""
    spent: Floats = np.bincount(kind, weights=seconds, minlength=len(STRETCHES)).astype(np.float64)
    return spent


def _bar(ax: Axes, part: Floats) -> None:
    left = 0.0
    for (name, colour), width in zip(STRETCHES.items(), part, strict=True):
        if width <= 0:
            continue
        ax.barh(0, width * 100, left=left * 100, color=colour, height=0.8, edgecolor="white", linewidth=0.5)
        if width >= 0.06:
            dark = name in ("compute", "overhead", "bandwidth", "software")
            ax.text(
                (left + width / 2) * 100,
                0,
                f"{width * 100:.0f} %",
                ha="center",
                va="center",
                fontsize=8,
                color="white" if dark else "black",
            )
        left += width
    ax.set(xlim=(0, 100), ylim=(-0.5, 0.5), xlabel="share of the path (%)")
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.grid(False)


def _path(matplotlib: ModuleType, ax: Axes, row: Ints, start: Floats, end: Floats, kind: Ints) -> None:
    pixels = len(row) > VECTORS
    moves = np.flatnonzero(np.diff(row))
    steps = np.stack([end[moves], row[moves], end[moves], row[moves + 1]], axis=1).reshape(-1, 2, 2)
    ax.add_collection(
        matplotlib.collections.LineCollection(steps, colors="#777777", linewidths=0.7, zorder=1, rasterized=pixels)
    )
    rows = len(np.unique(row))
    thick = float(np.clip(260.0 / max(1, rows), 3.0, 10.0))
    for k, colour in enumerate(STRETCHES.values()):
        mine = kind == k
        lines = np.stack([start[mine], row[mine], end[mine], row[mine]], axis=1).reshape(-1, 2, 2)
        ax.add_collection(
            matplotlib.collections.LineCollection(
                lines, colors=colour, linewidths=thick, capstyle="butt", zorder=2, rasterized=pixels
            )
        )
