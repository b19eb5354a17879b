"""Ping-pong measurements as the OSU micro-benchmarks and the Intel MPI Benchmarks print them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from ..base.errors import Fault, NetloomError
from ..machine import codes
from ..measured import mpi_tables
from ..measured.cells import number
from ..measured.log import log

#: Largest file, and most rows of all files together.
MAX_BYTES = 4 << 20
MAX_ROWS = 1 << 16
_LARGEST = 1 << 53


@dataclass(frozen=True)
class Measured:
    """The contents of the files.

    Parameters
    ----------
    one_way_s : dict
        Time of one message by its size in bytes, s; the median where a size was measured several times.
    stream_bytes_per_s : dict
        Bandwidth of a stream of messages by their size, bytes/s.
    """

    one_way_s: dict[int, float]
    stream_bytes_per_s: dict[int, float]


def parse(files: Iterable[tuple[str, bytes]]) -> Measured:
    """Reads the output of ``osu_latency``, ``osu_bw`` and ``IMB-MPI1 PingPong``, any number of files of each.

    OSU prints half the round trip in µs and the bandwidth in MB/s of 10^6 bytes; IMB half the round trip in µs in its
    third column. Rows of other tests, and columns beyond these, are not read.

    Raises
    ------
    NetloomError
        NL-L004 for a file without such a table or beyond 4 MiB, and for every damaged row.
    """
    times: dict[int, list[float]] = {}
    rates: dict[int, list[float]] = {}
    faults: list[Fault] = []
    for name, data in files:
        _read(name, data, times, rates, faults)
    if faults:
        raise NetloomError(faults[:20])
    return Measured(
        {size: median(values) for size, values in sorted(times.items())},
        {size: median(values) for size, values in sorted(rates.items())},
    )


def _read(
    name: str, data: bytes, times: dict[int, list[float]], rates: dict[int, list[float]], faults: list[Fault]
) -> None:
    if len(data) > MAX_BYTES:
        faults.append(Fault(codes.MEASUREMENT, name, f"is larger than {MAX_BYTES >> 20} MiB"))
        return
    # Which word of a row is the result, its unit, and where it goes.
    read = {
        (mpi_tables.OSU, "latency"): (1, 1e-6, times),
        (mpi_tables.OSU, "bandwidth"): (1, 1e6, rates),
        (mpi_tables.IMB, "pingpong"): (2, 1e-6, times),
    }
    lines, found = _lines(name, data), 0
    for row in mpi_tables.rows(lines):
        table = read.get((row.table.tool, row.table.test))
        # Sizes are whole numbers; launchers print other ones around the table.
        if table is None or not row.words[0].isdigit():
            continue
        found += 1
        if found > MAX_ROWS:
            faults.append(Fault(codes.MEASUREMENT, f"{name}:{row.number}", f"has more than {MAX_ROWS} rows"))
            return
        column, unit, into = table
        size, value = number(row.words[0]), number(row.words[column]) if column < len(row.words) else math.nan
        if not (0 <= size <= _LARGEST and 0.0 < value < 1e15):
            expected = "a row of a size in bytes and a positive result"
            faults.append(
                Fault(codes.MEASUREMENT, f"{name}:{row.number}", expected, repr(lines[row.number - 1].strip()))
            )
            continue
        into.setdefault(int(size), []).append(value * unit)
    if not found:
        hint = "give the output of osu_latency, osu_bw or IMB-MPI1 PingPong, with its lines that begin with #"
        faults.append(Fault(codes.MEASUREMENT, name, "holds no table of a ping-pong or bandwidth test", "", hint))


def _lines(name: str, data: bytes) -> tuple[str, ...]:
    """The lines of a text; none of what is no text, and so no table."""
    try:
        return log(name, data).lines
    except NetloomError:
        return ()
