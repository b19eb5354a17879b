"""Charts of link loads: box plots of the six numbers, and histograms of links by load."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import report
from ..errors import NetloomError
from ..link_load.result import SIX
from ..plot.style import axis_label
from ..results import Table
from .reporting import Pictures, panel_name, series_of, shown, with_files
from .schema import Chart

Rows = Sequence[dict[str, Any]]
#: What a histogram reads.
BINS = ("from_bytes", "to_bytes", "links")


def six(table: Table, chart: Chart, name: str, pictures: Pictures) -> report.Section:
    """Box plots on a logarithmic axis; on the page without the mean, as the quartiles of the other five numbers."""
    rows = [row for row in table.rows if isinstance(row.get("max_bytes"), (int, float))]
    numbers = [v for row in rows for key in SIX if isinstance(v := row.get(key), (int, float))]
    positive = [v for v in numbers if v > 0]
    if not positive:
        return report.Text(chart.title, "No run gave a value to draw.")
    floor = min(positive) / 3
    data: dict[str, list[Any]] = {chart.x: [], "bytes": [], "series": [], "facet": []}
    for row in rows:
        for key in SIX:
            if key != "mean_bytes":
                data[chart.x].append(shown(row.get(chart.x)))
                data["bytes"].append(max(float(row.get(key) or 0.0), floor))
                data["series"].append(_words(row, series_of(chart)))
                data["facet"].append(panel_name(chart.facet, row.get(chart.facet)))
    idle = f" Minima and quartiles of 0 stand at {floor:.3g} bytes here." if min(numbers) == 0 else ""

    def draw(title: str, rows: Rows) -> Any:
        from ..plot.loads import boxes

        named = [row | {"name": shown(row.get(chart.x)), "group": _words(row, series_of(chart))} for row in rows]
        return boxes(named, group="group" if chart.series else None, title=title, y_label=chart.y_label)

    section = report.Chart(
        title=chart.title,
        kind="box",
        table=data,
        x=chart.x,
        y="bytes",
        series="series" if chart.series else None,
        facet="facet" if chart.facet else None,
        x_label=chart.x_label or axis_label(chart.x),
        y_label=chart.y_label or "bytes on a link",
        log="y",
        caption=(chart.caption + idle).strip(),
    )
    return _drawn(section, table, chart, name, pictures, draw)


def histogram(table: Table, chart: Chart, name: str, pictures: Pictures) -> report.Section:
    """Links by load, a line of steps per value of `series` (the class); bins of several runs are added up."""
    keys = series_of(chart) or ["class"]
    data: dict[str, list[Any]] = {"from_bytes": [], "links": [], "series": [], "facet": []}
    for panel, rows in table.groups([chart.facet] if chart.facet else []):
        for line, bins in _binned(rows.rows, keys).items():
            for row in bins:
                if row["to_bytes"] > 0:
                    data["from_bytes"].append(row["from_bytes"])
                    data["links"].append(row["links"])
                    data["series"].append(line)
                    data["facet"].append(", ".join(panel_name(chart.facet, value) for value in panel))
    if not data["links"]:
        return report.Text(chart.title, "No run gave a value to draw.")

    def draw(title: str, rows: Rows) -> Any:
        from ..plot.loads import histograms

        return histograms(_binned(rows, keys), title=title)

    section = report.Chart(
        title=chart.title,
        kind="line",
        table=data,
        x="from_bytes",
        y="links",
        series="series",
        facet="facet" if chart.facet else None,
        x_label=chart.x_label or "bytes on a link",
        y_label=chart.y_label or "links",
        log="x",
        caption=chart.caption,
    )
    return _drawn(section, table, chart, name, pictures, draw)


def _binned(rows: Rows, keys: list[str]) -> dict[str, list[dict[str, Any]]]:
    """Bins by series, ascending, each once."""
    sums: dict[str, dict[tuple[float, float], int]] = {}
    for row in rows:
        bins = sums.setdefault(_words(row, keys), {})
        at = (row["from_bytes"], row["to_bytes"])
        bins[at] = bins.get(at, 0) + row["links"]
    return {
        line: [dict(zip(BINS, (*at, links), strict=True)) for at, links in sorted(bins.items())]
        for line, bins in sums.items()
    }


def _drawn(
    section: report.Chart,
    table: Table,
    chart: Chart,
    name: str,
    pictures: Pictures,
    draw: Callable[[str, Rows], Any],
) -> report.Section:
    """The section with its pictures, one for each value of the facet."""
    files: list[str] = []
    panels = table.groups([chart.facet] if chart.facet else [])
    try:
        for number, (values, panel) in enumerate(panels, start=1):
            title = ", ".join([chart.title, *(panel_name(chart.facet, value) for value in values)])
            own = name if len(panels) == 1 else f"{name}-{number}"
            files += pictures.sheet(own, lambda title=title, panel=panel: draw(title, panel.rows))  # type: ignore[misc]
    except NetloomError as error:
        return report.Text(chart.title, f"Cannot be drawn: {error.faults[0]}")
    return with_files(section, files)


def _words(row: dict[str, Any], keys: Sequence[str]) -> str:
    return ", ".join(shown(row.get(key)) for key in keys)
