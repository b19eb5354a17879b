"""A plug-in evaluator as a registry row."""

from __future__ import annotations

import inspect

from ..plugin import Plugin
from ..plugin.classes import Evaluator as Own
from ..plugin.use import run_own
from ..results import Column
from ..scenario import Question
from .answer import Answer, Row
from .base import Evaluator, Option, Options, axes


def row_of(cls: type[Plugin]) -> Evaluator:
    """The row of a class of `netloom.plugin.Evaluator`."""
    assert issubclass(cls, Own)
    columns = tuple(Column(*column) for column in cls.columns)

    def run(bound: Question, options: Options) -> Answer:
        found = run_own(cls, cls.name, bound, options)
        row: Row = {column.name: found.get(column.name) for column in columns}
        return Answer(row, more={key: value for key, value in found.items() if key not in row})

    return Evaluator(
        name=cls.name,
        summary=(inspect.getdoc(cls) or "").partition("\n")[0],
        axes=axes(*cls.inputs),
        columns=columns,
        run=run,
        model=cls.model or f"plug-in {cls.__name__}",
        assumptions=cls.assumptions,
        options=tuple(Option(*option) for option in cls.options),
    )
