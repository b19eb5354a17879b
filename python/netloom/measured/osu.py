"""The OSU micro-benchmarks: osu_latency, osu_bw and the blocking collectives, as they print."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from . import codes, mpi_tables
from .log import Log
from .mpi_tables import Table, TableRow
from .names import collective, part_of
from .reader import Reader
from .rows import POINT_TO_POINT, Measurement
from .taken import Taken

#: Units of the column in a second; of bandwidths the bytes, 10^6 in a megabyte of OSU's.
_UNITS = {"us": 1e6, "ms": 1e3, "s": 1.0, "mb/s": 1e6}
_VALUE = re.compile(r"(?:avg_)?(?:latency|bandwidth)(?:\((.*)\))?")
_DEVICE = re.compile(r"# *Send Buffer on DEVICE", re.IGNORECASE)
_VALIDATION = "validation"
#: What a title says, where it is no name of a collective.
_TITLES = {
    "latency": "pingpong",
    "bandwidth": "bandwidth",
    "all-to-all personalized exchange latency": "alltoall",
}
#: Columns where none are announced.
_PLAIN = {"bandwidth": ("size", "bandwidth(mb/s)"), "barrier": ("latency(us)",)}


@dataclass(frozen=True)
class Kind:
    """How rows of a table are read.

    Parameters
    ----------
    like
        A measurement without size, time and place.
    columns
        Names, and the place of the value among them.
    per_second
        Units of the value in a second.
    """

    like: Measurement
    columns: tuple[str, ...]
    value_at: int
    per_second: float


def is_format(log: Log) -> bool:
    return any(table.tool == mpi_tables.OSU for table in mpi_tables.tables(log.lines))


def read(taken: Taken) -> None:
    """Times are averages over the ranks; reduce_scatter's size is the whole vector, others are netloom's sizes."""
    memory = "gpu" if any(_DEVICE.match(line) for line in taken.log.lines) else ""
    kinds: dict[int, Kind | None] = {}
    for row in mpi_tables.rows(taken.log.lines):
        table = row.table
        if table.tool == mpi_tables.OSU:
            if table.line not in kinds:
                kinds[table.line] = _kind(taken, table, memory)
            kind = kinds[table.line]
            if kind is not None:
                _take(taken, row, kind)


def _kind(taken: Taken, table: Table, memory: str) -> Kind | None:
    """How to read a table; None, with the reason told, for one that is not read."""
    place, title = taken.log.place(table.line), table.test
    test = _TITLES.get(title) or (collective(title.removesuffix(" latency")) if title.endswith(" latency") else None)
    if test is None:
        taken.drop(place, f"the test {title[:60]!r} is not read: blocking collectives, osu_latency and osu_bw are")
        return None
    columns = table.columns or _PLAIN.get(test, ("size", "latency(us)"))
    found = next(((k, match) for k, name in enumerate(columns) if (match := _VALUE.fullmatch(name))), None)
    if found is None:
        taken.refuse(codes.BAD_ROW, place, "has no column of latency or bandwidth below it")
        return None
    unit = found[1][1] or ("mb/s" if test == "bandwidth" else "us")
    if (unit == "mb/s") != (test == "bandwidth") or unit not in _UNITS:
        expected = "MB/s" if test == "bandwidth" else "us, ms or s"
        taken.refuse(codes.BAD_ROW, f"{place}, {columns[found[0]]}", f"in {expected}", unit)
        return None
    given = taken.given
    job = given.pair() if test in POINT_TO_POINT else taken.job(place, 0)
    if job is None:
        return None
    algorithm = given.algorithm or ("" if test in POINT_TO_POINT else "default")
    library = given.library or ("nccl" if "nccl" in table.library else "")
    like = Measurement(test, algorithm, library, job.nodes, job.ranks_per_node, 0, 0.0, place, memory)
    return Kind(like, columns, found[0], _UNITS[unit])


def _take(taken: Taken, row: TableRow, kind: Kind) -> None:
    columns, like, place = kind.columns, kind.like, taken.log.place(row.number)
    if len(row.words) < len(columns):
        taken.bad_row(row.number, len(columns), " ".join(row.words))
        return
    size = 0 if like.collective == "barrier" else taken.size(row.number, "size", row.words[0])
    value = taken.positive(row.number, columns[kind.value_at], row.words[kind.value_at])
    if size is None or value is None:
        return
    bytes_ = part_of(like.collective, size, like.ranks) if like.collective == "reduce-scatter" else size
    if _VALIDATION in columns and row.words[columns.index(_VALIDATION)].lower() not in ("pass", "skipped"):
        taken.drop(place, "verification failed")
    elif bytes_ is None:
        taken.drop(place, f"{size:,} B do not divide among {like.ranks} ranks")
    elif like.collective == "bandwidth" and not size:
        taken.drop(place, "0 bytes have no bandwidth")
    else:
        time_s = size / (value * kind.per_second) if like.collective == "bandwidth" else value / kind.per_second
        taken.take(replace(like, bytes=bytes_, time_s=time_s, place=place))


READER = Reader("OSU micro-benchmarks", is_format, read)
