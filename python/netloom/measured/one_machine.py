"""A file of measurements is of one machine, as far as its columns tell."""

from __future__ import annotations

from . import codes
from .taken import Taken

#: Columns that name the machine.
COLUMNS = ("machine", "cluster", "system")


class OneMachine:
    """Refuses a second machine in a table."""

    def __init__(self, taken: Taken) -> None:
        self._taken = taken
        self._names: dict[str, str] = {}

    def has(self, number: int, row: dict[str, str]) -> bool:
        """Whether the row is of the machine of the rows before; a fault if not."""
        for column in COLUMNS:
            name = row.get(column)
            if name is not None and self._names.setdefault(column, name) != name:
                said = f"two machines in one file: {name[:60]!r} after {self._names[column][:60]!r}"
                place, hint = f"{self._taken.log.place(number)}, {column}", "split the file by machines"
                self._taken.refuse(codes.CONTRADICTION, place, said, "", hint)
                return False
        return True
