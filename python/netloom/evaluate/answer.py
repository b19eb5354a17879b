"""What an evaluator gives: numbers, tables, and what its model leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from ..results import Column
from ..results.table import Cell

Row = dict[str, Cell]
Tables = dict[str, list[Row]]


def cells(columns: Iterable[Column], found: Mapping[str, object]) -> Row:
    """The cells of these columns; None for what was not found or is no cell."""
    values = ((column.name, found.get(column.name)) for column in columns)
    return {name: value if isinstance(value, (str, int, float)) else None for name, value in values}


class Answer(Mapping[str, Any]):
    """The answer to one question about one scenario.

    A mapping: `answer["total_hops"]` is a number of the record or one of the further values.

    Parameters
    ----------
    record, tables
        See the attributes; or a function that makes them when they are asked for.

    Attributes
    ----------
    evaluator
        Its name.
    record
        Numbers by name, units in their names; None for what the model cannot give.
    tables
        Rows of the evaluator's longer tables by name.
    more
        Values that are no cells: columns, lists, objects; see the evaluator's documentation.
    model, version, assumptions
        Which model answered, the version of netloom, and what the model takes for granted.
    """

    def __init__(
        self,
        record: Row | Callable[[], Row],
        tables: Tables | Callable[[], Tables] | None = None,
        more: Mapping[str, object] | None = None,
    ) -> None:
        self._record, self._tables = record, tables if tables is not None else {}
        self.more: dict[str, object] = dict(more or {})
        self.evaluator, self.model, self.version = "", "", ""
        self.assumptions: tuple[str, ...] = ()

    @cached_property
    def record(self) -> Row:
        """Numbers by name."""
        return self._record() if callable(self._record) else self._record

    @cached_property
    def tables(self) -> Tables:
        """The longer tables by name."""
        return self._tables() if callable(self._tables) else self._tables

    def explain(self) -> list[str]:
        """The answer in sentences; none where the evaluator has no words."""
        return []

    def __getitem__(self, name: str) -> Any:
        return self.more[name] if name in self.more else self.record[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self.record, *self.more)))

    def __len__(self) -> int:
        return len(dict.fromkeys((*self.record, *self.more)))

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, object]:
        """Record, tables, sentences and the model, as JSON takes them; the same from every door."""
        return {
            "evaluator": self.evaluator,
            "model": self.model,
            "version": self.version,
            "assumptions": list(self.assumptions),
            "record": self.record,
            "tables": self.tables,
            "says": self.explain(),
        }
