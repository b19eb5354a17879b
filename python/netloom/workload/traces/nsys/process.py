"""What all readers of such a database ask it: strings, clocks, processes."""

from __future__ import annotations

from typing import NamedTuple

from ....base.errors import Fault, NetloomError
from ..database import Database, Value, whole

#: Most strings of a database.
MOST_STRINGS = 1 << 24


class Process(NamedTuple):
    """A process: number of its file, and its number on its host."""

    file: int
    pid: int


def pid_of(identity: Value) -> int:
    """The process of a global thread or process number."""
    return (whole(identity) or 0) >> 24 & 0xFFFFFF


def strings(database: Database) -> dict[int, str]:
    """Texts by number."""
    found: dict[int, str] = {}
    for number, text in database.rows("StringIds", ("id", "value")):
        if isinstance(number, int) and isinstance(text, str):
            found[number] = text[:4096]
        if len(found) > MOST_STRINGS:
            raise NetloomError(
                [Fault("NL-F001", str(database.path), "has too many strings", "", "profile fewer steps")]
            )
    return found


def origin_ns(database: Database) -> int:
    """When the session began, in nanoseconds since 1970; 0 where the file does not say it."""
    for (began,) in database.rows("TARGET_INFO_SESSION_START_TIME", ("utcEpochNs",)):
        return whole(began, 0) or 0
    return 0


def ranks_of_mpi(database: Database, file: int) -> dict[Process, int]:
    """Ranks of MPI by process."""
    found = {}
    for thread, rank in database.rows("MPI_RANKS", ("globalTid", "rank")):
        if (number := whole(rank, 0)) is not None and number < 1 << 20:
            found[Process(file, pid_of(thread))] = number
    return found


def times(database: Database, table: str, row: tuple[Value, ...]) -> tuple[float, float]:
    """Begin and end of a row that has them first, in seconds.

    Raises
    ------
    NetloomError
        NL-F009 for an end before the begin.
    """
    begin, end = whole(row[0]), whole(row[1])
    if begin is None or end is None or end < begin:
        place, got = f"{database.path}, {table}", f"{row[0]!r} to {row[1]!r}"
        hint = "the clock ran backwards, or the file was changed: export it again"
        raise NetloomError([Fault("NL-F009", place, "a begin and an end that follows it", got[:60], hint)])
    return begin * 1e-9, end * 1e-9
