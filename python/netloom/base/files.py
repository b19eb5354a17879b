"""Files in and out: bounded reads, and writes that are whole or absent, and never in the place of what was read."""

from __future__ import annotations

import contextlib
import os
import stat
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from pathlib import Path

from . import interrupt
from .errors import Fault, NetloomError

MAX_BYTES = 256 * 1024 * 1024
#: Ending of the hidden files that become outputs.
TEMPORARY = ".netloom-part"

CODES = [
    (
        "NL-X001",
        "File cannot be read",
        "It does not exist, is a directory, or may not be read.",
        "Check the path and its permissions.",
    ),
    (
        "NL-X002",
        "File too large",
        "Input files are limited to 256 MiB.",
        "Cut it to what is needed; of forwarding tables leave out the remarks.",
    ),
    (
        "NL-X003",
        "Output cannot be written",
        "The folder does not exist or may not be written, the file is read-only or an input, or the disk is full.",
        "Choose another output, or free space.",
    ),
]


#: Device and number of every file that the command has read; None where a script decides what it overwrites.
_inputs: set[tuple[int, int]] | None = None


@contextlib.contextmanager
def inputs_kept() -> Iterator[None]:
    """One command: what it reads within is not written within, whatever the name is spelled like."""
    global _inputs
    before, _inputs = _inputs, set()
    try:
        yield
    finally:
        _inputs = before


def read(path: str | Path, shorter: str = "cut it to the part needed", *, input: bool = True) -> bytes:
    """All bytes of a regular file of at most 256 MiB; a byte order mark of UTF-8 is no part of them.

    Parameters
    ----------
    shorter
        What to do with a larger one.
    input
        False for a file of netloom's own, which is written again.

    Raises
    ------
    NetloomError
        `NL-X001` or `NL-X002`.
    """
    data = _part(path, 0, MAX_BYTES + 1, input)
    if len(data) > MAX_BYTES:
        raise NetloomError([Fault("NL-X002", str(path), "is larger than 256 MiB", "", shorter)])
    # No binary format that is read begins with it, and no reader of text wants it.
    return data.removeprefix(BOM_UTF8)


def part(path: str | Path, first: int, count: int) -> bytes:
    """`count` bytes of a file from `first` on, fewer at its end, at most 256 MiB.

    Raises
    ------
    NetloomError
        `NL-X001`.
    """
    return _part(path, first, min(count, MAX_BYTES), True)


def require_file(path: str | Path) -> None:
    """Refuses what `read` would refuse later.

    Raises
    ------
    NetloomError
        `NL-X001`.
    """
    if not is_file(path):
        _part(path, 0, 0, False)


