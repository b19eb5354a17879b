"""netloom's own table of measurements: one CSV, read and written."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..base import files
from ..base.nearest import did_you_mean
from . import cells, codes, one_machine
from .cells import MOST_RANKS, Csv
from .log import Log
from .names import collective
from .one_machine import OneMachine
from .reader import Reader
from .rows import Measurement
from .taken import Taken

#: What `bytes` counts is told at `Measurement`.
COLUMNS = ("collective", "algorithm", "library", "nodes", "ranks_per_node", "bytes", "time_s")
#: Without them, nothing is known: "".
_MAY_LACK = ("algorithm", "library")
_MEMORY = "memory"
#: What people call a column whose unit the name does not tell, and its name.
_WITHOUT_UNIT = {"time": "time_s", "latency": "time_s", "size": "bytes", "message_size": "bytes", "msg_size": "bytes"}


def is_format(log: Log) -> bool:
    table = cells.header(log)
    return table is not None and len({*map(str.lower, table.columns)} & {*COLUMNS, *_WITHOUT_UNIT}) >= 2


def read(taken: Taken) -> None:
    """Columns in any order; others are passed over, but for `machine`, of which there can be one, and `memory`."""
    table = taken.table()
    if table is None:
        return
    table = replace(table, columns=tuple(map(str.lower, table.columns)))
    if not _has_columns(taken, table):
        return
    extra = [name for name in table.columns if name not in (*COLUMNS, _MEMORY, *one_machine.COLUMNS)]
    if extra:
        taken.note(f"not read: {'column' if len(extra) == 1 else 'columns'} {', '.join(extra)[:200]}")
    machine = OneMachine(taken)
    for line in table.lines(taken.log):
        if line.cells is None:
            taken.bad_line(line, table)
        elif machine.has(line.number, line.cells):
            row = _row(taken, line.number, line.cells)
            if row is not None:
                taken.take(row)


def _has_columns(taken: Taken, table: Csv) -> bool:
    given, missing = taken.given, []
    said = {"collective": given.collective, "nodes": given.nodes, "ranks_per_node": given.ranks_per_node}
    for name in COLUMNS:
        if name not in table.columns and name not in _MAY_LACK and not said.get(name):
            missing.append(name)
        elif name in table.columns and said.get(name):
            hint = "leave the option out"
            place = f"{taken.log.place(table.at)}, {name}"
            taken.refuse(codes.CONTRADICTION, place, "is a column of the file, and an option too", "", hint)
            return False
    for name in missing:
        taken.refuse(codes.NOT_SAID, taken.log.place(table.at), f"has no column {name}", "", _remedy(name, table))
    return not missing


def _remedy(name: str, table: Csv) -> str:
    unclear = next((given for given, meant in _WITHOUT_UNIT.items() if meant == name and given in table.columns), "")
    if unclear:
        unit = "seconds" if name == "time_s" else "bytes"
        return f'"{unclear}" does not tell its unit: call it {name} if it holds {unit}'
    return did_you_mean(name, [column for column in table.columns if column not in COLUMNS], "columns")


def _row(taken: Taken, number: int, row: dict[str, str]) -> Measurement | None:
    given, place = taken.given, taken.log.place(number)
    name = collective(row["collective"]) if "collective" in row else given.collective
    size_text = row["bytes"] if name != "barrier" or row["bytes"] else "0"
    size = _bytes(taken, number, size_text, row["time_s"])
    time_s = taken.positive(number, "time_s", row["time_s"])
    nodes = _count(taken, number, "nodes", row, given.nodes)
    each = _count(taken, number, "ranks_per_node", row, given.ranks_per_node)
    memory = row.get(_MEMORY, "")
    if memory not in ("", "host", "gpu"):
        taken.refuse(codes.BAD_ROW, f"{place}, {_MEMORY}", "host or gpu", repr(memory)[:60])
        return None
    if size is None or time_s is None or nodes is None or each is None:
        return None
    if name is None:
        taken.drop(place, f"{row['collective'][:40]!r} is no collective that netloom has")
        return None
    algorithm, library = row.get("algorithm", "") or given.algorithm, row.get("library", "") or given.library
    size = 0 if name == "barrier" else size
    return Measurement(name, algorithm, library, nodes, each, size, time_s, place, memory)


def _bytes(taken: Taken, number: int, text: str, time_text: str) -> int | None:
    if cells.whole(text) is None and cells.whole(time_text) is not None and cells.number(text) > 0.0:
        place = f"{taken.log.place(number)}, bytes"
        hint = "bytes and time_s look swapped: check the header"
        taken.refuse(codes.IMPLAUSIBLE, place, "a whole number", repr(text)[:60], hint)
        return None
    return taken.size(number, "bytes", text)


def _count(taken: Taken, number: int, column: str, row: dict[str, str], given: int | None) -> int | None:
    if column not in row:
        return given
    value = taken.size(number, column, row[column], MOST_RANKS)
    if value == 0:
        taken.refuse(codes.BAD_ROW, f"{taken.log.place(number)}, {column}", "at least 1", "0")
        return None
    return value


def to_csv(rows: Iterable[Measurement]) -> str:
    """The table of some measurements; `read` gives them back, but for their places."""
    rows = list(rows)
    columns = [*COLUMNS, _MEMORY] if any(row.memory for row in rows) else list(COLUMNS)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([getattr(row, column) for column in columns] for row in rows)
    return text.getvalue()


def write_csv(path: str | Path, rows: Iterable[Measurement]) -> None:
    """Writes `to_csv` to a file.

    Raises
    ------
    NetloomError
        NL-X003.
    """
    files.write(path, to_csv(rows).encode())


READER = Reader("netloom's CSV", is_format, read)
