"""netloom's own table of measurements: CSV with a line of names."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from .cells import MOST_BYTES, MOST_NODES, seconds, whole
from .codes import BAD_ROW, UNREADABLE
from .rows import Measurement, Measurements, usable

COLUMNS = ("collective", "algorithm", "library", "nodes", "ranks_per_node", "bytes", "time_s")
#: Columns that a file may lack, and what they are then.
OPTIONAL = {"library": "", "ranks_per_node": "1", "algorithm": "default"}
MAX_ROWS = 1 << 20
MAX_CELL = 200
#: Most damaged rows that one message names.
MOST_FAULTS = 20
#: Bytes per second and rank that no network moves: such rows have time and bytes in each other's column.
MOST_RATE = 1e14


def is_own(head: str) -> bool:
    """Whether the first line of a text names these columns."""
    lines = [line for line in head.splitlines() if line.strip() and not line.startswith("#")]
    names = {name.strip().lower() for name in lines[0].split(",")} if lines else set()
    return {"collective", "bytes"} <= names and "time_s" in names


def read(text: str, place: str) -> Measurements:
    """The rows of a table.

    Raises
    ------
    NetloomError
        `NL-V001` for a table that lacks a column or has one twice, `NL-V002` for each damaged row.
    """
    # Comments become empty lines, so that numbers of lines stay.
    kept = ("\n" if line.startswith("#") else line for line in io.StringIO(text))
    lines = csv.reader(kept, strict=True)
    faults: list[Fault] = []
    rows: list[Measurement] = []
    try:
        first = next((cells for cells in lines if cells), [])
        names = _names([cell.strip().lower() for cell in first], place)
        notes = [f"columns that are not read: {', '.join(more)}"] if (more := _more(names)) else []
        for cells in lines:
            if not cells or not any(map(str.strip, cells)):
                continue
            if len(rows) >= MAX_ROWS:
                raise NetloomError([Fault(UNREADABLE, place, f"has more than {MAX_ROWS} rows", "", "thin it out")])
            where = f"{place}:{lines.line_num}"
            made = _row(names, cells, where, faults)
            if made is not None:
                rows.append(made)
            if len(faults) >= MOST_FAULTS:
                break
    except csv.Error as error:
        raise NetloomError([Fault(UNREADABLE, f"{place}:{lines.line_num}", f"is no CSV: {error}")]) from None
    if faults:
        raise NetloomError(faults)
    made_of = usable(rows)
    made_of.tool, made_of.notes = "csv", notes
    return made_of


def _names(found: Sequence[str], place: str) -> dict[str, int]:
    twice = sorted({name for name in found if found.count(name) > 1 and name in COLUMNS})
    if twice:
        raise NetloomError([Fault(UNREADABLE, place, f"has the column {twice[0]} twice")])
    names = {name: at for at, name in enumerate(found)}
    missing = [name for name in COLUMNS if name not in names and name not in OPTIONAL]
    if missing:
        near = did_you_mean(missing[0], found, "columns")
        raise NetloomError([Fault(UNREADABLE, place, f"lacks the column {missing[0]}", ", ".join(found)[:200], near)])
    return names


def _more(names: dict[str, int]) -> list[str]:
    return [name[:40] for name in names if name not in COLUMNS]


def _row(names: dict[str, int], cells: list[str], where: str, faults: list[Fault]) -> Measurement | None:
    """A row; None after a fault."""
    if len(cells) < max(names.values()) + 1 or len(cells) > len(names):
        faults.append(
            Fault(BAD_ROW, where, f"a row of {len(names)} cells", f"{len(cells)} cells", "is the file whole?")
        )
        return None
    told = {name: cells[names[name]].strip() if name in names else OPTIONAL[name] for name in COLUMNS}
    if long := next((name for name, cell in told.items() if len(cell) > MAX_CELL), ""):
        faults.append(Fault(BAD_ROW, where, f"at most {MAX_CELL} characters of {long}", told[long][:MAX_CELL]))
        return None
    before = len(faults)
    nodes = whole(told["nodes"], 1, MOST_NODES, f"{where}: nodes", faults)
    each = whole(told["ranks_per_node"], 1, MOST_NODES, f"{where}: ranks_per_node", faults)
    size = whole(told["bytes"], 0, MOST_BYTES, f"{where}: bytes", faults)
    time_s = seconds(told["time_s"], f"{where}: time_s", faults)
    if len(faults) > before:
        return None
    if size / time_s > MOST_RATE:
        hint = "are bytes and time_s in each other's column, or the time not in seconds?"
        faults.append(Fault(BAD_ROW, where, "a rate that a network can have", f"{size / time_s:.3g} B/s", hint))
        return None
    collective = told["collective"].lower().replace("_", "-")
    algorithm = told["algorithm"].removeprefix(f"{collective}:") or "default"
    return Measurement(collective, algorithm, told["library"], nodes, each, size, time_s, where)


def write(rows: Sequence[Measurement]) -> str:
    """The rows as such a table."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(COLUMNS)
    lines.writerows([[getattr(row, name) for name in COLUMNS] for row in rows])
    return out.getvalue()
