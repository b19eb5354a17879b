"""What `netloom simulate --details` shows: time in calls of MPI, packets on their way, events a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..base.quantities import amount_text, time_text
from .output import emit_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..evaluate import Answer, Row
    from ..report import Chart
    from ..results.rows import Cell

#: Bins of time of a picture; at least half of them are used.
BINS = 128
#: Of the record, and its tables.
NUMBERS = ("watched_s", "stalls_per_packet_s", "queue_mean", "queue_max")
TABLES = ("latency", "latencies", "by_hops", "class_use", "busiest", "occupancy")
SPENT = ("mean_s", "least_s", "most_s")
QUANTILES = {"mean_s": "mean", "p50_s": "50 %", "p99_s": "99 %", "p999_s": "99.9 %", "max_s": "most"}


def rate(record: Mapping[str, Cell], seconds: float) -> dict[str, Cell]:
    """Seconds that a run took here, and events a second: those that stayed, not those that were undone."""
    events = record.get("events")
    return {"seconds": seconds, "events_per_s": events / seconds if isinstance(events, int) and seconds > 0 else None}


def show_calls(found: Answer) -> None:
    """Times of calls of MPI, if the run was recorded; not of jobs of one call, whose time is that of the job."""
    rows = found.tables.get("calls")
    jobs = {row["job"] for row in rows or ()}
    if not rows or len(rows) == len(jobs):
        return
    several = len(jobs) > 1
    click.echo("\ntime of ranks in each call")
    emit_table(
        [*(["job"] if several else []), "call", "mean", "least", "most", "of rank", "share"],
        [
            [
                *([row["job"]] if several else []), row["call"], *(_time(row[name]) for name in SPENT),
                row["most_rank"], f"{row['share_percent']:.1f}%",
            ]
            for row in rows
        ],
    )  # fmt: skip


def details(found: Answer) -> dict[str, object]:
    """The key `details` of `--json`; empty if nothing was watched."""
    if found.record.get("watched_s") is None:
        return {}
    tables = {name: found.tables.get(name, []) for name in TABLES}
    return {"details": {name: found.record[name] for name in NUMBERS} | tables}


def show_details(result: dict[str, Any], links: bool) -> None:
    """The same as tables."""
    if "details" not in result:
        return
    seen = result["details"]
    click.echo("\nlatency, from the start of a message to the arrival of a packet (p) or all of it (m)")
    rows = [
        [row["job"], of, row[number], *(_time(row[before + name]) for name in QUANTILES), row["fairness"]]
        for row in seen["latency"]
        for of, number, before in (("p", "packets", ""), ("m", "messages", "message_"))
    ]
    emit_table(["job", "of", "number", *QUANTILES.values(), "fairness"], rows)
    click.echo("\nuse of links")
    emit_table(
        ["class", "links", "bytes", "busy", "busiest", "stalls", "buffer", "most"],
        [
            [row["class"], row["links"], *_used(row), _time(row["stalls_s"]), *_held(row)]
            for row in seen["class_use"]
        ],
    )  # fmt: skip
    stalls, queue = seen["stalls_per_packet_s"], seen["queue_mean"]
    most = seen["queue_max"]
    click.echo(f"\n{_time(stalls)} of stalls per packet; {queue:.3g} in the queue of an endpoint, at most {most}")
    if links:
        click.echo("\nbusiest links")
        emit_table(
            ["from", "to", "bytes", "busy", "stalls", "buffer", "most"],
            [[row["from"], row["to"], *_used(row), _time(row["stalls_s"]), *_held(row)] for row in seen["busiest"]],
        )


def watched_charts(seen: Mapping[str, Any]) -> list[Chart]:
    """Latencies, use of links and, if it was counted, what stands in buffers over time, for a page."""
    from ..evaluate.throughput.occupancy import chart
    from ..report import Chart

    first = seen["latency"][0]["job"]
    lines: dict[str, list[object]] = {"latency_s": [], "share that takes longer": [], "of": []}
    for of in ("packets", "messages"):
        rows = [row for row in seen["latencies"] if row["job"] == first and row["of"] == of]
        left = whole = sum(row["number"] for row in rows)
        for row in rows[:-1]:
            left -= row["number"]
            lines["latency_s"].append(row["to_s"])
            lines["share that takes longer"].append(left / whole)
            lines["of"].append(of)
    charts = []
    if lines["of"]:
        title = f"Latencies of {'all jobs' if len(seen['latency']) > 1 else 'packets and messages'}"
        charts.append(Chart(title, "line", lines, x="latency_s", y="share that takes longer", series="of", log="xy"))
    use = {"links of": [row["class"] for row in seen["class_use"]], "busy": [row["busy"] for row in seen["class_use"]]}
    charts.append(Chart("Share of the time in which links are busy", "bar", use, x="links of", y="busy"))
    heat = chart(seen["occupancy"])
    return [*charts, heat] if heat is not None else charts


def _used(row: Row) -> list[Cell]:
    shares = [_share(row[name]) for name in ("busy", "busy_max") if name in row]
    return [_amount(row["bytes"]), *shares]


def _held(row: Row) -> list[Cell]:
    return [_amount(row["buffer_mean_bytes"]), _amount(row["buffer_max_bytes"])]


def _amount(value: Cell) -> str | None:
    return amount_text(value) if isinstance(value, (int, float)) else None


def _share(value: Cell) -> str | None:
    return f"{value:.1%}" if isinstance(value, (int, float)) else None


def _time(value: Cell) -> str | None:
    return time_text(value) if isinstance(value, (int, float)) else None
