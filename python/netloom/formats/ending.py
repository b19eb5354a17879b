"""The format that the ending of a file's name tells."""

from __future__ import annotations

from .. import _core
from ..base.errors import Fault, NetloomError


def by_ending(target: str, holds: str) -> str:
    """The format, among those for what a file `holds`, that has the file name's ending.

    Raises
    ------
    NetloomError
        `NL-X014` if none has it.
    """
    found = _core.detect_format(target, b"", holds)
    if found is None:
        hint = f"name a {holds} format of netloom list formats"
        raise NetloomError([Fault("NL-X014", target, f"its extension names no {holds} format", "", hint)])
    return found
