"""Formats of traces that the core reads: files as bytes, those that the first one names too."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from ... import _core
from ...base import files
from ...base.errors import Fault, NetloomError
from .row import Recorded, Source, surveyed

#: What an index of files is, which no content tells, and what is written.
SMPI = "smpi-trace"
#: Bytes of all files of a trace together, as in the core.
MAX_BYTES = 1 << 30


def read_by_core(source: Source, format: str | None) -> Recorded:
    """A trace in a format of the core, by default the one that it is recognised as.

    Raises
    ------
    NetloomError
        `NL-X001`, `NL-X002` for a file that cannot be read, is not below the index, or is too large; `NL-F...` for what
        it says.
    """
    head = files.read(source.path)
    if format is None:
        format = _core.detect_format(source.place, head, "programs")
        if format is None and (known := _core.foreign(head)) is not None and known[2] is None:
            sentence = f"it is {known[0]}, which netloom does not read"
            raise NetloomError([Fault("NL-F016", source.place, sentence, "", known[1])])
    format = format or SMPI
    named = _core.trace_format(format)
    others = _OTHERS[named](source.path, head) if named in _OTHERS else []
    programs, survey = _core.Programs.read(head, source.place, others, dict(source.algorithms), format)
    return Recorded(programs, surveyed(survey))


def _of_index(path: Path, head: bytes) -> list[tuple[str, bytes]]:
    """Names and bytes of the files that an index names."""
    others: list[tuple[str, bytes]] = []
    place = str(path)
    left = _Left(place, len(head))
    for name, file in _next_to(path, _core.Programs.trace_index(head, place) or []):
        if not files.is_file(file) and not others:
            sentence = f"is no trace: {ascii(name)[:60]} is neither an action nor a file next to it"
            hint = "give actions of SMPI, an index of their files, or messages as a table src,dst,bytes (.csv)"
            raise NetloomError([Fault("NL-F016", place, sentence, "", hint)])
        others.append((name, left.read(file)))
    return others


def _of_ranks(path: Path, head: bytes) -> list[tuple[str, bytes]]:
    """Names and bytes of the files of the other ranks: of one run they differ in the number at the end of their names."""
    of_rank = re.fullmatch(r"(.*)-[0-9]+(\.[^.]*)?", path.name)
    prefix, ending = (path.stem, ".bin") if of_rank is None else (of_rank[1], of_rank[2] or "")
    given = [] if of_rank is None else [path.name, f"{prefix}.meta"]
    if of_rank is None and ".meta" != path.suffix:
        return []
    wanted = re.compile(re.escape(prefix) + "-[0-9]{1,9}" + re.escape(ending))
    folder = path.absolute().parent
    names = sorted(file.name for file in folder.iterdir() if wanted.fullmatch(file.name))
    left = _Left(str(path), len(head))
    others = given[1:] + [name for name in names if name not in given]
    return [(str(folder / name), left.read(folder / name)) for name in others if files.is_file(folder / name)]


#: Where the other files of a trace are, by format; in others there are none.
_OTHERS: dict[str | None, Callable[[Path, bytes], list[tuple[str, bytes]]]] = {
    SMPI: _of_index,
    "dumpi": _of_ranks,
    "dumpi-ascii": _of_ranks,
}


class _Left:
    """Bytes that the files of a trace may still have."""

    def __init__(self, place: str, read: int) -> None:
        self.place, self.bytes = place, MAX_BYTES - read

    def read(self, file: Path) -> bytes:
        """A file of it."""
        data = files.read(file)
        self.bytes -= len(data)
        if self.bytes < 0:
            sentence = "has files of more than 1 GiB together"
            raise NetloomError([Fault("NL-X002", self.place, sentence, "", "cut the trace")])
        return data


def _next_to(index: Path, names: list[str]) -> list[tuple[str, Path]]:
    """The named files, each once; none of them outside the folder of the index."""
    folder = index.resolve().parent
    found = []
    for name in dict.fromkeys(names):
        try:
            file = (folder / name).resolve()
            inside = file.is_relative_to(folder)
        except (OSError, ValueError, RuntimeError):
            inside = False
        if not inside:
            sentence = f"names a file that is not below its folder: {ascii(name)[:80]}"
            raise NetloomError([Fault("NL-X001", str(index), sentence, "", "put the files next to their index")])
        found.append((name, file))
    return found
