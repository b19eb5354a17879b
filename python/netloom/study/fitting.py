"""Whether a record of a journal is one that its run could have left: a hash says nothing about who made it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..evaluate import Evaluator
from .plan import Plan
from .sealed import Record

#: What looks at a record.
Fits = Callable[[Record], bool]


def fitting(plan: Plan) -> tuple[dict[str, Evaluator], Fits]:
    """The evaluator of each run by key, and what looks at records of these runs; those of other studies may stay.

    Memory: a key and a reference per run.
    """
    asked = {run.key: part.evaluation for part, run in plan.askable()}

    def fits(record: Record) -> bool:
        evaluation = asked.get(record["key"])
        return evaluation is None or record["status"] != "done" or _of(evaluation, record)

    return asked, fits


def _of(evaluation: Evaluator, record: Record) -> bool:
    """Its tables are those of the evaluator, and numbers stand where units say so."""
    tables = record["tables"]
    if not all(name in evaluation.tables for name in tables):
        return False
    asked: list[tuple[Iterable[Mapping[str, object]], set[str]]] = [([record["row"]], _measured(evaluation, ""))]
    asked += [(rows, _measured(evaluation, name)) for name, rows in tables.items()]
    return not any(isinstance(row.get(name), str) for rows, measured in asked for row in rows for name in measured)


def _measured(evaluation: Evaluator, table: str) -> set[str]:
    columns = evaluation.tables[table] if table else evaluation.columns
    return {column.name for column in columns if column.unit}
