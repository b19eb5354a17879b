"""What stands in the buffers of switches over time, as a picture and as a chart: rows of the tables `occupancy`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...base.quantities import time_text
from ...plot.figure import _rc, require
from ...plot.style import HEAT
from ...plot.trace import nothing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...report import Chart
    from ..answer import Row

#: Most loads of a picture, side by side: the least, the greatest, others between them.
PANELS = 4
#: Most rows and columns of a chart, whose cells are read by eye.
CELLS = 24


class Grid(NamedTuple):
    """Amounts by block of switches and bin of time; bounds of the blocks and of the bins."""

    amounts: list[list[float]]
    switches: list[int]
    times: list[float]


class Units(NamedTuple):
    """How an evaluator names and counts times and amounts."""

    time: str
    amount: str
    time_words: str
    amount_words: str


#: Of `throughput` and of `packet`.
CYCLES = Units("cycles", "amount", "cycle of the measurement", "packets (flits) in a switch")
SECONDS = Units("s", "bytes", "time", "bytes in a switch")


def units(rows: Sequence[Row]) -> Units:
    """Those of a table."""
    return SECONDS if "to_s" in rows[0] else CYCLES


def grids(rows: Sequence[Row]) -> dict[float, Grid]:
    """By offered load; of a table without loads one, 0."""
    made: dict[float, Grid] = {}
    told = units(rows)
    for row in rows:
        grid = made.setdefault(_number(row, "offered") if "offered" in row else 0.0, Grid([], [0], [0.0]))
        first, end = int(_number(row, "first_switch")), _number(row, f"to_{told.time}")
        last = first + int(_number(row, "switches"))
        if last > grid.switches[-1]:
            grid.switches.append(last)
            grid.amounts.append([])
        if end > grid.times[-1]:
            grid.times.append(end)
        grid.amounts[bisect_left(grid.switches, last) - 1].append(_number(row, told.amount))
    return made


def _number(row: Row, name: str) -> float:
    value = row[name]
    assert isinstance(value, (int, float))
    return value


def occupancy(rows: Sequence[Row], title: str = "", levels: Iterable[int] | None = None) -> Figure:
    """A matplotlib ``Figure``: for each load a heat map of what stands in the buffers of switches over time.

    Parameters
    ----------
    rows
        Of the table `occupancy` of `throughput` or of `packet`.
    levels
        Per switch; a line between the levels of a tree.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib, NL-X105 without rows.
    """
    if not rows:
        raise nothing("occupancy", "nothing was counted over time: give occupancy=64")
    matplotlib = require()
    by_load, told = grids(rows), units(rows)
    loads = _spread(sorted(by_load))
    most = max(max(map(max, by_load[load].amounts)) for load in loads)
    with matplotlib.rc_context(_rc(matplotlib)):
        sheet: Figure = matplotlib.figure.Figure(figsize=(3.0 + 2.4 * len(loads), 3.8), layout="constrained")
        panels = sheet.subplots(1, len(loads), sharey=True, squeeze=False)[0]
        for axes, load in zip(panels, loads, strict=True):
            grid = by_load[load]
            area = axes.pcolormesh(
                grid.times, grid.switches, grid.amounts, cmap=HEAT, vmin=0, vmax=most or 1, rasterized=True
            )
            axes.grid(visible=False)
            axes.set(xlabel=told.time_words, title=f"offered {load:g}" if load else "")
            axes.locator_params(axis="x", nbins=4)
            for switch in [] if levels is None else _borders(list(levels)):
                axes.axhline(switch, color="white", linewidth=1, linestyle="--")
        panels[0].set_ylabel("switch")
        panels[0].invert_yaxis()
        bar = sheet.colorbar(area, ax=panels, label=told.amount_words)
        if told is SECONDS:
            for axis, unit in [*((axes.xaxis, "s") for axes in panels), (bar.ax.yaxis, "B")]:
                axis.set_major_formatter(matplotlib.ticker.EngFormatter(unit=unit))
        if title:
            sheet.suptitle(title, fontsize=11)
    return sheet


def _spread(loads: list[float]) -> list[float]:
    """At most `PANELS` of them, evenly, both ends included."""
    if len(loads) <= PANELS:
        return loads
    return [loads[round(at * (len(loads) - 1) / (PANELS - 1))] for at in range(PANELS)]


def _borders(levels: Sequence[int]) -> list[int]:
    """Switches at which another level begins, if these are few: each level has consecutive numbers."""
    found = [at for at in range(1, len(levels)) if levels[at] != levels[at - 1]]
    return found if len(found) < len(set(levels)) else []


def chart(rows: Sequence[Row]) -> Chart | None:
    """The same of the greatest load for a report; neighbours are averaged. None without rows."""
    from ...report import Chart

    if not rows:
        return None
    told = units(rows)
    load, grid = max(grids(rows).items(), key=lambda item: item[0])
    by, step = _size(len(grid.amounts)), _size(len(grid.times) - 1)
    data: dict[str, list[object]] = {"time": [], "switches": [], "amount": []}
    for top in range(0, len(grid.amounts), by):
        block = grid.amounts[top : top + by]
        last = grid.switches[top + len(block)] - 1
        for left in range(0, len(grid.times) - 1, step):
            cells = [cell for line in block for cell in line[left : left + step]]
            name = f"{grid.switches[top]}" if grid.switches[top] == last else f"{grid.switches[top]} to {last}"
            data["time"].append(time_text(grid.times[left]) if told is SECONDS else f"{grid.times[left]:,.0f}")
            data["switches"].append(name)
            data["amount"].append(sum(cells) / len(cells))
    title = "In the buffers of a switch over time" + (f", at {load:g}" if load else "")
    labels = (told.time_words, told.amount_words)
    return Chart(
        title, "heat", data, x="time", y="switches", value="amount", x_label=labels[0], value_label=labels[1],
        y_unit="B" if told is SECONDS else None,
    )  # fmt: skip


def _size(number: int) -> int:
    return max(1, -(-number // CELLS))
