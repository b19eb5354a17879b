"""Formats of traces that the core reads: files as bytes, those that the first one names too."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path

from ... import _core
from ...base import files
from ...base.errors import Fault, NetloomError
from .row import Recorded, Source, surveyed

#: What an index of files is, which no content tells, and what is written.
SMPI = "smpi-trace"
#: A format whose file is read in parts, one a rank: only these have to be below the longest file.
IN_PARTS = "goal-binary"


def read_by_core(source: Source, format: str | None) -> Recorded:
    """A trace in a format of the core, by default the one that it is recognised as.

    Raises
    ------
    NetloomError
        `NL-X001`, `NL-X002` for a file that cannot be read, is not below the index, or is too large; `NL-F...` for what
        it says.

    Notes
    -----
    Files of ranks are read when their turn comes, and none of them is kept.
    """
    in_parts = format in (None, IN_PARTS) and _is_long(source)
    head = source.head if in_parts else files.read(source.path)
    if format is None:
        format = _core.detect_format(source.place, head, "programs")
        if format is None and (known := _core.foreign(head)) is not None and known[2] is None:
            sentence = f"it is {known[0]}, which netloom does not read"
            raise NetloomError([Fault("NL-F016", source.place, sentence, "", known[1])])
    format = format or SMPI
    beside = _BESIDE.get(_core.trace_format(format) or "")
    named = [] if beside is None else _others(source.path, head, beside)
    others = ([name for name, _ in named], lambda number: files.read(named[number][1]))
    window = functools.partial(files.part, source.path) if in_parts else None
    algorithms = dict(source.algorithms)
    programs, survey = _core.Programs.read(head, source.place, others, algorithms, format, source.scale, window)
    return Recorded(programs, surveyed(survey))


def _is_long(source: Source) -> bool:
    """Whether a file is longer than what is read at once, and of a format that is read in parts."""
    is_one = _core.detect_format("", source.head, "programs") == IN_PARTS
    return is_one and source.path.stat().st_size > files.MAX_BYTES


def _indexed(path: Path, head: bytes) -> list[str]:
    """The files that an index of SMPI names."""
    return _core.Programs.trace_index(head, str(path)) or []


def _numbered(path: Path, head: bytes) -> list[str]:
    """Files of other ranks, `prefix.N.et`, next to the one of a rank."""
    parts = path.name.rsplit(".", 2)
    if len(parts) != len(("prefix", "rank", "ending")):
        return []
    found = (one.name for one in path.parent.iterdir() if one.name.startswith(f"{parts[0]}."))
    return sorted(name for name in found if name != path.name and re.fullmatch(r"\.[0-9]+\.et", name[len(parts[0]) :]))


def _of_ranks(path: Path, head: bytes) -> list[str]:
    """Files next to one that differ in the rank at the end of their names, `prefix-0000.bin`, and `prefix.meta`."""
    of_rank = re.fullmatch(r"(.*)-[0-9]{1,9}(\.[^.]*)?", path.name)
    if of_rank is None and path.suffix != ".meta":
        return []
    prefix, ending = (path.stem, ".bin") if of_rank is None else (of_rank[1], of_rank[2] or "")
    wanted = re.compile(f"{re.escape(prefix)}-[0-9]{{1,9}}{re.escape(ending)}|{re.escape(prefix)}\\.meta")
    names = (one.name for one in path.absolute().parent.iterdir() if wanted.fullmatch(one.name))
    return sorted(name for name in names if name != path.name)


#: By format, the names of the other files of a trace.
_BESIDE: dict[str, Callable[[Path, bytes], list[str]]] = {
    SMPI: _indexed, "chakra": _numbered, "dumpi": _of_ranks, "dumpi-ascii": _of_ranks,
}  # fmt: skip


def _others(path: Path, head: bytes, beside: Callable[[Path, bytes], list[str]]) -> list[tuple[str, Path]]:
    """The other files of a trace, by name."""
    found = _next_to(path, beside(path, head))
    if found and not files.is_file(found[0][1]):
        sentence = f"is no trace: {ascii(found[0][0])[:60]} is neither an action nor a file next to it"
        hint = "give actions of SMPI, an index of their files, or messages as a table src,dst,bytes (.csv)"
        raise NetloomError([Fault("NL-F016", str(path), sentence, "", hint)])
    for _, file in found:
        files.require_file(file)
    return found


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
