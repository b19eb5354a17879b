"""The page of one answer, from a command or a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..plot.style import unit_of, words_of
from ..plot.units import value_text
from .page import write_report
from .sections import Chart, First, NetworkView, Number, Pair, Runs, Section, Table, Text

#: Rows of a table that is open when the page is; longer ones are folded.
OPEN_ROWS = 12


@dataclass(frozen=True)
class AnswerPage:
    """What the page of one answer shows.

    Attributes
    ----------
    title
        What was asked.
    answer
        One sentence: what was best, by how much, why. `` `words` `` are code.
    numbers
        Three to five for the first screen.
    pictures
        Charts and networks; the first one is on the first screen.
    record
        Numbers by name, units in their names, as :attr:`netloom.Answer.record`; None where nothing is known.
    tables
        Rows by the name of the table, as :attr:`netloom.Answer.tables`.
    says
        Further sentences.
    assumptions
        What the model takes for granted, a sentence each.
    facts
        For the foot of the page: ``version``, ``command``, ``model``, ``seeds``, others.
    runs
        What repeats the runs that charts name, by the `source` of the charts.
    """

    title: str
    answer: str
    numbers: Sequence[Number] = ()
    pictures: Sequence[Chart | NetworkView | Pair] = ()
    record: Mapping[str, object] = field(default_factory=dict)
    tables: Mapping[str, Sequence[Mapping[str, object]]] = field(default_factory=dict)
    says: Sequence[str] = ()
    assumptions: Sequence[str] = ()
    facts: Mapping[str, object] = field(default_factory=dict)
    runs: Mapping[str, Runs] = field(default_factory=dict)


def write_answer(path: str | Path, page: AnswerPage) -> Path:
    """Write the page of one answer as one HTML file that loads nothing.

    Parameters
    ----------
    path
        The file; it appears whole or not at all. Missing folders are made.

    Returns
    -------
    pathlib.Path
        `path`.

    Raises
    ------
    NetloomError
        As :func:`netloom.report.write_report`.

    Examples
    --------
    >>> import tempfile
    >>> from netloom.report import AnswerPage, Number, write_answer
    >>> page = AnswerPage("Ring", "The ring takes 107 µs.", [Number("time", 0.000107, "s")])
    >>> write_answer(f"{tempfile.mkdtemp()}/ring.html", page).name
    'ring.html'
    """
    lead, others = (page.pictures[0], page.pictures[1:]) if page.pictures else (None, ())
    first = First(page.answer, page.numbers, lead)
    return write_report(path, {"title": page.title, **page.facts}, _sections(page, others), first, page.runs)


def _sections(page: AnswerPage, pictures: Sequence[Chart | NetworkView | Pair]) -> list[Section]:
    made: list[Section] = [*pictures]
    if page.says:
        made.append(Text("In words", _listed(page.says)))
    known = {name: value for name, value in page.record.items() if value is not None}
    if known:
        rows = [[words_of(name), _readable(name, value)] for name, value in known.items()]
        made.append(Table("All numbers", ["number", "value"], rows, name="numbers", folded=len(rows) > OPEN_ROWS))
    made += [_table(name, rows) for name, rows in page.tables.items() if rows]
    if page.assumptions:
        made.append(Text("What the model takes for granted", _listed(page.assumptions)))
    return made


def _readable(name: str, value: object) -> object:
    number = value.item() if hasattr(value, "item") else value
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return value
    return value_text(number, unit_of(name), 4)


def _table(name: str, rows: Sequence[Mapping[str, object]]) -> Table:
    """A table without the columns that nothing is known of."""
    names = [
        key
        for key in dict.fromkeys(key for row in rows for key in row)
        if any(row.get(key) is not None for row in rows)
    ]
    cells = [[row.get(key) for key in names] for row in rows]
    title = name.replace("_", " ").capitalize()
    return Table(title, names, cells, name=name, folded=len(rows) > OPEN_ROWS)


def _listed(sentences: Sequence[str]) -> str:
    return "\n".join(f"- {' '.join(sentence.split())}" for sentence in sentences)
