"""The page of `netloom explain-trace`: the timeline, bars of what-if, then tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.quantities import time_text
from ..evaluate.time import over_time
from ..explanation import tables, words
from ..explanation.parts import NAMES, PARTS
from ..report import AnswerPage, Chart, Number
from .explain_trace import shown_columns
from .pages import bars, facts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..explanation import Explained
    from ..explanation.tables import Row
    from ..scenario import Scenario

#: Places in time of the timeline.
PLACES = 120


def explained(scenario: Scenario, made: Explained, result: Row, shown: Mapping[str, str]) -> AnswerPage:
    """The page; `shown` has headings of the tables that have rows."""
    run = [row for row in result["lost"] if row["where"] == "run"]
    numbers = [Number("time", result["time_s"], "s")]
    if rows := words.tried(made):
        numbers.append(Number(f"with {rows[0].change}", rows[0].time_s, "s", before=result["time_s"]))
    numbers += [
        Number(row["part"], f"{row['share']:.1%}", note="of the time of all ranks")
        for row in sorted(run, key=lambda row: -row["seconds"])[:3]
    ]
    pictures = [*_timeline(made), *_what_if(result)]
    if made.time_s > 0:
        doing = over_time.activities(made.trace, made.time_s)
        pictures.append(Chart("What ranks do", "area", doing, x="time_s", y="ranks", series="activity", x_label="time"))
    if result["links"]:
        named = [row | {"link": f"{row['from']} → {row['to']}"} for row in result["links"]]
        pictures.append(bars("Contention by link", named, "link", "contention_s"))
    listed = {"what if": result["what_if"], "time of all ranks": _times(run)}
    listed |= {heading: _narrow(result[name]) for name, heading in shown.items()}
    if result["left_out"]:
        listed["left out of what-if"] = result["left_out"]
    path = result["path"].get("words")
    says = [*result["notes"], *([f"Critical path {path}."] if path else [])]
    title = f"Why {', '.join(result['workloads'][:3])} takes {time_text(result['time_s'])} on {result['network']}"
    foot = facts(made.found, scenario)
    return AnswerPage(title, result["answer"], numbers, pictures, {}, listed, says, made.found.assumptions, foot)


def _times(rows: list[Row]) -> list[Row]:
    return [
        {"part": row["part"], "time_s": row["seconds"], "share_percent": 100 * row["share"]}
        | {"which is": PARTS[row["part"]]}
        for row in rows
    ]


def _narrow(rows: list[Row]) -> list[Row]:
    kept = shown_columns(rows)
    return [{key: row[key] for key in kept} for row in rows]


def _timeline(made: Explained) -> list[Chart]:
    """How many ranks lose time to what, the mean over each place in time."""
    if not made.time_s > 0:
        return []
    edges, spent = tables.over(made.pieces, PLACES)
    mean = spent * PLACES / made.time_s
    data: dict[str, list[object]] = {"time_s": [], "ranks": [], "part": []}
    for at, name in enumerate(NAMES):
        if spent[:, at].any():
            # Each value holds until the next place; the last place ends the run.
            data["time_s"] += edges.tolist()
            data["ranks"] += [*mean[:, at].tolist(), 0.0]
            data["part"] += [name] * len(edges)
    title = "Timeline: what the time of ranks goes into"
    return [Chart(title, "area", data, x="time_s", y="ranks", series="part", x_label="time")]


def _what_if(result: Row) -> list[Chart]:
    if not result["what_if"]:
        return []
    rows = [{"change": "as it is", "time_s": result["time_s"]}, *result["what_if"]]
    return [bars("What if: the run with one thing changed, simulated", rows, "change", "time_s")]
