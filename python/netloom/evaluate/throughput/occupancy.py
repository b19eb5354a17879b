"""What stands in the buffers of switches over time, as a picture and as a chart of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

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
    cycles: list[int]


def grids(rows: Sequence[Row]) -> dict[float, Grid]:
    """By offered load."""
    made: dict[float, Grid] = {}
    for row in rows:
        grid = made.setdefault(_number(row, "offered"), Grid([], [0], [0]))
        first, end = int(_number(row, "first_switch")), int(_number(row, "to_cycles"))
        last = first + int(_number(row, "switches"))
        if last > grid.switches[-1]:
            grid.switches.append(last)
            grid.amounts.append([])
        if end > grid.cycles[-1]:
            grid.cycles.append(end)
        grid.amounts[grid.switches.index(last) - 1].append(_number(row, "amount"))
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
        Of the table `occupancy`.
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
    by_load = grids(rows)
    loads = _spread(sorted(by_load))
    most = max(max(map(max, by_load[load].amounts)) for load in loads)
    with matplotlib.rc_context(_rc(matplotlib)):
        sheet: Figure = matplotlib.figure.Figure(figsize=(3.0 + 2.4 * len(loads), 3.8), layout="constrained")
        panels = sheet.subplots(1, len(loads), sharey=True, squeeze=False)[0]
        for axes, load in zip(panels, loads, strict=True):
            grid = by_load[load]
            area = axes.pcolormesh(
                grid.cycles, grid.switches, grid.amounts, cmap=HEAT, vmin=0, vmax=most or 1, rasterized=True
            )
            axes.grid(visible=False)
            axes.set(xlabel="cycle of the measurement", title=f"offered {load:g}")
            axes.locator_params(axis="x", nbins=4)
            for switch in [] if levels is None else _borders(list(levels)):
                axes.axhline(switch, color="white", linewidth=1, linestyle="--")
        panels[0].set_ylabel("switch")
        panels[0].invert_yaxis()
        sheet.colorbar(area, ax=panels, label="packets (flits) in a switch")
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
    load, grid = max(grids(rows).items())
    by, step = _size(len(grid.amounts)), _size(len(grid.cycles) - 1)
    data: dict[str, list[object]] = {"cycle": [], "switches": [], "amount": []}
    for top in range(0, len(grid.amounts), by):
        block = grid.amounts[top : top + by]
        last = grid.switches[top + len(block)] - 1
        for left in range(0, len(grid.cycles) - 1, step):
            cells = [cell for line in block for cell in line[left : left + step]]
            name = f"{grid.switches[top]}" if grid.switches[top] == last else f"{grid.switches[top]} to {last}"
            data["cycle"].append(f"{grid.cycles[left]:,}")
            data["switches"].append(name)
            data["amount"].append(sum(cells) / len(cells))
    title = f"In the buffers of a switch over time, at {load:g}"
    return Chart(title, "heat", data, x="cycle", y="switches", value="amount", value_label="packets or flits")


def _size(number: int) -> int:
    return max(1, -(-number // CELLS))
