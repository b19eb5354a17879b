"""Rows kept by column: a million of them take what their values take, not a dict each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from math import isnan
from typing import overload

Cell = str | int | float | bool | None
Row = dict[str, Cell]


def known_cell(value: Cell) -> Cell:
    """The cell of a value; none for NaN, which is how the core and typed answers say that a number is not known."""
    return None if isinstance(value, float) and isnan(value) else value


class _Absent(Enum):
    """What stands in a column where its row has no such key."""

    ABSENT = 0


_ABSENT = _Absent.ABSENT
_Held = Cell | _Absent
#: Distinct texts and integers of a column that are looked up, so that equal ones are one object.
_SHARED = 1 << 12


class Rows(Sequence[Row]):
    """A sequence of dicts, made when they are asked for; a change to one of them does not reach the rows.

    Rows chosen from others share their columns until one of them grows.

    Parameters
    ----------
    rows
        One mapping per row; keys may differ.
    """

    def __init__(self, rows: Iterable[Mapping[str, Cell]] = ()) -> None:
        self._columns: dict[str, list[_Held]] = {}
        self._shared: dict[str, dict[Cell, Cell]] = {}
        self._count = 0
        #: Which rows of the columns these are; None for all.
        self._chosen: Sequence[int] | None = None
        if isinstance(rows, Rows):
            self._columns, self._count, self._chosen = rows._columns, rows._count, range(rows._count)
            if rows._chosen is not None:
                self._chosen = rows._chosen
        else:
            self.extend(rows)

    def append(self, row: Mapping[str, Cell]) -> None:
        """One more. O(columns)."""
        self._own()
        for name in row:
            if name not in self._columns:
                self._columns[name] = [_ABSENT] * self._count
                self._shared[name] = {}
        for name, column in self._columns.items():
            value: _Held = row.get(name, _ABSENT)
            if type(value) is str or type(value) is int:
                shared = self._shared[name]
                value = shared.setdefault(value, value) if len(shared) < _SHARED else shared.get(value, value)
            column.append(value)
        self._count += 1

    def extend(self, rows: Iterable[Mapping[str, Cell]]) -> None:
        """More of them."""
        for row in rows:
            self.append(row)

    def column(self, name: str) -> list[Cell]:
        """All values of one key; None where it is absent. O(rows)."""
        column = self._columns.get(name)
        if column is None:
            return [None] * len(self)
        held: Iterable[_Held] = column if self._chosen is None else [column[i] for i in self._chosen]
        return [None if value is _ABSENT else value for value in held]

    def set_column(self, name: str, values: Sequence[Cell]) -> None:
        """Gives every row a value.

        Raises
        ------
        ValueError
            Unless there are as many values as rows.
        """
        if len(values) != len(self):
            raise ValueError(f"{len(values)} values for {len(self)} rows")
        self._own()
        self._columns[name] = list(values)
        self._shared[name] = {}

    def taken(self, numbers: Sequence[int]) -> Rows:
        """The rows of these numbers. O(their count)."""
        made = Rows()
        made._columns, made._count = self._columns, self._count
        made._chosen = numbers if self._chosen is None else [self._chosen[i] for i in numbers]
        return made

    def filled(self) -> set[str]:
        """Keys with a value other than None in some row."""
        return {name for name in self._columns if any(value is not None for value in self.column(name))}

    def _own(self) -> None:
        if self._chosen is None:
            return
        chosen, self._chosen = self._chosen, None
        self._columns = {name: [column[i] for i in chosen] for name, column in self._columns.items()}
        self._shared = {name: {} for name in self._columns}
        self._count = len(chosen)

    def _row(self, number: int) -> Row:
        return {name: value for name, held in self._columns.items() if (value := held[number]) is not _ABSENT}

    def __len__(self) -> int:
        return self._count if self._chosen is None else len(self._chosen)

    def __iter__(self) -> Iterator[Row]:
        for number in range(self._count) if self._chosen is None else self._chosen:
            yield self._row(number)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        numbers = range(self._count) if self._chosen is None else self._chosen
        found = numbers[at]
        return self._row(found) if isinstance(found, int) else [self._row(number) for number in found]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Rows, list)) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Rows({list(self)!r})" if len(self) < 10 else f"Rows({len(self)})"
