"""Data for the page's scripts."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.errors import Fault, NetloomError
from ..plot.choice import WORST, ratios
from ..plot.draw import GRAPH_LIMIT, ends, link_loads
from ..plot.front import unbeaten
from ..plot.kinds import BY_NAME
from ..plot.links import adjacency, bends, cables
from ..plot.positions import per_switch, positions
from ..plot.style import HEAT_STOPS, LOAD_STOPS, LOAD_STOPS_DARK, MARKERS, PALETTE, axis_label, ticked_label
from ..plot.tidy import Panel, Point, Series, Tidy, columns, tidy
from ..plot.units import value_text
from . import codes
from .arrays import packed
from .sections import Chart, NetworkView

#: More switches or pairs of joined switches are shown as a matrix only.
MAX_SWITCHES = 10_000
MAX_PAIRS = 30_000
#: Most points of a panel whose rows are points of their own, and most runs named behind a point.
POINTS = 6000
RUNS = 5
#: Most cells along one side of a matrix sent unreduced.
_SIDE = 256


def look() -> dict[str, object]:
    """Colours and markers, the same as on paper."""
    return {
        "palette": PALETTE,
        "markers": MARKERS,
        "heat": HEAT_STOPS,
        "load": LOAD_STOPS,
        "loadDark": LOAD_STOPS_DARK,
    }


class ChartData(TypedDict):
    """One chart, computed; the keys are those of the script."""

    kind: str
    alt: str
    xLabel: str
    yLabel: str
    valueLabel: str
    xUnit: str
    yUnit: str
    xNumber: bool
    categories: tuple[str, ...]
    rows: tuple[str, ...]
    logX: bool
    logY: bool
    xBase: int
    ownY: bool
    spread: bool
    numbers: bool
    worst: float
    names: tuple[str, ...]
    panels: list[dict[str, object]]
    notes: tuple[str, ...]
    source: str


def chart(section: Chart) -> ChartData:
    """Panels of series with everything computed: the script only draws."""
    made = tidy(section.kind, section.table, section.encoding)
    cells = BY_NAME[section.kind].cells
    height = section.value if cells and section.value else section.y
    runs = columns(section.table).get(section.runs) if section.runs else None
    x_label = section.x_label or (ticked_label if made.x_is_number or made.x_unit in ("bytes", "B") else axis_label)(
        section.x
    )
    y_label = section.y_label or ticked_label(section.y)
    value_label = section.value_label or ticked_label(height)
    panels = [_panel(made, panel, runs) for panel in made.panels]
    thinned = any("thinned" in panel for panel in panels)
    return {
        "kind": made.kind,
        "alt": _words(made, value_label if cells else y_label, x_label),
        "xLabel": x_label,
        "yLabel": y_label,
        "valueLabel": value_label,
        "xUnit": made.x_unit if section.x_unit is None else section.x_unit,
        "yUnit": made.unit if section.y_unit is None else section.y_unit,
        "xNumber": made.x_is_number,
        "categories": made.categories,
        "rows": made.rows,
        "logX": made.log_x,
        "logY": made.log_y,
        "xBase": made.base_x,
        "ownY": made.own_y,
        "spread": made.spread,
        "numbers": made.numbers,
        "worst": WORST,
        "names": made.names,
        "panels": panels,
        "notes": (*made.notes, *([f"{POINTS:,} points of a panel are drawn here, evenly spaced."] if thinned else [])),
        "source": section.source,
    }


def _words(made: Tidy, y: str, x: str) -> str:
    """The chart for those who do not see it; the script puts the panel's name in."""
    lines = [name for name in made.names if name]
    of = f", {len(lines)} series: {', '.join(lines[:6])}{' and others' if len(lines) > 6 else ''}" if lines else ""
    return f"{made.kind} chart of {y} over {x} {{panel}}{of}; the button values has the numbers"


