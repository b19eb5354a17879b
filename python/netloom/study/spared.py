"""What `--fast` spared an experiment: rows that flows answer in place of packets, and how far they may be off."""

from __future__ import annotations

from dataclasses import dataclass

from ..results import Table

#: What the column `fast_over` says of a row of flows.
BY_FLOWS = "flows"


@dataclass(frozen=True)
class Spared:
    """Of one experiment.

    Attributes
    ----------
    flows
        Rows that flows answer.
    error
        The largest error that one of them states, as a share of its time; 0 without any.
    says
        The same in a sentence, or why nothing was spared.
    """

    flows: int
    error: float
    says: str


def of_flows(table: Table) -> list[float]:
    """The errors that rows of flows state in a main table. O(rows)."""
    stated = zip(table.values("fast_over"), table.values("fast_error"), strict=True)
    return [error for over, error in stated if over == BY_FLOWS and isinstance(error, float)]


def percent(share: float) -> str:
    """A share as people read it."""
    return f"{100 * share:.2g} %"
