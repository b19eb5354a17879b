"""A comparison as a folder: one HTML page, tables, the rows as JSON, pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from .. import _core
from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.stamp import stamped
from ..base.winner import leaders, listed
from ..evaluate import evaluator
from ..plot.style import MAX_SERIES
from ..plot.units import plain
from ..report import Chart, First, Number, Section, Text, write_report
from ..report import Table as Shown
from ..report.pictures import Pictures, with_files
from ..results import Table, write_table
from ..scenario.ranks import alike
from .pictures import chart
from .rows import Compared, names, unit_of
from .tables import networks_table, policies_table, relative_table, relative_times, shown_tables, workloads_table
from .ties import margin, tied
from .words import notes, verdict

#: Name and title of the pictures.
_PICTURES = (("pareto", "Pareto front"), ("radar", "All measures"))
_SIZES = "Also in compare.csv. Radix counts the ports to endpoints too; distances are between switches."
_PRICE = (
    "Also in compare.csv. Bisection: cables of the best cut found between equal halves of the endpoints, and what is "
    "known of the smallest cut. Price: switches and cables."
)
_RELATIVE = (
    "Also in compare.csv. phi: weights of the workloads over their weighted times, relative to the baseline's. "
    "Efficiency: phi over the relative price, of networks with as many endpoints."
)
_WORKLOADS = (
    "Also in workloads.csv. Max link: the time that the worst link needs for its bytes. Time: simulated, with messages "
    "that share links. Rate: bytes of all messages over the time."
)
_POLICIES = (
    "Also in policies.csv. The same workloads under each policy of routing; a lead within this spread is one of "
    "routing, placement or luck."
)


def write_comparison(
    rows: Sequence[Compared],
    folder: str | Path,
    *,
    inputs: Mapping[str, object] | None = None,
    command: str = "",
    figures: bool = True,
) -> list[Path]:
    """Write a comparison: `report.html`, tables, `compare.json`, and the pictures where matplotlib is installed.

    Parameters
    ----------
    rows
        From `netloom.compare.compare`, at least one.
    folder
        Made if it is not there.
    inputs
        What the workloads were asked with, such as `ranks` and `size_bytes`; the head of the page says it.
    command
        How to run it again, for the head of the page.
    figures
        False leaves the radar and the Pareto front out.

    Returns
    -------
    list of pathlib.Path
        `compare.csv` (a row per network), `workloads.csv` (a row per network and workload), `policies.csv` (a row for
        each policy of routing as well, where the spread was asked for), all with their provenance and as Parquet if
        pyarrow is installed; `compare.json` (the rows); the figures; `report.html`. Each is written whole or not at
        all, with the same bytes for the same rows.

    Raises
    ------
    NetloomError
        `NL-X003` if the folder cannot be written, `NL-A007` without rows.
    """
    if not rows:
        raise NetloomError([Fault("NL-A007", "rows", "at least one network", "none")])
    out, given = Path(folder), dict(inputs or {})
    require_folder(out)
    about = {"netloom": _core.version(), "networks": [row["network"] for row in rows], "inputs": given}
    tables = [table for table in (networks_table(rows), workloads_table(rows), policies_table(rows)) if table.rows]
    written = [path for table in tables for path in write_table(table, out, about)]
    text = json.dumps(stamped(rows), indent=2, ensure_ascii=False)
    files.write(out / "compare.json", (text + "\n").encode())
    pictures = Pictures(out, figures)
    page = _page(rows, out / "report.html", given, command, pictures)
    return [*written, out / "compare.json", *pictures.written, page]


def write_page(
    rows: Sequence[Compared], path: str | Path, *, inputs: Mapping[str, object] | None = None, command: str = ""
) -> Path:
    """Write the page of a comparison alone.

    Parameters
    ----------
    path
        The HTML file.
    rows, inputs, command
        As in `write_comparison`.

    Raises
    ------
    NetloomError
        `NL-X003` if it cannot be written.
    """
    return _page(rows, Path(path), dict(inputs or {}), command, Pictures(Path(path).parent, False))


def _page(rows: Sequence[Compared], path: Path, inputs: Mapping[str, object], command: str, pictures: Pictures) -> Path:
    front, radar = (_picture(rows, *words, pictures) for words in _PICTURES)
    made = _sections(rows, inputs, front, radar)
    about = {"title": "Networks compared", "version": _core.version(), "networks": len(rows)}
    return write_report(path, {**about, **inputs, "command": command}, made, _first(rows, front))


def require_folder(folder: str | Path) -> None:
    """Refuses a folder that `write_comparison` would refuse, before long work.

    Raises
    ------
    NetloomError
        `NL-X003`.
    """
    files.require_writable(*(Path(folder) / name for name in ("compare.csv", "compare.json", "report.html")))


def _sections(rows: Sequence[Compared], inputs: Mapping[str, object], front: Section, radar: Section) -> list[Section]:
    said = "\n".join(f"- {sentence}" for sentence in [*verdict(rows), *_caution(rows, inputs)])
    sizes, price = shown_tables(rows)
    made: list[Section] = [Text("What the numbers say", said)]
    if not isinstance(front, Chart):
        made.append(front)
    made += [_shown("Networks", sizes, _SIZES), _shown("Bisection and price", price, _PRICE)]
    if (related := relative_table(rows)).rows:
        made.append(_shown(f"Relative to {rows[0]['baseline']}", related, _RELATIVE))
    if rows[0]["workloads"]:
        made.append(_shown("Workloads", workloads_table(rows), _WORKLOADS))
        if (policies := policies_table(rows)).rows:
            made.append(_shown("Routing policies", policies, _POLICIES))
    made += _times(rows)
    made.append(radar)
    return [*made, Text("Notes", "\n".join(f"- {note}" for note in _notes(rows)))]


def _shown(title: str, table: Table, caption: str) -> Section:
    units = {column.name: column.unit for column in table.columns}
    return Shown.of(title, table.data(), units=units, caption=caption, name=table.name)


def _times(rows: Sequence[Compared]) -> list[Section]:
    """Bars of each workload relative to its fastest network, so that short and long ones stand on one axis."""
    data = relative_times(rows)
    if not data["network"] or len(set(data["workload"])) > MAX_SERIES:
        return []
    label, caption = "time / time of the fastest network", "1 is the fastest network of each workload; less is better."
    return [Chart("Times", "bar", data, x="network", y="relative", series="workload", y_label=label, caption=caption)]


def _picture(rows: Sequence[Compared], name: str, title: str, pictures: Pictures) -> Section:
    try:
        section = chart(name, rows)
    except NetloomError as error:
        return Text(title, f"Cannot be drawn: {error.faults[0]}")
    return with_files(section, pictures.chart(name, section))


def _first(rows: Sequence[Compared], front: Section) -> First:
    """The verdict as the answer; fastest, cheapest and largest as numbers."""
    numbers = []
    called = names(rows)
    for at, asked in enumerate(rows[0]["workloads"][:2]):
        times = [row["workloads"][at]["time_s"] for row in rows]
        first = leaders(dict(zip(called, times, strict=True)), margin(rows, at))
        note = first[0] if len(first) == 1 else f"{listed(first)} tie"
        numbers.append(Number(f"fastest for {asked['workload']}", min(times), "s", note=note))
    prices = [
        (price, name) for row, name in zip(rows, called, strict=True) if (price := row["usd_per_endpoint"]) is not None
    ]
    if prices:
        price, name = min(prices)
        numbers.append(Number("cheapest per endpoint", price, unit_of(rows), note=name))
    cut, name = max((row["bisection_per_endpoint"], name) for row, name in zip(rows, called, strict=True))
    numbers.append(Number("widest bisection", f"{plain(cut)} cables per endpoint", note=name))
    return First(" ".join(verdict(rows)), numbers, front if isinstance(front, Chart) else None)


def _caution(rows: Sequence[Compared], inputs: Mapping[str, object]) -> list[str]:
    """Stands with the winners: who does less work is no winner."""
    if not rows[0]["workloads"] or alike(inputs) or len({row["endpoints"] for row in rows}) == 1:
        return []
    return [
        "The networks differ in endpoints, and every workload fills its network: the times are of different amounts of "
        "work. The same `ranks` for all makes them equal."
    ]


def _notes(rows: Sequence[Compared]) -> list[str]:
    said = [f"{note}." for note in (*tied(rows), *notes(rows))]
    if len(set(names(rows))) > len({row["network"] for row in rows}):
        said.append("Networks of the same name are numbered in the order of the table.")
    models = list(dict.fromkeys(row["price"] for row in rows if row["usd"] is not None))
    if models:
        said.append(f"Prices are those of the cost model {', '.join(models)}.")
    asked = ("metrics", "cost", *(("loads", "time") if rows[0]["workloads"] else ()))
    return said + [f"{name}: {text}" for name in asked for text in evaluator(name).assumptions]
