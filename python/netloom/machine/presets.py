"""Machines by name: those that netloom ships, and those in folders that the user names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from . import codes
from .machine import Machine, loads

if TYPE_CHECKING:
    from ..base.records import Row

_SHIPPED = Path(__file__).with_name("presets")
#: Folders of machines, as PATH has them.
VARIABLE = "NETLOOM_MACHINES"
#: Of `--machines`, in the order in which they were named.
_named: list[Path] = []


def search_in(*named: str | Path) -> None:
    """Looks for machines in these folders before all others, and no longer in those of an earlier call.

    Raises
    ------
    NetloomError
        `NL-X001` if there is no such folder.
    """
    missing = [str(folder) for folder in named if not Path(folder).is_dir()]
    if missing:
        hint = "name a folder of machines"
        raise NetloomError([Fault("NL-X001", folder, "there is no such folder", "", hint) for folder in missing])
    _named[:] = map(Path, named)


def folders() -> list[Path]:
    """Where machines are looked for, the first that has a name wins: those of `--machines`, of `$NETLOOM_MACHINES`,
    and the shipped ones."""
    told = [Path(text) for text in os.environ.get(VARIABLE, "").split(os.pathsep) if text]
    return [*_named, *(path for path in told if path.is_dir()), _SHIPPED]


def paths() -> dict[str, Path]:
    """The file of each machine by its name, sorted."""
    found: dict[str, Path] = {}
    for folder in folders():
        for path in sorted(folder.glob("*.toml")):
            found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


def names() -> list[str]:
    """Names of all machines."""
    return list(paths())


def shipped() -> list[str]:
    """Names of the machines that come with netloom, sorted."""
    return sorted(path.stem for path in _SHIPPED.glob("*.toml"))


def load(machine: str | Path | Machine, folder: Path = Path()) -> Machine:
    """The machine of that name, or from that TOML file.

    Parameters
    ----------
    machine
        A name of :func:`names`, a path ending in ``.toml``, or a machine, which is returned.
    folder
        Where a path starts.

    Raises
    ------
    NetloomError
        `NL-L002` for an unknown name, `NL-X001` for a missing file, and those of its values.
    """
    if isinstance(machine, Machine):
        return machine
    place = str(machine)
    if place.endswith(".toml"):
        path = folder / place
        return loads(files.read(path), place, path.parent)
    known = paths()
    if place not in known:
        hint = did_you_mean(place, known, "machines") + " (a file's path ends in .toml)"
        raise NetloomError([Fault(codes.UNKNOWN_NAME, "machine", "the name of a machine or a path", repr(place), hint)])
    path = known[place]
    return loads(files.read(path), str(path) if path.parent != _SHIPPED else path.name, path.parent)


def rows() -> list[Row]:
    """The machines as rows of `netloom.catalogue`.

    Raises
    ------
    NetloomError
        What is wrong with a file of a folder.
    """
    return [
        {
            "name": name,
            "aliases": [],
            "summary": made.summary or made.title,
            "params": [],
            "signature": name,
            "example": name,
            "restrictions": "",
            "source": made.source,
        }
        for name, made in ((name, load(name)) for name in names())
    ]
