"""Timeline of a simulated run: what every rank does when, and the messages between them."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from ..base.quantities import unit_of_time
from .figure import _rc, require
from .trace import Columns, Floats, Ints, columns, headline, nothing, ranks, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours from :data:`netloom.plot.style.PALETTE`; work is dark, waiting is light.
ACTIVITIES: dict[str, str] = {
    "compute": "#009E73",
    "overhead": "#000000",
    "wait-send": "#E69F00",
    "wait-receive": "#56B4E9",
    "wait": "#CC79A7",
    "call": "#8C8C8C",
    "combine": "#7FCFB5",
    "copy": "#CCEBE1",
}
#: Activities in words, where those are not their names.
LABELS = {
    "wait-send": "waits to send",
    "wait-receive": "waits to receive",
    "wait": "waits for requests",
    "call": "enters a collective",
}

#: Most ranks that are all shown; of more, the last, the first and evenly spaced ones, `SAMPLE` in all.
ALL_ROWS = 128
SAMPLE = 64
EXTREMES = 8
#: Most messages drawn as lines.
MESSAGES = 400
#: Most intervals drawn one by one; more are painted cell by cell.
INTERVALS = 8_000
#: Cells across.
CELLS = 1600


def timeline(trace: Mapping[str, object], *, title: str = "") -> Figure:
    """A matplotlib ``Figure``: a row for each rank, coloured by what it does, and lines for messages if there are few.

    Parameters
    ----------
    trace
        Of a simulation with ``trace=True``. Read are `ranks`; of `intervals` the columns `rank`, `activity` (a key of
        :data:`ACTIVITIES`, or its number there), `start_s` and `end_s`; of `messages` the columns `src`, `dst`,
        `start_s` and `finish_s`.
    title
        Above the picture.

    Returns
    -------
    matplotlib.figure.Figure
        Give it to :func:`netloom.plot.save`.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib, NL-X105 if no rank does anything, NL-X108 for another shape of trace.

    Notes
    -----
    Of more than 128 ranks 64 are shown: the 8 that finish last, the 8 that finish first, others evenly spaced. Lines
    are drawn for at most 400 messages between ranks that are shown, from the start of the message at its sender to its
    end at its receiver. Beyond 8,000 intervals a cell of 1/1600 of the time has the colour of what took most of it.
    The picture says which of these it does. Cost O(intervals + messages).
    """
    matplotlib = require()
    intervals = columns(trace, "intervals", ("start_s", "end_s"), ("rank",))
    messages = columns(trace, "messages", ("start_s", "finish_s"), ("src", "dst"))
    activity = words(trace, "intervals", "activity", tuple(ACTIVITIES), len(intervals["rank"]))
    count = ranks(trace, intervals["rank"], messages["src"], messages["dst"])
    if not len(activity) or intervals["end_s"].max() <= 0:
        raise nothing("trace.intervals", "no rank does anything")
    ends = np.zeros(count)
    np.maximum.at(ends, intervals["rank"], intervals["end_s"])
    shown = chosen(ends)
    row = np.full(count, -1, dtype=np.int64)
    row[shown] = np.arange(len(shown))
    size, unit = unit_of_time(float(ends.max()))
    notes = []
    if len(shown) < count:
        notes.append(
            f"{len(shown)} of {count} ranks: 8 that finish last (bold), 8 first (italic), others evenly spaced"
        )
    with matplotlib.rc_context(_rc(matplotlib)):
        height = float(np.clip(1.6 + 0.2 * len(shown), 2.8, 11.0))
        sheet: Figure = matplotlib.figure.Figure(figsize=(9.0, height), layout="constrained")
        ax = sheet.subplots()
        at = row[intervals["rank"]]
        kept = at >= 0
        start, end, what = intervals["start_s"][kept] / size, intervals["end_s"][kept] / size, activity[kept]
        if kept.sum() <= INTERVALS:
            _bars(matplotlib, ax, at[kept], start, end, what)
        else:
            cells = majority(at[kept], start, end, what, len(shown), float(ends.max()) / size)
            _cells(matplotlib, ax, cells, float(ends.max()) / size)
            notes.append(f"each cell of 1/{CELLS} of the time shows what took most of it")
        lines = (row[messages["src"]] >= 0) & (row[messages["dst"]] >= 0)
        drawn = 0 < lines.sum() <= MESSAGES
        if drawn:
            _lines(matplotlib, ax, {k: v[lines] for k, v in messages.items()}, row, size)
        elif lines.any():
            notes.append(f"{len(lines)} messages, too many to draw")
        _frame(ax, shown, ends, unit)
        _legend(matplotlib, sheet, np.unique(what), drawn)
        if notes:
            ax.set_title("; ".join(notes), fontsize=7.5, color="#555555", loc="left")
        headline(sheet, title)
    return sheet


def extremes(ends: Floats) -> tuple[Ints, Ints]:
    """The 8 ranks that finish first and the 8 that finish last; of equals, the lower numbers finish first."""
    order = np.argsort(ends, kind="stable")
    return order[:EXTREMES], order[-EXTREMES:]


def chosen(ends: Floats) -> Ints:
    """Ranks to show, ascending: all of up to 128; else the last and first to finish and others, 64 in all."""
    count = len(ends)
    if count <= ALL_ROWS:
        return np.arange(count)
    marked = np.concatenate(extremes(ends))
    others = np.setdiff1d(np.arange(count), marked)
    spaced = others[np.linspace(0, len(others) - 1, SAMPLE - len(marked)).astype(np.int64)]
    picked: Ints = np.sort(np.concatenate([marked, spaced]))
    return picked


def majority(row: Ints, start: Floats, end: Floats, what: Ints, rows: int, total: float) -> Ints:
    """The main activity of each cell, shape (rows, :data:`CELLS`); -1 where none.

    An interval fills cells partly at its ends and wholly between them; the latter are summed from differences, so that
    the cost does not depend on how long intervals are.
    """
    best = np.full((rows, CELLS), -1, dtype=np.int64)
    most = np.zeros((rows, CELLS))
    left = np.clip(start / total * CELLS, 0, CELLS)
    right = np.clip(end / total * CELLS, 0, CELLS)
    for k in range(len(ACTIVITIES)):
        mine = (what == k) & (right > left)
        r, a, b = row[mine], left[mine], right[mine]
        first, last = a.astype(np.int64), np.minimum(b.astype(np.int64), CELLS - 1)
        # Time in all cells up to the end of each: the slope of `right` less that of `left`, as step and remainder.
        change = np.zeros((rows, CELLS + 1))
        part = np.zeros((rows, CELLS))
        np.add.at(change, (r, first), 1.0)
        np.add.at(change, (r, last), -1.0)
        np.add.at(part, (r, first), first - a)
        np.add.at(part, (r, last), b - last)
        filled = np.cumsum(change, axis=1)[:, :CELLS] + part
        # Sums of parts that cancel leave rounding behind.
        better = filled > np.maximum(most, 1e-9)
        best[better], most[better] = k, filled[better]
    return best


def _bars(matplotlib: ModuleType, ax: Axes, row: Ints, start: Floats, end: Floats, what: Ints) -> None:
    for k, colour in enumerate(ACTIVITIES.values()):
        mine = what == k
        x0, x1, y = start[mine], end[mine], row[mine]
        corners = np.stack([x0, y - 0.4, x0, y + 0.4, x1, y + 0.4, x1, y - 0.4], axis=1).reshape(-1, 4, 2)
        ax.add_collection(
            matplotlib.collections.PolyCollection(
                corners, facecolors=colour, edgecolors="none", linewidths=0, snap=False
            )
        )


def _cells(matplotlib: ModuleType, ax: Axes, cells: Ints, total: float) -> None:
    ax.imshow(
        np.ma.masked_less(cells, 0),
        cmap=matplotlib.colors.ListedColormap(list(ACTIVITIES.values())),
        norm=matplotlib.colors.NoNorm(),
        aspect="auto",
        interpolation="nearest",
        extent=(0, total, len(cells) - 0.5, -0.5),
    )
    ax.hlines(np.arange(1, len(cells)) - 0.5, 0, total, color="white", linewidth=0.8)


def _lines(matplotlib: ModuleType, ax: Axes, messages: Columns, row: Ints, size: float) -> None:
    begin = np.stack([messages["start_s"] / size, row[messages["src"]]], axis=1)
    finish = np.stack([messages["finish_s"] / size, row[messages["dst"]]], axis=1)
    lines = np.stack([begin, finish], axis=1)
    ax.add_collection(matplotlib.collections.LineCollection(lines, colors="#333333", linewidths=0.6, alpha=0.75))


def _frame(ax: Axes, shown: Ints, ends: Floats, unit: str) -> None:
    step = -(-len(shown) // SAMPLE)
    total = float(ends.max()) / unit_of_time(float(ends.max()))[0]
    ax.set_yticks(range(0, len(shown), step), [str(r) for r in shown[::step]], fontsize=8 if len(shown) <= 32 else 6)
    ax.set(xlim=(0, total), ylim=(len(shown) - 0.5, -0.5), xlabel=f"time ({unit})", ylabel="rank")
    ax.grid(False, axis="y")
    if len(shown) < len(ends):
        first, last = extremes(ends)
        for rank, label in zip(shown, ax.get_yticklabels(), strict=True):
            label.set(weight="bold" if rank in last else "normal", style="italic" if rank in first else "normal")


def _legend(matplotlib: ModuleType, sheet: Figure, used: Ints, messages: bool) -> None:
    names = list(ACTIVITIES)
    handles = [matplotlib.patches.Patch(color=ACTIVITIES[names[k]], label=LABELS.get(names[k], names[k])) for k in used]
    if messages:
        handles.append(matplotlib.lines.Line2D([], [], color="#333333", linewidth=0.6, label="message"))
    sheet.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=8)