def _part(path: str | Path, first: int, count: int, input: bool) -> bytes:
    try:
        with Path(path).open("rb") as file:
            if input and _inputs is not None:
                about = os.fstat(file.fileno())
                if stat.S_ISREG(about.st_mode):
                    _inputs.add((about.st_dev, about.st_ino))
            if first:
                file.seek(first)
            return file.read(count)
    except (OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NetloomError([Fault("NL-X001", str(path), f"cannot be read: {reason}", "", "check the path")]) from None


def is_file(path: str | Path) -> bool:
    """Whether a file has this name. What may not be looked at is one, so that whoever reads it says why it cannot."""
    try:
        return Path(path).is_file()
    except PermissionError:
        return True
    except (OSError, ValueError):
        # Too long for a name, or half a character: it is some other text.
        return False


def is_folder(path: str | Path) -> bool:
    """Whether a folder has this name."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def refuse_folder(path: str | Path) -> None:
    """Refuses a folder where a file, or the name of something, is wanted.

    Raises
    ------
    NetloomError
        `NL-X001`.
    """
    if is_folder(path):
        raise NetloomError([Fault("NL-X001", str(path), "cannot be read: it is a folder", "", "name a file in it")])


def require_writable(*paths: str | Path | None) -> None:
    """Refuses outputs that `write` would refuse later, after long work. Leaves nothing behind.

    Raises
    ------
    NetloomError
        `NL-X003`.
    """
    for path in paths:
        if path is None:
            continue
        try:
            _require_writable(Path(path))
        except (OSError, ValueError) as error:
            if isinstance(error, NetloomError):
                raise
            raise _unwritable(path, getattr(error, "strerror", None) or str(error)) from None


def _require_writable(path: Path) -> None:
    folder = path.absolute().parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if path.is_dir():
        raise _unwritable(path, "Is a directory")
    if not folder.is_dir():
        raise _unwritable(path, "Not a directory")
    _require_replaceable(path, _about(path))
    if not os.access(folder, os.W_OK) and not path.exists():
        raise _unwritable(path, "Permission denied")


def _about(path: str | Path) -> os.stat_result | None:
    """What is there, behind links; None for nothing."""
    try:
        return Path(path).stat()
    except (OSError, ValueError):
        return None


def _require_replaceable(path: str | Path, there: os.stat_result | None, over_input: bool = False) -> None:
    """Refuses a file that its owner has protected, and one that the command has read."""
    if there is None or not stat.S_ISREG(there.st_mode):
        return
    # Root may write what is read-only; that was said for a reason all the same.
    if not there.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise _unwritable(path, "it is read-only", "choose another output, or allow it: chmod u+w")
    if not over_input and _inputs is not None and (there.st_dev, there.st_ino) in _inputs:
        raise _unwritable(path, "it is an input of this command")


def _unwritable(path: str | Path, reason: str, hint: str = "choose another output") -> NetloomError:
    return NetloomError([Fault("NL-X003", str(path), f"cannot be written: {reason}", "", hint)])


def write(path: str | Path, data: bytes | Iterable[bytes], *, over_input: bool = False) -> None:
    """Write all of `data`, or of its parts, or nothing: to a temporary file next to it, flushed, then renamed.

    A link keeps pointing where it does, and a device or a pipe is written to, never replaced. A file that is there
    keeps its mode and, where that is allowed, its owner; a new one has what the umask leaves.

    Parameters
    ----------
    over_input
        The user has said that a file which the command read is to be replaced.

    Raises
    ------
    NetloomError
        `NL-X003`, also for a file that is read-only or that the command has read.
    """
    there = _about(path)
    if there is not None and not stat.S_ISREG(there.st_mode) and not stat.S_ISDIR(there.st_mode):
        # A pipe waits for its reader: a signal must end that.
        _write_special(path, data)
        return
    _require_replaceable(path, there, over_input)
    with interrupt.held():
        _write(path, data, there)


def _write_special(path: str | Path, data: bytes | Iterable[bytes]) -> None:
    try:
        with Path(path).open("wb") as special:
            special.writelines([data] if isinstance(data, bytes) else data)
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from None


def _write(path: str | Path, data: bytes | Iterable[bytes], there: os.stat_result | None) -> None:
    # Imports hashes and random numbers, which readers do not need.
    import tempfile

    target = Path(path)
    temporary = None
    try:
        if target.is_symlink():
            target = target.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        # A long name leaves no room for what goes around it.
        handle, temporary = tempfile.mkstemp(TEMPORARY, f".{target.name[:100]}.", target.parent)
        with os.fdopen(handle, "wb") as file:
            file.writelines([data] if isinstance(data, bytes) else data)
            file.flush()
            os.fsync(file.fileno())
        like(temporary, there)
        Path(temporary).replace(target)
    except (OSError, ValueError, RuntimeError) as error:
        # RuntimeError: links that lead in a circle.
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or str(error)
        raise _unwritable(path, reason) from None
    except BaseException:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise


def like(temporary: str | Path, there: os.stat_result | None) -> None:
    """Give a file owner and mode of the one that it replaces; those of any new file if there is none."""
    if there is None or not stat.S_ISREG(there.st_mode):
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        return
    mode = stat.S_IMODE(there.st_mode) & 0o777
    if hasattr(os, "chown"):
        try:
            os.chown(temporary, there.st_uid, there.st_gid)
        except OSError:
            try:
                os.chown(temporary, -1, there.st_gid)
            except OSError:
                # What the old group was allowed, another one is not.
                mode &= 0o707
    Path(temporary).chmod(mode)


def clear_folder(folder: Path) -> None:
    """Make an output folder safe to write into: no leftovers of a killed process, no links that lead out of it.

    Whoever sent the folder could otherwise name any file of ours as a place for results.

    Raises
    ------
    NetloomError
        `NL-X003` for each link inside it.
    """
    faults: list[Fault] = []
    stack = [str(folder)]
    while stack:
        try:
            entries = sorted(os.scandir(stack.pop()), key=lambda entry: entry.name)
        except OSError:
            continue  # What cannot be read cannot be written either, and that is told then.
        for entry in entries:
            if entry.is_symlink():
                sentence = "is a link inside an output folder: it is not written through"
                faults.append(Fault("NL-X003", entry.path, sentence, "", "remove it, or choose another folder with -o"))
            elif entry.is_dir(follow_symlinks=False):
                stack.append(entry.path)
            elif entry.name.startswith(".") and entry.name.endswith(TEMPORARY):
                Path(entry.path).unlink(missing_ok=True)
    if faults:
        raise NetloomError(faults)
