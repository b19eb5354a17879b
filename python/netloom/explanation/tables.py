"""Time lost, by call, rank, pair of ranks, communicator, phase and link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .parts import AT, NAMES, Floats, Ints, Pieces

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..evaluate.time.of_core import Trace


#: Names and numbers of a row.
Row = dict[str, Any]
#: Rows of tables of the worst ones, and equal parts of the run.
WORST, PHASES = 10, 10
#: The name of the time in which no call can be meant, and of that outside of all calls.
ENDED, COMPUTE = "none: idle or ended", "compute"
#: Parts of the time that a message takes its rank.
OF_MESSAGES = ("late partners", "software", "latency", "bandwidth", "contention")


def lost(found: Pieces, phases: Sequence[Row]) -> list[Row]:
    """Each part of the whole run and of each phase: `where`, `part`, `seconds`, and its share of the time there."""
    rows = _listed("run", found.total())
    for phase in phases:
        rows += _listed(f"phase {phase['phase']}", np.array([phase[key_of(name)] for name in NAMES]))
    return rows


def _listed(where: str, seconds: Floats) -> list[Row]:
    whole = float(seconds.sum())
    return [
        {"where": where, "part": name, "seconds": float(took), "share": float(took) / whole if whole > 0 else 0.0}
        for name, took in zip(NAMES, seconds, strict=True)
        if took > 0 or name in OF_MESSAGES or name == "computing"
    ]


def key_of(part: str) -> str:
    """The column of a part: `late_partners_s`."""
    return f"{part.replace(' ', '_')}_s"


def _cells(seconds: Floats, among: Sequence[str] = NAMES) -> Row:
    return {"total_s": float(seconds.sum())} | {key_of(name): float(seconds[AT[name]]) for name in among}


def calls(found: Pieces, names: Sequence[str]) -> list[Row]:
    """A row for each call, those that take most first; they sum to the whole."""
    table = found.sums(found.call + 1, len(names) + 1)
    named = [ENDED, *(name or COMPUTE for name in names)]
    order = np.argsort(-table.sum(axis=1), kind="stable")
    return [{"call": named[at]} | _cells(table[at]) for at in order.tolist() if table[at].any()]


def ranks(found: Pieces, jobs: Sequence[tuple[str, int]]) -> list[Row]:
    """The ranks that lose most, at most `WORST`: all but computing is lost."""
    table = found.sums(found.rank, found.ranks)
    least = table.sum(axis=1) - table[:, AT["computing"]]
    order = np.argsort(-least, kind="stable")[:WORST]
    return [named(int(at), jobs) | {"lost_s": float(least[at])} | _cells(table[at]) for at in order.tolist()]


def named(rank: int, jobs: Sequence[tuple[str, int]]) -> Row:
    """A rank that is numbered through all jobs, with its job where there are several."""
    own = rank
    for name, count in jobs:
        if own < count:
            return ({"job": name} if len(jobs) > 1 else {}) | {"rank": own}
        own -= count
    return {"rank": rank}


def pairs(found: Pieces, trace: Trace, jobs: Sequence[tuple[str, int]]) -> list[Row]:
    """The pairs of sender and receiver whose messages ranks wait for most, at most `WORST`."""
    waits = found.message >= 0
    number = found.message[waits]
    src, dst = (trace["messages"][name].astype(np.int64)[number] for name in ("src", "dst"))
    both, key = np.unique(np.stack([src, dst], axis=1), axis=0, return_inverse=True)
    own = Pieces(
        found.rank[waits], found.part[waits], found.call[waits], number, found.start_s[waits], found.stop_s[waits],
        found.ranks, found.end_s,
    )  # fmt: skip
    table = own.sums(key.reshape(-1).astype(np.int64), len(both))
    order = np.argsort(-table.sum(axis=1), kind="stable")[:WORST]
    made = []
    for at in order.tolist():
        sender, receiver = (named(int(rank), jobs) for rank in both[at])
        job = {"job": sender["job"]} if "job" in sender else {}
        made.append(job | {"from": sender["rank"], "to": receiver["rank"]} | _cells(table[at], OF_MESSAGES))
    return made


def communicators(found: Pieces, members: Sequence[tuple[str, Sequence[int]]]) -> list[Row]:
    """A row for each communicator of ranks that are in no other one."""
    table = found.sums(found.rank, found.ranks)
    return [
        {"communicator": number, "collective": collective, "ranks": len(own)}
        | _cells(table[np.asarray(own, dtype=np.int64)].sum(axis=0))
        for number, (collective, own) in enumerate(members)
    ]


def over(found: Pieces, places: int) -> tuple[Floats, Floats]:
    """Bounds of equal parts of the run, and seconds in each by part, shape (places, parts). O(pieces · places)."""
    edges = np.linspace(0.0, found.end_s, places + 1)
    sums = np.zeros((places + 1, len(NAMES)))
    for at, edge in enumerate(edges):
        spent = np.clip(edge, found.start_s, found.stop_s) - found.start_s
        sums[at] = np.bincount(found.part, weights=spent, minlength=len(NAMES))
    table: Floats = np.maximum(np.diff(sums, axis=0), 0.0)
    return edges, table


def phases(found: Pieces) -> list[Row]:
    """Equal parts of the run, `PHASES` of them."""
    edges, table = over(found, PHASES)
    return [
        {"phase": at + 1, "start_s": float(edges[at]), "end_s": float(edges[at + 1])} | _cells(table[at])
        for at in range(PHASES)
    ]


def delayed(found: Pieces) -> tuple[Ints, Floats]:
    """Messages whose contention ranks wait for, and the seconds of all that do."""
    mine = (found.part == AT["contention"]) & (found.message >= 0)
    number, key = np.unique(found.message[mine], return_inverse=True)
    seconds = np.bincount(key.reshape(-1), weights=found.seconds[mine], minlength=len(number))
    return number, seconds.astype(np.float64)


def links(
    trace: Trace,
    lost: tuple[Ints, Floats],
    routes: Mapping[tuple[int, int, int], Sequence[int]],
    speeds: Floats,
) -> dict[int, tuple[float, int]]:
    """Seconds of contention, and delayed messages, of each link: that which is used most on the route of the message
    while it moves. O(delayed messages · links of a route).

    Parameters
    ----------
    routes
        Links by job, sender and receiver; the first of equally used ones counts.
    speeds
        Bytes/s of every link.
    """
    bins = trace["link_bins"]
    row = {int(link): at for at, link in enumerate(bins["links"])}
    carried = np.asarray(bins["bytes"], dtype=np.float64)
    sums = np.concatenate([np.zeros((len(carried), 1)), np.cumsum(carried, axis=1)], axis=1)
    edges = np.arange(sums.shape[1]) * bins["width_s"]
    messages = trace["messages"]
    made: dict[int, tuple[float, int]] = {}
    for number, seconds in zip(lost[0].tolist(), lost[1].tolist(), strict=True):
        job, src, dst = (int(messages[name][number]) for name in ("job", "src", "dst"))
        own = [link for link in routes.get((job, src, dst), ()) if link in row]
        if not own:
            continue
        ends = [float(messages[name][number]) for name in ("flow_s", "finish_s")]
        used = [np.interp(ends, edges, sums[row[link]]) / speeds[link] for link in own]
        busy = [round(float(one[1] - one[0]) / (ends[1] - ends[0]), 6) if ends[1] > ends[0] else 0.0 for one in used]
        link = own[busy.index(max(busy))]
        before = made.get(link, (0.0, 0))
        made[link] = (before[0] + seconds, before[1] + 1)
    return made
