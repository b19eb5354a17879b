"""Printed figures: one function for all kinds of charts, the same bytes every time."""

from __future__ import annotations

import io
import warnings
from math import log10
from pathlib import Path
from textwrap import wrap
from types import ModuleType
from typing import TYPE_CHECKING, TypedDict, Unpack

from ..base.arguments import require_names
from ..base.errors import Fault, NetloomError
from ..base.files import write
from . import codes
from .choice import WORST
from .encoding import Encoding
from .kinds import BY_NAME
from .style import HEAT, PALETTE, UNITS_WITH_TICKS, axis_label, ticked_label
from .text import PLAIN, escape_controls, powers
from .tidy import Tidy, tidy
from .units import value_text

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
#: A logarithmic x axis that spans more powers of ten has room for ticks at these alone.
DECADES = 3
_FORMATS = {".png": {"Software": None}, ".svg": {"Date": None, "Creator": None}, ".pdf": {"CreationDate": None}}


class FigureOptions(TypedDict, total=False):
    """Options of :func:`figure`, described there."""

    series: str | None
    facet: str | None
    value: str | None
    low: str | None
    high: str | None
    log: str
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
        One of :data:`netloom.plot.kinds.KINDS`: ``line`` (mean, with a band from the least to the greatest where rows
        share an x), ``bar`` (grouped, with whiskers likewise), ``box``, ``scatter``, ``heat``, ``choice``, ``area``,
        ``pareto``, ``radar``.
    table, x, y, series, facet, value, low, high, log
        See :func:`netloom.plot.tidy.tidy` and :class:`netloom.plot.encoding.Encoding`.
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
    encoding = Encoding(
        x, y, options.get("series"), options.get("facet"), value, options.get("low"), options.get("high"),
        options.get("log", ""),
    )  # fmt: skip
    made = tidy(kind, table, encoding)
    matplotlib = require()
    import numpy as np

    with matplotlib.rc_context(_rc(matplotlib)):
        sort = BY_NAME[kind]
        across = min(3, len(made.panels))
        down = -(-len(made.panels) // across)
        tall = 5.2 if sort.polar else max(3.6, 1.6 + 0.24 * len(made.rows))
        sheet: Figure = matplotlib.figure.Figure(figsize=(_width(made) * across, tall * down), layout="constrained")
        polar = {"projection": "polar", "theta_offset": np.pi / 2, "theta_direction": -1} if sort.polar else None
        shared = not sort.cells and not sort.polar
        grid = sheet.subplots(down, across, sharex=shared, sharey=not made.own_y, squeeze=False, subplot_kw=polar)
        axes = list(grid.flat)
        norm = _norm(matplotlib, made) if sort.cells else None
        for ax, panel in zip(axes, made.panels, strict=False):
            sort.draw(ax, made, panel, norm)
            ax.set_title(panel.name, fontsize=9)
            if not sort.polar:
                _axes(matplotlib, ax, made, x, y)
        for ax in axes[len(made.panels) :]:
            ax.set_visible(False)
        for i, ax in enumerate(axes[: len(made.panels)] if not sort.polar else ()):
            if i + across >= len(made.panels):
                ax.set_xlabel(
                    x_label or (ticked_label if made.x_is_number or made.x_unit in ("bytes", "B") else axis_label)(x)
                )
                ax.tick_params(labelbottom=True)
            if i % across == 0:
                ax.set_ylabel(y_label or ticked_label(y))
            if made.own_y:
                ax.tick_params(labelleft=True)
        if title:
            sheet.suptitle(title, fontsize=11)
        if norm is not None:
            _colour_bar(
                matplotlib, sheet, axes[: len(made.panels)], made, norm, value_label or ticked_label(value or "")
            )
        elif made.names != ("",):
            _legend(sheet, axes, made)
        if kind == "choice" and made.notes:
            width = int(sheet.get_figwidth() * 14)
            said = "\n".join(line for note in made.notes for line in wrap(note, width))
            sheet.supxlabel(said, fontsize=7.5, color="#555555")
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
    if made.numbers:
        return min(14.0, max(5.4, 2.2 + 0.5 * len(made.categories)))
    bars = len(made.categories) * (len(made.names) if made.kind in ("bar", "box") else 1)
    return min(14.0, max(5.4, 1.5 + 0.16 * bars))


def _norm(matplotlib: ModuleType, made: Tidy) -> Normalize:
    """The scale of colours of all panels."""
    norm: Normalize
    if made.kind == "choice":
        norm = matplotlib.colors.LogNorm(1.0, WORST, clip=True)
        return norm
    values = [p.mean for panel in made.panels for s in panel.series for p in s.points]
    low, high = min(values), max(values)
    pick = matplotlib.colors.LogNorm if made.log_y and low < high else matplotlib.colors.Normalize
    norm = pick(low, high)
    return norm


def _colour_bar(
    matplotlib: ModuleType, sheet: Figure, axes: list[Axes], made: Tidy, norm: Normalize, label: str
) -> None:
    choice = made.kind == "choice"
    bar = sheet.colorbar(matplotlib.cm.ScalarMappable(norm=norm, cmap=f"{HEAT}_r" if choice else HEAT), ax=axes)
    if choice:
        bar.set_ticks([1, 2, 5, 10], labels=["best", "×2", "×5", f"×{WORST:g} and more"])
        bar.ax.minorticks_off()
        return
    bar.set_label(label)
    if made.log_y:
        powers(matplotlib, bar.ax.yaxis)
    if made.unit in UNITS_WITH_TICKS:
        _unit_ticks(matplotlib.ticker, bar.ax.yaxis, made.unit, made.log_y)


def _axes(matplotlib: ModuleType, ax: Axes, made: Tidy, x: str, y: str) -> None:
    ticker = matplotlib.ticker
    if made.log_x:
        ax.set_xscale("log", base=made.base_x)
        powers(matplotlib, ax.xaxis)
    cells = BY_NAME[made.kind].cells
    if made.log_y and not cells:
        ax.set_yscale("log")
        powers(matplotlib, ax.yaxis)
    if made.x_is_number:
        if made.log_x and made.base_x == 2:
            ax.xaxis.set_major_locator(ticker.LogLocator(base=2, numticks=8))
            ax.xaxis.set_minor_locator(ticker.NullLocator())
            ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda v, _: value_text(v, made.x_unit)))
        elif made.x_unit in UNITS_WITH_TICKS:
            _unit_ticks(ticker, ax.xaxis, made.x_unit, made.log_x, (1, 2, 5) if _decades(made) <= DECADES else (1,))
    else:
        _categories(ax.xaxis, made.categories, 16 if cells else 40, rotate=True)
    if cells:
        _categories(ax.yaxis, made.rows, 24, rotate=False)
    elif made.unit in UNITS_WITH_TICKS:
        _unit_ticks(ticker, ax.yaxis, made.unit, made.log_y)


def _decades(made: Tidy) -> float:
    """Powers of ten that the x axis spans."""
    at = [p.x for panel in made.panels for line in panel.series for p in line.points if p.x > 0]
    return log10(max(at) / min(at)) if at else 0.0


def _unit_ticks(ticker: ModuleType, axis: Axis, unit: str, log: bool, multiples: tuple[int, ...] = (1, 2, 5)) -> None:
    """`250 µs` instead of `2.5` and a power of ten at the end of the axis."""

    def text(value: float, _: int) -> str:
        return value_text(value, unit, 4) if value else "0"

    if log:
        axis.set_major_locator(ticker.LogLocator(subs=multiples))
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
