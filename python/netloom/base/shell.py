"""Words of command lines that people paste into a shell, and of scripts that one runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from .errors import Fault, NetloomError

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_QUOTES = re.compile(r"['\"\\`]")


def path_word(path: str | Path) -> str:
    """A path as one word, which is never taken for an option."""
    text = str(path)
    return shlex.quote(f"./{text}" if text.startswith("-") else text)


def require_plain(place: str, text: str, quotes: bool = False) -> None:
    """Refuses what must not stand in a script, whose head a scheduler reads before a shell does.

    Parameters
    ----------
    quotes
        True for a word of the shell alone, which may have quotes and backslashes.

    Raises
    ------
    NetloomError
        `NL-A007` for control characters, quotes and backslashes.
    """
    if _CONTROLS.search(text) or (not quotes and _QUOTES.search(text)):
        expected = "without control characters, quotes and backslashes: it stands in a batch script"
        raise NetloomError([Fault("NL-A007", place, expected, text, "choose another name")])
