"""Algorithms that are as fast as the fastest of a size, by what a model can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.winner import leaders

if TYPE_CHECKING:
    from .tables import Timing


def fastest(timing: Timing, size: int) -> list[str]:
    """The algorithm of least time at a size, then those that tie with it, see `netloom.base.winner`."""
    rows = [row for row in timing.table.rows if row["size_bytes"] == size]
    return leaders({str(row["algorithm"]): float(row["time_s"] or 0.0) for row in rows})
