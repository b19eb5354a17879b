"""The parts of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict, Unpack

from ..plot.drawing import Drawing

if TYPE_CHECKING:
    from ..plot.encoding import Encoding

#: Verdicts on a claim, and their signs.
VERDICTS: dict[str, str] = {
    "confirmed": "✓",
    "refuted": "✗",
    "open": "?",
    "not tested": "–",
}


@dataclass(frozen=True)
class Text:
    """Paragraphs, separated by empty lines. Lines that begin with ``- `` are a list, `` `words` `` are code."""

    title: str
    body: str


class TableOptions(TypedDict, total=False):
    """Attributes of `Table` that have a default; see there."""

    units: Mapping[str, str]
    caption: str
    name: str
    limit: int
    folded: bool
    hidden: Sequence[str]


@dataclass(frozen=True)
class Table:
    """Rows that the reader can sort, filter and take away as CSV.

    Attributes
    ----------
    title
        Heading.
    columns
        Names.
    rows
        One sequence per row, as long as `columns`; None where nothing is known.
    units
        Unit by column; a column that is left out has the unit that its name ends with (``time_s``).
    caption
        A sentence below the heading.
    name
        File name of the CSV, without its ending; "" takes the title.
    limit
        Rows on the page; a note says how many more there are.
    folded
        True closes the table until the reader opens it.
    hidden
        Columns that the reader must choose to see them.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    units: Mapping[str, str] = field(default_factory=dict)
    caption: str = ""
    name: str = ""
    limit: int = 2000
    folded: bool = False
    hidden: Sequence[str] = ()

    @classmethod
    def of(cls, title: str, table: object, **rest: Unpack[TableOptions]) -> Table:
        """From columns: a mapping, a pyarrow table, or anything else with ``to_pydict``."""
        from ..plot.tidy import columns

        data = columns(table)
        return cls(title, list(data), list(zip(*data.values(), strict=True)), **rest)


@dataclass(frozen=True)
class Chart:
    """An interactive chart of tidy columns.

    `kind` and `table` as in :func:`netloom.plot.tidy.tidy`; `x`, `y`, `series`, `facet`, `value`, `low`, `high` and
    `log` as in :class:`netloom.plot.encoding.Encoding`. The labels default to the columns' names in words with their
    units, and the units (of `value` instead of `y` where there is one) to what the names end with. ``B`` counts bytes
    in decimal units.

    Attributes
    ----------
    files
        Printed figures of the same data, as paths relative to the report, offered for download.
    runs
        Column of the run behind each row, as its number in :attr:`Runs.inputs`; the page shows these runs and the
        commands that repeat them at a click.
    source
        Key of these runs in the `runs` of :func:`netloom.report.write_report`.
    """

    title: str
    kind: str
    table: object
    x: str
    y: str
    series: str | None = None
    facet: str | None = None
    value: str | None = None
    low: str | None = None
    high: str | None = None
    x_label: str | None = None
    y_label: str | None = None
    value_label: str | None = None
    x_unit: str | None = None
    y_unit: str | None = None
    log: str = ""
    caption: str = ""
    files: Sequence[str] = ()
    runs: str | None = None
    source: str = ""

    @property
    def encoding(self) -> Encoding:
        """Which column is what."""
        from ..plot.encoding import Encoding

        return Encoding(self.x, self.y, self.series, self.facet, self.value, self.low, self.high, self.log)


@dataclass(frozen=True)
class NetworkView(Drawing):
    """A network to look around in: a drawing whose view the reader can change.

    Attributes
    ----------
    label
        Call or file that made the network; the heading. The other attributes of a drawing are described there.
    group_names
        Legend labels instead of `group 0`, `group 1`, ...: one per group in ascending order.
    facts
        Numbers shown next to the picture, by label (diameter, cost, ...).
    notes
        By index of a link what causes its load, shown when the reader points there.
    caption, files
        As in :class:`Chart`.
    """

    group_names: Sequence[str] = ()
    facts: Mapping[str, object] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    caption: str = ""
    files: Sequence[str] = ()


@dataclass(frozen=True)
class Pair:
    """Networks side by side on one scale of loads: before and after a mapping, for example.

    Attributes
    ----------
    title
        Heading.
    views
        Two to four, each with its own label as the heading.
    caption, files
        As in :class:`Chart`.
    """

    title: str
    views: Sequence[NetworkView]
    caption: str = ""
    files: Sequence[str] = ()


@dataclass(frozen=True)
class Picture:
    """A printed figure on the page, for what has no interactive form: the timeline of a simulated run, for example.

    Attributes
    ----------
    title
        Heading, and the words for readers who do not see the picture.
    png
        The bytes of a PNG file, at most 4 MiB. They are embedded in the page.
    caption, files
        As in :class:`Chart`.
    """

    title: str
    png: bytes
    caption: str = ""
    files: Sequence[str] = ()


@dataclass(frozen=True)
class Claim:
    """One statement that a study put to the test.

    Attributes
    ----------
    id, place, statement
        Number, source (section, table, figure) and the words of the claim.
    expected, got
        What the source says and what came out, with units.
    verdict
        One of :data:`VERDICTS`.
    note
        The reason, if it is not obvious.
    """

    id: str
    statement: str
    expected: str
    got: str
    verdict: str
    place: str = ""
    note: str = ""


@dataclass(frozen=True)
class Claims:
    """Findings: what was expected and what came out."""

    title: str
    claims: Sequence[Claim]
    caption: str = ""


@dataclass(frozen=True)
class Number:
    """A number of the first screen: "time 2.7 ms, before 5.07 ms".

    Attributes
    ----------
    label
        What it is, in two or three words.
    value, before
        As the reader sees it, or a number whose `unit` is one of :data:`netloom.plot.style.UNITS`.
    unit
        Of numbers.
    note
        A few words below it.
    """

    label: str
    value: str | float
    unit: str = ""
    before: str | float | None = None
    note: str = ""


@dataclass(frozen=True)
class First:
    """The first screen: the answer, the numbers that it rests on, and one picture.

    Attributes
    ----------
    answer
        One sentence: what was best, by how much, why.
    numbers
        Three to five; at most 6 are shown.
    picture
        A `Chart`, `NetworkView` or `Pair`.
    """

    answer: str = ""
    numbers: Sequence[Number] = ()
    picture: Chart | NetworkView | Pair | None = None


@dataclass(frozen=True)
class Runs:
    """What repeats each run of an experiment: the page builds the commands from it.

    Attributes
    ----------
    evaluator
        The question.
    options
        Of each run, the settings of the evaluator.
    inputs
        Of each run, the inputs of its scenario.
    labels
        Of each run, the values of the axes as the tables show them.
    """

    evaluator: str
    options: Sequence[Mapping[str, object]]
    inputs: Sequence[Mapping[str, object]]
    labels: Sequence[Mapping[str, object]]


Section = Text | Table | Chart | NetworkView | Pair | Picture | Claims
