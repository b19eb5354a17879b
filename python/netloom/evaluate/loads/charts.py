"""Charts of link loads: box plots of the six numbers, histograms of links by load, planes and small maps of a torus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ... import report
from ...base.errors import NetloomError
from ...base.quantities import amount_text
from ...plot.style import MAX_PANELS, axis_label
from ...report.pictures import ChartRequest, Pictures, panel_name, series_of, shown, with_files
from ...results import Table
from ...results.rows import Cell
from ..answer import Row
from ..base import ChartKind
from .minimaps import COLUMNS as MAPS
from .minimaps import words as map_words
from .of_core import Numbers, numbers
from .result import SIX
from .slices import COLUMNS as PLACES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = Sequence[Row]
#: What a histogram reads.
BINS = ("from_bytes", "to_bytes", "links")


def six(table: Table, chart: ChartRequest, name: str, pictures: Pictures) -> report.Section:
    """Box plots on a logarithmic axis; on the page without the mean, as the quartiles of the other five numbers."""
    rows = [row for row in table.rows if isinstance(row.get("max_bytes"), (int, float))]
    numbers = [v for row in rows for key in SIX if isinstance(v := row.get(key), (int, float))]
    positive = [v for v in numbers if v > 0]
    if not positive:
        return report.Text(chart.title, "No run gave a value to draw.")
    floor = min(positive) / 3
    data: dict[str, list[Cell]] = {chart.x: [], "bytes": [], "series": [], "facet": []}
    for row in rows:
        for key in SIX:
            if key != "mean_bytes":
                data[chart.x].append(shown(row.get(chart.x)))
                data["bytes"].append(max(float(row.get(key) or 0.0), floor))
                data["series"].append(_words(row, series_of(chart)))
                data["facet"].append(panel_name(chart.facet, row.get(chart.facet)))
    idle = f" Minima and quartiles of 0 stand at {amount_text(floor)} here." if min(numbers) == 0 else ""

    def draw(title: str, rows: Rows) -> Figure:
        from .pictures import boxes

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
        y_unit="B",
        log="y",
        caption=(chart.caption + idle).strip(),
    )
    return _drawn(section, table, chart, name, pictures, draw)


def histogram(table: Table, chart: ChartRequest, name: str, pictures: Pictures) -> report.Section:
    """Links by load, a line of steps per value of `series` (the class); bins of several runs are added up."""
    keys = series_of(chart) or ["class"]
    data: dict[str, list[Cell]] = {"from_bytes": [], "links": [], "series": [], "facet": []}
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

    def draw(title: str, rows: Rows) -> Figure:
        from .pictures import histograms

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
        x_unit="B",
        y_label=chart.y_label or "links",
        log="x",
        caption=chart.caption,
    )
    return _drawn(section, table, chart, name, pictures, draw)


def slices(table: Table, chart: ChartRequest, name: str, pictures: Pictures) -> report.Section:
    """One picture of a run's planes for each value of `facet`; on the page, of each switch the most loaded link there.

    The page has at most `MAX_PANELS` planes, those with the greatest loads.
    """
    own = [column for column in table.names() if column not in PLACES]
    places: dict[tuple[str, str], dict[tuple[int, int], float]] = {}
    for panel, rows in table.groups([chart.facet] if chart.facet else []):
        several = _several(rows.rows, own)
        if several:
            return report.Text(chart.title, several)
        facet = ", ".join(panel_name(chart.facet, value) for value in panel)
        for row in rows.rows:
            at = (int(row["row"] or 0), int(row["column"] or 0))
            most = places.setdefault((facet, str(row["plane"])), {})
            most[at] = max(most.get(at, 0.0), float(row["bytes"] or 0.0))
    if not places:
        return report.Text(chart.title, "No run gave a value to draw: no network has planes, or no link a load.")
    shown = sorted(places, key=lambda key: -max(places[key].values()))[:MAX_PANELS]
    data: dict[str, list[Cell]] = {"column": [], "row": [], "bytes": [], "facet": []}
    for facet, plane in (key for key in places if key in shown):
        for (down, across), carried in sorted(places[facet, plane].items()):
            data["column"].append(across)
            data["row"].append(down)
            data["bytes"].append(carried)
            data["facet"].append(", ".join(filter(None, (facet, plane))))
    dropped = f" Here the {MAX_PANELS} most loaded planes of {len(places)}." if len(shown) < len(places) else ""

    def draw(title: str, rows: Rows) -> Figure:
        from .pictures_slices import planes
        from .slices import of_rows

        return planes(of_rows(rows), title=title)

    section = report.Chart(
        title=chart.title,
        kind="heat",
        table=data,
        x="column",
        y="row",
        facet="facet",
        value="bytes",
        x_label=chart.x_label or "column: place in the last dimension",
        y_label=chart.y_label or "row",
        value_label="bytes on the most loaded link of a switch in its plane",
        y_unit="B",
        caption=(chart.caption + dropped).strip(),
    )
    return _drawn(section, table, chart, name, pictures, draw)


def minimaps(table: Table, chart: ChartRequest, name: str, pictures: Pictures) -> report.Section:
    """One picture of a run's small maps for each value of `facet`; on the page at most `MAX_PANELS`, no bars."""
    own = [column for column in table.names() if column not in MAPS]
    data: dict[str, list[Cell]] = {"place": [], "other_place": [], "bytes": [], "facet": []}
    panels: dict[str, None] = {}
    for panel, rows in table.groups([chart.facet] if chart.facet else []):
        several = _several(rows.rows, own)
        if several:
            return report.Text(chart.title, several)
        facet = ", ".join(panel_name(chart.facet, value) for value in panel)
        for row in rows.rows:
            if row["other"] in (None, ""):
                continue
            words = ", ".join(filter(None, (facet, map_words(int(row["direction"] or 0), int(row["other"] or 0)))))
            if len(panels) < MAX_PANELS or words in panels:
                for key in ("place", "other_place", "bytes"):
                    data[key].append(row[key])
                data["facet"].append(words)
            panels[words] = None
    if not panels:
        return report.Text(
            chart.title, "No run gave a value to draw: no network has two dimensions, or no link a load."
        )
    dropped = f" Here the first {MAX_PANELS} maps of {len(panels)}." if len(panels) > MAX_PANELS else ""

    def draw(title: str, rows: Rows) -> Figure:
        from .minimaps import of_rows
        from .pictures_minimaps import maps

        return maps(of_rows(rows), title=title)

    section = report.Chart(
        title=chart.title,
        kind="heat",
        table=data,
        x="place",
        y="other_place",
        facet="facet",
        value="bytes",
        x_label=chart.x_label or "place in the dimension of the links",
        y_label=chart.y_label or "place in the other one",
        value_label="bytes on cables to the next place, over all other dimensions",
        y_unit="B",
        caption=(chart.caption + dropped).strip(),
    )
    return _drawn(section, table, chart, name, pictures, draw)


