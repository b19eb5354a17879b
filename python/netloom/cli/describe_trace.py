"""`netloom describe TRACE`: what a recorded run did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

import click

from ..base.errors import printable
from .options import refused
from .output import emit_facts, emit_json, emit_table, note
from .pages import facts as foot
from .pages import write

if TYPE_CHECKING:
    from .. import _core
    from ..report import AnswerPage, Chart
    from ..workload.traces import Recorded


class Timed(TypedDict):
    """All calls of one name; no seconds where the trace has no times."""

    call: str
    calls: int
    bytes: int
    seconds: float | None


class Facts(TypedDict):
    """What `--json` has."""

    trace: str
    format: str
    ranks: int
    events: int
    calls: dict[str, int]
    bytes: int
    communicators: list[dict[str, int]]
    span_s: float | None
    calls_s: float | None
    messages: int | None
    message_bytes: int | None
    time: list[Timed]
    notes: list[str]


#: Ranks of a picture.
MOST_DRAWN = 96
#: Calls that are drawn.
MOST_CALLS = 24
#: Receives and waits: their bytes are those of somebody else's sends.
NOT_SENT = ("recv", "irecv", "wait", "waitall", "test")


def format_of(source: object, format: str) -> str | None:
    """The format of traces of a file, None for a network; `format` is what `--from` says."""
    from ..workload.traces import format_of as named
    from ..workload.traces import recognised, trace_call

    if not isinstance(source, str):
        return None
    call = trace_call(source)
    if call is not None and call.format is not None:
        return call.format
    return named(format) if format else recognised(source if call is None else call.path)


def record_of(source: str, format: str) -> Recorded:
    """The record of a file, or of a call that takes a part of it."""
    from ..workload.traces import ONE, read_record, trace_call

    call = trace_call(source)
    path, scale = (source, ONE) if call is None else (call.path, call.scale)
    return read_record(path, format=format or None, scale=scale)


def show(source: str, format: str, said: dict[str, bool], json_: bool) -> None:
    """The description; `said` are options of networks, and whether they were given."""
    from ..workload.traces import facts_of, trace_call

    for option in (option for option, given in said.items() if given):
        raise refused(option, f"is about a network, and {printable(source)} is a trace", "leave it out")
    made = record_of(source, format)
    call = trace_call(source)
    more = facts_of(source if call is None else call.path, format)
    facts = described(source, format, made)
    write(lambda: page(facts, made))
    if json_:
        emit_json({**facts, **({"more": more} if more else {})})
        return
    emit_facts(lines(facts))
    rows = [[row["call"], row["calls"], row["bytes"], row["seconds"]] for row in facts["time"]]
    emit_table(["call", "calls", "bytes", "time, all ranks (s)"], rows)
    for name, rows_ in more.items():
        _show_more(name, rows_)
    for text in facts["notes"]:
        note(f"note: {text}")


def _show_more(name: str, value: object) -> None:
    """A table of what a format alone has; lists in it as their number of items, `--json` has them whole."""
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return
    click.echo(f"\n{name}")
    heads = [key for key in value[0] if any(row.get(key) is not None for row in value)]
    shown = [[len(cell) if isinstance(cell := row.get(key), (list, dict)) else cell for key in heads] for row in value]
    emit_table(heads, shown)


def described(source: str, format: str, made: Recorded) -> Facts:
    """What `--json` has."""
    survey, sums = made.survey, made.survey["calls"]
    traffic = _messages(made)
    return {
        "trace": source,
        "format": format,
        "ranks": made.workload.ranks,
        "events": survey["events"],
        "calls": {name: one.calls for name, one in sums.items()},
        "bytes": sum(one.bytes for name, one in sums.items() if name not in NOT_SENT)
        or (traffic.bytes if traffic else 0),
        "communicators": [{"ranks": size} for size in survey["communicators"]],
        "span_s": survey["span_s"] or None,
        "calls_s": sum(one.seconds for one in sums.values()) or None,
        "messages": traffic.messages if traffic else None,
        "message_bytes": traffic.bytes if traffic else None,
        "time": [
            {"call": name, "calls": one.calls, "bytes": one.bytes, "seconds": one.seconds or None}
            for name, one in sorted(sums.items(), key=lambda item: (-item[1].seconds, item[0]))
        ],
        "notes": survey["notes"] + _untold(made),
    }


def _messages(made: Recorded) -> _core.Traffic | None:
    """All messages; none of sums that do not tell them."""
    from ..workload import messages
    from ..workload.traces import Untold

    return None if isinstance(made.workload, Untold) else messages(made.workload)


def _untold(made: Recorded) -> list[str]:
    """Why there are none."""
    from ..workload.traces import Untold

    return [f"no workload: it {made.workload.fault.expected}"] if isinstance(made.workload, Untold) else []


def lines(facts: Facts) -> dict[str, object]:
    """What people see before the table."""
    groups = facts["communicators"]
    made: dict[str, object] = {
        "trace": f"{facts['trace']} ({facts['format']})",
        "ranks": facts["ranks"],
        "events": facts["events"],
        "communicators": f"{len(groups)}, of {', '.join(map(str, sorted({one['ranks'] for one in groups})))} ranks",
        "bytes given to sends and collectives": facts["bytes"],
    }
    if facts["messages"] is not None:
        made["messages, collectives by their default algorithms"] = facts["messages"]
        made["their bytes"] = facts["message_bytes"]
    if facts["span_s"]:
        made["from first to last event (s)"] = facts["span_s"]
        share = 100 * (facts["calls_s"] or 0) / (facts["span_s"] * facts["ranks"])
        made["in calls"] = f"{share:.3g} % of the time of all ranks"
    return made


def page(facts: Facts, made: Recorded) -> AnswerPage:
    """The pictures: who sends to whom, which calls take time."""
    from ..report import AnswerPage, Number

    numbers = [Number("ranks", facts["ranks"])]
    if (traffic := _messages(made)) is not None:
        numbers += [Number("messages", traffic.messages), Number("bytes", traffic.bytes, "B")]
    said = "" if traffic is None else f": {traffic.messages} messages"
    answer = f"{facts['ranks']} ranks make {facts['events']} events{said}."
    tables: dict[str, Sequence[Mapping[str, object]]] = {
        "time": facts["time"],
        "communicators": facts["communicators"],
    }
    pictures = [*([] if traffic is None else _matrix(traffic)), *_calls(facts)]
    says = facts["notes"]
    return AnswerPage(f"Trace {facts['trace']}", answer, numbers, pictures, {}, tables, says, (), foot())


def _matrix(traffic: _core.Traffic) -> list[Chart]:
    from ..report import Chart

    if traffic.ranks > MOST_DRAWN:
        return []
    table = traffic.table()
    sent: dict[tuple[int, int], int] = {}
    for source, target, size in zip(*(table[name].tolist() for name in ("src", "dst", "bytes")), strict=True):
        sent[source, target] = sent.get((source, target), 0) + size
    places = [(a, b) for a in reversed(range(traffic.ranks)) for b in range(traffic.ranks)]
    data = {
        "from": [str(a) for a, _ in places],
        "to": [str(b) for _, b in places],
        "sent_bytes": [sent.get(place, 0) for place in places],
    }
    return [Chart("Bytes from rank to rank", "heat", data, x="to", y="from", value="sent_bytes")]


def _calls(facts: Facts) -> list[Chart]:
    from ..report import Chart

    timed = facts["calls_s"] is not None
    rows = [row for row in facts["time"] if not timed or row["seconds"]][:MOST_CALLS]
    if not rows:
        return []
    what, title = ("time_s", "Time by call, all ranks together") if timed else ("calls", "Calls of all ranks")
    data = {"call": [row["call"] for row in rows], what: [row["seconds" if timed else "calls"] for row in rows]}
    return [Chart(title, "bar", data, x="call", y=what)]
