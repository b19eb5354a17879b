"""Calibrations as TOML files: those that netloom ships, and your own."""

from __future__ import annotations

from pathlib import Path

from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.toml import read_toml
from . import codes
from .check import check
from .model import KINDS, Calibration

_SHIPPED = Path(__file__).with_name("data")
#: Largest file: a full set of tables at the limit of rows is smaller.
MAX_BYTES = 1 << 20


def names() -> tuple[str, ...]:
    """Names of the shipped calibrations, sorted.

    >>> names()
    ('pure', 'simgrid-pure', 'simgrid-smpi')
    """
    found = (file.name for file in _SHIPPED.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def load(calibration: str | Path | Calibration = "pure") -> Calibration:
    """The calibration of that name, or from that TOML file.

    Parameters
    ----------
    calibration
        A shipped name (:func:`names`), a path ending in ``.toml``, or a calibration, which is returned.

    Raises
    ------
    NetloomError
        NL-X001 for a missing file, NL-L003 if it is not TOML or beyond 1 MiB, NL-L002 for an unknown name or key,
        NL-L001 for a bad value; all of one file together.
    """
    if isinstance(calibration, Calibration):
        return calibration
    place = str(calibration)
    if place.endswith(".toml"):
        return loads(files.read(place), place)
    if place not in names():
        hint = did_you_mean(place, names(), "one of") + " (a file's path ends in .toml)"
        raise NetloomError(
            [Fault(codes.UNKNOWN_NAME, "calibration", "a shipped calibration or a path", repr(place), hint)]
        )
    return loads((_SHIPPED / f"{place}.toml").read_bytes(), f"{place}.toml")


def loads(data: bytes, place: str) -> Calibration:
    """A calibration from the bytes of its file; `place` is the file's name for messages, and its stem the name of a
    calibration that does not say its own."""
    table = read_toml(data, place, codes.UNREADABLE, MAX_BYTES)
    clean, faults = check(table, KINDS, place)
    if faults:
        raise NetloomError(faults)
    clean.setdefault("name", Path(place).stem)
    return Calibration(**clean)


def dumps(calibration: Calibration) -> str:
    """The calibration as a TOML file: every key, so that no default is left to a later version."""
    lines = [f"{name} = {kind.written(getattr(calibration, name))}" for name, kind in KINDS.items()]
    return "\n".join(lines) + "\n"


def save(calibration: Calibration, path: str | Path) -> None:
    """Writes it, whole or not at all.

    Raises
    ------
    NetloomError
        NL-X003 if it cannot be written.
    """
    files.write(path, dumps(calibration).encode())
