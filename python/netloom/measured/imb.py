"""IMB-MPI1 of the Intel MPI Benchmarks: PingPong, Sendrecv and the blocking collectives, as it prints."""

from __future__ import annotations

from . import codes, mpi_tables
from .given import Job
from .log import Log
from .mpi_tables import Table, TableRow
from .names import collective, part_of
from .reader import Reader
from .rows import POINT_TO_POINT, Measurement
from .taken import Taken

_END = "All processes entering MPI_Finalize"
_TIMES = ("t_avg[usec]", "t[usec]")
#: Sizes and times of PingPong where no line announces the columns.
_PLAIN = ("bytes", "repetitions", "t[usec]")


def is_format(log: Log) -> bool:
    return any(table.tool == mpi_tables.IMB for table in mpi_tables.tables(log.lines))


def read(taken: Taken) -> None:
    """Times are averages over the ranks; Reduce_scatter's size is the whole vector, others are netloom's sizes."""
    passed: dict[int, Job | None] = {}
    largest = max((row.table.processes for row in mpi_tables.rows(taken.log.lines)), default=0)
    for row in mpi_tables.rows(taken.log.lines):
        table = row.table
        if table.tool != mpi_tables.IMB:
            continue
        test = _test(table.test)
        if table.line not in passed:
            passed[table.line] = None if test is None else _job(taken, test, table, largest)
            if test is None:
                taken.drop(taken.log.place(table.line), f"the benchmark {table.test!r} is not read")
        job = passed[table.line]
        if test is not None and job is not None:
            _take(taken, row, test, job)
    if not any(_END in line for line in taken.log.lines[-50:]):
        taken.note(f"the log does not end with {_END!r}: tests may be missing")


def _test(title: str) -> str | None:
    # `Reduce_scatter_block` counts another size.
    return None if title == "reduce_scatter_block" else collective(title)


def _take(taken: Taken, row: TableRow, test: str, job: Job) -> None:
    columns, place = row.table.columns or _PLAIN, taken.log.place(row.number)
    if len(row.words) < len(columns):
        taken.bad_row(row.number, len(columns), " ".join(row.words))
        return
    name = next((name for name in _TIMES if name in columns), None)
    if name is None:
        taken.refuse(codes.BAD_ROW, taken.log.place(row.table.line), "has no column t[usec] or t_avg[usec] below it")
        return
    size = taken.size(row.number, "#bytes", row.words[columns.index("bytes")]) if "bytes" in columns else 0
    time_us = taken.positive(row.number, name, row.words[columns.index(name)])
    if size is None or time_us is None:
        return
    bytes_ = part_of(test, size, job.ranks) if test == "reduce-scatter" else size
    if bytes_ is None:
        taken.drop(place, f"{size:,} B do not divide among {job.ranks} ranks")
        return
    given = taken.given
    algorithm = given.algorithm or ("" if test in POINT_TO_POINT else "default")
    taken.take(Measurement(test, algorithm, given.library, job.nodes, job.ranks_per_node, bytes_, time_us / 1e6, place))


def _job(taken: Taken, test: str, table: Table, largest: int) -> Job | None:
    """Nodes and ranks per node of a table; None, with the reason told, if they cannot be known."""
    place, given = taken.log.place(table.line), taken.given
    if table.is_concurrent:
        taken.drop(place, "several groups measured at once")
        return None
    if test in ("pingpong", "sendrecv") and table.processes in (0, 2):
        return given.pair()
    if table.processes and table.processes != largest:
        taken.drop(place, f"{table.processes} of {largest} processes: where they ran is not told")
        return None
    return taken.job(place, table.processes)


READER = Reader("Intel MPI Benchmarks", is_format, read)