def _several(rows: Rows, own: Sequence[str]) -> str:
    """That rows are of several runs, by the columns that a picture does not read; else nothing."""
    runs = len({tuple(row.get(column) for column in own) for row in rows})
    words = f"Cannot be drawn: a picture shows one run, here are {runs}. Choose one with where, or name a facet."
    return words if runs > 1 else ""


def _binned(rows: Rows, keys: list[str]) -> dict[str, list[Numbers]]:
    """Bins by series, ascending, each once."""
    sums: dict[str, dict[tuple[float, float], float]] = {}
    for row in rows:
        found, bins = numbers(row), sums.setdefault(_words(row, keys), {})
        at = (found["from_bytes"], found["to_bytes"])
        bins[at] = bins.get(at, 0) + found["links"]
    return {
        line: [dict(zip(BINS, (*at, links), strict=True)) for at, links in sorted(bins.items())]
        for line, bins in sums.items()
    }


def _drawn(
    section: report.Chart,
    table: Table,
    chart: ChartRequest,
    name: str,
    pictures: Pictures,
    draw: Callable[[str, Rows], Figure],
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


def _words(row: Row, keys: Sequence[str]) -> str:
    return ", ".join(shown(row.get(key)) for key in keys)


#: Kinds of charts that take columns of link loads.
SIX_KIND = ChartKind(six, SIX, x=True)
HISTOGRAM_KIND = ChartKind(histogram, BINS)
SLICES_KIND = ChartKind(slices, tuple(PLACES), series=False)
MINIMAPS_KIND = ChartKind(minimaps, tuple(MAPS), series=False)
