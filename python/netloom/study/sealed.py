"""Lines of a journal: each ends with the SHA-256 of what stands before it, so that a changed byte is seen."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

FORMAT = 2
#: Journals before there were hashes; none of their runs can be checked.
UNSEALED = 1
#: Between the body of a line and its hash.
_SEAL = b',"sha256":"'
_END = b'"}'
_HEX = 64
#: Largest integer of a cell: no count of ours needs more bits, and doubles and tables can hold it.
_MOST = 1 << 126

Record = dict[str, Any]
#: Key under which a record names inputs that were given and changed nothing, with the reason; absent if there are none.
UNUSED = "without_effect"


@dataclass
class Lines:
    """What a journal holds.

    Parameters
    ----------
    head
        The first line, or None if it is damaged or absent.
    runs
        Where the line of each sound record begins, by key, in the order of the file.
    damaged
        Numbers of the lines, from 1, that are not as they were written.
    repeated
        Lines of runs that an earlier line has.
    whole
        Bytes up to the last line's end: what follows was cut off by a kill.
    """

    head: Record | None = None
    runs: dict[str, int] = field(default_factory=dict)
    damaged: list[int] = field(default_factory=list)
    repeated: int = 0
    whole: int = 0


def seal(record: Mapping[str, object]) -> bytes:
    """The line of a record, its end included."""
    # A lone surrogate of a JSON input has no UTF-8 of its own.
    body = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    return body[:-1] + _SEAL + hashlib.sha256(body).hexdigest().encode() + _END + b"\n"


def unseal(line: bytes) -> Record | None:
    """The record of a line without its end; None if any byte of it has changed."""
    cut = len(line) - len(_SEAL) - _HEX - len(_END)
    if cut < 1 or line[cut : cut + len(_SEAL)] != _SEAL or not line.endswith(_END):
        return None
    body = line[:cut] + b"}"
    if hashlib.sha256(body).hexdigest().encode() != line[cut + len(_SEAL) : -len(_END)]:
        return None
    return _object(body)


def read_lines(file: BinaryIO, fits: Callable[[Record], bool] | None = None) -> Lines:
    """The header and the sound runs of a journal, from its beginning on. O(bytes), and memory for one line.

    Parameters
    ----------
    fits
        Whether a record of the right shape is one that its run could have left.
    """
    found = Lines()
    for number, line in enumerate(file, start=1):
        if not line.endswith(b"\n"):
            break
        begin, found.whole = found.whole, found.whole + len(line)
        if number == 1:
            found.head = unseal(line[:-1]) or _unsealed(line[:-1])
            if found.head is not None and found.head.get("netloom") == UNSEALED:
                found.whole += sum(map(len, file))
                return found
            if found.head is None or not _is_head(found.head):
                found.head = None
                found.damaged.append(1)
            continue
        record = unseal(line[:-1])
        if record is None or not _is_run(record) or (fits is not None and not fits(record)):
            found.damaged.append(number)
        elif record["key"] in found.runs:
            found.repeated += 1
        else:
            found.runs[record["key"]] = begin
    return found


def _unsealed(line: bytes) -> Record | None:
    head = _object(line)
    return head if head and head.get("netloom") == UNSEALED and isinstance(head.get("study"), str) else None


def _is_head(head: Record) -> bool:
    return head.get("netloom") == FORMAT and isinstance(head.get("study"), str)


def _is_run(record: Record) -> bool:
    """True for the shape that tables are made of; a hash says nothing about who made it."""
    if not isinstance(record.get("key"), str):
        return False
    if record.get("status") == "refused":
        faults = record.get("faults")
        return isinstance(faults, list) and bool(faults) and all(map(_is_fault, faults))
    tables = record.get("tables")
    return (
        record.get("status") == "done"
        and _is_row(record.get("row"))
        and isinstance(tables, dict)
        and _is_row(record.get(UNUSED, {}))
        and all(isinstance(rows, list) and all(map(_is_row, rows)) for rows in tables.values())
    )


def _is_row(row: object) -> bool:
    return isinstance(row, dict) and all(map(_is_cell, row.values()))


def _is_cell(cell: object) -> bool:
    """True for what a table can hold."""
    if cell is None or cell is True or cell is False:
        return True
    if type(cell) is float:
        return math.isfinite(cell)
    if type(cell) is int:
        return -_MOST <= cell <= _MOST
    if type(cell) is not str:
        return False
    try:
        cell.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_fault(fault: object) -> bool:
    return isinstance(fault, list) and len(fault) == 5 and all(isinstance(part, str) for part in fault)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _object(body: bytes) -> Record | None:
    try:
        made = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return made if isinstance(made, dict) else None
