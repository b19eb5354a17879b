"""The parts of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict, Unpack

from numpy.typing import ArrayLike

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
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    units: Mapping[str, str] = field(default_factory=dict)
    caption: str = ""
    name: str = ""
    limit: int = 2000

    @classmethod
    def of(cls, title: str, table: object, **rest: Unpack[TableOptions]) -> Table:
        """From columns: a mapping, a pyarrow table, or anything else with ``to_pydict``."""
        from ..plot.tidy import columns

        data = columns(table)
        return cls(title, list(data), list(zip(*data.values(), strict=True)), **rest)


@dataclass(frozen=True)
class Chart:
    """An interactive chart of tidy columns.

    `kind`, `table`, `x`, `y`, `series`, `facet`, `value`, `low`, `high` and `log` as in
    :func:`netloom.plot.tidy.tidy`; the labels default to the columns' names in words with their units, and the units
    (of `value` instead of `y` where there is one) to what the names end with. ``B`` counts bytes in decimal units.

    Attributes
    ----------
    files
        Printed figures of the same data, as paths relative to the report, offered for download.
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


@dataclass(frozen=True)
class NetworkView:
    """A network to look around in: as a graph up to 300 switches, else as its adjacency matrix; the reader can change.

    Attributes
    ----------
    label
        Call or file that made the network; the heading.
    switches
        At least 1.
    tails, heads
        Ends of the switch links, one or both directions of every cable.
    dims, levels, groups
        What the topology knows of itself; see :func:`netloom.plot.positions.positions`. Groups, else levels, give the
        switches their colour.
    group_names
        Legend labels instead of `group 0`, `group 1`, ...: one per group in ascending order.
    class_of, class_names
        Class of every link and the names.
    layout
        See :func:`netloom.plot.positions.positions`.
    view
        `auto`, `graph` or `matrix`.
    facts
        Numbers shown next to the picture, by label (diameter, cost, ...).
    caption, files
        As in :class:`Chart`.
    """

    label: str
    switches: int
    tails: ArrayLike
    heads: ArrayLike
    dims: Sequence[int] | None = None
    levels: ArrayLike | None = None
    groups: ArrayLike | None = None
    group_names: Sequence[str] = ()
    class_of: ArrayLike | None = None
    class_names: Sequence[str] = ()
    layout: str = "auto"
    view: str = "auto"
    facts: Mapping[str, object] = field(default_factory=dict)
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


Section = Text | Table | Chart | NetworkView | Picture | Claims
