"""Files of a record, as `c/record.h` lays them out: read with every number checked, nothing executed."""

from __future__ import annotations

import json
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ....base import files
from ....base.errors import Fault, NetloomError
from . import codes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.void]

FORM = 1
SUMS, ORDER = b"NLSUMS1\n", b"NLORDR1\n"
CHUNK, CHUNK_HEAD = 1 << 20, 64
HEADER_BYTES = 4096
#: Most functions and ranks, and rows of the tables, that a sound record has.
MOST_FUNCTIONS, MOST_RANKS = 1000, 1 << 20
BINS, COMMS, ROWS = 64, 1024, 2048
#: Most bytes of a file: the sums of 2^20 ranks, or a list of events.
MOST_BYTES = 1 << 34
RUNNING, FINALIZED, ABORTED = range(3)
#: What the header of a file says where every call was kept.
ORDER_DEPTH = 2
#: What a run leaves next to the files of the ranks.
ABOUT = "record.json"
#: Nobody, and anybody, in place of a rank.
NOBODY, ANYBODY = -1, -2

_U4, _U8, _I4 = "<u4", "<u8", "<i4"
HEADER = [
    ("magic", "S8"),
    *[(name, _U4) for name in ("form", "functions", "bins", "comms", "rows", "ending")],
    *[(name, _U4) for name in ("rank", "size", "depth", "thread_level", "core", "pid")],
    *[(name, _U8) for name in ("begin_ticks", "begin_ns", "end_ticks", "end_ns")],
    *[(name, _U8) for name in ("comms_used", "rows_used", "rows_pooled", "lost", "compute_ticks", "mpi_ticks", "code")],
    ("host", "S64"),
    ("library", "S128"),
]
TOTAL = [(name, _U8) for name in ("calls", "ticks", "bytes", "longest")]
PAIR = [("messages", _U8), ("bytes", _U8)]
COMM = [
    ("id", _U8), ("parent", _U8), ("call", _U4), ("ordinal", _U4), ("color", _I4), ("key", _I4), ("size", _I4),
    ("rank", _I4), ("messages", _U8), ("bytes", _U8), ("collectives", _U8), ("first", "<i8"),
]  # fmt: skip
ROW = [
    ("call", _U4), ("comm", _U4), ("root", _I4), ("op", _U4), ("count", _U8), ("type_bytes", _U8), ("calls", _U8),
    ("ticks", _U8), ("sent", _U8), ("spare", _U8),
]  # fmt: skip
EVENT = [
    ("call", "<u2"), ("kind", "<u2"), ("comm", _U4), ("start", _U8), ("end", _U8), ("peer", _I4), ("tag", _I4),
    ("sent", _U8), ("wanted", _U8), ("request", _U8), ("root", _I4), ("thread", _U4),
]  # fmt: skip
#: Kinds of events: a call, a request that it completed, a part of it for one rank.
CALL, REQUEST, PART = range(3)


@dataclass(frozen=True)
class Rank:
    """What one rank has left.

    `sent` and `fetched` have a row for each rank with which it communicates, `comms` one for each communicator that it
    saw, `rows` one for collectives that are alike.
    """

    header: dict[str, int]
    host: str
    library: str
    totals: Table
    sent: Table
    fetched: Table
    sizes: Table
    gaps: Table
    comms: Table
    rows: Table

    @property
    def number(self) -> int:
        """Its rank in MPI_COMM_WORLD."""
        return int(self.header["rank"])

    def communicator(self, row: int) -> int:
        """What identifies a communicator on all its ranks; 0 for those that no row is left for."""
        return int(self.comms[row]["id"]) if row < len(self.comms) else 0

    @property
    def seconds_per_tick(self) -> float:
        """By the two readings of both clocks."""
        ticks = self.header["end_ticks"] - self.header["begin_ticks"]
        nanoseconds = self.header["end_ns"] - self.header["begin_ns"]
        return nanoseconds / ticks * 1e-9 if ticks > 0 and nanoseconds > 0 else 1e-9


def functions(folder: Path) -> list[str]:
    """Names of the functions by number, from the record's own description.

    Raises
    ------
    NetloomError
        NL-X001 without one, NL-I005 for one that is none, NL-I006 for that of another version.
    """
    path = folder / ABOUT
    data = files.read(path)
    try:
        about = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise damaged(path, f"is no description of a record: {error}") from None
    names = about.get("functions") if isinstance(about, dict) else None
    if not isinstance(names, list) or not all(isinstance(name, str) and len(name) < 80 for name in names):
        raise damaged(path, "does not list the functions")
    if about.get("form") != FORM:
        raise _other(path, f"form {str(about.get('form'))[:20]}")
    return names[:MOST_FUNCTIONS]


