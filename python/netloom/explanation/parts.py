"""The time of all ranks of a recorded run, cut into what it went into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..plot.timeline import ACTIVITIES

if TYPE_CHECKING:
    from ..evaluate.time.of_core import Trace

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: What time goes into, in words. All of them together are the time of all ranks until the last one ends.
PARTS = {
    "computing": "the program computes",
    "late partners": "a rank waits until the other side of a message is ready",
    "software": "time of processors for messages, handshakes, copies, combining, entering calls",
    "latency": "latency of routes",
    "bandwidth": "transfers as long as they take alone",
    "contention": "transfers take longer than alone, as others use their links",
    "own tasks": "a rank waits for tasks of its own, whose doings are not recorded",
    "not told": "a rank waits, and the record does not say for what",
    "idle": "before a job begins, or asleep",
    "imbalance": "a rank has ended, and the last one has not",
}
NAMES = tuple(PARTS)
AT = {name: number for number, name in enumerate(NAMES)}
#: Activities that are software's; what is no wait is computing otherwise.
_SOFTWARE = ("overhead", "call", "combine", "copy")
_WAITS = ("wait-send", "wait-receive", "wait")
#: Calls that wait for what the rank does on the side.
OWN = ("join", "task")
#: What a wait for a message goes into, from its start to its end.
_STAGES = ("late partners", "software", "latency", "bandwidth", "contention", "software")
#: No message, and no call.
NONE = -1
#: Gaps that are shorter than this share of the run are rounding, and what differs by this share of a transfer.
_GAP, ROUNDING = 1e-12, 1e-9


@dataclass(frozen=True)
class Pieces:
    """Stretches of the time of ranks, each with what it went into.

    Attributes
    ----------
    rank, part
        Whose, and a place of :data:`NAMES`.
    call
        A row of the calls of the record; -1 where a rank is idle or has ended.
    message
        A row of its messages; -1 where the rank does not wait for one.
    end_s
        Of the run.
    """

    rank: Ints
    part: Ints
    call: Ints
    message: Ints
    start_s: Floats
    stop_s: Floats
    ranks: int
    end_s: float

    @property
    def seconds(self) -> Floats:
        """How long each takes."""
        took: Floats = self.stop_s - self.start_s
        return took

    def sums(self, key: Ints, count: int) -> Floats:
        """Seconds by key and part, shape (count, parts)."""
        cell = key * len(NAMES) + self.part
        spent = np.bincount(cell, weights=self.seconds, minlength=count * len(NAMES)).astype(np.float64)
        return spent.reshape(count, len(NAMES))

    def total(self) -> Floats:
        """Seconds of all ranks by part."""
        return self.sums(np.zeros(len(self.part), dtype=np.int64), 1).reshape(-1)


def pieces(trace: Trace, ranks: int, end_s: float, alone_s: Floats) -> Pieces:
    """The pieces of a record. O(intervals log intervals).

    A wait for a message is cut where the other side was ready, software had done its part, the latency was over and
    the transfer would have ended alone. What lies before the wait began is no part of it.

    Parameters
    ----------
    ranks
        Those of the jobs; switches that take part are numbered after them and left out.
    end_s
        Of the last rank.
    alone_s
        Of each message what its transfer takes alone.
    """
    given = trace["intervals"]
    kept = given["rank"].astype(np.int64) < ranks
    rank, call, what = (given[name][kept].astype(np.int64) for name in ("rank", "call", "activity"))
    start, stop = (given[name][kept].astype(np.float64) for name in ("start_s", "end_s"))
    number = given["message"][kept].astype(np.int64)
    names = list(ACTIVITIES)
    waits = np.isin(what, [names.index(name) for name in _WAITS])
    told = waits & (number < len(trace["messages"]["src"]))
    part = np.full(len(rank), AT["computing"])
    part[np.isin(what, [names.index(name) for name in _SOFTWARE])] = AT["software"]
    own = np.isin(call, [trace["calls"].index(name) for name in OWN if name in trace["calls"]])
    part[waits] = np.where(own[waits], AT["own tasks"], AT["not told"])
    plain = ~told
    made = [(rank[plain], part[plain], call[plain], np.full(plain.sum(), NONE), start[plain], stop[plain])]
    made += _waits(trace, rank[told], call[told], number[told], start[told], stop[told], alone_s, own[told])
    made += _rest(rank, start, stop, ranks, end_s)
    who, into, by, waited, since, until = (np.concatenate(column) for column in zip(*made, strict=True))
    used = until > since
    return Pieces(who[used], into[used], by[used], waited[used], since[used], until[used], ranks, end_s)


_Rows = tuple[Ints, Ints, Ints, Ints, Floats, Floats]


def _waits(
    trace: Trace,
    rank: Ints,
    call: Ints,
    number: Ints,
    start: Floats,
    stop: Floats,
    alone_s: Floats,
    own: NDArray[np.bool_],
) -> list[_Rows]:
    """Waits for messages, cut at their stages; `own` are those for tasks, of which the message is the last."""
    messages = trace["messages"]
    begin, begun, flow, finish = (
        messages[name][number].astype(np.float64) for name in ("start_s", "begun_s", "flow_s", "finish_s")
    )
    cuts = np.stack([start, begin, begun, flow, flow + alone_s[number], finish, stop])
    # A message that is not known to have ended cuts nothing.
    cuts = np.where(np.isnan(cuts), stop, cuts)
    cuts = np.maximum.accumulate(np.clip(cuts, start, stop), axis=0)
    parts = [np.full(len(rank), AT[name]) for name in _STAGES]
    # Before it the tasks do something else.
    parts[0][own] = AT["own tasks"]
    return [(rank, parts[at], call, number, cuts[at], cuts[at + 1]) for at in range(len(parts))]


def _rest(rank: Ints, start: Floats, stop: Floats, ranks: int, end_s: float) -> list[_Rows]:
    """What no interval tells of: gaps before and between them, and the time after the last one."""
    order = np.lexsort((start, rank))
    by, begin, end = rank[order], start[order], stop[order]
    first = np.r_[True, by[1:] != by[:-1]] if len(by) else np.zeros(0, dtype=bool)
    before = np.where(first, 0.0, np.r_[0.0, end[:-1]] if len(by) else end)
    gap = begin - before > _GAP * end_s
    last = np.zeros(ranks)
    np.maximum.at(last, rank, stop)
    everyone = np.arange(ranks)

    def row(who: Ints, name: str, since: Floats, until: Floats) -> _Rows:
        none = np.full(len(who), NONE)
        return who, np.full(len(who), AT[name]), none, none, since, until

    return [
        row(by[gap], "idle", before[gap], begin[gap]),
        row(everyone, "imbalance", last, np.full(ranks, end_s)),
    ]


def alone_of(trace: Trace, free: Trace | None, together: NDArray[np.bool_] | None = None) -> tuple[Floats, bool]:
    """What the transfer of each message takes alone, and whether that is known of all.

    Parameters
    ----------
    free
        The record of the same run where every message has all links to itself: the n-th message of a size between two
        ranks is the n-th there. None, or other messages: the fastest one of the same size between the same two ranks
        counts as alone.
    together
        Messages for which that holds too, as their links are shared there as well.
    """
    key, order, took = _sorted(trace)
    fastest = np.full(int(key.max(initial=-1)) + 1, np.inf)
    np.minimum.at(fastest, key[order], took[order])
    alone = fastest[key]
    if free is None or len(free["messages"]["src"]) != len(key):
        return alone, False
    _, there, free_took = _sorted(free)
    same = all(
        np.array_equal(trace["messages"][name][order], free["messages"][name][there])
        for name in ("job", "src", "dst", "bytes")
    )
    if not same:
        return alone, False
    found = np.empty(len(key))
    found[order] = free_took[there]
    if together is not None:
        np.minimum.at(fastest, key, found)
        found = np.where(together, fastest[key], found)
    # Rounding is no contention.
    return np.where(found >= took * (1 - ROUNDING), took, found), True


def _sorted(trace: Trace) -> tuple[Ints, Ints, Floats]:
    """Number of the kind of each message (job, ranks, size), an order by kind and posting, and times of transfers."""
    messages = trace["messages"]
    kinds = np.stack([messages[name].astype(np.int64) for name in ("job", "src", "dst", "bytes")], axis=1)
    if not len(kinds):
        none = np.zeros(0, dtype=np.int64)
        return none, none, np.zeros(0)
    key = np.unique(kinds, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    order = np.lexsort((messages["posted_send_s"], key))
    took = messages["finish_s"].astype(np.float64) - messages["flow_s"].astype(np.float64)
    return key, order, np.where(np.isnan(took), np.inf, took)
