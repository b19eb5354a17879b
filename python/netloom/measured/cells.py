"""Numbers as files write them, and tables of comma-separated values."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .log import Log

#: Larger counts of bytes and of ranks are typing errors.
MOST_BYTES = 1 << 53
MOST_RANKS = 1 << 24
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_DELIMITERS = (",", ";", "\t")


def whole(text: str, most: int = MOST_BYTES) -> int | None:
    """A whole number from 0 to `most`; None for any other text."""
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 19):
        return None
    value = int(text)
    return value if value <= most else None


def number(text: str) -> float:
    """A finite number; NaN for any other text."""
    text = text.strip()
    if len(text) > 60 or not _NUMBER.fullmatch(text):
        return math.nan
    value = float(text)
    return value if math.isfinite(value) else math.nan


@dataclass(frozen=True)
class Line:
    """A line of a table.

    Parameters
    ----------
    number
        In the file, from 1.
    cells
        By column; None if their number is not that of the columns.
    is_csv
        False if a quote has no end.
    """

    number: int
    cells: dict[str, str] | None
    is_csv: bool = True


@dataclass(frozen=True)
class Csv:
    """A table of values with commas, semicolons or tabs between them.

    Parameters
    ----------
    columns
        Names of the header, in small letters if the reader asks for that.
    at
        Line of the header.
    delimiter
        Of the header, and so of all lines.
    """

    columns: tuple[str, ...]
    at: int
    delimiter: str

    @property
    def twice(self) -> str:
        """A column that stands twice; "" if none does."""
        return next((name for name in self.columns if self.columns.count(name) > 1), "")

    def lines(self, log: Log) -> Iterator[Line]:
        """The lines below the header, without empty ones, comments and repetitions of the header."""
        for number, text in enumerate(log.lines[self.at :], self.at + 1):
            if not text.strip() or text.lstrip().startswith("#"):
                continue
            cells = split(text, self.delimiter)
            if cells is None or len(cells) != len(self.columns):
                yield Line(number, None, cells is not None)
            elif tuple(map(str.lower, cells)) != tuple(map(str.lower, self.columns)):
                yield Line(number, dict(zip(self.columns, cells, strict=True)))


def header(log: Log) -> Csv | None:
    """The table whose header is the first line that is no comment; None if that line has one cell."""
    for number, text in enumerate(log.lines, 1):
        if text.strip() and not text.lstrip().startswith("#"):
            delimiter = next((one for one in _DELIMITERS if one in text), None)
            cells = split(text, delimiter) if delimiter else None
            return None if delimiter is None or cells is None else Csv(tuple(cells), number, delimiter)
    return None


def split(text: str, delimiter: str) -> list[str] | None:
    """The cells of a line; None if a quote has no end."""
    if '"' not in text:
        return [cell.strip() for cell in text.split(delimiter)]
    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=delimiter, strict=True))]
    except (csv.Error, StopIteration):
        return None