def read_rank(path: Path, names: list[str]) -> Rank | None:
    """The sums of a rank; None for a file that its rank had no time to begin.

    Raises
    ------
    NetloomError
        NL-I005 for a file that is cut off, NL-I006 for one of another version.
    """
    import numpy as np

    data = _bytes(path)
    if len(data) < HEADER_BYTES:
        raise damaged(path, f"is cut off: it has {len(data)} bytes")
    head = np.frombuffer(data, dtype=HEADER, count=1)[0]
    header = {name: int(head[name]) for name, kind in HEADER if not kind.startswith("S")}
    if not any(data[:8]):
        return None
    if bytes(data[:8]) != SUMS or header["form"] != FORM:
        raise _other(path, repr(bytes(data[:8]))[2:-1])
    size, calls = header["size"], header["functions"]
    if (header["bins"], header["comms"], header["rows"]) != (BINS, COMMS, ROWS) or calls < len(names):
        raise _other(path, f"{calls} functions")
    if not 1 <= size <= MOST_RANKS or header["rank"] >= size or calls > MOST_FUNCTIONS:
        raise damaged(path, f"says that it is of rank {header['rank']} of {size}")
    at, tables = HEADER_BYTES, []
    for kind, count in (
        (TOTAL, calls), (PAIR, size), (PAIR, size), (PAIR, BINS), (PAIR, BINS), (COMM, COMMS), (ROW, ROWS)
    ):  # fmt: skip
        bytes_ = np.dtype(kind).itemsize * count
        if at + bytes_ > len(data):
            raise damaged(path, f"is cut off: it has {len(data)} bytes")
        tables.append(np.frombuffer(data, dtype=kind, count=count, offset=at))
        at += bytes_
    host, library = (head[name].decode("utf-8", "replace") for name in ("host", "library"))
    # "MPICH Version:\t4.0.2" is MPICH 4.0.2.
    totals, sent, fetched, sizes, gaps, comms, rows = tables
    return Rank(
        header, host, " ".join(re.sub(r"(?i)\bversion\s*:", "", library).split()), totals.copy(), _sparse(sent),
        _sparse(fetched), sizes.copy(), gaps.copy(), comms[: min(header["comms_used"], COMMS)].copy(),
        rows[rows["calls"] > 0].copy(),
    )  # fmt: skip


def read_events(path: str | Path) -> Table:
    """The events of a rank in the order of their ends, as far as they were written.

    Raises
    ------
    NetloomError
        NL-I005 for a file that is no such list.
    """
    import numpy as np

    path = Path(path)
    data, parts = _bytes(path), []
    event = np.dtype(EVENT).itemsize
    for at in range(0, len(data), CHUNK):
        head = data[at : at + CHUNK_HEAD]
        if len(head) < CHUNK_HEAD or head[:8] != ORDER:
            if any(head[:8]):
                raise damaged(path, f"has no piece of events at byte {at}")
            break
        number, count = (int.from_bytes(head[8 + 8 * k : 16 + 8 * k], "little") for k in (0, 1))
        room = (min(len(data) - at, CHUNK) - CHUNK_HEAD) // event
        if number != at // CHUNK or count > room:
            raise damaged(path, f"is cut off: {count} events are announced at byte {at}, {room} are there")
        parts.append(np.frombuffer(data, dtype=EVENT, count=count, offset=at + CHUNK_HEAD))
    return np.concatenate(parts) if parts else np.empty(0, dtype=EVENT)


def _bytes(path: Path) -> bytes:
    """A regular file of at most `MOST_BYTES`; a pipe would wait for ever."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode) or about.st_size == 0:
            raise damaged(path, "is empty")
        if about.st_size > MOST_BYTES:
            raise damaged(path, f"has more than {MOST_BYTES} bytes")
        return path.read_bytes()
    except OSError as error:
        raise NetloomError([Fault("NL-X001", str(path), f"cannot be read: {error.strerror}")]) from None


def _sparse(pairs: Table) -> Table:
    """Those above zero, each with its rank: a job of many ranks does not hold a square of zeros."""
    import numpy as np

    there = np.flatnonzero(pairs["messages"])
    made = np.empty(len(there), dtype=[("rank", "<i8"), *PAIR])
    made["rank"], made["messages"], made["bytes"] = there, pairs["messages"][there], pairs["bytes"][there]
    return made


def damaged(path: Path, why: str) -> NetloomError:
    """NL-I005."""
    return NetloomError([Fault(codes.DAMAGED, str(path), why, "", "record again; a full disk leaves such files")])


def _other(path: Path, got: str) -> NetloomError:
    hint = "read it with the netloom that wrote it, or record again"
    return NetloomError([Fault(codes.OTHER_VERSION, str(path), f"form {FORM} of this version", got, hint)])
