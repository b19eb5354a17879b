"""What each kind of chart draws into its panel; :mod:`netloom.plot.kinds` lists them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .choice import ratios
from .front import unbeaten
from .style import DASHES, HEAT, MARKERS, PALETTE
from .units import plain, value_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize
    from matplotlib.patches import Patch

    from .tidy import Panel, Point, Tidy

#: Most cells of a panel whose numbers are written.
CELLS = 150


def look(made: Tidy, name: str) -> tuple[str, str, str]:
    i = made.names.index(name)
    return PALETTE[i % len(PALETTE)], MARKERS[i % len(MARKERS)], DASHES[i // len(PALETTE) % len(DASHES)]


def places(made: Tidy, points: Sequence[Point]) -> list[float]:
    if made.x_is_number:
        return [p.x for p in points]
    return [made.categories.index(p.x) for p in points]


def line(ax: Axes, made: Tidy, panel: Panel, _: Normalize | None) -> None:
    for line in panel.series:
        colour, marker, dash = look(made, line.name)
        points = sorted(line.points, key=lambda p: made.categories.index(p.x)) if not made.x_is_number else line.points
        at = places(made, points)
        ax.plot(at, [p.mean for p in points], dash, color=colour, marker=marker, label=line.name, linewidth=1.4)
        if made.spread:
            ax.fill_between(
                at, [p.low for p in points], [p.high for p in points], color=colour, alpha=0.18, linewidth=0
            )


def bar(ax: Axes, made: Tidy, panel: Panel, _: Normalize | None) -> None:
    width = 0.8 / len(made.names)
    for line in panel.series:
        i = made.names.index(line.name)
        at = [place + (i - (len(made.names) - 1) / 2) * width for place in places(made, line.points)]
        heights = [p.mean for p in line.points]
        hatch = ("///", "...", "xxx", "\\\\\\", "+++")[(i // len(PALETTE) - 1) % 5] if i >= len(PALETTE) else None
        colour = PALETTE[i % len(PALETTE)]
        ax.bar(at, heights, width, color=colour, label=line.name, edgecolor="white", linewidth=0.5, hatch=hatch)
        if made.spread:
            limits = [[p.mean - p.low for p in line.points], [p.high - p.mean for p in line.points]]
            ax.errorbar(at, heights, limits, fmt="none", ecolor="#333333", elinewidth=0.8, capsize=2)


def box(ax: Axes, made: Tidy, panel: Panel, _: Normalize | None) -> None:
    width = 0.8 / len(made.names)
    for line in panel.series:
        i = made.names.index(line.name)
        at = [place + (i - (len(made.names) - 1) / 2) * width for place in places(made, line.points)]
        names = ("whislo", "q1", "med", "q3", "whishi")
        stats = [dict(zip(names, p.quartiles(), strict=True)) for p in line.points]
        colour = PALETTE[i % len(PALETTE)]
        ax.bxp(
            stats,
            positions=at,
            widths=width * 0.85,
            showfliers=False,
            patch_artist=True,
            manage_ticks=False,
            boxprops={"facecolor": colour, "alpha": 0.45, "edgecolor": colour},
            medianprops={"color": "#111111", "linewidth": 1.2},
            whiskerprops={"color": colour},
            capprops={"color": colour},
        )


def scatter(ax: Axes, made: Tidy, panel: Panel, _: Normalize | None) -> None:
    for line in panel.series:
        colour, marker, _dash = look(made, line.name)
        y = [p.values[0] for p in line.points]
        ax.scatter(
            [p.x for p in line.points], y, s=16, c=colour, marker=marker, label=line.name, alpha=0.8, linewidths=0
        )


def heat(ax: Axes, made: Tidy, panel: Panel, norm: Normalize | None) -> None:
    import numpy as np

    cells = np.full((len(made.rows), len(made.categories)), np.nan)
    for line in panel.series:
        for p in line.points:
            cells[made.rows.index(line.name), made.categories.index(p.x)] = p.mean
    ax.imshow(cells, aspect="auto", origin="lower", cmap=HEAT, norm=norm, interpolation="nearest")
    ax.grid(False)
    if made.numbers and cells.size <= CELLS and norm is not None:
        for (row, column), value in np.ndenumerate(cells):
            if np.isfinite(value):
                words = value_text(float(value), made.unit)
                ax.text(column, row, words, ha="center", va="center", fontsize=6.5, color=_ink(float(norm(value))))


def choice(ax: Axes, made: Tidy, panel: Panel, norm: Normalize | None) -> None:
    """Times over the best of their column; the best is framed and has its value."""
    import numpy as np

    found = ratios(panel)
    cells = np.full((len(made.rows), len(made.categories)), np.nan)
    for line in panel.series:
        for p in line.points:
            cells[made.rows.index(line.name), made.categories.index(p.x)] = found[line.name, p.x]
    ax.imshow(cells, aspect="auto", origin="lower", cmap=f"{HEAT}_r", norm=norm, interpolation="nearest")
    ax.grid(False)
    for line in panel.series:
        for p in line.points:
            ratio = found[line.name, p.x]
            row, column = made.rows.index(line.name), made.categories.index(p.x)
            if ratio == 1:
                ax.add_patch(_frame(column - 0.5, row - 0.5))
            if cells.size <= CELLS and norm is not None:
                words = value_text(p.mean, made.unit) if ratio == 1 else f"×{plain(ratio)}"
                ax.text(column, row, words, ha="center", va="center", fontsize=6.5, color=_ink(1 - float(norm(ratio))))


def area(ax: Axes, made: Tidy, panel: Panel, _: Normalize | None) -> None:
    """Steps on top of each other: each value holds until the next place."""
    import numpy as np

    at = sorted({p.x for line in panel.series for p in line.points})
    below = np.zeros(len(at))
    for line in panel.series:
        colour = PALETTE[made.names.index(line.name) % len(PALETTE)]
        known = {p.x: p.mean for p in line.points}
        top = below + np.array([known.get(x, 0.0) for x in at])
        ax.fill_between(at, below, top, step="post", color=colour, alpha=0.75, linewidth=0, label=line.name)
        below = top
    ax.set_xlim(0, at[-1])
    ax.set_ylim(0, None)


def pareto(ax: Axes, made: Tidy, panel: Panel, _: Normalize | None) -> None:
    """A point for each row; those that no other beats are filled and joined by steps. Less is better on both axes."""
    every = [(p.x, p.mean) for line in panel.series for p in line.points]
    best = unbeaten([x for x, _y in every], [y for _x, y in every])
    ax.step(
        [every[i][0] for i in best], [every[i][1] for i in best], where="post", color="#888888", zorder=1, linewidth=1
    )
    unbeaten_points = {every[i] for i in best}
    for line in panel.series:
        colour, marker, _dash = look(made, line.name)
        for number, p in enumerate(line.points):
            face = colour if (p.x, p.mean) in unbeaten_points else "none"
            label = line.name if number == 0 else None
            ax.scatter(p.x, p.mean, s=48, marker=marker, edgecolor=colour, facecolor=face, label=label, zorder=2)
    if not made.log_x:
        ax.set_xlim(0, max(x for x, _y in every) * 1.08 or 1)
    if not made.log_y:
        ax.set_ylim(0, max(y for _x, y in every) * 1.08 or 1)


def radar(ax: Axes, made: Tidy, panel: Panel, _: Normalize | None) -> None:
    """One closed line for each series, one spoke for each category; outside is best, and 1 a ring if inside."""
    import numpy as np

    angles = np.linspace(0, 2 * np.pi, len(made.categories), endpoint=False)
    for line in panel.series:
        colour, marker, dash = look(made, line.name)
        known = {p.x: p.mean for p in line.points}
        values = [known.get(name, np.nan) for name in made.categories]
        round_, closed = [*angles, angles[0]], [*values, values[0]]
        ax.plot(round_, closed, label=line.name, color=colour, marker=marker, linestyle=dash)
        ax.fill(angles, np.nan_to_num(values), color=colour, alpha=0.06)
    ax.set_xticks(angles, [name if len(name) <= 28 else name[:27] + "…" for name in made.categories], fontsize=9)
    ax.tick_params(axis="x", pad=6)
    for label, angle in zip(ax.get_xticklabels(), angles, strict=True):
        side = np.sin(angle)
        label.set_horizontalalignment("center" if abs(side) < 0.1 else "left" if side > 0 else "right")
    most = max((p.mean for line in panel.series for p in line.points), default=1.0)
    if most <= 1:
        ax.set_ylim(0, 1.15)  # Room for the word at 1.
        ax.set_yticks([0.25, 0.5, 0.75, 1.0], ["", "0.5", "", "best"], fontsize=7)
        return
    ax.set_ylim(0, 1.05 * most)
    ax.tick_params(axis="y", labelsize=7)
    ax.plot(np.linspace(0, 2 * np.pi, 181), np.ones(181), color="#888888", linewidth=1, zorder=1)


def _frame(x: float, y: float) -> Patch:
    """Around a cell."""
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), 1, 1, fill=False, edgecolor="#111111", linewidth=1.6, zorder=3)


def _ink(place: float) -> str:
    """Of letters on a cell: viridis is dark below."""
    return "black" if place > 0.55 else "white"
