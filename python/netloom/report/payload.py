"""Data for the page's scripts."""

from __future__ import annotations

import base64
import posixpath
from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.errors import Fault, NetloomError
from ..plot.draw import GRAPH_LIMIT, adjacency, bends, cables, ends
from ..plot.positions import per_switch, positions
from ..plot.style import HEAT_STOPS, MARKERS, PALETTE, axis_label, ticked_label, unit_of
from ..plot.tidy import Panel, Tidy, tidy
from . import codes
from .sections import Chart, NetworkView

#: More switches or pairs of joined switches are shown as a matrix only.
MAX_SWITCHES = 10_000
MAX_PAIRS = 30_000
#: Most cells along one side of a matrix sent unreduced.
_SIDE = 256


def look() -> dict[str, object]:
    """Colours and markers, the same as on paper."""
    return {"palette": PALETTE, "markers": MARKERS, "heat": HEAT_STOPS}


class ChartData(TypedDict):
    """One chart, computed; the keys are those of the script."""

    kind: str
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
    spread: bool
    names: tuple[str, ...]
    panels: list[dict[str, object]]
    notes: tuple[str, ...]


def chart(section: Chart) -> ChartData:
    """Panels of series with everything computed: the script only draws."""
    made = tidy(
        section.kind,
        section.table,
        x=section.x,
        y=section.y,
        series=section.series,
        facet=section.facet,
        value=section.value,
        low=section.low,
        high=section.high,
        log=section.log,
    )
    height = section.value if section.kind == "heat" and section.value else section.y
    return {
        "kind": made.kind,
        "xLabel": section.x_label or (ticked_label if made.x_is_number else axis_label)(section.x),
        "yLabel": section.y_label or ticked_label(section.y),
        "valueLabel": section.value_label or ticked_label(height),
        "xUnit": unit_of(section.x) if section.x_unit is None else section.x_unit,
        "yUnit": unit_of(height) if section.y_unit is None else section.y_unit,
        "xNumber": made.x_is_number,
        "categories": made.categories,
        "rows": made.rows,
        "logX": made.log_x,
        "logY": made.log_y,
        "spread": made.spread,
        "names": made.names,
        "panels": [{"name": panel.name, "series": _series(made, panel)} for panel in made.panels],
        "notes": made.notes,
    }


def _series(made: Tidy, panel: Panel) -> list[dict[str, object]]:
    out = []
    for line in panel.series:
        x = [p.x if made.x_is_number else made.categories.index(p.x) for p in line.points]
        item: dict[str, object] = {"name": line.name, "x": x}
        if made.kind == "box":
            item["box"] = [p.quartiles() for p in line.points]
            item["count"] = [len(p.values) for p in line.points]
        else:
            item["y"] = [p.mean for p in line.points]
        if made.spread and made.kind in ("line", "bar"):
            item["low"] = [p.low for p in line.points]
            item["high"] = [p.high for p in line.points]
        if made.kind == "heat":
            item["row"] = made.rows.index(line.name)
        out.append(item)
    return out


def network(section: NetworkView) -> dict[str, object]:
    """Places, pairs of joined switches and their classes; numbers as base64 of little-endian arrays.

    Raises
    ------
    NetloomError
        NL-X102, NL-X107.
    """
    n = section.switches
    a, b = ends(n, section.tails, section.heads)
    low, high, count = cables(n, a, b)
    degree = np.bincount(low, count, minlength=n) + np.bincount(high, count, minlength=n)
    out: dict[str, object] = {
        "label": section.label,
        "switches": int(n),
        "cables": int(count.sum()),
        "degree": packed(degree, "u4"),
        "classNames": [],
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
    if section.class_of is not None:
        out.update(_classes(section.class_of, list(section.class_names), n, a, b, low, high))
    return out


def packed(values: ArrayLike, dtype: str) -> str:
    """Base64 of a little-endian array."""
    return base64.b64encode(np.asarray(values).astype(f"<{dtype}").tobytes()).decode("ascii")


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
    for name, values in (("group", section.groups), ("level", section.levels)):
        if values is not None:
            return per_switch(n, f"{name}s", values), name
    return np.zeros(n, dtype=np.int64), ""


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
