"""Whether more of a column is better, where a study does not say so itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ..evaluate.base import Evaluator
from ..evaluate.directions import Direction, direction
from .schema import Best, Compare, Emit, Experiment, Saturation

#: Columns of the tables that a study makes.
_LEAST = ("relative_time", "relative_price", "usd")
_GREATEST = ("rate_bytes_per_s", "relative_rate", "rate_per_usd", "relative_rate_per_usd", "phi", "efficiency")
_MADE = ("rates", "performance")
_OTHER: dict[Direction, Direction] = {"least": "greatest", "greatest": "least", "": ""}

Chosen = TypeVar("Chosen", Best, Saturation)


def more_is_better(spec: Experiment, row: Evaluator, table: str, column: str) -> bool:
    """Of a column of an experiment; false where neither less nor more of it is better.

    Parameters
    ----------
    row
        The evaluator of the experiment.
    table
        One of the longer tables, or "" for the rows of the runs.
    """
    return _better(spec, row, table, column) == "greatest"


def _better(spec: Experiment, row: Evaluator, table: str, column: str) -> Direction:
    if table in _MADE and spec.performance is not None and table not in row.tables:
        return "least" if column in _LEAST else "greatest" if column in _GREATEST else direction(row, column)
    return direction(row, column) if table else _derived(spec.compare, row, column)


def _derived(compares: Sequence[Compare], row: Evaluator, column: str) -> Direction:
    """Of a column of the rows of the runs; one that `compares` adds goes as the earlier one from which it is made."""
    for at, made in enumerate(compares):
        if made.name == column:
            way = _derived(compares[:at], row, made.column)
            return _OTHER[way] if made.as_ == "percent-less" else way
    return direction(row, column)


def directed(spec: Experiment, row: Evaluator) -> Experiment:
    """The experiment, in which all that is chosen by a column says whether more of it is better."""

    def said(asked: Sequence[Chosen]) -> list[Chosen]:
        return [
            one.model_copy(update={"most": more_is_better(spec, row, one.table, one.column)})
            if one.most is None
            else one
            for one in asked
        ]

    emit: Emit | None = spec.emit
    if emit is not None and emit.most is None:
        emit = emit.model_copy(update={"most": more_is_better(spec, row, "", emit.by)})
    return spec.model_copy(update={"best": said(spec.best), "saturation": said(spec.saturation), "emit": emit})
