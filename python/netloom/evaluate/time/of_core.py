"""Tables of the core's evaluator `time` as ends of ranks, traces and critical paths."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ... import _core
from ...base.arrays import ndarray


def recorded(found: _core._Found) -> dict[str, Any]:
    """`finish_s`, a column per job; with a trace `trace` and `critical_path`, as pictures take them."""
    tables = found["tables"]
    made: dict[str, Any] = {"finish_s": _ends(tables)}
    if "messages" not in tables:
        return made
    links, width = ndarray(tables["busy_links"]["link"]), found["record"]["bin_s"]
    bins = ndarray(tables["link_bins"]["bytes"])
    bins = bins.reshape(len(links), -1) if len(links) else bins.reshape(0, 1)
    made["trace"] = {
        "ranks": len(tables["ranks"]["finish_s"]),
        "messages": _arrays(tables["messages"]),
        "intervals": _arrays(tables["intervals"]),
        "link_bins": {"width_s": width, "bins": bins.shape[1], "links": links, "bytes": bins},
    }
    shares = tables["shares"]
    made["critical_path"] = {
        "total_s": found["record"]["time_s"],
        "segments": _arrays(tables["critical_path"]),
        "shares_s": dict(zip(shares["kind"], shares["seconds"], strict=True)),
    }
    return made


def _ends(tables: _core._Tables) -> list[Any]:
    """The ends of each job's ranks; its ranks stand one after another."""
    jobs, ends = tables["ranks"]["job"], tables["ranks"]["finish_s"]
    starts = [0, *(at for at in range(1, len(jobs)) if jobs[at] != jobs[at - 1]), len(jobs)]
    return [ends[first:last] for first, last in pairwise(starts)]


def _arrays(table: _core._Columns) -> dict[str, Any]:
    return {name: ndarray(column) for name, column in table.items()}
