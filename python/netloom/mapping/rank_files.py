"""Mappings as the files that launchers take."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .. import _core
from ..base import files
from ..base.arguments import Arguments
from ..network import NetworkLike, network

if TYPE_CHECKING:
    from ..base.arrays import Endpoints

#: A network that has what the formats ask for, to try their arguments on before anything runs.
_TRIAL = "torus(2,2,2,2,2)"
#: Names that a launcher looks for, or that tell people what is inside.
_FILES = {"cray": "MPICH_RANK_ORDER", "csv": "ranks.csv", "bgq": "bgq.map"}


def check_format(text: str) -> None:
    """Whether the call text names a rank file format with arguments that it takes.

    Raises
    ------
    NetloomError
        What is wrong with it.
    """
    trial = _core.Network.build(_TRIAL)
    _core.emit(text, trial, _core.place(trial, 2, "linear", "draw"))


def read_mapping(path: Path, place: str, format: str, net: _core.Network) -> Endpoints:
    """The endpoint of every rank from a file that messages call `place`; format "auto": as name and content tell.

    Raises
    ------
    NetloomError
        `NL-X001`, `NL-X002`, and what is wrong with the file.
    """
    return _core.read_mapping(files.read(path), place, None if format == "auto" else format, net)


def format_of(path: Path, format: str) -> str:
    """The format of a rank file; "auto": as its name and content tell, "" where they do not."""
    if format != "auto":
        return format
    return _core.detect_format(path.name, files.read(path)[:4096], "mapping") or ""


def file_name(text: str) -> str:
    """Name of the file that a format is written to: `rankfile.txt`, `MPICH_RANK_ORDER`."""
    name = text.partition("(")[0].strip()
    return _FILES.get(name, slug(name) + ".txt")


def slug(text: object) -> str:
    """Letters, digits and hyphens: safe in a file name everywhere."""
    made = re.sub(r"[^A-Za-z0-9.]+", "-", str(text)).strip("-.")[:80]
    return made or "x"


def emit(format: str, net: NetworkLike, mapping: Sequence[int], **options: object) -> bytes:
    """A mapping as the file that a launcher takes: `rankfile`, `slurm-arbitrary`, `cray`, ..."""
    given = Arguments("emit")
    format = given.text("format", format)
    endpoints = given.endpoints("mapping", mapping)
    given.done()
    return _core.emit(options_call(format, options), network(net), endpoints)


def options_call(name: str, options: Mapping[str, object]) -> str:
    """`name(key=value, ...)` in the call grammar."""
    if not options:
        return name
    quoted = ",".join(f"{k}={_value(v)}" for k, v in options.items())
    return f"{name}({quoted})"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_value, value)) + "]"
    return str(value)


def write(folder: Path, formats: Sequence[str], net: _core.Network, mapping: Endpoints) -> list[Path]:
    """Rank files into a folder, all made before the first is written."""
    made = [(folder / file_name(text), _core.emit(text, net, mapping)) for text in formats]
    files.require_writable(*(path for path, _ in made))
    for path, data in made:
        files.write(path, data)
    return [path for path, _ in made]
