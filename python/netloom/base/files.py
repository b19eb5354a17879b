"""Files in and out: bounded reads, and writes that are whole or absent."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Iterable
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
        "The folder does not exist, may not be written, or the disk is full.",
        "Choose another output, or free space.",
    ),
]


def read(path: str | Path, shorter: str = "cut it to the part needed") -> bytes:
    """All bytes of a regular file of at most 256 MiB; a byte order mark of UTF-8 is no part of them.

    Parameters
    ----------
    shorter
        What to do with a larger one.

    Raises
    ------
    NetloomError
        `NL-X001` or `NL-X002`.
    """
    place = str(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NetloomError([Fault("NL-X001", place, f"cannot be read: {reason}", "", "check the path")]) from None
    if len(data) > MAX_BYTES:
        raise NetloomError([Fault("NL-X002", place, "is larger than 256 MiB", "", shorter)])
    # No binary format that is read begins with it, and no reader of text wants it.
    return data.removeprefix(BOM_UTF8)


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
        folder = Path(path).absolute().parent
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        if Path(path).is_dir():
            raise _unwritable(path, "Is a directory")
        if not folder.is_dir():
            raise _unwritable(path, "Not a directory")
        if not os.access(folder, os.W_OK) and not Path(path).exists():
            raise _unwritable(path, "Permission denied")


def _unwritable(path: str | Path, reason: str) -> NetloomError:
    return NetloomError([Fault("NL-X003", str(path), f"cannot be written: {reason}", "", "choose another output")])


def write(path: str | Path, data: bytes | Iterable[bytes]) -> None:
    """Write all of `data`, or of its parts, or nothing: to a temporary file next to it, flushed, then renamed.

    A link keeps pointing where it does, and a device or a pipe is written to, never replaced.

    Raises
    ------
    NetloomError
        `NL-X003`.
    """
    with interrupt.held():
        _write(path, data)


def _write(path: str | Path, data: bytes | Iterable[bytes]) -> None:
    # Imports hashes and random numbers, which readers do not need.
    import tempfile

    target = Path(path)
    temporary = None
    try:
        if target.is_symlink():
            target = target.resolve()
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb") as special:
                special.writelines([data] if isinstance(data, bytes) else data)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        # A long name leaves no room for what goes around it.
        handle, temporary = tempfile.mkstemp(TEMPORARY, f".{target.name[:100]}.", target.parent)
        with os.fdopen(handle, "wb") as file:
            file.writelines([data] if isinstance(data, bytes) else data)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
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
