"""The tables of the OSU micro-benchmarks and the Intel MPI Benchmarks: titles, columns and rows as texts.

The one reader of these formats: what the rows become is up to who asks for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from .cells import number

OSU, IMB = "OSU", "IMB"
_OSU_TITLE = re.compile(r"# *OSU +(\S+) +(.*?) +Test\b")
_IMB_TITLE = re.compile(r"# *Benchmarking +(\S.*)")
_PROCESSES = re.compile(r"# *#processes *= *([0-9]{1,9})\b")
_GROUPS = re.compile(r"# *\( *[0-9]+ groups of [0-9]+ processes")
_OSU_COLUMNS = re.compile(r"# *(?:size\b|(?:avg +)?latency *\()")
_IMB_COLUMNS = re.compile(r"# *(?:bytes|repetitions)\b.*(?:usec|mbytes)")
#: `Avg Latency(us)` is the name of one column.
_QUALIFIED = re.compile(r"\b(avg|min|max|p[0-9]+|tail) +(?=\S)")


@dataclass(frozen=True)
class Table:
    """One table.

    Parameters
    ----------
    tool
        `OSU` or `IMB`.
    library
        What OSU says of it: `mpi`, `mpi-cuda`, `nccl`, ...; "" of IMB.
    test
        The title's own words in small letters, without "Test": `latency`, `allreduce latency`, `pingpong`.
    line
        Of the title.
    columns
        In small letters and without spaces within a name: `size`, `avg_latency(us)`; () if none were announced.
    processes
        That took part, of IMB; 0 if not told.
    is_concurrent
        Several groups measured at once.
    """

    tool: str
    library: str
    test: str
    line: int
    columns: tuple[str, ...] = ()
    processes: int = 0
    is_concurrent: bool = False


@dataclass(frozen=True)
class TableRow:
    """A line of numbers in a table: its line number, its words, and the table as announced above it."""

    number: int
    words: tuple[str, ...]
    table: Table


def tables(lines: Iterable[str]) -> Iterator[Table]:
    """Titles as they come, tests that are not read included."""
    for found in _announced(lines):
        if isinstance(found, Table):
            yield found


def rows(lines: Iterable[str]) -> Iterator[TableRow]:
    """Rows of all tables: lines below a title whose first word is a number, `nan` and `inf` included."""
    for found in _announced(lines):
        if isinstance(found, TableRow):
            yield found


def _announced(lines: Iterable[str]) -> Iterator[Table | TableRow]:
    table: Table | None = None
    for at, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("#"):
            title = _title(text, at)
            if title is not None:
                table = title
                yield title
            elif table is not None:
                table = _told(table, text)
        elif text and table is not None:
            words = tuple(text.split())
            if words[0].lstrip("+-").lower() in ("nan", "inf", "infinity") or number(words[0]) == number(words[0]):
                yield TableRow(at, words, table)


def _title(text: str, at: int) -> Table | None:
    osu = _OSU_TITLE.match(text)
    if osu:
        return Table(OSU, osu[1].lower(), osu[2].lower(), at)
    imb = _IMB_TITLE.match(text)
    return Table(IMB, "", imb[1].strip().lower(), at) if imb else None


def _told(table: Table, text: str) -> Table:
    """The table with what a comment below its title tells."""
    processes = _PROCESSES.match(text)
    if processes:
        return replace(table, processes=int(processes[1]))
    if _GROUPS.match(text):
        return replace(table, is_concurrent=True)
    words = text.lower()
    if (_OSU_COLUMNS if table.tool == OSU else _IMB_COLUMNS).match(words):
        names = _QUALIFIED.sub(r"\1_", re.sub(r" +\(", "(", words.lstrip("# ")))
        return replace(table, columns=tuple(name.lstrip("#") for name in names.split()))
    return table
