"""Traces of any format: recognised, read, and what they say of themselves."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ... import _core
from ...base import files
from ...base.arguments import Arguments
from ...base.errors import Fault, NetloomError
from .ipm import IPM
from .kineto import KINETO
from .mpisee import MPISEE
from .nccl_log import NCCL_LOG
from .netloom_record import NETLOOM_RECORD
from .nsys import NSYS
from .of_core import read_by_core
from .otf2 import OTF2
from .row import ONE, Factors, Recorded, Source, TraceFormat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...base.records import Row

#: Bytes of the beginning of a file that tell its format.
HEAD = 1 << 16
#: Formats that Python reads; the first that recognises a file reads it, before those of the core.
FORMATS: tuple[TraceFormat, ...] = (NETLOOM_RECORD, KINETO, NCCL_LOG, NSYS, OTF2, IPM, MPISEE)


def rows() -> Iterable[Row]:
    """The formats that Python reads, as `netloom list` shows them."""
    return [format.row() for format in FORMATS]


def read_trace(
    path: str | Path,
    algorithms: Mapping[str, str] | str | None = None,
    *,
    format: str | None = None,
    scale: Factors = ONE,
) -> _core.Programs | _core.Traffic:
    """What the ranks of a recorded run do.

    Parameters
    ----------
    path
        A file of a trace, or the index of several, which lie in its folder or below it.
    algorithms
        Algorithm by collective, such as `{"alltoall": "alltoall:pairwise"}`; by default what MPICH would choose.
        `"smpi"` stands for what SimGrid 3.32's replay does where nothing tells it otherwise, and `"alltoall:smpi"` for
        that of one collective; `{"smpi": "smpi", "alltoall": "alltoall:bruck"}` is the first but for alltoall.
    format
        Registered name of the format (`netloom list formats`); by default told from what stands in the file.
    scale
        Factors on the computation of ranks, each with the first and the last one, and on all bytes; where the
        part that is taken begins and ends.

    Returns
    -------
    Programs or Traffic
        Programs; a traffic where the file holds sums alone.

    Raises
    ------
    NetloomError
        NL-A007 for an algorithm of another collective; NL-X001, NL-X002 for a file that cannot be read, is not below
        the index, or is too large; NL-F... for what is wrong in it.

    Notes
    -----
    What the file says and the workload does not hold is warned of. Cost: the text.
    """
    made = read_record(path, algorithms, format=format, scale=scale)
    workload = made.told()
    for note in made.survey["notes"]:
        warnings.warn(f"{path}: {note}", stacklevel=2)
    return workload


def read_record(
    path: str | Path,
    algorithms: Mapping[str, str] | str | None = None,
    *,
    format: str | None = None,
    scale: Factors = ONE,
) -> Recorded:
    """The same with what the record says of itself. See `read_trace`."""
    given = Arguments("read")
    given.one_of("path", path, (str, Path), "the path of a trace or of its index")
    given.one_of("algorithms", {} if algorithms is None else algorithms, (str, Mapping), 'a mapping, or "smpi"')
    if format is not None:
        given.text("format", format)
    given.done()
    # A name alone is its own key.
    named = {algorithms: algorithms} if isinstance(algorithms, str) else dict(algorithms or {})
    source = Source(Path(path), _head(path), named, scale)
    own = _own(source) if format is None else _named(format)
    if own is not None and own.is_sums and source.is_part:
        sentence = f"holds sums ({own.name}), which have no begin and no end"
        raise NetloomError([Fault("NL-F013", source.place, sentence, "", "leave begin and end out")])
    return read_by_core(source, format) if own is None else own.read(source)


def facts_of(path: str | Path, format: str) -> Mapping[str, object]:
    """What a file says besides what ranks do, such as the rings of a log of NCCL; nothing of most formats."""
    own = _named(format)
    return {} if own is None or own.facts is None else own.facts(Source(Path(path), _head(path)))


def recognised(path: str | Path) -> str | None:
    """The name of the format of traces that a file has; None where it is none, or only its reader can tell."""
    if not files.is_file(path) and not files.is_folder(path):
        return None
    source = Source(Path(path), _head(path))
    own = _own(source)
    if own is None and not files.is_file(path):
        return None
    return _core.detect_format("", source.head, "programs") if own is None else own.name


def format_of(name: str) -> str | None:
    """The proper name of a format of traces, None of something else."""
    own = _named(name)
    return _core.trace_format(name) if own is None else own.name


def in_format(path: str, format: str) -> str:
    """A workload text that is a file in a format: `goal("prog.txt")`."""
    quoted = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'{format}("{quoted}")'


def _named(name: str) -> TraceFormat | None:
    wanted = name.strip().replace("_", "-")
    return next((one for one in FORMATS if wanted in (one.name, *one.aliases)), None)


def _own(source: Source) -> TraceFormat | None:
    return next((one for one in FORMATS if one.begins(source)), None)


def _head(path: str | Path) -> bytes:
    """The first bytes of a file; none of a folder, and of what its reader will refuse."""
    if not files.is_file(path):
        return b""
    with Path(path).open("rb") as file:
        return file.read(HEAD)
