"""Records of runs by key: on disk those that were written, in memory only where their lines begin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from ..base.errors import Fault, NetloomError
from . import codes
from .sealed import Record, unseal


class Records(Mapping[str, Record]):
    """The records of a journal; each is read, and its hash looked at, when it is asked for.

    Parameters
    ----------
    path
        The journal.

    Raises
    ------
    NetloomError
        `NL-S017` if a line is not as it was when the journal was opened, on asking for it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        #: Where the lines of the runs begin.
        self.at: dict[str, int] = {}
        #: Of runs that failed: not in the journal, so that they are tried again.
        self.failed: dict[str, Record] = {}
        self._file: BinaryIO | None = None
        self._place = 0

    def add(self, key: str, begin: int) -> None:
        """A record that was written."""
        self.at[key] = begin

    def add_failed(self, record: Record) -> None:
        """A record that is not written."""
        self.failed[record["key"]] = record

    def moved(self, at: dict[str, int]) -> None:
        """The journal is another file now."""
        self.at = at
        self.close()

    def close(self) -> None:
        """Let go of the file; asking again opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __getitem__(self, key: str) -> Record:
        begin = self.at.get(key)
        if begin is None:
            return self.failed[key]
        if self._file is None:
            self._file, self._place = self._path.open("rb"), 0
        if begin != self._place:
            self._file.seek(begin)
        line = self._file.readline()
        self._place = begin + len(line)
        record = unseal(line[:-1])
        if record is None or record["key"] != key:
            hint = "its disk may be failing; the same command computes the run again"
            sentence = "the line of a run has changed since the journal was opened"
            raise NetloomError([Fault(codes.DAMAGED, str(self._path), sentence, "", hint)])
        return record

    def __iter__(self) -> Iterator[str]:
        yield from self.at
        yield from self.failed

    def __len__(self) -> int:
        return len(self.at) + len(self.failed)

    def __contains__(self, key: object) -> bool:
        return key in self.at or key in self.failed
