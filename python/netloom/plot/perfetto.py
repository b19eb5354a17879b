"""The record of a simulated run in Chrome's trace event format, which Perfetto and chrome://tracing open."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from .timeline import ACTIVITIES
from .trace import columns, part

#: Events of one piece of the file.
TOGETHER = 4096


def timeline_events(trace: Mapping[str, object], jobs: Sequence[tuple[str, int]]) -> Iterator[bytes]:
    """The file in pieces: a row for each rank with what it does, and an arrow for each message.

    Parameters
    ----------
    trace
        Of a simulation with ``trace=True``.
    jobs
        Name and ranks of each job, whose ranks are numbered one job after another.

    Raises
    ------
    NetloomError
        NL-X108 for what is no such trace.

    Notes
    -----
    Times are microseconds; a process is a job, a thread a rank of it. O(intervals + messages).
    """
    events = _events(trace, jobs)
    yield b'{"displayTimeUnit":"ns","traceEvents":[\n'
    first = True
    while some := list(islice(events, TOGETHER)):
        text = ",\n".join(json.dumps(one, separators=(",", ":")) for one in some)
        yield (text if first else ",\n" + text).encode()
        first = False
    yield b"\n]}\n"


def _events(trace: Mapping[str, object], jobs: Sequence[tuple[str, int]]) -> Iterator[dict[str, object]]:
    names = list(ACTIVITIES)
    done = columns(trace, "intervals", ("start_s", "end_s"), ("rank",))
    doing = np.asarray(part(trace, "intervals")["activity"])
    calls = [str(name) for name in trace.get("calls", ())]  # type: ignore[attr-defined]  # of the core
    called = np.asarray(part(trace, "intervals").get("call", np.zeros(len(doing), np.uint8)))
    sent = columns(trace, "messages", ("start_s", "finish_s"), ("src", "dst", "bytes"))
    places = [(number, rank) for number, (_, ranks) in enumerate(jobs) for rank in range(ranks)]
    for number, (name, ranks) in enumerate(jobs):
        yield {"ph": "M", "name": "process_name", "pid": number, "args": {"name": name}}
        for rank in range(ranks):
            yield {"ph": "M", "name": "thread_name", "pid": number, "tid": rank, "args": {"name": f"rank {rank}"}}
    for rank, activity, call, start, end in zip(
        done["rank"].tolist(), doing.tolist(), called.tolist(), done["start_s"].tolist(), done["end_s"].tolist(),
        strict=True,
    ):  # fmt: skip
        job, own = places[rank]
        what = activity if isinstance(activity, str) else names[activity]
        within = calls[call] if call < len(calls) else ""
        yield {
            "ph": "X", "name": within or what, "cat": what, "pid": job, "tid": own, "ts": 1e6 * start,
            "dur": 1e6 * (end - start),
        }  # fmt: skip
    for number, (source, target, size, start, end) in enumerate(
        zip(*(sent[name].tolist() for name in ("src", "dst", "bytes", "start_s", "finish_s")), strict=True)
    ):
        for phase, rank, time in (("s", source, start), ("f", target, end)):
            job, own = places[rank]
            yield {
                "ph": phase, "bp": "e", "id": number, "name": "message", "cat": "message", "pid": job, "tid": own,
                "ts": 1e6 * time, "args": {"bytes": size},
            }  # fmt: skip
