"""The JSON of `netloom expect`."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..expectation import Expectation, Finding, Held, PairHeld


def record(found: Expectation) -> dict[str, object]:
    """`rows` and `findings`, with what they rest on."""
    return {
        "machine": found.machine or None,
        "counts": found.counts(),
        "rows": [*map(time_row, found.rows), *map(pair_row, found.pairs)],
        "findings": [_finding(rank, one) for rank, one in enumerate(found.findings, 1)],
        "rows_compared": len(found.compared),
        "not_tried": [{"fault": one.what, "reason": one.reason} for one in found.left_out],
        "not_used": [{"reason": reason, "rows": rows} for reason, rows in found.reasons().items()],
        "notes": list(found.notes),
    }


def time_row(one: Held) -> dict[str, object]:
    """A measured time with its expected one and its verdict; `error` is None where nothing is known."""
    return {
        "place": one.row.place,
        "collective": one.row.collective,
        "algorithm": one.algorithm,
        "is_assumed": one.is_assumed,
        "nodes": one.row.nodes,
        "ranks_per_node": one.row.ranks_per_node,
        "bytes": one.row.bytes,
        "measured_s": one.row.time_s,
        "expected_s": one.expected_s,
        "bound_s": one.bound_s,
        "ratio": one.ratio,
        "healthy": one.healthy,
        "verdict": one.why,
        "error": {
            "share": one.band.share if isfinite(one.band.share) else None,
            "kind": one.band.kind,
            "why": one.band.why,
        },
    }


def pair_row(one: PairHeld) -> dict[str, object]:
    """A measured rate with that of sound pairs."""
    return {
        "collective": one.collective,
        "ranks_per_node": one.ranks_per_node,
        "source": one.source,
        "target": one.target,
        "measured_bytes_per_s": one.bytes_per_s,
        "expected_bytes_per_s": one.expected_bytes_per_s,
        "bound_bytes_per_s": one.bound_bytes_per_s,
        "share": one.share,
        "healthy": one.healthy,
    }


def _finding(rank: int, one: Finding) -> dict[str, object]:
    return {
        "rank": rank,
        "fault": one.what,
        "where": one.place,
        "nodes": list(one.nodes),
        "says": one.says,
        "explains": one.explains,
        "equal": list(one.equal),
        "remedy": one.remedy,
        "inputs": dict(one.inputs),
    }
