"""Tables of the core's evaluator `time` as ends of ranks, traces and critical paths."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NotRequired, TypedDict

from ...base.arrays import is_floats, is_integers, ndarray
from ..core import number

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from ...base.arrays import Column
    from ...base.records import Column as CoreColumn
    from ...base.records import Found, Tables

    #: A table of the core, its columns as ndarrays.
    Arrays = dict[str, NDArray[np.generic]]


class LinkBins(TypedDict):
    """Bytes on the links that carried any, in bins of equal width; `bytes` has the shape (links, bins)."""

    width_s: float
    bins: int
    links: NDArray[np.generic]
    bytes: NDArray[np.generic]


class Trace(TypedDict):
    """Every message, what every rank did, and the bytes on links over time.

    `calls` names the calls of MPI by number; the first one, empty, is where a program computes.
    """

    ranks: int
    calls: list[str]
    messages: Arrays
    intervals: Arrays
    link_bins: LinkBins


class CriticalPath(TypedDict):
    """What the run waited for, from its end to its start, and the seconds of each kind.

    `job` and `rank` are those of the rank that ends last, where the path leads to, and `from_job`, `from_rank` those of
    the one where it begins; None for an empty path. `contention_s` are the parts of the contention: with its own job's
    messages at a NIC of its ends, with its own job's in the network, with other jobs, and what cannot be told apart.
    """

    total_s: float
    segments: Arrays
    shares_s: dict[str, float]
    contention_s: dict[str, float]
    job: int | None
    rank: int | None
    from_job: int | None
    from_rank: int | None


class Recorded(TypedDict):
    """`finish_s`, a column per job; with a trace the other two."""

    finish_s: list[Column]
    trace: NotRequired[Trace]
    critical_path: NotRequired[CriticalPath]


def recorded(found: Found) -> Recorded:
    """`finish_s`, a column per job; with a trace `trace` and `critical_path`, as used by pictures."""
    tables = found["tables"]
    made: Recorded = {"finish_s": _ends(tables)}
    if "messages" not in tables:
        return made
    links, width = ndarray(tables["busy_links"]["link"]), number(found, "bin_s")
    bins = ndarray(tables["link_bins"]["bytes"])
    bins = bins.reshape(len(links), -1) if len(links) else bins.reshape(0, 1)
    messages = _arrays(tables["messages"])
    # Switches that take part are numbered after the ranks.
    numbered = [int(messages[end].max(initial=0)) + 1 for end in ("src", "dst")]
    made["trace"] = {
        "ranks": max(len(tables["ranks"]["finish_s"]), *numbered),
        "calls": [str(name) for name in tables["calls"]["name"]],
        "messages": messages,
        "intervals": _arrays(tables["intervals"]),
        "link_bins": {"width_s": width, "bins": bins.shape[1], "links": links, "bytes": bins},
    }
    kinds, seconds = tables["shares"]["kind"], tables["shares"]["seconds"]
    causes, caused = tables["contention"]["cause"], tables["contention"]["seconds"]
    assert is_floats(seconds) and is_floats(caused)
    segments = _arrays(tables["critical_path"])
    ends = [_place(tables, int(segments["rank"][at])) for at in (0, -1)] if len(segments["rank"]) else [None, None]
    first, last = ((None, None) if end is None else end for end in ends)
    made["critical_path"] = {
        "total_s": number(found, "time_s"),
        "segments": segments,
        "shares_s": dict(zip(map(str, kinds), seconds, strict=True)),
        "contention_s": dict(zip(map(str, causes), caused, strict=True)),
        "job": last[0],
        "rank": last[1],
        "from_job": first[0],
        "from_rank": first[1],
    }
    return made


def _place(tables: Tables, rank: int) -> tuple[int, int]:
    """Number of the job of a rank that is numbered through all jobs, and its number there."""
    jobs = tables["ranks"]["job"]
    assert is_integers(jobs)
    if rank >= len(jobs):
        return jobs[-1], rank
    return jobs[rank], rank - jobs.index(jobs[rank])


def _ends(tables: Tables) -> list[Column]:
    """The ends of each job's ranks; the ranks of a job are consecutive."""
    jobs, ends = tables["ranks"]["job"], tables["ranks"]["finish_s"]
    assert is_floats(ends)
    starts = [0, *(at for at in range(1, len(jobs)) if jobs[at] != jobs[at - 1]), len(jobs)]
    return [ends[first:last] for first, last in pairwise(starts)]


def _arrays(table: Mapping[str, CoreColumn]) -> Arrays:
    return {name: ndarray(column) for name, column in table.items()}
