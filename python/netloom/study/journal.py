"""Finished runs on disk, one line each: what a killed study has done is not done again."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import BinaryIO

from ..base import files, interrupt
from ..base.errors import Fault, NetloomError
from . import codes
from .records import Records
from .sealed import FORMAT, Lines, Record, read_lines, seal

NAME = "runs.jsonl"
#: Syncing to disk after every run would cost more than many runs take.
SYNC_S = 1.0


def _lock(handle: int) -> None:
    """Nobody else may write there. Imported here: Windows has no such locks, and loads the rest of netloom."""
    import fcntl

    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Journal:
    """Append-only file of runs by key, held by one process at a time.

    Parameters
    ----------
    folder
        Output folder of the study.
    digest
        Of the study's content.
    force
        Take over a folder of another study; runs with the same key are kept all the same.
    keys
        Of the study's runs: they tell whose journal it is where its first line is damaged.
    fits
        Whether a record is one that its run could have left; see `fitting`.

    Attributes
    ----------
    done
        Record per key: of the sound lines, then of every run that is added. Those on disk are read when asked for.
    damaged
        Sentences about lines that are not as they were written; their runs count as not done.

    Raises
    ------
    NetloomError
        `NL-S011` another study's folder, `NL-S012` in use, `NL-S013` not a journal, `NL-X003` cannot be written.
    """

    def __init__(
        self, folder: Path, digest: str, version: str, *, force: bool = False, keys: Collection[str] = (),
        fits: Callable[[Record], bool] | None = None,
    ) -> None:  # fmt: skip
        self.path = folder / NAME
        self.done = Records(self.path)
        self.damaged: list[str] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            report = folder / "report.html"
            if not force and report.exists() and not self.path.exists():
                raise _refuse(folder, "holds a report.html that no study of netloom left there")
            # A link would let a folder of someone else's name any file of ours.
            self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise NetloomError([Fault(codes.JOURNAL, str(self.path), "is no regular file")]) from None
            raise unwritable(folder, error) from None
        try:
            _lock(self._handle)
        except BlockingIOError:
            os.close(self._handle)
            fault = Fault(codes.IN_USE, str(folder), "another netloom run is writing here", "", "wait, or choose -o")
            raise NetloomError([fault]) from None
        except OSError:
            pass  # A file system without locks: better no guard than no results.
        self._synced = time.monotonic()
        self._new = self.path.with_name(f"{NAME}.new")
        try:
            # Of a run that was killed while it replaced its journal.
            self._new.unlink(missing_ok=True)
            self._fits = fits
            self._read(folder, digest, version, force, keys)
        except BaseException:
            self.close()
            raise

    def _read(self, folder: Path, digest: str, version: str, force: bool, keys: Collection[str]) -> None:
        if not stat.S_ISREG(os.fstat(self._handle).st_mode):
            raise NetloomError([Fault(codes.JOURNAL, str(self.path), "is no regular file")])
        header = seal({"netloom": FORMAT, "study": digest, "version": version})
        with self._reader() as file:
            found = read_lines(file, self._fits)
            file.seek(0)
            begin = file.read(len(header))
        # A header that was cut short holds nothing yet.
        torn = not found.whole and header.startswith(begin[:12])
        if not force and not torn:
            self._require_own(folder, digest, found, keys)
        self.done.at = found.runs
        if found.runs or found.head is not None:
            self.damaged = [self._damage(number) for number in found.damaged]
        self._end = found.whole
        if not found.damaged and not found.repeated and begin == header:
            # Drop the torn last line of a killed run.
            os.ftruncate(self._handle, found.whole)
            os.lseek(self._handle, 0, os.SEEK_END)
            return
        self._replace(header, list(found.runs))

    def _reader(self) -> BinaryIO:
        """The journal from its beginning; the handle that is locked keeps its place."""
        return self.path.open("rb")

    def _require_own(self, folder: Path, digest: str, found: Lines, keys: Collection[str]) -> None:
        if found.head is None:
            if found.runs.keys() & set(keys):
                return
            hint = "remove it, choose another folder with -o, or give --force"
            sentence = "has a damaged first line: whose runs these are is not known"
            sentence = sentence if found.runs else "is no journal of runs"
            raise NetloomError([Fault(codes.JOURNAL, str(self.path), sentence, "", hint)])
        if found.head["study"] != digest:
            raise _refuse(folder, "holds the results of another study, or of this one before it was edited")

    def _damage(self, number: int) -> str:
        fate = "it is written anew" if number == 1 else "its run is computed again"
        return str(Fault(codes.DAMAGED, f"{self.path}:{number}", f"the line is not as it was written; {fate}"))

    def add(self, record: Record) -> None:
        """Append a record; it survives the process at once, and the machine after a second.

        Raises
        ------
        NetloomError
            `NL-X003`, for example on a full disk.
        """
        line = seal(record)
        self._write(line)
        self.done.add(record["key"], self._end)
        self._end += len(line)

    def settle(self, keys: Iterable[str]) -> None:
        """Put the records of a finished study in the order of its runs, not of their ends; others follow by key.

        Written next to the journal and renamed, so that a stop in between loses nothing.

        Raises
        ------
        NetloomError
            `NL-X003`.
        """
        held = self.done.at
        # Failed runs were never written: only existing lines are sorted.
        order = [key for key in dict.fromkeys(keys) if key in held]
        order += sorted(held.keys() - set(order))
        if any(one != other for one, other in zip(order, held, strict=True)):
            with self._reader() as file:
                header = file.readline()
            self._replace(header, order)

    def _replace(self, header: bytes, order: Iterable[str]) -> None:
        """The lines of these keys in this order, written next to the journal and renamed."""
        with interrupt.held():
            self._replace_whole(header, order)

    def _replace_whole(self, header: bytes, order: Iterable[str]) -> None:
        new = self._new
        try:
            handle = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise unwritable(new, error) from None
        with contextlib.suppress(OSError):
            files.like(new, os.fstat(self._handle))
        with contextlib.suppress(OSError):
            _lock(handle)
        old, self._handle = self._handle, handle
        moved: dict[str, int] = {}
        try:
            with self._reader() as lines, os.fdopen(os.dup(handle), "wb", buffering=1 << 20) as copy:
                copy.write(header)
                self._end = len(header)
                for key in order:
                    lines.seek(self.done.at[key])
                    line = lines.readline()
                    moved[key] = self._end
                    copy.write(line)
                    self._end += len(line)
            self._sync()
            new.replace(self.path)
            self.done.moved(moved)
        except OSError as error:
            raise unwritable(self.path, error) from None
        finally:
            os.close(old)

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._handle, data) :]
            if time.monotonic() - self._synced > SYNC_S:
                self._sync()
        except OSError as error:
            raise unwritable(self.path, error) from None

    def _sync(self) -> None:
        os.fsync(self._handle)
        self._synced = time.monotonic()

    def close(self) -> None:
        """Flush, and let other processes in."""
        if self._handle >= 0:
            with contextlib.suppress(OSError):
                self._sync()
            os.close(self._handle)
            self._handle = -1
        self.done.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def unwritable(path: Path, error: OSError) -> NetloomError:
    """The fault of an output that cannot be written."""
    reason = error.strerror or str(error)
    return NetloomError(
        [Fault("NL-X003", str(path), f"cannot be written: {reason}", "", "choose another output with -o")]
    )


def _refuse(folder: Path, sentence: str) -> NetloomError:
    hint = "choose another folder with -o, or give --force, which keeps the runs that are still the same"
    return NetloomError([Fault(codes.OTHER_STUDY, str(folder), sentence, "", hint)])
