"""A table in memory: named columns of equal length, each with a unit and a meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from .frames import Frames
from .rows import Cell, Rows


def _median(values: Sequence[float]) -> float:
    import statistics

    return statistics.median(values)


def _mean(values: Sequence[float]) -> float:
    import statistics

    return statistics.fmean(values)


AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "median": _median,
    "mean": _mean,
    "min": min,
    "max": max,
    "sum": sum,
    "count": len,
}


@dataclass(frozen=True)
class Column:
    """Name (ending in its unit where it has one), unit for axes and headers, and what it means."""

    name: str
    unit: str = ""
    help: str = ""


class Table(Frames):
    """Rows of one kind.

    Parameters
    ----------
    name
        File name without its ending.
    columns
        In order of writing.
    rows
        One mapping per row; a missing key means that the value is not known.
    """

    def __init__(self, name: str, columns: list[Column], rows: Iterable[Mapping[str, Cell]] = ()) -> None:
        self.name, self.columns, self.rows = name, columns, Rows(rows)

    def _rows_of(self, table: str | None) -> Rows:
        return self.rows

    def names(self) -> list[str]:
        """Column names in order."""
        return [column.name for column in self.columns]

    def unit(self, name: str) -> str:
        """Unit of a column, or ""."""
        return next((column.unit for column in self.columns if column.name == name), "")

    def values(self, name: str) -> list[Cell]:
        """One column."""
        return self.rows.column(name)

    def data(self) -> dict[str, list[Cell]]:
        """All columns."""
        return {name: self.values(name) for name in self.names()}

    def where(self, conditions: Mapping[str, object]) -> Table:
        """The rows whose columns equal the given value, or one of the given values."""
        asked = [(self.values(name), options(wanted)) for name, wanted in conditions.items()]
        chosen = [i for i in range(len(self.rows)) if all(column[i] in wanted for column, wanted in asked)]
        return Table(self.name, self.columns, self.rows.taken(chosen))

    def groups(self, keys: Sequence[str]) -> list[tuple[tuple[Cell, ...], Table]]:
        """The rows by the values of `keys`, in order of first appearance."""
        columns = [self.values(key) for key in keys]
        found: dict[tuple[Cell, ...], list[int]] = {}
        for i in range(len(self.rows)):
            found.setdefault(tuple([column[i] for column in columns]), []).append(i)
        return [(key, Table(self.name, self.columns, self.rows.taken(chosen))) for key, chosen in found.items()]

    def aggregate(self, name: str, how: str = "median") -> float | None:
        """One number of a numeric column; None without any value."""
        numbers = [v for v in self.values(name) if isinstance(v, (int, float))]
        return AGGREGATES[how](numbers) if numbers else None

    def distinct(self, name: str) -> list[Cell]:
        """Values of a column in order of first appearance."""
        return list(dict.fromkeys(self.values(name)))

    def add(self, column: Column, values: Iterable[Cell]) -> None:
        """Append a column."""
        self.columns.append(column)
        self.rows.set_column(column.name, list(values))


def options(wanted: object) -> list[object]:
    """The values that a condition allows."""
    return wanted if isinstance(wanted, list) else [wanted]


def matches(row: Mapping[str, object], conditions: Mapping[str, object]) -> bool:
    """True if every named column equals the value, or one of the values."""
    return all(row.get(key) in options(wanted) for key, wanted in conditions.items())
