"""A table in memory: named columns of equal length, each with a unit and a meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Cell = str | int | float | bool | None


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


@dataclass
class Table:
    """Rows of one kind.

    Parameters
    ----------
    name
        File name without its ending.
    columns
        In order of writing.
    rows
        One dict per row; a missing key means that the value is not known.
    """

    name: str
    columns: list[Column]
    rows: list[dict[str, Cell]] = field(default_factory=list)

    def names(self) -> list[str]:
        """Column names in order."""
        return [column.name for column in self.columns]

    def unit(self, name: str) -> str:
        """Unit of a column, or ""."""
        return next((column.unit for column in self.columns if column.name == name), "")

    def values(self, name: str) -> list[Cell]:
        """One column."""
        return [row.get(name) for row in self.rows]

    def data(self) -> dict[str, list[Cell]]:
        """All columns."""
        return {name: self.values(name) for name in self.names()}

    def where(self, conditions: Mapping[str, object]) -> Table:
        """The rows whose columns equal the given value, or one of the given values."""
        return Table(self.name, self.columns, [row for row in self.rows if matches(row, conditions)])

    def groups(self, keys: Sequence[str]) -> list[tuple[tuple[Cell, ...], Table]]:
        """The rows by the values of `keys`, in order of first appearance."""
        found: dict[tuple[Cell, ...], list[dict[str, Cell]]] = {}
        for row in self.rows:
            found.setdefault(tuple(row.get(key) for key in keys), []).append(row)
        return [(key, Table(self.name, self.columns, rows)) for key, rows in found.items()]

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
        for row, value in zip(self.rows, values, strict=True):
            row[column.name] = value


def matches(row: Mapping[str, object], conditions: Mapping[str, object]) -> bool:
    """True if every named column equals the value, or one of the values."""
    for key, wanted in conditions.items():
        options = wanted if isinstance(wanted, list) else [wanted]
        if row.get(key) not in options:
            return False
    return True
