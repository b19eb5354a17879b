"""Measured times of collectives as data, from the files of benchmark tools."""

from __future__ import annotations

from pathlib import Path

from ..base import files
from ..base.errors import Fault, NetloomError
from . import own, pico
from .codes import CODES, UNREADABLE
from .rows import DEFAULT, Measurement, Measurements

__all__ = ["CODES", "DEFAULT", "Measurement", "Measurements", "parse", "read"]

#: Formats, each a module with `matches(head)`-like test and a reader; the first that fits reads.
FORMATS = ((own.is_own, own.read), (pico.is_pico, pico.read))


def read(path: str | Path) -> Measurements:
    """The measurements of a file, in the format that its first lines show.

    Raises
    ------
    NetloomError
        `NL-X001`, `NL-X002` for the file, `NL-V001` for one of no known format, those of its reader.
    """
    return parse(files.read(path), str(path))


def parse(data: bytes, place: str) -> Measurements:
    """As `read`, from the bytes of a file; `place` is its name for messages."""
    if b"\0" in data[:4096]:
        raise NetloomError([Fault(UNREADABLE, place, "holds binary data")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NetloomError([Fault(UNREADABLE, place, f"is no UTF-8 at byte {error.start}")]) from None
    head = text[:4096]
    for fits, reader in FORMATS:
        if fits(head):
            return reader(text, place)
    hint = f"a CSV file begins with the line {','.join(own.COLUMNS)}"
    raise NetloomError([Fault(UNREADABLE, place, "has no format of measurements that is known", "", hint)])
