"""The content of traces that are folders, or larger than what is read at once, as one number."""

from __future__ import annotations

from pathlib import Path

from ...base import files
from ...base.errors import Fault, NetloomError

#: Bytes that are hashed at once.
_PIECE = 1 << 22


def is_large(path: Path) -> bool:
    """Whether a trace is a folder, or a file that `files.read` would refuse."""
    return files.is_folder(path) or (files.is_file(path) and path.stat().st_size > files.MAX_BYTES)


def digest_of(path: Path) -> str:
    """SHA-256 of a file, or of the names and contents of the files of a folder. O(bytes).

    Raises
    ------
    NetloomError
        `NL-X001` for what cannot be read.
    """
    import hashlib

    found = hashlib.sha256()
    try:
        for file in sorted(one for one in path.iterdir() if one.is_file()) if path.is_dir() else [path]:
            if path.is_dir():
                found.update(f"{file.name} {file.stat().st_size}\n".encode())
            with file.open("rb") as opened:
                while piece := opened.read(_PIECE):
                    found.update(piece)
    except OSError as error:
        raise NetloomError([Fault("NL-X001", str(path), f"cannot be read: {error.strerror}")]) from None
    return found.hexdigest()
