"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ..errors import Fault, NetloomError
from .codes import CANNOT_WRITE


def write_whole(path: str | os.PathLike[str], data: bytes) -> Path:
    """Write `data` to a temporary file beside `path`, then rename it.

    Raises
    ------
    NetloomError
        NL-X108 with the reason of the operating system.
    """
    target = Path(path)
    scratch = ""
    try:
        handle, scratch = tempfile.mkstemp(prefix=f".{target.name[:80]}.", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        # mkstemp makes the file private; a result is as readable as any other new file.
        Path(scratch).chmod(0o666 & ~mask)
        Path(scratch).replace(target)
    except (OSError, ValueError) as error:
        if scratch:
            with contextlib.suppress(OSError):
                Path(scratch).unlink()
        reason = getattr(error, "strerror", None) or str(error)
        raise NetloomError([Fault(CANNOT_WRITE, str(path), f"the file cannot be written ({reason})")]) from error
    return target
