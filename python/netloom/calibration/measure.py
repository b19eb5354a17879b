"""Ping-pong measurements as the OSU micro-benchmarks and the Intel MPI Benchmarks print them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from ..base.errors import Fault, NetloomError
from ..machine import codes

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
    # Which column of the table holds the value, its unit, and where it goes; None outside a table that is read.
    table: tuple[int, float, dict[int, list[float]]] | None = None
    found = 0
    for number, line in enumerate(data.decode("utf-8-sig", "replace").splitlines(), 1):
        text = line.strip()
        if text.startswith("#"):
            table = _table(text.lower(), table, times, rates)
        elif text and table is not None:
            words = text.split()
            if not words[0].isascii() or not words[0].isdigit():
                # Launcher output around the table.
                continue
            found += 1
            if found > MAX_ROWS:
                faults.append(Fault(codes.MEASUREMENT, f"{name}:{number}", f"has more than {MAX_ROWS} rows"))
                return
            column, unit, into = table
            size, value = _number(words[0]), _number(words[column]) if column < len(words) else math.nan
            if not (0 <= size <= _LARGEST and 0.0 < value < 1e15):
                expected = "a row of a size in bytes and a positive result"
                faults.append(Fault(codes.MEASUREMENT, f"{name}:{number}", expected, repr(text)))
                continue
            into.setdefault(int(size), []).append(value * unit)
    if not found:
        hint = "give the output of osu_latency, osu_bw or IMB-MPI1 PingPong, with its lines that begin with #"
        faults.append(Fault(codes.MEASUREMENT, name, "holds no table of a ping-pong or bandwidth test", "", hint))


def _table(
    header: str,
    table: tuple[int, float, dict[int, list[float]]] | None,
    times: dict[int, list[float]],
    rates: dict[int, list[float]],
) -> tuple[int, float, dict[int, list[float]]] | None:
    """The table that a comment line announces."""
    if "osu mpi" in header:
        if "multi" in header or "bi-directional" in header or "bibw" in header:
            return None
        if "latency test" in header:
            return (1, 1e-6, times)
        return (1, 1e6, rates) if "bandwidth test" in header else None
    if "benchmarking" in header:
        return (2, 1e-6, times) if header.split()[-1] == "pingpong" else None
    return table


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return math.nan
