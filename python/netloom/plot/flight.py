"""Bytes in flight over time, by step: what a timeline of thousands of ranks cannot show."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .trace import Floats, Ints, columns, nothing, ranks

#: Bands of steps, and places in time.
BANDS = 7
PLACES = 240


def in_flight(trace: Mapping[str, object], *, bands: int = BANDS, places: int = PLACES) -> dict[str, list[object]]:
    """Columns `time_s`, `in_flight_bytes` and `steps` for a chart of kind ``area``.

    Parameters
    ----------
    trace
        Of a simulation with ``trace=True``; read are `ranks` and of `messages` the columns `src`, `dst`, `bytes`,
        `start_s` and `finish_s`.
    bands
        Most bands; a band holds neighbouring steps.
    places
        Equal spans of time; each has the mean of the bytes that were under way in it.

    Returns
    -------
    dict
        A row for each band and span. A message of `b` bytes is in flight from its start to its finish. Its step is the
        number of messages that its sender had begun before.

    Raises
    ------
    NetloomError
        NL-X105 without a message that takes time, NL-X108 for another shape of trace.

    Notes
    -----
    Sums over spans are exact: bytes times time, so that the area below the bands is that of all messages. Cost
    O(messages log messages + bands * places).
    """
    found = columns(trace, "messages", ("start_s", "finish_s", "bytes"), ("src", "dst"))
    ranks(trace, found["src"], found["dst"])
    start, finish, size = found["start_s"], found["finish_s"], found["bytes"]
    if not len(start) or not float(finish.max()) > 0 or not (size * (finish - start)).any():
        raise nothing("trace.messages", "no message takes time")
    step = steps(found["src"], start)
    most = int(step.max()) + 1
    band = step * min(bands, most) // most
    edges = np.linspace(0.0, float(finish.max()), places + 1)
    out: dict[str, list[object]] = {"time_s": [], "in_flight_bytes": [], "steps": []}
    for b in range(min(bands, most)):
        mine = band == b
        area = flown(edges, start[mine], finish[mine], size[mine])
        mean = np.maximum(np.diff(area), 0.0) / np.diff(edges)
        first, last = int(step[mine].min()) + 1, int(step[mine].max()) + 1
        name = f"step {first}" if first == last else f"steps {first} to {last}"
        # Each value holds until the next place; the last place ends the run.
        out["time_s"] += edges.tolist()
        out["in_flight_bytes"] += [*mean.tolist(), 0.0]
        out["steps"] += [name] * len(edges)
    return out


def steps(src: Ints, start: Floats) -> Ints:
    """Of each message how many its sender began before it; of those that begin together the first in order of rows."""
    order = np.lexsort((np.arange(len(src)), start, src))
    sorted_src = src[order]
    first = np.r_[0, np.flatnonzero(np.diff(sorted_src)) + 1]
    begin = np.zeros(len(src), dtype=np.int64)
    begin[first] = first
    np.maximum.accumulate(begin, out=begin)
    out = np.empty(len(src), dtype=np.int64)
    out[order] = np.arange(len(src)) - begin
    return out


def flown(at: Floats, start: Floats, finish: Floats, size: Floats) -> Floats:
    """Bytes times seconds flown until each time: a sum of ramps, by prefix sums over starts and finishes."""

    def ramps(begins: Floats) -> Floats:
        order = np.argsort(begins, kind="stable")
        begin, weight = begins[order], size[order]
        count = np.searchsorted(begin, at, side="right")
        total = np.r_[0.0, np.cumsum(weight)][count]
        moment = np.r_[0.0, np.cumsum(weight * begin)][count]
        area: Floats = total * at - moment
        return area

    return ramps(start) - ramps(finish)
