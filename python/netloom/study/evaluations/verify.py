"""`verify`: proves a collective's schedule by executing it on symbolic data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import NetloomError
from ...results import Column
from .base import ROOT, SIZE, AxisSpec, Evaluation, Made

if TYPE_CHECKING:
    from ..scenario import Scenario

COLUMNS = (
    Column("proved", "", "true if every rank ends with exactly what MPI promises"),
    Column("fault", "", "which rank lacks what, where it does not"),
    Column("steps", "", "communication steps"),
    Column("messages", "", "number of messages"),
    Column("max_bytes_sent", "B", "by the rank that sends most"),
    Column("total_bytes", "B", "sum over all messages"),
    Column("max_ports", "", "most messages that a rank sends, or receives, in one step"),
)


def run(scenario: Scenario, options: dict[str, Any]) -> Made:
    """Cost: O(steps × ranks × blocks)."""
    schedule = scenario.schedule
    try:
        proof = schedule.verify(progress=scenario.progress)
    except NetloomError as error:
        return Made({"proved": False, "fault": error.faults[0].expected})
    return Made({"proved": True} | {c.name: proof.get(c.name) for c in COLUMNS if c.name not in ("proved", "fault")})


EVALUATION = Evaluation(
    name="verify",
    summary="Proof of a collective's schedule, with its steps, messages and bytes",
    axes=(
        AxisSpec("collective", "collective", None, "collective:algorithm"),
        AxisSpec("ranks", "int", None, "number of ranks"),
        SIZE,
        ROOT,
    ),
    columns=COLUMNS,
    run=run,
)
