"""Links and switches of a drawing: by class, by load, as a matrix."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .style import HEAT, LOAD_STOPS, PALETTE
from .text import powers
from .units import value_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .drawing import Drawing

#: Cells of a matrix along one side; more switches share cells.
MATRIX_SIDE = 512
#: Most kinds of switches that have colours of their own.
KINDS = 64

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def cables(switches: int, tails: Ints, heads: Ints) -> tuple[Ints, Ints, Ints]:
    """Pairs of joined switches, lower and higher number, and how many cables join each.

    A list of directed links names every cable twice, an edge list once: a pair has as many cables as it has links in
    its busier direction.
    """
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    pair, where = np.unique(low * switches + high, return_inverse=True)
    up = np.bincount(where[tails < heads], minlength=len(pair))
    down = np.bincount(where[tails > heads], minlength=len(pair))
    return pair // switches, pair % switches, np.maximum(up, down)


def adjacency(switches: int, tails: Ints, heads: Ints, side: int = MATRIX_SIDE) -> Ints:
    """Cables between blocks of consecutive switches, at most `side` blocks a side; symmetric."""
    side = min(switches, side)
    low, high, count = cables(switches, tails, heads)
    low, high = low * side // switches, high * side // switches
    cells = np.zeros((side, side), dtype=np.int64)
    np.add.at(cells, (low, high), count)
    apart = low != high
    np.add.at(cells, (high[apart], low[apart]), count[apart])
    return cells


def bends(a: Ints, b: Ints, dims: Sequence[int] | None) -> Floats:
    """Sideways bend of every link as a share of its length: in a grid, links that would pass over switches bow out."""
    if dims is None or not len(a):
        return np.zeros(len(a))
    steps = [np.abs(x - y) for x, y in zip(np.unravel_index(a, dims), np.unravel_index(b, dims), strict=True)]
    return np.where(np.max(steps, axis=0) > 1, 0.12, 0.0)


@dataclass(frozen=True)
class Lines:
    """Links as they lie on a drawing: places of the switches, and of each link its bend and its two ends."""

    place: Floats
    bend: Floats
    tails: Ints
    heads: Ints

    @property
    def ends(self) -> tuple[Ints, Ints]:
        """The smaller and the greater end of each link."""
        return np.minimum(self.tails, self.heads), np.maximum(self.tails, self.heads)

    def of(self, which: Ints) -> Floats:
        """Points of some of the links."""
        low, high = self.ends
        return _bent(self.place, self.bend[which], low[which], high[which])


def classed(
    matplotlib: ModuleType, sheet: Figure, ax: Axes, links: Lines, classes: Ints, class_names: list[str]
) -> None:
    """Links coloured by their class."""
    low, high = links.ends
    once = np.unique(np.stack([low, high, classes], axis=1), axis=0, return_index=True)[1]
    width = float(np.clip(60.0 / (len(once) + 1) ** 0.6, 0.25, 1.4))
    several = len(np.unique(classes)) > 1
    for k in np.unique(classes[once]):
        mine = once[classes[once] == k]
        name = class_names[k] if 0 <= k < len(class_names) else f"class {k}"
        lines = links.of(mine)
        tint = PALETTE[int(k) % len(PALETTE)] if several else "#7a7a7a"
        ax.add_collection(
            matplotlib.collections.LineCollection(lines, colors=tint, linewidths=width, alpha=0.7, label=name, zorder=1)
        )
    if several:
        sheet.legend(loc="outside lower center", ncols=6, fontsize=8)


def loaded(matplotlib: ModuleType, sheet: Figure, ax: Axes, links: Lines, load: Floats, drawing: Drawing) -> None:
    """Links by load: colour and width; the greatest are drawn last."""
    low, high = links.ends
    pair, first, where = np.unique(low * len(links.place) + high, return_index=True, return_inverse=True)
    most = np.zeros(len(pair))
    np.maximum.at(most, where, load)
    end = drawing.load_most if drawing.load_most is not None else float(most.max(initial=0.0))
    order = np.argsort(most, kind="stable")
    mine = first[order]
    share = most[order] / (end or 1.0)
    scale = matplotlib.colors.LinearSegmentedColormap.from_list("load", LOAD_STOPS)
    thin = float(np.clip(40.0 / (len(pair) + 1) ** 0.5, 0.3, 1.2))
    colours = scale(share)
    colours[:, 3] = np.where(share > 0, 0.35 + 0.65 * share, 0.35)
    lines = links.of(mine)
    ax.add_collection(
        matplotlib.collections.LineCollection(lines, colors=colours, linewidths=thin * (1 + 3.2 * share), zorder=1)
    )
    norm = matplotlib.colors.Normalize(0, end or 1.0)
    bar = sheet.colorbar(
        matplotlib.cm.ScalarMappable(norm=norm, cmap=scale),
        ax=ax,
        location="bottom",
        fraction=0.04,
        pad=0.01,
        aspect=40,
    )
    bar.set_label(drawing.load_label)
    unit = drawing.load_unit
    bar.ax.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda v, _: value_text(v, unit) if v else "0"))


def dots(ax: Axes, place: Floats, layout: str, kinds: Ints | None, faint: bool) -> None:
    """Switches, coloured by their kind; their numbers if there are few."""
    n = len(place)
    size = float(np.clip(5000.0 / n, 6.0, 220.0)) * (0.5 if faint else 1.0)
    names = np.unique(kinds) if kinds is not None else np.empty(0)
    tints: str | Sequence[str] = "#5b6470" if faint else PALETTE[0]
    if kinds is not None and not faint and 1 < len(names) <= KINDS:
        colours = [kind_colour(k, len(names)) for k in range(len(names))]
        tints = [colours[int(i)] for i in np.searchsorted(names, kinds)]
    ax.scatter(place[:, 0], place[:, 1], s=size, c=tints, edgecolors="white", linewidths=0.6, zorder=2)
    if n <= 64:
        for i, (x, y) in enumerate(place):
            ax.text(x, y, str(i), ha="center", va="center", fontsize=6, color="white", zorder=3, weight="bold")
    margin = 0.1 if layout == "grid" else 0.06
    ax.set(xlim=(-margin, 1 + margin), aspect="equal")
    tall = np.ptp(place[:, 1]) / 2 + margin
    ax.set_ylim(0.5 - max(tall, 0.2), 0.5 + max(tall, 0.2))
    ax.axis("off")


def kind_colour(k: int, count: int) -> str:
    """A few kinds have the colours of series, more have hues that differ most from their neighbours'."""
    if count <= len(PALETTE):
        return PALETTE[k]
    red, green, blue = colorsys.hls_to_rgb((k * 137.508 % 360) / 360, 0.42, 0.6)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def matrix(matplotlib: ModuleType, sheet: Figure, ax: Axes, switches: int, a: Ints, b: Ints) -> None:
    """Cables between switches as cells; blocks of switches where there are many."""
    cells = adjacency(switches, a, b)
    shown = np.where(cells > 0, cells, np.nan)
    high = max(1, int(cells.max()))
    norm = matplotlib.colors.LogNorm(1, high) if high >= 20 else matplotlib.colors.Normalize(0, high)
    scale = ax.imshow(
        shown,
        cmap=HEAT,
        norm=norm,
        interpolation="nearest",
        extent=(-0.5, switches - 0.5, switches - 0.5, -0.5),
    )
    ax.grid(False)
    ax.set(xlabel="switch", ylabel="switch")
    per = -(-switches // len(cells))
    words = "cables" if per == 1 else f"cables between blocks of about {per} switches"
    bar = sheet.colorbar(scale, ax=ax, label=words)
    if high >= 20:
        powers(matplotlib, bar.ax.yaxis)


def _bent(place: Floats, bend: Floats, a: Ints, b: Ints) -> Floats:
    """Polylines of shape (links, points, 2): straight, or a quadratic arc."""
    start, stop = place[a], place[b]
    if not bend.any():
        return np.stack([start, stop], axis=1)
    across = (stop - start)[:, ::-1] * np.array([-1.0, 1.0])
    control = (start + stop) / 2 + across * bend[:, None]
    t = np.linspace(0.0, 1.0, 13)[None, :, None]
    arcs: Floats = (1 - t) ** 2 * start[:, None] + 2 * t * (1 - t) * control[:, None] + t**2 * stop[:, None]
    return arcs