def _panel(made: Tidy, panel: Panel, runs: Sequence[object] | None) -> dict[str, object]:
    out: dict[str, object] = {"name": panel.name}
    every = [(p.x, p.mean) for line in panel.series for p in line.points]
    front: set[tuple[object, float]] | None = None
    if made.kind == "pareto":
        best = unbeaten([x for x, _ in every], [y for _, y in every])
        out["front"] = [every[i] for i in best]
        front = {every[i] for i in best}
    if BY_NAME[made.kind].apart and len(every) > POINTS:
        out["thinned"] = True
    out["series"] = [_series(made, panel, line, runs, front) for line in panel.series]
    return out


def _series(
    made: Tidy, panel: Panel, line: Series, runs: Sequence[object] | None, front: set[tuple[object, float]] | None
) -> dict[str, object]:
    points = _thinned(line.points, POINTS // len(panel.series)) if BY_NAME[made.kind].apart else line.points
    x = [p.x if made.x_is_number else made.categories.index(p.x) for p in points]
    item: dict[str, object] = {"name": line.name, "x": x}
    if made.kind == "box":
        item["box"] = [p.quartiles() for p in points]
        item["count"] = [len(p.values) for p in points]
    else:
        item["y"] = [p.mean for p in points]
    if made.spread and made.kind in ("line", "bar"):
        item["low"] = [p.low for p in points]
        item["high"] = [p.high for p in points]
    if BY_NAME[made.kind].cells:
        item["row"] = made.rows.index(line.name)
    if made.kind == "choice":
        found = ratios(panel)
        item["ratio"] = [found[line.name, p.x] for p in points]
    if front is not None:
        item["best"] = [(p.x, p.mean) in front for p in points]
    if runs is not None:
        behind = [list(dict.fromkeys(run for i in p.rows for run in _behind(runs[i]))) for p in points]
        item["runs"] = [found[:RUNS] for found in behind]
        item["more"] = [max(0, len(found) - RUNS) for found in behind]
    return item


def _behind(cell: object) -> list[object]:
    """Runs of a row: one, or several that it adds up."""
    return list(cell) if isinstance(cell, (list, tuple)) else [] if cell is None else [cell]


def _thinned(points: tuple[Point, ...], most: int) -> tuple[Point, ...]:
    """At most `most` points, evenly spaced in the order of x and y, with the first and the last."""
    if len(points) <= most:
        return points
    ordered = sorted(points, key=lambda p: (p.x, p.mean))
    return tuple(ordered[i * (len(ordered) - 1) // (most - 1)] for i in range(most))


def network(section: NetworkView) -> dict[str, object]:
    """Places, pairs of joined switches and their classes; numbers as base64 of little-endian arrays.

    Raises
    ------
    NetloomError
        NL-X102, NL-X107.
    """
    n = section.switches
    a, b = ends(n, section.tails, section.heads)
    load = link_loads(section.load, len(a))
    low, high, count = cables(n, a, b)
    degree = np.bincount(low, count, minlength=n) + np.bincount(high, count, minlength=n)
    out: dict[str, object] = {
        "label": section.label,
        "switches": int(n),
        "cables": int(count.sum()),
        "degree": packed(degree, "u4"),
        "classNames": [],
        "alt": _alt(section, int(count.sum()), load),
    }
    if n > MAX_SWITCHES or len(low) > MAX_PAIRS:
        cells = adjacency(n, a, b, _SIDE)
        return {**out, "view": "matrix", "side": len(cells), "cells": packed(np.minimum(cells, 65535), "u2")}
    place, used = positions(n, layout=section.layout, dims=section.dims, levels=section.levels, groups=section.groups)
    view = section.view if section.view in ("graph", "matrix") else ("graph" if n <= GRAPH_LIMIT else "matrix")
    kind, kind_name = _kinds(section, n)
    out.update(
        view=view,
        layout=used,
        low=packed(low, "u2"),
        high=packed(high, "u2"),
        count=packed(np.minimum(count, 255), "u1"),
        bend=packed(bends(low, high, section.dims if used == "grid" else None) > 0, "u1"),
        x=packed(np.round(place[:, 0] * 65535), "u2"),
        y=packed(np.round(place[:, 1] * 65535), "u2"),
        kind=packed(kind, "u4"),
        kindName=kind_name,
        kindWords=[str(name) for name in section.group_names] if kind_name == "group" else [],
    )
    if load is not None:
        out.update(_loads(section, load, a, b))
    if section.class_of is not None:
        out.update(_classes(section.class_of, list(section.class_names), n, a, b, low, high))
    return out


def on_one_scale(views: Sequence[NetworkView]) -> list[NetworkView]:
    """The views with one end of the scale of loads, so that their colours compare."""
    most = [float(np.max(view.load, initial=0.0)) for view in views if view.load is not None]
    return [replace(view, load_most=max(most)) if view.load is not None else view for view in views]


def files(names: Sequence[str]) -> list[str]:
    """Relative paths that stay in the report's folder.

    Raises
    ------
    NetloomError
        NL-X111 for an absolute path, one that climbs out, or an address.
    """
    for name in names:
        path = posixpath.normpath(str(name))
        if not name or path.startswith(("/", "..")) or ":" in path or "\\" in path:
            expected = "a relative path inside the report's folder"
            raise NetloomError([Fault(codes.BAD_SECTION, "section.files", expected, repr(name))])
    return [str(name) for name in names]


def _kinds(section: NetworkView, n: int) -> tuple[NDArray[np.int64], str]:
    """The quantity that colours switches, and its name."""
    for name, values in (("box", section.boxes), ("group", section.groups), ("level", section.levels)):
        if values is not None:
            return per_switch(n, f"{name}s", values), name
    return np.zeros(n, dtype=np.int64), ""


def _alt(section: NetworkView, cables: int, load: NDArray[np.float64] | None) -> str:
    """The picture in words."""
    said = f"network {section.label}: {section.switches} switches, {cables} cables"
    if load is None or not len(load):
        return said
    most = value_text(float(load.max()), section.load_unit)
    return f"{said}, coloured by {section.load_label}, at most {most}"


def _loads(
    section: NetworkView, load: NDArray[np.float64], a: NDArray[np.int64], b: NDArray[np.int64]
) -> dict[str, object]:
    """Of every pair of switches the greater load of its links, and what causes it."""
    pair, where = np.unique(np.minimum(a, b) * section.switches + np.maximum(a, b), return_inverse=True)
    most = np.zeros(len(pair))
    np.maximum.at(most, where, load)
    told: dict[int, list[str]] = {}
    for link, text in section.notes.items():
        if 0 <= link < len(where):
            told.setdefault(int(where[link]), []).append(text)
    end = section.load_most if section.load_most is not None else float(most.max(initial=0.0))
    return {
        "load": packed(most, "f4"),
        "loadMax": end,
        "loadLabel": section.load_label,
        "loadUnit": section.load_unit,
        "notes": {str(i): "\n".join(lines) for i, lines in sorted(told.items())},
    }


def _classes(
    class_of: ArrayLike,
    names: list[str],
    n: int,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
) -> dict[str, object]:
    """Class of every pair: that of its first link."""
    classes = np.asarray(class_of)
    if classes.shape != a.shape or not np.issubdtype(classes.dtype, np.integer) or (classes < 0).any():
        expected = f"one class >= 0 for each of {len(a)} links"
        raise NetloomError([Fault(codes.BAD_SECTION, "section.class_of", expected, f"{classes.shape}")])
    key, first = np.unique(np.minimum(a, b) * n + np.maximum(a, b), return_index=True)
    of_pair = classes[first]
    if not (key == low * n + high).all():
        raise AssertionError("pairs are in ascending order in both")
    used = np.unique(of_pair)
    return {
        "classNames": [names[k] if k < len(names) else f"class {k}" for k in used],
        "classOf": packed(np.searchsorted(used, of_pair), "u2"),
    }
