"""Job lists of TraceR: traces, how many ranks and times, and map files of who runs where.

The list has the file of the global map, the number of jobs, then a line for each: trace, map file, ranks, iterations.
The global map says of global ranks which rank of which job they are; the map of a job has the global rank of each of
its ranks. Both hold integers of four bytes, or the same numbers as text. ``NA`` in place of the global map: the ranks
of one job after those of the other. A global rank is a place: rank g is on endpoint ``g // cores``. Lines that begin
with ``#`` are ours, and skipped.

Source: TraceR's user guide and the README of its ``utils``.
"""

from __future__ import annotations

import re
import sys
from array import array
from pathlib import Path

from ..base import files
from ..base.errors import NetloomError
from .asked import MAX_JOBS, MOST, Asked, Faults, Head, refuse
from .codes import BAD_VALUE, UNREADABLE

NONE = "NA"
_LINE = r"[^\S\n]*+\S++[^\S\n]++\S++[^\S\n]++\d++(?:[^\S\n]++\d++)?+[^\S\n]*+(?:\n|\Z)"
_BEGINS = re.compile(r"(?:\s*+#[^\n]*+\n)*+\s*+\S++[^\S\n]*+\n\s*+\d++[^\S\n]*+\n\s*+" + _LINE)
_SHAPE = "a file of the global map or NA, the number of jobs, and a line for each: TRACE MAP RANKS ITERATIONS"
#: Lines after the jobs, by their first letter.
_REPLACES = {
    "M": "sizes of messages", "S": "sizes of messages", "T": "times of tasks", "E": "times of regions",
}  # fmt: skip
_HINT = 'name the trace with its factors, as in trace("FILE",compute=0.5,bytes=2), in a list with [[job]]'


def begins(text: str) -> bool:
    """True of a text that looks like one: one word, a number, and words that end with numbers."""
    return _BEGINS.match(text[: 1 << 16]) is not None


def read(text: str, place: str, endpoints: int, cores: int | None = None) -> tuple[list[Asked], Head]:
    """The jobs, each with the endpoint of every rank.

    Raises
    ------
    NetloomError
        NL-J001, NL-J002, and NL-X001 for map files: all that is wrong with the list together.
    """
    given = enumerate(text.splitlines(), start=1)
    lines = [(at, words) for at, line in given if (words := line.split()) and not words[0].startswith("#")]
    if len(lines) < 3 or len(lines[0][1]) != 1 or len(lines[1][1]) != 1:
        raise refuse(UNREADABLE, place, _SHAPE)
    count = _integer(lines[1][1][0])
    if count is None or not 1 <= count <= min(MAX_JOBS, len(lines) - 2):
        expected = f"the number of jobs, in 1..{min(MAX_JOBS, len(lines) - 2)}, for each of which a line follows"
        raise refuse(UNREADABLE, f"{place}:{lines[1][0]}", expected, lines[1][1][0][:60])
    faults = Faults()
    for at, words in lines[2 + count :]:
        what = _REPLACES.get(words[0].upper())
        sentence = f"replaces {what}, which is not read here" if what else f"stands after the last of {count} jobs"
        faults.add(BAD_VALUE, f"{place}:{at}", sentence, "", _HINT if what else "correct the number of jobs")
    jobs = [_job(number, words, f"{place}:{at}", faults) for number, (at, words) in enumerate(lines[2 : 2 + count])]
    faults.done()
    made = [job for job in jobs if job is not None]
    try:
        _place(made, lines[0][1][0], [words[1] for _, words in lines[2 : 2 + count]], cores or 1)
    except NetloomError as error:
        faults.take(error)
    faults.done()
    return made, Head()


