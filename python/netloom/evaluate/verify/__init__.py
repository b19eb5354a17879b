"""`verify`: proves a collective's schedule by executing it on symbolic data."""

from __future__ import annotations

from ...base.errors import NetloomError
from ...results import Column
from ...scenario import Question
from ...scenario.axes import BY_NAME, PROOF_SIZE
from .. import ahead
from ..answer import cells
from ..answers import VerifyAnswer
from ..base import Evaluator, Options, axes

COLUMNS = (
    Column("proved", "", "true if every rank ends with exactly what MPI promises"),
    Column("fault", "", "which rank lacks what, where it does not"),
    Column("steps", "", "communication steps"),
    Column("messages", "", "number of messages"),
    Column("max_bytes_sent", "B", "by the rank that sends most"),
    Column("total_bytes", "B", "sum over all messages"),
    Column("max_ports", "", "most messages that a rank sends, or receives, in one step"),
)


def run(bound: Question, options: Options) -> VerifyAnswer:
    """Cost: O(steps × ranks × blocks)."""
    schedule = bound.schedule
    ahead.say(ahead.of_proof(schedule.messages))
    try:
        proof = schedule.verify(progress=bound.progress)
    except NetloomError as error:
        empty = cells(COLUMNS, {})
        return VerifyAnswer(empty | {"proved": False, "fault": error.faults[0].expected})
    return VerifyAnswer(cells(COLUMNS, proof) | {"proved": True})


EVALUATOR = Evaluator(
    name="verify",
    summary="Proof of a collective's schedule, with its steps, messages and bytes",
    axes=(
        BY_NAME["collective"].but(None),
        BY_NAME["ranks"].but(None, "number of ranks"),
        BY_NAME["size_bytes"].but(PROOF_SIZE),
        *axes("root"),
    ),
    columns=COLUMNS,
    run=run,
    model="execution on symbolic data",
    assumptions=("Steps follow one another; a step's messages are sent before any of it is received.",),
)
