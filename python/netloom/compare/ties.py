"""Networks whose times differ by less than predictions like them were off."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import printable
from ..base.winner import MARGIN, margin_of, tie_said, ties
from .rows import Compared, names


def mark(rows: Sequence[Compared]) -> None:
    """Says of every time whether it ties with another as the least of its workload, where the error of that is known
    and more than the usual margin. O(rows) for each workload.
    """
    for at in range(len(rows[0]["workloads"]) if len(rows) > 1 else 0):
        best = _best(rows, at)
        if (error := best.get("error", 0.0)) > MARGIN:
            level = ties((row["workloads"][at]["time_s"] for row in rows), error)
            for row, is_level in zip(rows, level, strict=True):
                row["workloads"][at]["tie"] = is_level and sum(level) > 1


def tied(rows: Sequence[Compared]) -> list[str]:
    """A line for each workload of which several networks tie by a known error."""
    found = []
    for at in range(len(rows[0]["workloads"]) if rows else 0):
        share = margin(rows, at)
        of = [name for name, row in zip(names(rows), rows, strict=True) if row["workloads"][at].get("tie")]
        if line := tie_said(of, share):
            found.append(f"{printable(rows[0]['workloads'][at]['workload'])}: {line}")
    return found


def margin(rows: Sequence[Compared], at: int) -> float:
    """Within which share of the least time of a workload networks tie."""
    return margin_of(_best(rows, at).get("error"))


def _best(rows: Sequence[Compared], at: int) -> Compared:
    return min(rows, key=lambda row: row["workloads"][at]["time_s"])
