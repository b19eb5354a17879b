"""The result of an evaluator: numbers, tables, and the limits of its model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from ..base.arrays import same
from ..base.nearest import did_you_mean
from ..results import Column
from ..results.keyed import Keyed
from ..results.rows import Cell
from .shown import Shown

Row = dict[str, Cell]
Tables = dict[str, list[Row]]


def cells(columns: Iterable[Column], found: Mapping[str, object]) -> Row:
    """The cells of these columns; None for missing values and non-cells."""
    values = ((column.name, found.get(column.name)) for column in columns)
    return {name: value if isinstance(value, (str, int, float)) else None for name, value in values}


class Answer(Shown, Keyed):
    """The answer to one question about one scenario.

    `answer["total_hops"]`, or `answer.total_hops`, is a number of the record or one of the further values; `keys`,
    `values`, `items`, `get` and `dict(answer)` work as for a dictionary. Answers are equal if all their values and
    tables are, and can be pickled: what is computed on demand is computed then.

    Parameters
    ----------
    record, tables
        See the attributes; or a function that computes them on demand.
    says
        What `explain` gives, computed on demand.

    Attributes
    ----------
    evaluator
        Its name.
    record
        Numbers by name, units in their names; None if the model cannot give one.
    tables
        Rows of the evaluator's longer tables by name.
    more
        Values that are no cells: columns, lists, objects; see the evaluator's documentation.
    model, version, assumptions
        Which model answered, the version of netloom, and what the model takes for granted.
    without_effect
        Inputs and options that were given and changed nothing, by name, with the reason.
    chosen
        What the library of the scenario chose, a sentence for each call.
    """

    def __init__(
        self,
        record: Row | Callable[[], Row],
        tables: Tables | Callable[[], Tables] | None = None,
        more: Mapping[str, object] | None = None,
        says: Callable[[], list[str]] | None = None,
    ) -> None:
        self._record, self._tables, self._says = record, tables if tables is not None else {}, says
        self.more: dict[str, object] = dict(more or {})
        self.evaluator, self.model, self.version = "", "", ""
        self.assumptions: tuple[str, ...] = ()
        self.without_effect: dict[str, str] = {}
        self.chosen: list[str] = []

    @cached_property
    def record(self) -> Row:
        """Numbers by name."""
        return self._record() if callable(self._record) else self._record

    @cached_property
    def tables(self) -> Tables:
        """The longer tables by name."""
        return self._tables() if callable(self._tables) else self._tables

    def explain(self) -> list[str]:
        """The answer in sentences; empty if the evaluator gives none."""
        return [*self.chosen, *self._said]

    @cached_property
    def _said(self) -> list[str]:
        return self._says() if self._says is not None else []

    def __getitem__(self, name: str) -> object:
        return self.more[name] if name in self.more else self.record[name]

    if not TYPE_CHECKING:
        # Type checkers know the names of each evaluator's answer from `netloom.evaluate.answers`.
        def __getattr__(self, name: str) -> object:
            if not name.startswith("_") and "more" in self.__dict__:
                try:
                    return self[name]
                except KeyError:
                    hint = did_you_mean(name, self, "values")
                    words = f"the answer of {self.evaluator!r} has no {name!r}; {hint}"
                    raise AttributeError(words, name=name, obj=self) from None
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self.record, *self.more)))

    def __len__(self) -> int:
        return len(dict.fromkeys((*self.record, *self.more)))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        mine, others = self._compared(), other._compared()
        return same(mine, others)

    __hash__ = None

    def _compared(self) -> tuple[object, ...]:
        said = (self.evaluator, self.model, self.version, self.assumptions, self.without_effect)
        return (*said, self.record, self.tables, self.more)

    def __getstate__(self) -> dict[str, object]:
        state = dict(self.__dict__)
        state["_said"] = self._said
        state["record"] = state["_record"] = self.record
        state["tables"] = state["_tables"] = self.tables
        state["_says"] = None
        return state

    def to_dict(self) -> dict[str, object]:
        """Record, tables, sentences and the model, in JSON form; the same from Python, commands and studies."""
        return {
            "evaluator": self.evaluator,
            "model": self.model,
            "version": self.version,
            "assumptions": list(self.assumptions),
            "without_effect": self.without_effect,
            "record": self.record,
            "tables": self.tables,
            "says": self.explain(),
        }
