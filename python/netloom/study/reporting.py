"""Results and the study's `chart`, `table`, `claim` and `drawing` parts as sections of the report and as pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .. import report
from ..base.arrays import ndarray
from ..base.errors import NetloomError
from ..base.quantities import counted
from ..base.statistics import quantile
from ..mapping import placed, slug
from ..plot.kinds import BY_NAME
from ..plot.style import axis_label
from ..report.pictures import Pictures, panel_name, series_of, shown, with_files
from ..results import Column, Table
from ..results.rows import Cell
from ..scenario import Workshop
from .across import across
from .answers import answers
from .cautions import cautions
from .claims import Finding
from .emit import RankFiles
from .measured import BESIDE, OVER
from .plan import Plan
from .readings import tables_of
from .schema import Across, Chart, Drawing, TableSpec
from .tables import Outcome

#: Rows of the table of all runs on the page; the files hold them all.
ROWS_SHOWN = 300
#: Columns of it that are shown before the reader chooses others.
COLUMNS_SHOWN = 10
#: First and last decile of a band.
DECILES = (0.1, 0.9)
#: Column of a row's number among the runs of its experiment.
RUN = "#run"


def sections(
    plan: Plan,
    outcomes: dict[str, Outcome],
    findings: Sequence[Finding],
    ranks: dict[str, list[RankFiles]],
    pictures: Pictures,
) -> list[report.Section]:
    """The report's sections in reading order: findings first, then each experiment's parts."""
    made: list[report.Section] = []
    if findings:
        made.append(report.Claims("Findings", [_claim(finding) for finding in findings]))
    made += [
        _across(chart, f"study-{i + 1}-{slug(chart.title.lower())}", outcomes, pictures)
        for i, chart in enumerate(plan.loaded.study.chart)
    ]
    workshop = Workshop(plan.calls)
    for part in plan.parts:
        outcome = outcomes[part.spec.name]
        title = part.spec.title or part.spec.name
        made.append(report.Text(title, _opening(outcome)))
        if said := [*answers(outcome), *cautions(part)]:
            made.append(report.Text(f"{title}: answer", "\n".join(f"- {line}" for line in said)))
        for i, chart in enumerate(part.spec.chart):
            made.append(_chart(outcome, chart, f"{slug(part.spec.name)}-{i + 1}-{slug(chart.title.lower())}", pictures))
        made += [_table(outcome, spec) for spec in part.spec.table]
        made += _beside(outcome, title)
        for compared in part.evaluation.compared:
            table = outcome.named(compared)
            if table is not None and all(spec.table != compared for spec in part.spec.table):
                made.append(_whole(f"{title}: {compared}", table, outcome, f"Also in tables/{table.name}.csv."))
        for reading in tables_of(part.spec):
            table = outcome.longer[reading]
            if all(spec.table != reading for spec in part.spec.table):
                made.append(_whole(f"{title}: {reading}", table, outcome, f"Also in tables/{table.name}.csv."))
        for i, drawing in enumerate(part.spec.drawing):
            made.append(_drawing(drawing, f"{slug(part.spec.name)}-network-{i + 1}", workshop, pictures))
        if part.spec.emit is not None:
            made.append(report.Text(f"{title}: rank files", _rank_files(ranks.get(part.spec.name, []))))
        made.append(_all_runs(outcome, title))
        if outcome.skipped.rows:
            caption = "Runs without a result, with the reason."
            made.append(_whole(f"{title}: skipped", outcome.skipped, outcome, caption))
    return made


def _beside(outcome: Outcome, title: str) -> list[report.Section]:
    """What was measured, next to what was predicted."""
    measured, table = outcome.part.measured, outcome.table
    if measured is None or OVER not in table.names():
        return []
    axes = [name for name, labels in outcome.part.labels.items() if len(labels) > 1]
    known = table.rows.taken([at for at, row in enumerate(table.rows) if row.get(OVER) is not None])
    return [_rows(f"{title}: predicted and measured", Table(table.name, table.columns, known), [*axes, *BESIDE], "")]


def _across(chart: Across, name: str, outcomes: Mapping[str, Outcome], pictures: Pictures) -> report.Section:
    section = across(chart, outcomes)
    if not isinstance(section, report.Chart):
        return section
    try:
        return with_files(section, pictures.chart(name, section))
    except NetloomError as error:
        return report.Text(chart.title, f"Cannot be drawn: {error.faults[0]}")


def _opening(outcome: Outcome) -> str:
    done, skipped = len(outcome.table.rows), len(outcome.skipped.rows)
    evaluation = outcome.part.evaluation
    counts = counted(done, "run") + (f", {skipped} skipped" if skipped else "")
    axes = ", ".join(f"{name} ({len(labels)})" for name, labels in outcome.part.labels.items() if len(labels) > 1)
    line = f"{evaluation.summary}; {counts}" + (f" over {axes}." if axes else ".")
    about = outcome.part.spec.about.strip()
    measured = outcome.part.measured
    line += f" {measured.words()}" if measured else ""
    unused = "; ".join(outcome.unused_words())
    spared = f"{outcome.spared.says}." if outcome.spared else ""
    return "\n\n".join(text for text in (about, line, spared, f"Note: {unused}." if unused else "") if text)


def _rank_files(best: list[RankFiles]) -> str:
    lines = [f"- {item.words()}: " + ", ".join(f"`{name}`" for name in item.names) for item in best]
    return (
        "The mapping of the best run, as launchers take it.\n\n" + "\n".join(lines)
        if lines
        else "No run has a mapping."
    )


def _claim(finding: Finding) -> report.Claim:
    claim = finding.claim
    note = finding.reason
    if finding.surprise and claim.refuted and finding.verdict == "confirmed":
        note = f"not refuted, against the expectation: {finding.reason}"
    note = ". ".join(filter(None, (note.rstrip("."), finding.by_flows))) if finding.by_flows else note
    return report.Claim(
        id=claim.id,
        statement=claim.says,
        expected=finding.expected,
        got=finding.got,
        verdict=finding.verdict,
        place=claim.source,
        note=note,
    )


def _chart(outcome: Outcome, chart: Chart, name: str, pictures: Pictures) -> report.Section:
    table = outcome.named(chart.table)
    own = outcome.part.evaluation.charts.get(chart.kind)
    if table is outcome.table:
        table = Table(table.name, [*table.columns], table.rows.taken(list(range(len(table.rows)))))
        table.add(Column(RUN), list(range(len(table.rows))))
    if own is not None:
        return own().draw((table or Table("", [])).where(chart.where), chart, name, pictures)
    data = chart_data(table.where(chart.where), chart) if table is not None else {}
    if not data.get(chart.x):
        return report.Text(chart.title, "No run gave a value to draw.")
    assert table is not None
    heat = BY_NAME[chart.kind].cells
    band, deciles = "low" in data, chart.band == "deciles"
    section = report.Chart(
        title=chart.title,
        kind=chart.kind,
        table=data,
        x=chart.x,
        y="series" if heat else chart.y,
        series=None if heat else ("series" if "series" in data else None),
        facet="facet" if "facet" in data else None,
        value=chart.y if heat else None,
        low="low" if band else None,
        high="high" if band else None,
        x_label=chart.x_label or None,
        y_label=" and ".join(map(axis_label, series_of(chart))) if heat else chart.y_label or None,
        value_label=chart.y_label or None if heat else None,
        log="".join(sorted(set(chart.log))),
        caption=f"{chart.caption} Bands: first to last decile.".strip() if deciles and band else chart.caption,
        runs=RUN if RUN in data else None,
        source=outcome.part.spec.name,
    )
    try:
        files = pictures.chart(name, section)
    except NetloomError as error:
        return report.Text(chart.title, f"Cannot be drawn: {error.faults[0]}")
    return with_files(section, files)


def chart_data(table: Table, chart: Chart) -> dict[str, list[object]]:
    """Columns of a chart: x, y, and if given `series` and `facet`; `low` and `high` of rows that share a place.

    Boxes and points keep every row; other kinds hold the aggregate.
    """
    series = series_of(chart)
    keys = [*series, *([chart.facet] if chart.facet else []), chart.x]
    deciles = chart.band == "deciles"
    rows: list[tuple[dict[str, Cell], float, float, float]] = []
    runs: list[list[Cell]] = []
    for _, group in table.groups(keys):
        values = [float(v) for v in group.values(chart.y) if isinstance(v, (int, float)) and _drawn(v, chart)]
        first = group.rows[0]
        at = first.get(chart.x)
        # Zero has no place on a logarithmic axis.
        if not values or at is None or ("x" in chart.log and isinstance(at, (int, float)) and at <= 0):
            continue
        behind = group.values(RUN)
        if chart.kind == "box" or BY_NAME[chart.kind].apart:
            rows += [(first, v, v, v) for v in values]
            # Rows without a value are no points, nor are their runs.
            drawn = [run for run, v in zip(behind, group.values(chart.y), strict=True) if _drawn(v, chart)]
            runs += [[run] for run in drawn]
        else:
            middle = group.aggregate(chart.y, chart.aggregate)
            assert middle is not None
            limits = [quantile(values, share) for share in DECILES] if deciles else [min(values), max(values)]
            rows.append((first, middle, limits[0], limits[1]))
            runs.append(behind)
    if BY_NAME[chart.kind].x != "names":
        places = [at for r in rows if isinstance(at := r[0][chart.x], (int, float))]
        if len(places) == len(rows):
            order = sorted(range(len(rows)), key=places.__getitem__)
            rows, runs = [rows[i] for i in order], [runs[i] for i in order]
    data: dict[str, list[object]] = {chart.x: [r[0][chart.x] for r in rows], chart.y: [r[1] for r in rows]}
    if series:
        data["series"] = [", ".join(shown(r[0].get(s)) for s in series) for r in rows]
    if chart.facet:
        data["facet"] = [panel_name(chart.facet, r[0].get(chart.facet)) for r in rows]
    if RUN in table.names():
        data[RUN] = [*runs]
    spread = chart.kind in ("line", "bar") and chart.aggregate in ("median", "mean")
    if chart.band and spread and any(r[2] != r[3] for r in rows):
        data["low"], data["high"] = [r[2] for r in rows], [r[3] for r in rows]
    return data


def _drawn(value: Cell, chart: Chart) -> bool:
    """Zero has no place on a logarithmic axis."""
    return isinstance(value, (int, float)) and ("y" not in chart.log or value > 0)


def _table(outcome: Outcome, spec: TableSpec) -> report.Table:
    source = outcome.named(spec.table)
    table = (source or Table("", [])).where(spec.where)
    if spec.columns:
        return _rows(spec.title, table, spec.columns, spec.caption)
    across = [c for c in table.distinct(spec.across) if c is not None] if spec.across else [None]
    names = [*spec.rows, *(shown(c) if spec.across else spec.values for c in across)]
    rows = []
    for key, group in table.groups(spec.rows):
        cells = [group.where({spec.across: c}) if spec.across else group for c in across]
        rows.append([*key, *(_rounded(cell.aggregate(spec.values, spec.aggregate)) for cell in cells)])
    unit = table.unit(spec.values)
    units = dict.fromkeys(names[len(spec.rows) :], unit) | {name: table.unit(name) for name in spec.rows}
    return report.Table(spec.title, names, rows, units=units, caption=spec.caption, name=slug(spec.title.lower()))


def _rounded(value: float | None) -> float | int | None:
    return int(value) if value is not None and float(value).is_integer() else value


def _rows(title: str, table: Table, columns: Sequence[str], caption: str, most: int | None = None) -> report.Table:
    rows = [[row.get(column) for column in columns] for row in table.rows[:most]]
    units = {column: table.unit(column) for column in columns}
    return report.Table(title, list(columns), rows, units=units, caption=caption, name=slug(title.lower()))


def _whole(title: str, table: Table, outcome: Outcome, caption: str, most: int | None = None) -> report.Table:
    """All columns, less the axes of one value, which are said in the caption."""
    axes = [name for name in outcome.part.labels if name in table.names()]
    values = {name: table.distinct(name) for name in axes if len(table.rows) > 1}
    same = {name: found[0] for name, found in values.items() if len(found) == 1 and found[0] not in (None, "")}
    if same:
        caption += f" The same in all rows: {', '.join(f'{name} {shown(value)}' for name, value in same.items())}."
    return _rows(title, table, [name for name in table.names() if name not in same], caption, most)


def _all_runs(outcome: Outcome, title: str) -> report.Table:
    table = outcome.table
    caption = f"Also in tables/{table.name}.csv."
    if len(table.rows) > ROWS_SHOWN:
        caption = f"The first {ROWS_SHOWN} of {len(table.rows)} rows; all of them in tables/{table.name}.csv."
    made = _whole(f"{title}: all runs", table, outcome, caption, ROWS_SHOWN)
    return replace(made, folded=True, hidden=_put_away(outcome, made.columns))


def _put_away(outcome: Outcome, columns: Sequence[str]) -> list[str]:
    """Columns that no part of the study asks for, where there are many: the reader can choose them."""
    spec = outcome.part.spec
    asked = {*outcome.part.axes, *(chart.y for chart in spec.chart), *(best.column for best in spec.best)}
    asked |= {claim.of.column for claim in spec.claim} | {compare.name for compare in spec.compare}
    asked |= {name for one in spec.correlate for name in one.columns}
    asked |= {name for one in spec.saturation for name in (one.column, one.along)}
    asked |= {name for one in spec.combine for name in (one.column, *one.free)}
    asked |= {name for table in spec.table for name in (*table.columns, table.values)}
    others = [name for name in columns if name not in asked]
    room = max(0, COLUMNS_SHOWN - (len(columns) - len(others)))
    return others[room:]


def _drawing(drawing: Drawing, name: str, workshop: Workshop, pictures: Pictures) -> report.Section:
    network = workshop.network(drawing.network)
    groups, layout = network.groups, drawing.layout
    facts: dict[str, object] = {"switches": network.switches, "cables": network.switch_links}
    levels, caption = network.levels, drawing.caption
    if drawing.ranks:
        mapping = placed(network, drawing.ranks, drawing.placement, drawing.order)
        used = network.endpoint_switch[ndarray(mapping)]
        groups = network.endpoint_switch[:0].astype("int64")
        groups.resize(network.switches, refcheck=False)
        groups[used] = 1
        layout = "circle" if layout == "auto" and network.grid is None else layout
        levels = levels if layout == "layers" else None
        facts |= {"ranks": drawing.ranks, "placement": drawing.placement}
        caption = caption or f"Group 1 has the {drawing.ranks} ranks of the placement {drawing.placement}."
    section = report.NetworkView(
        label=drawing.title or network.label,
        switches=network.switches,
        tails=network.tails,
        heads=network.heads,
        dims=network.grid[0] if network.grid else None,
        levels=levels,
        groups=groups,
        class_of=network.class_index,
        class_names=[str(c["name"]) for c in network.classes],
        layout=layout,
        facts=facts,
        caption=caption,
    )
    try:
        files = pictures.network(name, section)
    except NetloomError as error:
        return report.Text(section.label, f"Cannot be drawn: {error.faults[0]}")
    return with_files(section, files)
