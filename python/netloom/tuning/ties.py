"""Algorithms that are as fast as the fastest of a size, by what a model can tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..base.winner import MARGIN, leaders, margin_of

if TYPE_CHECKING:
    from .tables import Timing


def fastest(timing: Timing, size: int) -> list[str]:
    """The algorithm of least time at a size, then those that are level with it, see `netloom.base.winner`."""
    return _leaders(timing, size, MARGIN)


def tied(timing: Timing, size: int) -> list[str]:
    """The algorithm of least time at a size, then those within the known error of it."""
    return _leaders(timing, size, margin(timing))


def margin(timing: Timing) -> float:
    """The share of the least time within which times tie."""
    return margin_of(timing.error)


def error_lines(timings: Sequence[Timing]) -> list[str]:
    """A comment for a tuning file: how far its times may be off; none where that is not known."""
    known = [timing.error for timing in timings if timing.error is not None]
    if not known:
        return []
    return [f"# median error of such predictions: {100 * max(known):.2g} %; what differs by less may change places"]


def _leaders(timing: Timing, size: int, share: float) -> list[str]:
    rows = [row for row in timing.table.rows if row["size_bytes"] == size]
    return leaders({str(row["algorithm"]): float(row["time_s"] or 0.0) for row in rows}, share)
