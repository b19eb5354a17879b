"""ReproMPI's mpibenchmark: every repetition in a row, or a summary."""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import median

from . import codes
from .log import Log
from .names import collective
from .reader import Reader
from .rows import Measurement
from .taken import Taken

_KEY = re.compile(r"#@(\w+)=(.*)")
#: Columns of times from the one to prefer; each repetition has the first.
_TIMES = ("runtime_sec", "median_runtime_sec", "median_sec", "mean_runtime_sec", "mean_sec")
_COUNTS = ("count", "msize", "msizes")


@dataclass(frozen=True)
class Run:
    """The columns of a table, and the settings in force."""

    columns: tuple[str, ...]
    settings: dict[str, str]


@dataclass(frozen=True)
class Repeated:
    """The line of the first repetition, and the times of all."""

    first: int
    times_s: list[float]


def is_format(log: Log) -> bool:
    return any(_columns(line) for line in log.lines)


def _columns(line: str) -> tuple[str, ...]:
    words = tuple(line.lstrip("# ").split())
    return words if words[:1] == ("test",) and any(name in words for name in _TIMES) else ()


def read(taken: Taken) -> None:
    """Of repetitions the median is taken; `count` counts elements of the type that the header names."""
    run, settings = Run((), {}), dict[str, str]()
    repeated: dict[tuple[str, int], Repeated] = {}
    for number, line in enumerate(taken.log.lines, 1):
        key = _KEY.match(line)
        if key:
            before = settings.setdefault(key[1], key[2].strip())
            if key[1] == "nprocs" and before != key[2].strip():
                hint = "split the file by runs"
                place = taken.log.place(number)
                taken.refuse(codes.CONTRADICTION, place, f"is a second run, of {key[2][:20]} processes", "", hint)
                return
        elif _columns(line):
            run = Run(_columns(line), settings)
        elif run.columns and line.strip().startswith(("MPI_", "GL_")):
            found = _row(taken, number, line.split(), run)
            if found is not None:
                name, size, time_s = found
                repeated.setdefault((name, size), Repeated(number, [])).times_s.append(time_s)
    _take(taken, repeated, settings)


def _row(taken: Taken, number: int, words: list[str], run: Run) -> tuple[str, int, float] | None:
    columns = run.columns
    if len(words) != len(columns):
        taken.bad_row(number, len(columns), " ".join(words))
        return None
    cells = dict(zip(columns, words, strict=True))
    name = next(name for name in _TIMES if name in columns)
    counted = next((name for name in _COUNTS if name in columns), "")
    if not counted:
        taken.refuse(codes.BAD_ROW, taken.log.place(number), "has no column count or msizes")
        return None
    size, time_s = taken.size(number, counted, cells[counted]), taken.positive(number, name, cells[name])
    if size is None or time_s is None:
        return None
    if cells.get("errorcode", "0") != "0":
        taken.drop(taken.log.place(number), f"the benchmark marked it invalid: errorcode {cells['errorcode'][:20]}")
        return None
    if counted == "count":
        extent = taken.size(number, "datatype_size_bytes", run.settings.get("datatype_size_bytes", "1"), 1 << 20)
        if extent is None:
            return None
        size *= extent
    return cells["test"], size, time_s


def _take(taken: Taken, repeated: dict[tuple[str, int], Repeated], settings: dict[str, str]) -> None:
    if not repeated:
        return
    given, told = taken.given, settings.get("nprocs", "")
    job = taken.job(taken.log.name, int(told) if told.isascii() and told.isdigit() and len(told) < 9 else 0)
    if job is None:
        return
    for (name, size), one in repeated.items():
        place, known, time_s = taken.log.place(one.first), collective(name), median(one.times_s)
        if known is None:
            taken.drop(place, f"{name[:40]} is no collective that netloom has")
            continue
        size_bytes = 0 if known == "barrier" else size
        named, each = given.algorithm or "default", job.ranks_per_node
        taken.take(Measurement(known, named, given.library, job.nodes, each, size_bytes, time_s, place))
    if any(len(one.times_s) > 1 for one in repeated.values()):
        taken.note("of repetitions the median was taken")


READER = Reader("ReproMPI", is_format, read)
