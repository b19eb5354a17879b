"""What a reader has found so far."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ..base.errors import MOST_FAULTS, Fault, NetloomError
from . import codes, plausible
from .cells import MOST_BYTES, Csv, Line, header, number, whole
from .given import Given, Job
from .log import Log
from .names import algorithm
from .rows import Dropped, Measurement, PairMatrix

#: Faults that are collected before reading ends: the rest of such a file is no better.
_MOST = 5 * MOST_FAULTS
#: Times and rates beyond, in any unit, are typing errors.
_EXTREME = 1e30


class Taken:
    """Rows, dropped rows, faults and notes of one file."""

    def __init__(self, log: Log, given: Given) -> None:
        self.log, self.given = log, given
        self.rows: list[Measurement] = []
        self.dropped: list[Dropped] = []
        self.pairs: list[PairMatrix] = []
        self.notes: list[str] = []
        self._faults: list[Fault] = []
        self._doubts: list[str] = []

    def take(self, row: Measurement) -> None:
        """Adds a row whose numbers are in range; one that cannot be used is dropped, an implausible one refused."""
        named = algorithm(row.collective, row.algorithm)
        if named is None:
            self.drop(row.place, f"{row.collective} has no algorithm {_short(row.algorithm)} in the catalogue")
            return
        reason, wrong = plausible.reason_to_drop(row), plausible.fault(row)
        if wrong is not None:
            self._add(wrong)
        elif reason:
            self.drop(row.place, reason)
        else:
            doubt = plausible.doubt(row)
            if doubt:
                self._doubts.append(doubt)
            self.rows.append(row if named == row.algorithm else replace(row, algorithm=named))

    def drop(self, place: str, reason: str) -> None:
        """Leaves a well-formed row out."""
        self.dropped.append(Dropped(place, reason))

    def note(self, text: str) -> None:
        """Says once how the file was read."""
        if text not in self.notes:
            self.notes.append(text)

    def refuse(self, code: str, place: str, expected: str, got: str = "", hint: str = "") -> None:
        """Adds a fault."""
        self._add(Fault(code, place, expected, got, hint))

    def _add(self, fault: Fault) -> None:
        self._faults.append(fault)
        if len(self._faults) >= _MOST:
            raise NetloomError(self._faults)

    def size(self, at: int, column: str, text: str, most: int = MOST_BYTES) -> int | None:
        """A whole number of a cell; None, and a fault, for another text."""
        value = whole(text, most)
        if value is None:
            hint = "sizes are whole bytes without a unit: write 64 KiB as 65536" if most == MOST_BYTES else ""
            self._bad(at, column, f"a whole number up to {most:,}", text, hint)
        return value

    def positive(self, at: int, column: str, text: str) -> float | None:
        """A time or a rate of a cell, in the unit of its column; None, and a fault, for what is no number > 0."""
        value = number(text)
        if 1.0 / _EXTREME < value < _EXTREME:
            return value
        hint = "a time of 0 measures nothing: leave the row out" if value == 0.0 else ""
        self._bad(at, column, "a finite number > 0", text, hint)
        return None

    def job(self, place: str, ranks: int) -> Job | None:
        """Where a test ran, of the ranks that its log tells (0: none); None, and a fault, if that is not known."""
        job = self.given.job(ranks)
        if isinstance(job, Job):
            return job
        is_told = bool(ranks) and (self.given.nodes is not None or self.given.ranks_per_node is not None)
        hint = "say how many nodes and how many ranks on each"
        self.refuse(codes.CONTRADICTION if is_told else codes.NOT_SAID, place, job, "", hint)
        return None

    def table(self) -> Csv | None:
        """The table of the file; None, and a fault, if a column stands twice in it."""
        table = header(self.log)
        if table is not None and table.twice:
            self.refuse(codes.BAD_ROW, self.log.place(table.at), f"has the column {table.twice[:40]} twice")
            return None
        return table

    def bad_line(self, line: Line, table: Csv) -> None:
        """The fault of a line of a table that does not fit its header."""
        if line.is_csv:
            self.bad_row(line.number, len(table.columns), self.log.lines[line.number - 1])
        else:
            self.refuse(codes.BAD_ROW, self.log.place(line.number), "is no CSV: a quote has no end")

    def bad_row(self, at: int, columns: int, text: str) -> None:
        """The fault of a row with too few or too many cells: cut off if the file ends there."""
        if self.log.is_cut_at(at):
            hint = "give the whole file: what was stopped or copied in part is measured or copied again"
            self.refuse(codes.CUT_OFF, self.log.place(at), f"ends within a row of {columns} columns", "", hint)
        else:
            self.refuse(codes.BAD_ROW, self.log.place(at), f"{columns} values, as its header has", repr(text))

    def _bad(self, at: int, column: str, expected: str, got: str, hint: str = "") -> None:
        self.refuse(codes.BAD_ROW, f"{self.log.place(at)}, {column}", expected, repr(got), hint)

    def finish(self) -> None:
        """Refuses the file if anything in it is wrong, or nothing in it is of use.

        Raises
        ------
        NetloomError
        """
        if self._faults:
            raise NetloomError(self._faults)
        if not self.rows and not self.pairs:
            name = self.log.name
            if not self.dropped:
                raise NetloomError([Fault(codes.NONE_USABLE, name, "has a header and no row", "", "give its rows too")])
            reason, _ = Counter(one.reason for one in self.dropped).most_common(1)[0]
            said = f"none of {len(self.dropped)} rows can be used: {reason}"
            raise NetloomError([Fault(codes.NONE_USABLE, name, said)])
        if self._doubts:
            more = f" ({len(self._doubts) - 1} more)" if len(self._doubts) > 1 else ""
            self.note(self._doubts[0] + more)
        if not self.log.is_ended:
            self.note("the last line has no end: if the file was cut, its last value is wrong")


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