def _integer(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 12 else None


def _job(number: int, words: list[str], place: str, faults: Faults) -> Asked | None:
    if len(words) not in (3, 4):
        faults.add(BAD_VALUE, place, "TRACE MAP RANKS ITERATIONS", " ".join(words)[:60])
        return None
    counts = [_integer(word) for word in words[2:]]
    for what, word, value in zip(("ranks", "iterations"), words[2:], counts, strict=False):
        if value is None or not 1 <= value <= MOST:
            faults.add(BAD_VALUE, f"{place}: {what}", f"an integer in 1..{MOST}", word[:60])
            return None
    if is_bigsim(Path(words[0])):
        hint = "record the program with Score-P (OTF2) or DUMPI, or write its tasks as GOAL"
        faults.add(
            BAD_VALUE, f"{place}: trace", "a trace that netloom reads; this one is of BigSim", words[0][:60], hint
        )
        return None
    return Asked(f"{number} {words[0]}", place, workload=words[0], ranks=counts[0], repetitions=(*counts, 1)[1] or 1)


def is_bigsim(folder: Path) -> bool:
    """True of a folder with the files of BigSim's emulation."""
    return folder.is_dir() and any((folder / name).is_file() for name in ("bgTrace", "bgTrace0"))


def _place(jobs: list[Asked], whole: str, own: list[str], cores: int) -> None:
    """Gives each job its mapping."""
    if whole == NONE:
        for job, name in zip(jobs, own, strict=True):
            if name != NONE:
                expected = "NA, since there is no global map: without one TraceR places the jobs one after the other"
                raise refuse(
                    BAD_VALUE, f"{job.place}: map", expected, name[:60], "name the global map in the first line"
                )
        first = 0
        for job in jobs:
            assert job.ranks is not None
            job.mapping = [rank // cores for rank in range(first, first + job.ranks)]
            first += job.ranks
        return
    places = _global_map(whole, jobs)
    for job, name, globals_ in zip(jobs, own, places, strict=True):
        if name != NONE and _numbers(name)[: len(globals_)] != globals_:
            expected = f"the same places as the global map {whole} has"
            raise refuse(
                BAD_VALUE, f"{job.place}: map", expected, name[:60], "make both with one call of TraceR's utils"
            )
        job.mapping = [rank // cores for rank in globals_]


def _global_map(name: str, jobs: list[Asked]) -> list[list[int]]:
    """Of each job the global rank of every rank."""
    numbers = _numbers(name)
    if len(numbers) % 3:
        raise refuse(BAD_VALUE, name, "three numbers for each global rank: it, the job's rank, the job", len(numbers))
    places = [[-1] * (job.ranks or 0) for job in jobs]
    taken: set[int] = set()
    for at in range(0, len(numbers), 3):
        globally, rank, job = numbers[at : at + 3]
        here = f"{name}: entry {at // 3}"
        if not 0 <= job < len(jobs):
            raise refuse(BAD_VALUE, f"{here}: job", f"a job in 0..{len(jobs) - 1}", job)
        if not 0 <= rank < len(places[job]):
            raise refuse(BAD_VALUE, f"{here}: rank", f"a rank of job {job}, in 0..{len(places[job]) - 1}", rank)
        if globally < 0 or globally in taken:
            raise refuse(BAD_VALUE, f"{here}: global rank", "a number from 0 that no other entry has", globally)
        if places[job][rank] >= 0:
            raise refuse(BAD_VALUE, f"{here}: rank", f"a rank of job {job} that no other entry has", rank)
        taken.add(globally)
        places[job][rank] = globally
    for number, own in enumerate(places):
        if -1 in own:
            raise refuse(BAD_VALUE, name, f"an entry for every rank of job {number}", f"none for rank {own.index(-1)}")
    return places


def _numbers(name: str) -> list[int]:
    """The integers of a map file: of four bytes, the lowest first, or as text."""
    data = files.read(name)
    if re.fullmatch(rb"[-\d\s]*+", data):
        words = data.split()
        if any(len(word) > 11 or word.lstrip(b"-") == b"" for word in words):
            raise refuse(
                BAD_VALUE, name, "integers below 2^31", next(word for word in words if len(word) > 11).decode()
            )
        return [int(word) for word in words]
    if len(data) % 4:
        raise refuse(BAD_VALUE, name, "integers of four bytes each, or numbers as text", f"{len(data)} bytes")
    numbers = array("i", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()
