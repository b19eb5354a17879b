"""Finished runs on disk, one line each: what a killed study has done is not done again."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import stat
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..base.errors import Fault, NetloomError
from . import codes

FORMAT = 1
NAME = "runs.jsonl"
#: Syncing to disk after every run would cost more than many runs take.
SYNC_S = 1.0

Record = dict[str, Any]


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

    Raises
    ------
    NetloomError
        `NL-S011` another study's folder, `NL-S012` in use, `NL-S013` not a journal, `NL-X003` cannot be written.
    """

    def __init__(self, folder: Path, digest: str, version: str, *, force: bool = False) -> None:
        self.path = folder / NAME
        self.done: dict[str, Record] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            report = folder / "report.html"
            if not force and report.exists() and not self.path.exists():
                raise _refuse(folder, "holds a report.html that no study of netloom left there")
            self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise unwritable(folder, error) from None
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._handle)
            fault = Fault(codes.IN_USE, str(folder), "another netloom run is writing here", "", "wait, or choose -o")
            raise NetloomError([fault]) from None
        except OSError:
            pass  # A file system without locks: better no guard than no results.
        self._synced = time.monotonic()
        try:
            self._read(folder, digest, version, force)
        except BaseException:
            self.close()
            raise

    def _read(self, folder: Path, digest: str, version: str, force: bool) -> None:
        if not stat.S_ISREG(os.fstat(self._handle).st_mode):
            raise NetloomError([Fault(codes.JOURNAL, str(self.path), "is no regular file")])
        with os.fdopen(os.dup(self._handle), "rb") as file:
            data = file.read()
        header = json.dumps({"netloom": FORMAT, "study": digest, "version": version}).encode() + b"\n"
        whole = data.rpartition(b"\n")[0] + b"\n" if b"\n" in data else b""
        lines = whole.splitlines()
        if lines or data:
            head = _object(lines[0]) if lines else None
            if not (head and head.get("netloom") == FORMAT):
                # A header that was cut short holds nothing yet.
                if lines or not header.startswith(data[:12]):
                    if not force:
                        hint = "remove it, choose another folder with -o, or give --force"
                        raise NetloomError([Fault(codes.JOURNAL, str(self.path), "is no journal of runs", "", hint)])
                    lines = []
                whole = b""
            elif head.get("study") != digest and not force:
                raise _refuse(folder, "holds the results of another study, or of this one before it was edited")
            for line in lines[1:] if head else []:
                record = _object(line)
                if record and isinstance(record.get("key"), str) and isinstance(record.get("status"), str):
                    self.done[record["key"]] = record
        if whole.startswith(header):
            # Drop the torn last line of a killed run.
            os.ftruncate(self._handle, len(whole))
            os.lseek(self._handle, 0, os.SEEK_END)
            return
        kept = b"".join(_line(record) for record in self.done.values())
        os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        self._write(header + kept)

    def add(self, record: Record) -> None:
        """Append a record; it survives the process at once, and the machine after a second.

        Raises
        ------
        NetloomError
            `NL-X003`, for example on a full disk.
        """
        self._write(_line(record))
        self.done[record["key"]] = record

    def settle(self, keys: Iterable[str]) -> None:
        """Put the records of a finished study in the order of its runs, not of their ends; others follow by key.

        Written next to the journal and renamed, so that a stop in between loses nothing.

        Raises
        ------
        NetloomError
            `NL-X003`.
        """
        with os.fdopen(os.dup(self._handle), "rb") as file:
            file.seek(0)
            lines = file.read().splitlines(keepends=True)
        # Failed runs were never written: only existing lines are sorted.
        held = {str((_object(line) or {}).get("key")): line for line in lines[1:]}
        first = [key for key in dict.fromkeys(keys) if key in held]
        rest = sorted(set(held).difference(first))
        data = lines[0] + b"".join(held[key] for key in [*first, *rest])
        if data == b"".join(lines):
            return
        beside = self.path.with_name(f"{NAME}.new")
        try:
            beside.unlink(missing_ok=True)
            handle = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise unwritable(beside, error) from None
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        old, self._handle = self._handle, handle
        try:
            self._write(data)
            self._sync()
            beside.replace(self.path)
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


def _line(record: Record) -> bytes:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _object(line: bytes) -> Record | None:
    try:
        made = json.loads(line)
    except ValueError:
        return None
    return made if isinstance(made, dict) else None
