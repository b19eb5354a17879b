"""Printed figures: one function, five kinds, the same bytes every time."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Unpack

from ..base.arguments import require_names
from ..base.errors import Fault, NetloomError
from ..base.files import write
from ..base.quantities import unit_of_time
from . import codes
from .style import DASHES, HEAT, MARKERS, PALETTE, axis_label, bytes_text, ticked_label, unit_of
from .text import PLAIN, escape_controls, powers
from .tidy import Grouping, Panel, Point, Tidy, tidy

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

_RC = {
    **PLAIN,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.prop_cycle": None,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "lines.markersize": 4.5,
    "savefig.dpi": 150,
    "svg.fonttype": "path",
    "svg.hashsalt": "netloom",
}
_FORMATS = {".png": {"Software": None}, ".svg": {"Date": None, "Creator": None}, ".pdf": {"CreationDate": None}}


class FigureOptions(Grouping, total=False):
    """Options of :func:`figure`, described there."""

    x_label: str | None
    y_label: str | None
    value_label: str | None
    title: str


def figure(
    kind: str,
    table: object,
    *,
    x: str,
    y: str,
    **options: Unpack[FigureOptions],
) -> Figure:
    """A matplotlib ``Figure`` of tidy columns.

    Parameters
    ----------
    kind
        ``line`` (mean, with a band from the least to the greatest where rows share an x), ``bar`` (grouped, with
        whiskers likewise), ``box``, ``scatter`` or ``heat``.
    table, x, y, series, facet, value, low, high, log
        See :func:`netloom.plot.tidy.tidy`.
    x_label, y_label, value_label
        Default: the column's name in words with its unit.
    title
        Above all panels.

    Returns
    -------
    matplotlib.figure.Figure
        Give it to :func:`save`.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib; NL-X102 to NL-X106 for the table; NL-A003 for an option that there is not.
    """
    require_names("figure", options, FigureOptions.__annotations__)
    x_label, y_label = options.get("x_label"), options.get("y_label")
    value, value_label, title = options.get("value"), options.get("value_label"), options.get("title")
    grouping: Grouping = {
        "series": options.get("series"),
        "facet": options.get("facet"),
        "value": value,
        "low": options.get("low"),
        "high": options.get("high"),
        "log": options.get("log", ""),
    }
    made = tidy(kind, table, x=x, y=y, **grouping)
    matplotlib = require()
    with matplotlib.rc_context(_rc(matplotlib)):
        across = min(3, len(made.panels))
        down = -(-len(made.panels) // across)
        sheet: Figure = matplotlib.figure.Figure(figsize=(_width(made) * across, 3.6 * down), layout="constrained")
        grid = sheet.subplots(down, across, sharex=made.kind != "heat", sharey=True, squeeze=False)
        axes = list(grid.flat)
        norm = _heat_norm(matplotlib, made) if kind == "heat" else None
        for ax, panel in zip(axes, made.panels, strict=False):
            _DRAW[kind](ax, made, panel, norm)
            ax.set_title(panel.name, fontsize=9)
            _axes(matplotlib, ax, made, x, y)
        for ax in axes[len(made.panels) :]:
            ax.set_visible(False)
        for i, ax in enumerate(axes[: len(made.panels)]):
            if i + across >= len(made.panels):
                ax.set_xlabel(x_label or (ticked_label if made.x_is_number else axis_label)(x))
                ax.tick_params(labelbottom=True)
            if i % across == 0:
                ax.set_ylabel(y_label or ticked_label(y))
        if title:
            sheet.suptitle(title, fontsize=11)
        if norm is not None:
            scale = matplotlib.cm.ScalarMappable(norm=norm, cmap=HEAT)
            bar = sheet.colorbar(scale, ax=axes[: len(made.panels)])
            bar.set_label(value_label or ticked_label(value or ""))
            if made.log_y:
                powers(matplotlib, bar.ax.yaxis)
            if unit_of(value or "") == "s":
                _time_ticks(matplotlib.ticker, bar.ax.yaxis, made.log_y)
        elif made.names != ("",):
            _legend(sheet, axes, made)
    return sheet


def save(sheet: Figure, *paths: str | Path) -> list[Path]:
    """Write a figure to files whose endings say the format: ``.png``, ``.svg`` or ``.pdf``.

    The bytes depend on the figure alone: no date, no random identifiers. Each file appears whole or not at all.

    Raises
    ------
    NetloomError
        NL-X102 for another ending, NL-X003 if a file cannot be written.
    """
    matplotlib = require()
    written = []
    for path in paths:
        ending = ending_of(path)
        buffer = io.BytesIO()
        with matplotlib.rc_context(_rc(matplotlib)), warnings.catch_warnings():
            # Missing glyphs are drawn as boxes, and cramped panels are visible.
            warnings.simplefilter("ignore", UserWarning)
            escape_controls(matplotlib, sheet)
            sheet.savefig(buffer, format=ending[1:], metadata=_FORMATS[ending])
        write(path, buffer.getvalue())
        written.append(Path(path))
    return written


def ending_of(path: str | Path) -> str:
    """`.png`, `.svg` or `.pdf`.

    Raises
    ------
    NetloomError
        NL-X102 for another one.
    """
    ending = Path(path).suffix.lower()
    if ending not in _FORMATS:
        hint = "one of " + ", ".join(_FORMATS)
        raise NetloomError([Fault(codes.UNKNOWN_KIND, str(path), "a picture file", repr(ending), hint)])
    return ending


def require() -> ModuleType:
    """matplotlib with the parts that are used here.

    Raises
    ------
    NetloomError
        NL-X101 if it is not installed.
    """
    try:
        import matplotlib
        import matplotlib.cm
        import matplotlib.collections
        import matplotlib.colors
        import matplotlib.figure
        import matplotlib.lines
        import matplotlib.patches
        import matplotlib.text
        import matplotlib.ticker
    except ImportError as error:
        fault = Fault(codes.NO_MATPLOTLIB, "figure", "matplotlib is not installed", hint="pip install 'netloom[plot]'")
        raise NetloomError([fault]) from error
    return matplotlib


def _rc(matplotlib: ModuleType) -> dict[str, object]:
    return {**_RC, "axes.prop_cycle": matplotlib.rcsetup.cycler(color=PALETTE)}


def _width(made: Tidy) -> float:
    """Inches of one panel: wider for many bars."""
    if made.x_is_number:
        return 5.4
    bars = len(made.categories) * (len(made.names) if made.kind in ("bar", "box") else 1)
    return min(14.0, max(5.4, 1.5 + 0.16 * bars))


def _look(made: Tidy, name: str) -> tuple[str, str, str]:
    i = made.names.index(name)
    return PALETTE[i % len(PALETTE)], MARKERS[i % len(MARKERS)], DASHES[i // len(PALETTE) % len(DASHES)]


def _places(made: Tidy, points: Sequence[Point]) -> list[float]:
    if made.x_is_number:
        return [p.x for p in points]
    return [made.categories.index(p.x) for p in points]


def _line(ax: Axes, made: Tidy, panel: Panel, _: Normalize | None) -> None:
    for line in panel.series:
        colour, marker, dash = _look(made, line.name)
        points = sorted(line.points, key=lambda p: made.categories.index(p.x)) if not made.x_is_number else line.points
        at = _places(made, points)
        ax.plot(at, [p.mean for p in points], dash, color=colour, marker=marker, label=line.name, linewidth=1.4)
        if made.spread:
            ax.fill_between(
                at, [p.low for p in points], [p.high for p in points], color=colour, alpha=0.18, linewidth=0
            )


def _bar(ax: Axes, made: Tidy, panel: Panel, _: Normalize | None) -> None:
    width = 0.8 / len(made.names)
    for line in panel.series:
        i = made.names.index(line.name)
        at = [place + (i - (len(made.names) - 1) / 2) * width for place in _places(made, line.points)]
        heights = [p.mean for p in line.points]
        hatch = ("///", "...", "xxx", "\\\\\\", "+++")[(i // len(PALETTE) - 1) % 5] if i >= len(PALETTE) else None
        colour = PALETTE[i % len(PALETTE)]
        ax.bar(at, heights, width, color=colour, label=line.name, edgecolor="white", linewidth=0.5, hatch=hatch)
        if made.spread:
            limits = [[p.mean - p.low for p in line.points], [p.high - p.mean for p in line.points]]
            ax.errorbar(at, heights, limits, fmt="none", ecolor="#333333", elinewidth=0.8, capsize=2)


def _box(ax: Axes, made: Tidy, panel: Panel, _: Normalize | None) -> None:
    width = 0.8 / len(made.names)
    for line in panel.series:
        i = made.names.index(line.name)
        at = [place + (i - (len(made.names) - 1) / 2) * width for place in _places(made, line.points)]
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


def _scatter(ax: Axes, made: Tidy, panel: Panel, _: Normalize | None) -> None:
    for line in panel.series:
        colour, marker, _dash = _look(made, line.name)
        y = [p.values[0] for p in line.points]
        ax.scatter(
            [p.x for p in line.points], y, s=16, c=colour, marker=marker, label=line.name, alpha=0.8, linewidths=0
        )


def _heat(ax: Axes, made: Tidy, panel: Panel, norm: Normalize | None) -> None:
    import numpy as np

    cells = np.full((len(made.rows), len(made.categories)), np.nan)
    for line in panel.series:
        for p in line.points:
            cells[made.rows.index(line.name), made.categories.index(p.x)] = p.mean
    ax.imshow(cells, aspect="auto", origin="lower", cmap=HEAT, norm=norm, interpolation="nearest")
    ax.grid(False)


_DRAW = {"line": _line, "bar": _bar, "box": _box, "scatter": _scatter, "heat": _heat}


def _heat_norm(matplotlib: ModuleType, made: Tidy) -> Normalize:
    values = [p.mean for panel in made.panels for s in panel.series for p in s.points]
    low, high = min(values), max(values)
    pick = matplotlib.colors.LogNorm if made.log_y and low < high else matplotlib.colors.Normalize
    norm: Normalize = pick(low, high)
    return norm


def _axes(matplotlib: ModuleType, ax: Axes, made: Tidy, x: str, y: str) -> None:
    ticker = matplotlib.ticker
    if made.log_x:
        ax.set_xscale("log", base=2 if unit_of(x) == "bytes" else 10)
        powers(matplotlib, ax.xaxis)
    if made.log_y and made.kind != "heat":
        ax.set_yscale("log")
        powers(matplotlib, ax.yaxis)
    if made.x_is_number:
        if unit_of(x) == "bytes":
            ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda v, _: bytes_text(v)))
        if unit_of(x) == "bytes" and made.log_x:
            ax.xaxis.set_major_locator(ticker.LogLocator(base=2, numticks=8))
            ax.xaxis.set_minor_locator(ticker.NullLocator())
        if unit_of(x) == "s":
            _time_ticks(ticker, ax.xaxis, made.log_x)
    else:
        _categories(ax.xaxis, made.categories, 16 if made.kind == "heat" else 40, rotate=True)
    if made.kind == "heat":
        _categories(ax.yaxis, made.rows, 24, rotate=False)
    elif unit_of(y) == "s":
        _time_ticks(ticker, ax.yaxis, made.log_y)


def _time_ticks(ticker: ModuleType, axis: Axis, log: bool) -> None:
    """`250 µs` instead of `2.5` and a power of ten at the end of the axis."""

    def text(seconds: float, _: int) -> str:
        # Rounded first: 999.9999999 µs are 1 ms.
        size, unit = unit_of_time(float(f"{abs(seconds):.6g}"))
        return f"{seconds / size:g} {unit}" if seconds else "0"

    if log:
        axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axis.set_minor_formatter(ticker.NullFormatter())
    axis.set_major_formatter(ticker.FuncFormatter(text))


def _categories(axis: Axis, names: tuple[str, ...], most: int, rotate: bool) -> None:
    """At most `most` ticks; long names are cut and slanted so that they do not meet."""
    step = -(-len(names) // most)
    shown = [name if len(name) <= 24 else name[:23] + "…" for name in names[::step]]
    slant = rotate and sum(map(len, shown)) > 40
    axis.set_ticks(range(0, len(names), step), shown)
    if slant:
        for label in axis.get_ticklabels():
            label.set(rotation=30, ha="right", rotation_mode="anchor")


def _legend(sheet: Figure, axes: list[Axes], made: Tidy) -> None:
    found: dict[str, Artist] = {}
    for ax in axes:
        for handle, name in zip(*ax.get_legend_handles_labels(), strict=True):
            found.setdefault(name, handle)
    if made.kind == "box":
        from matplotlib.patches import Patch

        found = {n: Patch(color=PALETTE[i % len(PALETTE)], alpha=0.45) for i, n in enumerate(made.names)}
    names = [name for name in made.names if name in found]
    room = sheet.get_figwidth() * 11
    widest = max(len(name) for name in names) + 6
    sheet.legend(
        [found[name] for name in names],
        names,
        loc="outside lower center",
        ncols=max(1, min(len(names), int(room / widest))),
        fontsize=8,
    )
