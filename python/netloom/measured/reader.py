"""What a format is to the others: a name, a test whether a file has it, and its reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .log import Log
from .taken import Taken


@dataclass(frozen=True)
class Reader:
    """One format.

    Parameters
    ----------
    name
        As messages and docs call it.
    is_format
        Whether a file has it: by what stands in it, never by its name.
    read
        Takes the rows of such a file.
    """

    name: str
    is_format: Callable[[Log], bool]
    read: Callable[[Taken], None]
