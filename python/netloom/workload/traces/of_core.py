"""Formats of traces that the core reads: files as bytes, those that the first one names too."""

from __future__ import annotations

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
    others = _others(source.path, head) if format.partition("(")[0] in (SMPI, "smpi", "ti") else []
    programs, survey = _core.Programs.read(head, source.place, others, dict(source.algorithms), format)
    return Recorded(programs, surveyed(survey))


def _others(path: Path, head: bytes) -> list[tuple[str, bytes]]:
    """Names and bytes of the files that an index names."""
    others: list[tuple[str, bytes]] = []
    left, place = MAX_BYTES - len(head), str(path)
    for name, file in _next_to(path, _core.Programs.trace_index(head, place) or []):
        if not files.is_file(file) and not others:
            sentence = f"is no trace: {ascii(name)[:60]} is neither an action nor a file next to it"
            hint = "give actions of SMPI, an index of their files, or messages as a table src,dst,bytes (.csv)"
            raise NetloomError([Fault("NL-F016", place, sentence, "", hint)])
        data = files.read(file)
        left -= len(data)
        if left < 0:
            raise NetloomError(
                [Fault("NL-X002", place, "names files of more than 1 GiB together", "", "cut the trace")]
            )
        others.append((name, data))
    return others


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
