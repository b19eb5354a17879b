"""A record as files and words: `matrix.csv`, `summary.json`, a page of pictures, a few lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from ...base import files
from ...base.errors import NetloomError
from ...base.quantities import amount_text, size_text, time_text
from ...base.stamp import stamped
from ...report import AnswerPage, Chart, Number, write_answer
from ...workload.traces import Source
from ...workload.traces.netloom_record.layout import ORDER_DEPTH
from ...workload.traces.netloom_record.reader import replayed
from ...workload.traces.netloom_record.record import NOT_SEEN, Record

MATRIX, SUMMARY, PAGE = "matrix.csv", "summary.json", "report.html"
#: Ranks and hosts of a picture.
MOST_DRAWN = 96
#: Calls that are drawn, and told in words.
MOST_CALLS, TOLD_CALLS = 24, 5


def write(record: Record, command: str, exit_code: int | None) -> dict[str, object]:
    """Writes the three files; the summary as it stands there.

    Raises
    ------
    NetloomError
        NL-X003.
    """
    why = _untraced(record)
    summary = summarised(record, command, exit_code) | {"trace": None if why else SUMMARY, "no_trace": why}
    files.write(record.folder / MATRIX, _lines(record))
    files.write(record.folder / SUMMARY, json.dumps(stamped(summary), indent=2, ensure_ascii=False).encode() + b"\n")
    write_answer(record.folder / PAGE, page(record, summary))
    return summary


def _untraced(record: Record) -> str:
    """Why the record is no trace of programs; "" where it is one."""
    if record.ranks[0].header["depth"] != ORDER_DEPTH:
        return "only sums were recorded"
    if record.missing or not record.complete:
        return "the record is not complete"
    try:
        replayed(record, Source(record.folder, b""))
    except NetloomError as error:
        return error.faults[0].expected
    return ""


def _lines(record: Record) -> Iterator[bytes]:
    yield b"src,dst,messages,bytes\n"
    for row in record.pairs:
        yield ",".join(map(str, row)).encode() + b"\n"


def summarised(record: Record, command: str = "", exit_code: int | None = None) -> dict[str, object]:
    """What `summary.json` holds."""
    calls, pairs = record.calls(), list(record.pairs)
    return {
        "ranks": record.size,
        "calls": {name: int(one["calls"]) for name, one in calls.items()},
        "bytes": sum(row[3] for row in pairs),
        "messages": sum(row[2] for row in pairs),
        "bytes_between_hosts": record.bytes_between_hosts,
        "mpi": record.ranks[0].library,
        "complete": record.complete,
        "incomplete": record.why_incomplete(),
        "command": command,
        "exit_code": exit_code,
        "depth": "order" if record.ranks[0].header["depth"] == ORDER_DEPTH else "sums",
        "hosts": record.hosts(),
        **record.seconds(),
        "time": [{"call": name, **one} for name, one in calls.items()],
        "sizes": record.sizes(),
        "communicators": record.communicators(),
        "collectives": record.collectives(),
        "collectives_pooled": sum(one.header["rows_pooled"] for one in record.ranks),
        "not_seen": list(NOT_SEEN),
    }


def words(record: Record, summary: dict[str, object]) -> list[str]:
    """What was sent, a line each."""
    hosts = Counter(record.hosts())
    whole_bytes = sum(row[3] for row in record.pairs)
    seconds = record.seconds()
    whole = seconds["mpi_s"] + seconds["compute_s"]
    said = [
        f"{record.size} ranks on {len(hosts)} {'host' if len(hosts) == 1 else 'hosts'}, {summary['mpi']}, "
        f"{time_text(seconds['wall_s'])}: {100 * seconds['mpi_s'] / whole if whole else 0:.0f} % of it in MPI",
        f"{summary['messages']} messages, {amount_text(whole_bytes)}, "
        f"of these {amount_text(record.bytes_between_hosts)} between hosts",
    ]
    longest = sorted(record.calls().items(), key=lambda item: -item[1]["seconds"])[:TOLD_CALLS]
    parts = [f"{name} {time_text(one['seconds'])} in {one['calls']:.0f} calls" for name, one in longest]
    said.append(f"time: {', '.join(parts)}")
    if summary.get("no_trace") and summary["depth"] == "order":
        said.append(f"no trace to replay: {summary['no_trace']}")
    if why := record.why_incomplete():
        said.append("incomplete: " + "; ".join(why))
    return said


def compared(before: Record, now: Record) -> str:
    """Time and bytes of two runs, in one line."""
    first, last = before.seconds(), now.seconds()
    changes = [
        f"{name} {text(a)} before, {text(b)} now" + (f" ({100 * (b / a - 1):+.0f} %)" if a else "")
        for name, text, a, b in (
            ("time", time_text, first["wall_s"], last["wall_s"]),
            ("in MPI, all ranks", time_text, first["mpi_s"], last["mpi_s"]),
            ("between hosts", amount_text, before.bytes_between_hosts, now.bytes_between_hosts),
        )
    ]
    return "; ".join(changes)


def page(record: Record, summary: dict[str, object]) -> AnswerPage:
    """The pictures."""
    told = words(record, summary)
    numbers = [
        Number("messages", int(str(summary["messages"]))),
        Number("bytes", int(str(summary["bytes"])), "B"),
        Number("in MPI", record.seconds()["mpi_s"], "s", note="all ranks together"),
    ]
    tables = {"time": summary["time"], "communicators": summary["communicators"], "collectives": summary["collectives"]}
    pictures = [*_matrices(record), *_sizes(record), *_times(record)]
    return AnswerPage(
        "What a program sent", f"{told[1]}.", numbers, pictures, record.seconds(), tables,  # type: ignore[arg-type]
        told, NOT_SEEN, {"command": summary["command"]},
    )  # fmt: skip


def _matrices(record: Record) -> list[Chart]:
    hosts = record.hosts()
    cells: Counter[tuple[str, str]] = Counter()
    for source, target, _, total in record.pairs:
        cells[hosts[source], hosts[target]] += total
    order = list(dict.fromkeys(hosts))
    made = []
    if record.size <= MOST_DRAWN:
        ranks = {(str(a), str(b)): total for a, b, _, total in record.pairs}
        made.append(_heat("Bytes from rank to rank", [str(rank) for rank in range(record.size)], ranks))
    if 1 < len(order) <= MOST_DRAWN:
        made.append(_heat("Bytes from host to host", order, cells))
    return made


def _heat(title: str, names: list[str], cells: Counter[tuple[str, str]] | dict[tuple[str, str], int]) -> Chart:
    places = [(a, b) for a in reversed(names) for b in names]
    table = {
        "from": [a for a, _ in places],
        "to": [b for _, b in places],
        "sent_bytes": [cells.get(place, 0) for place in places],
    }
    return Chart(title, "heat", table, x="to", y="from", value="sent_bytes")


def _sizes(record: Record) -> list[Chart]:
    rows = record.sizes()
    if not rows:
        return []
    table = {"size": [size_text(row["least_bytes"]) for row in rows], "messages": [row["messages"] for row in rows]}
    return [Chart("Messages by size", "bar", table, x="size", y="messages", x_label="size, from here to twice as much")]


def _times(record: Record) -> list[Chart]:
    calls = sorted(record.calls().items(), key=lambda item: -item[1]["seconds"])[:MOST_CALLS]
    table = {"call": [name for name, _ in calls], "time_s": [one["seconds"] for _, one in calls]}
    return [Chart("Time by call, all ranks together", "bar", table, x="call", y="time_s")] if calls else []
