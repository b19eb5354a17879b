"""Profiles of mpisee: of each rank, communicator and operation how often, for how long and with how many bytes."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ... import _core
from ...base import files
from ...base.errors import Fault, NetloomError
from .row import CallSum, Recorded, Source, Survey, TraceFormat, Untold

if TYPE_CHECKING:
    import sqlite3

#: What its first page says: of SQLite, and of the table that is this profiler's own.
_MARKS = (b"SQLite format 3\x00", b"buffer_size_min", b"exectimes")
_MOST_FILE, _MOST_RANKS, _MOST_ROWS = 1 << 32, 1 << 20, 1 << 26
_MOST_LENGTH, _MOST_COLUMNS = 1 << 20, 64
#: Steps of the database between two looks, and looks.
_STEPS, _LOOKS = 1 << 20, 1 << 14
_MOST_BYTES = (1 << 63) - 1
#: Counted as operations, before the time of the run begins.
_NO_CALLS = ("init", "init_thread")
#: The table and its columns; the last one is missing in older files.
_TABLES = {
    "data": ("rank", "comm_id", "operation_id", "buffer_size_min", "calls", "time"),
    "comms": ("id", "name", "size"),
    "operations": ("id", "operation"),
}
#: Operations of all ranks with one size and no root, by name without the I of those that do not block.
_ALIKE = {
    "allreduce": "allreduce", "allgather": "allgather", "alltoall": "alltoall", "scan": "scan", "exscan": "exscan",
    "reduce_scatter_block": "reduce-scatter", "barrier": "barrier",
}  # fmt: skip
_SENDS = re.compile(r"i?[bsr]?send(recv)?|r?put|r?get|r?accumulate")
_OTHER_COLLECTIVES = re.compile(
    r"i?(bcast|reduce|gatherv?|scatterv?|allgatherv|alltoall[vw]|reduce_scatter|neighbor_\w+)"
)


def _begins(source: Source) -> bool:
    return source.head.startswith(_MARKS[0]) and all(mark in source.head for mark in _MARKS)


@dataclass
class _Sum:
    """One operation on communicators of one size, and one range of sizes."""

    calls: int = 0
    bytes: int = 0
    seconds: float = 0.0
    by_rank: dict[int, int] = field(default_factory=dict)


#: By operation, ranks of the communicator, and the lower end of the range of sizes.
_Sums = dict[tuple[str, int, int], _Sum]


def _read(source: Source) -> Recorded:
    """Sums of a profile. O(rows), one at a time."""
    import sqlite3

    if not files.is_file(source.path):
        files.read(source.path)  # Says what is wrong with it.
    if source.path.stat().st_size > _MOST_FILE:
        raise NetloomError([Fault("NL-X002", source.place, "is larger than 4 GiB", "", "cut the file")])
    uri = f"{source.path.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as base:
            return _Profile(source, _bounded(base)).recorded()
    except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
        hint = "copy it again, when the program has ended"
        raise _refuse(source, "NL-F003", f"cannot be read as SQLite: {str(error)[:200]}", hint) from None


def _bounded(base: sqlite3.Connection) -> sqlite3.Connection:
    """With limits: nothing attached, no long values, no endless statement."""
    import sqlite3

    base.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_LENGTH)
    base.setlimit(sqlite3.SQLITE_LIMIT_COLUMN, _MOST_COLUMNS)
    base.execute("PRAGMA trusted_schema = OFF")
    base.execute("PRAGMA query_only = ON")
    looks = iter(range(_LOOKS))
    base.set_progress_handler(lambda: next(looks, None) is None, _STEPS)
    return base


def _refuse(source: Source, code: str, sentence: str, hint: str) -> NetloomError:
    return NetloomError([Fault(code, source.place, sentence, "", hint)])


class _Profile:
    """A database that is open."""

    def __init__(self, source: Source, base: sqlite3.Connection) -> None:
        self.source, self.base = source, base
        self.has_volume = "volume" in self._columns("data")
        for table, columns in _TABLES.items():
            if missing := [name for name in columns if name not in self._columns(table)]:
                sentence = f"the table {table} lacks {', '.join(missing)}"
                raise _refuse(source, "NL-F010", sentence, "give the file that mpisee wrote")

    def recorded(self) -> Recorded:
        """Sums, and the traffic where they tell it."""
        ranks, sizes = self._ranks()
        sums = self._sums(ranks, sizes)
        span_s = max((_seconds(time) for (time,) in self._rows("SELECT time FROM exectimes")), default=0.0)
        notes = ["sums over the run: the order of calls and the time between them are not in the file"]
        if not self.has_volume:
            notes.append("written by an early mpisee, which does not count bytes")
        named: dict[str, CallSum] = {}
        for (operation, size, _), one in sorted(sums.items()):
            name = operation if size == ranks else f"{operation} on {size} ranks"
            before = named.get(name, CallSum(0, 0, 0.0))
            named[name] = CallSum(before.calls + one.calls, before.bytes + one.bytes, before.seconds + one.seconds)
        rest = sorted((size for size in sizes.values() if size != ranks), reverse=True)
        survey = Survey(events=len(sums), calls=named, communicators=[ranks, *rest], span_s=span_s, notes=notes)
        lacks = self._lacks(ranks, sums)
        if lacks:
            hint = (
                "record it: netloom record -- mpirun ... counts who sends to whom; netloom describe says what it holds"
            )
            fault = Fault("NL-F013", self.source.place, f"does not tell who sends to whom: {lacks}", "", hint)
            return Recorded(Untold(ranks, fault), survey)
        notes.append("sizes of collectives are the means of their ranges")
        return Recorded(self._traffic(ranks, sums), survey)

    def _columns(self, table: str) -> list[str]:
        kind = self.base.execute("SELECT type, sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        if kind is None or kind[0] != "table" or "VIRTUAL" in str(kind[1])[:20].upper():
            return []
        return [str(row[1]) for row in self.base.execute(f"PRAGMA table_info({table})")]

    def _rows(self, statement: str) -> Iterator[tuple[object, ...]]:
        for number, row in enumerate(self.base.execute(statement)):
            if number >= _MOST_ROWS:
                raise _refuse(self.source, "NL-F001", "has too many rows", "cut the file")
            yield row

    def _number(self, value: object, what: str, most: int = _MOST_BYTES) -> int:
        if not isinstance(value, int) or not 0 <= value <= most:
            sentence = f"{what} must be a whole number from 0 to {most}, got {str(value)[:40]!r}"
            raise _refuse(self.source, "NL-F009", sentence, "the file is damaged")
        return value

    def _ranks(self) -> tuple[int, dict[int, int]]:
        """How many ranks there are, and members of each communicator."""
        sizes: dict[int, int] = {}
        for number, size in self._rows("SELECT id, size FROM comms"):
            sizes[self._number(number, "comms.id")] = self._number(size, "comms.size", _MOST_RANKS)
        ranks = max(sizes.values(), default=0)
        if ranks == 0:
            raise _refuse(self.source, "NL-F004", "holds no communicator", "give the file that mpisee wrote")
        return ranks, sizes

    def _sums(self, ranks: int, sizes: dict[int, int]) -> _Sums:
        operations = {
            self._number(number, "operations.id"): str(name).removeprefix("MPI_").lower()
            for number, name in self._rows("SELECT id, operation FROM operations")
        }
        sums: _Sums = {}
        volume = "volume" if self.has_volume else "0"
        columns = f"rank, comm_id, operation_id, buffer_size_min, calls, time, {volume}"
        for row in self._rows(f"SELECT {columns} FROM data"):
            rank = self._number(row[0], "data.rank", ranks - 1)
            group, operation = self._number(row[1], "data.comm_id"), self._number(row[2], "data.operation_id")
            least, calls = self._number(row[3], "data.buffer_size_min"), self._number(row[4], "data.calls")
            if group not in sizes or operation not in operations:
                missing = f"communicator {group}" if group not in sizes else f"operation {operation}"
                raise _refuse(self.source, "NL-F007", f"uses the {missing}, which nobody created", "copy it again")
            if operations[operation] in _NO_CALLS:
                continue
            one = sums.setdefault((operations[operation], sizes[group], least), _Sum())
            one.calls += calls
            one.bytes += self._number(row[6], "data.volume")
            one.seconds += _seconds(row[5])
            one.by_rank[rank] = one.by_rank.get(rank, 0) + calls
        return sums

    def _lacks(self, ranks: int, sums: _Sums) -> str:
        """What has to be known for a traffic, in words; empty where nothing is missing."""
        sends = parts = rooted = uneven = 0
        for (operation, size, _), one in sums.items():
            alike = _alike(operation)
            if _SENDS.fullmatch(operation):
                sends += one.calls
            elif alike is None and _OTHER_COLLECTIVES.fullmatch(operation):
                rooted += one.calls
            elif alike is not None and size != ranks:
                parts += one.calls
            elif alike is not None and (len(one.by_rank) != ranks or len(set(one.by_rank.values())) != 1):
                uneven += one.calls
        told = (
            (sends, "sends without receivers"),
            (parts, "collectives on communicators whose members are not recorded"),
            (rooted, "collectives with a root, or a size for each rank, that is not recorded"),
            (uneven, "collectives that ranks call differently often"),
        )
        return ", ".join(f"{count} {words}" for count, words in told if count)

    def _traffic(self, ranks: int, sums: _Sums) -> _core.Traffic:
        import numpy as np

        kinds = {name: number for number, name in enumerate(_core.Recording.KINDS)}
        columns: list[list[np.ndarray]] = [[], [], [], []]
        for (operation, size, _), one in sums.items():
            alike = _alike(operation)
            if alike is None or size != ranks or not one.calls:
                continue
            recording = self.source.recording(ranks)
            of_call = np.array([one.bytes // one.calls], np.uint64)
            zero, none = np.zeros(1, np.int64), np.full(1, -1, np.int64)
            for rank in range(ranks):
                kind, group = np.array([kinds[alike]], np.uint8), np.zeros(1, np.uint32)
                recording.extend(rank, kind, group, zero, zero, of_call, none, np.zeros(1))
            programs, _survey = recording.finish(0.0, dict(self.source.algorithms))
            table = _core.Traffic.of_programs(programs).table()
            times = one.calls // ranks
            for column, name in zip(columns, ("src", "dst", "messages", "bytes"), strict=True):
                column.append(table[name].astype(np.int64) * (times if name in ("messages", "bytes") else 1))
        taken = [np.concatenate(column) if column else np.zeros(0, np.int64) for column in columns]
        return _core.Traffic.from_flows(self.source.path.name, ranks, *taken)


def _alike(operation: str) -> str | None:
    """netloom's name of a collective with one size and no root."""
    return _ALIKE.get(operation) or _ALIKE.get(operation.removeprefix("i"))


def _seconds(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) and 0 <= value < 1e18 else 0.0


MPISEE = TraceFormat(
    name="mpisee",
    aliases=("mpisee-sqlite",),
    summary="How often, how long and with how many bytes each rank called MPI, by communicator, as mpisee counts it.",
    restrictions=(
        "Sums without receivers, members of communicators and roots: described; a traffic where all of them are "
        "collectives of all ranks without a root."
    ),
    source="mpisee 4, https://github.com/variemai/mpisee, src/create_db.cpp",
    begins=_begins,
    read=_read,
    is_sums=True,
)
