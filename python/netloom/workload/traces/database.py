"""Databases of SQLite from outside: read only, nothing in them is run, what is asked of them is bounded."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

from ...base import files
from ...base.errors import Fault, NetloomError

MAGIC = b"SQLite format 3\0"
#: Longest value and statement, most columns.
MOST_LENGTH, MOST_SQL, MOST_COLUMNS = 1 << 24, 1 << 16, 512
#: Most tables, and rows of one that are read.
MOST_TABLES, MOST_ROWS = 4096, 1 << 27
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: MOST_LENGTH,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: MOST_SQL,
    sqlite3.SQLITE_LIMIT_COLUMN: MOST_COLUMNS,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 10_000,
}
#: What a statement may do: read tables, sort them.
_ALLOWED = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_PRAGMA)

Value = int | float | str | bytes | None


class Database:
    """A database that is being read; views and tables that run code are none of its tables."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not files.is_file(path):
            files.read(path)
        place = quote(str(path.resolve()))
        try:
            self._made = sqlite3.connect(f"file:{place}?mode=ro&immutable=1", uri=True)
            for limit, most in _LIMITS.items():
                self._made.setlimit(limit, most)
            self._made.execute("PRAGMA trusted_schema=OFF")
            self._made.execute("PRAGMA query_only=ON")
            self._made.set_authorizer(
                lambda action, *_: sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
            )
            self._made.text_factory = lambda data: data.decode("utf-8", "replace")
            self.tables = self._columns()
        except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
            raise self._unsound(error) from None

    def _columns(self) -> dict[str, set[str]]:
        found = self._made.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchmany(MOST_TABLES)
        plain = [name for name, sql in found if str(sql).upper().startswith("CREATE TABLE") and isinstance(name, str)]
        return {
            name: {str(row[1]) for row in self._made.execute(f"PRAGMA table_info({_quoted(name)})")} for name in plain
        }

    def rows(self, table: str, names: Sequence[str], order: str = "") -> Iterator[tuple[Value, ...]]:
        """Columns of a table, `None` for those that it does not have; no rows of a table that is not there.

        Raises
        ------
        NetloomError
            NL-F003 for a damaged database, NL-F001 for too many rows.
        """
        have = self.tables.get(table)
        if have is None:
            return
        listed = ", ".join(_quoted(name) if name in have else "NULL" for name in names)
        sorted_ = f" ORDER BY {_quoted(order)}" if order in have else ""
        try:
            for number, row in enumerate(self._made.execute(f"SELECT {listed} FROM {_quoted(table)}{sorted_}")):
                if number >= MOST_ROWS:
                    sentence = f"has more than {MOST_ROWS} rows in {table}"
                    raise NetloomError([Fault("NL-F001", str(self.path), sentence, "", "profile fewer steps")])
                yield row
        except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
            raise self._unsound(error) from None

    def _unsound(self, error: Exception) -> NetloomError:
        sentence = f"is no sound database of SQLite: {str(error)[:100]}"
        return NetloomError([Fault("NL-F003", str(self.path), sentence, "", "export it again")])

    def __enter__(self) -> Database:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._made.close()


def whole(value: Value, least: int = -(1 << 63)) -> int | None:
    """A whole number from `least` on; None of anything else."""
    return value if isinstance(value, int) and value >= least else None


def has_tables(path: Path, *names: str) -> bool:
    """Whether a file is a database with one of these tables; False of what cannot be read."""
    try:
        with Database(path) as found:
            return any(name in found.tables for name in names)
    except NetloomError:
        return False


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
