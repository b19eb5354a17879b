"""Profiles of IPM: of each rank, how often it made each call with each size and rank, and how long that took in all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ... import _core
from ...base import files
from ...base.errors import Fault, NetloomError
from .row import CallSum, Recorded, Source, Survey, TraceFormat, Untold

if TYPE_CHECKING:
    from typing import BinaryIO

#: Most bytes of a file, of a line, of ranks and of different messages.
_MOST_FILE, _MOST_LINE = 1 << 32, 1 << 20
_MOST_RANKS, _MOST_FLOWS = 1 << 20, 1 << 26
_MOST_BYTES = (1 << 63) - 1
#: Calls whose rank is the one that gets the message.
_SENDS = re.compile(r"MPI_I?[bsr]?send(recv|recv_replace)?", re.IGNORECASE)
_RECEIVES = re.compile(r"MPI_(I?m?recv|Wait.*|Test.*|I?probe|Start.*)", re.IGNORECASE)
_ATTRIBUTE = re.compile(r'([A-Za-z_]+)="([^"<]*)"')
_ENTRY = re.compile(r"<(hent|func)\s([^>]*)>\s*([^<]*)")
_TASK = re.compile(r"<(taskcopy|task)\s([^>]*)>")


def _begins(source: Source) -> bool:
    return b"<ipm_job_profile" in source.head or (b"<task " in source.head and b"ipm_version" in source.head)


@dataclass
class _Calls:
    """Sums of one name."""

    calls: int = 0
    bytes: int = 0
    seconds: float = 0.0


@dataclass
class _Task:
    """A rank: of what it sends, the messages by peer and size."""

    rank: int
    span_s: float = 0.0
    calls: dict[str, _Calls] = field(default_factory=dict)
    flows: dict[tuple[int, int], int] = field(default_factory=dict)
    entries: int = 0
    has_table: bool = False


class _Counts:
    """A file as far as it was read."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.tasks: dict[int, _Task] = {}
        self.copies: dict[int, int] = {}
        self.size = 0
        self.flows = 0
        self.line = 0
        self.task: _Task | None = None

    def fault(self, code: str, sentence: str, hint: str) -> NetloomError:
        """A fault at the line."""
        place = f"{self.place}:{self.line}:1" if self.line else self.place
        return NetloomError([Fault(code, place, sentence, "", hint)])

    def add(self, line: str) -> None:
        """The next line: tags of several kinds may stand in one."""
        self.line += 1
        for kind, attributes in _TASK.findall(line):
            self._begin(kind, dict(_ATTRIBUTE.findall(attributes)))
        if self.task is not None:
            for kind, attributes, text in _ENTRY.findall(line):
                self._entry(self.task, kind, dict(_ATTRIBUTE.findall(attributes)), text)
        if "</task>" in line:
            self.task = None

    def whole(self, values: dict[str, str], name: str, least: int, most: int) -> int:
        """A number of an attribute."""
        text = values.get(name, "").strip()
        number = int(text) if re.fullmatch(r"-?[0-9]{1,19}", text) else None
        if number is None or not least <= number <= most:
            sentence = f'{name} must be a whole number from {least} to {most}, got "{text[:40]}"'
            raise self.fault("NL-F009", sentence, "the file is damaged")
        return number

    def _begin(self, kind: str, values: dict[str, str]) -> None:
        rank = self.whole(values, "mpi_rank", 0, _MOST_RANKS - 1)
        if rank in self.tasks or rank in self.copies:
            raise self.fault("NL-F006", f"rank {rank} stands twice", "give the file of one run")
        if kind == "taskcopy":
            self.copies[rank] = self.whole(values, "cluster_rank", 0, _MOST_RANKS - 1)
            return
        self.size = max(self.size, self.whole(values, "mpi_size", 1, _MOST_RANKS))
        span_s = _seconds(values.get("stamp_final", "")) - _seconds(values.get("stamp_init", ""))
        self.task = self.tasks[rank] = _Task(rank, max(span_s, 0.0))

    def _entry(self, task: _Task, kind: str, values: dict[str, str], text: str) -> None:
        """`hent` holds one size and rank of a call, `func` all of a call in a region."""
        name = values.get("call" if kind == "hent" else "name", "")
        if not name.startswith("MPI_"):
            return
        if kind == "hent" and not task.has_table:
            # The table says all that the sums said.
            task.has_table, task.calls = True, {}
        elif kind == "func" and task.has_table:
            return
        count = self.whole(values, "count", 0, _MOST_BYTES)
        # Of a func the bytes are those of all calls, and may be a fraction.
        size = (
            self.whole(values, "bytes", 0, _MOST_BYTES) if kind == "hent" else round(_seconds(values.get("bytes", "")))
        )
        task.entries += 1
        sums = task.calls.setdefault(name[4:].lower(), _Calls())
        sums.calls += count
        sums.bytes += size * count if kind == "hent" else size
        sums.seconds += _seconds(text.split()[0] if text.split() else "")
        if kind == "hent" and _SENDS.fullmatch(name) and count:
            peer = self.whole(values, "orank", -_MOST_RANKS, _MOST_RANKS)
            self.flows += (peer, size) not in task.flows
            if self.flows > _MOST_FLOWS:
                raise self.fault("NL-F001", "has too many different messages", "cut the file")
            task.flows[peer, size] = task.flows.get((peer, size), 0) + count

    def finished(self) -> None:
        """Every rank is there."""
        self.line = 0
        if not self.tasks:
            raise self.fault("NL-F004", "holds no rank", "give the file that IPM wrote")
        missing = next((rank for rank in range(self.size) if rank not in self.tasks and rank not in self.copies), None)
        if missing is not None:
            sentence = f"rank {missing} of {self.size} is missing"
            raise self.fault("NL-F010", sentence, "give the file whole: IPM writes all ranks into one")
        for rank, like in self.copies.items():
            if like not in self.tasks or rank >= self.size:
                sentence = f"rank {rank} is like rank {like} of {self.size}, which has no part"
                raise self.fault("NL-F007", sentence, "give the file whole")

    def of(self, rank: int) -> _Task:
        """What a rank did: itself, or the one that it is like."""
        return self.tasks[self.copies.get(rank, rank)]

    @property
    def is_relative(self) -> bool:
        """Whether ranks are counted from their own: where ranks are like others, and where one lies below 0."""
        return bool(self.copies) or any(peer < 0 for task in self.tasks.values() for peer, _ in task.flows)


def _seconds(text: str) -> float:
    """A number that may be a fraction; 0 of anything else, since IPM leaves out what it does not know."""
    found = re.fullmatch(r"[0-9]{1,18}(\.[0-9]{0,18})?(e[+-]?[0-9]{1,2})?", text.strip(), re.IGNORECASE)
    return float(found[0]) if found else 0.0


def _read(source: Source) -> Recorded:
    """Sums of a profile. O(text); the file is read line by line."""
    profile = _Counts(source.place)
    with _opened(source) as file:
        for line in _lines(file, profile):
            profile.add(line)
    profile.finished()
    ranks = profile.size
    survey = _survey(profile, ranks)
    if not all(profile.of(rank).has_table for rank in range(ranks)):
        sentence = "holds the sums of calls alone, which name no receivers"
        hint = "let IPM write the full table: IPM_LOG=full"
        return Recorded(Untold(ranks, Fault("NL-F013", source.place, sentence, "", hint)), survey)
    return Recorded(_traffic(source, profile, ranks), survey)


def _opened(source: Source) -> BinaryIO:
    place: Path = source.path
    if not files.is_file(place):
        files.read(place)  # Says what is wrong with it.
    if place.stat().st_size > _MOST_FILE:
        raise NetloomError([Fault("NL-X002", source.place, "is larger than 4 GiB", "", "cut the file")])
    return place.open("rb")


def _lines(file: BinaryIO, profile: _Counts) -> Iterator[str]:
    while line := file.readline(_MOST_LINE + 1):
        if len(line) > _MOST_LINE:
            profile.line += 1
            raise profile.fault("NL-F001", "has a line of more than 1 MiB", "give the file that IPM wrote")
        # Lines of the environment and of commands are written as they are.
        yield line.decode("utf-8", "replace")


def _traffic(source: Source, profile: _Counts, ranks: int) -> _core.Traffic:
    import numpy as np

    relative = profile.is_relative
    columns: list[tuple[int, int, int, int]] = []
    for rank in range(ranks):
        for (peer, size), count in profile.of(rank).flows.items():
            target = rank + peer if relative else peer
            if source.size(size) * count > _MOST_BYTES:
                raise profile.fault("NL-F001", f"rank {rank} sends more than 2^63 bytes", "the file is damaged")
            if not 0 <= target < ranks:
                sentence = f"rank {rank} sends to rank {target} of {ranks}"
                raise profile.fault("NL-F009", sentence, "the file is damaged, or counts ranks in parts of all")
            columns.append((rank, target, count, source.size(size) * count))
        if len(columns) > _MOST_FLOWS:
            raise profile.fault("NL-F001", "has too many different messages", "cut the file")
    taken = [np.array(column, np.int64) for column in zip(*columns, strict=True)] or [np.zeros(0, np.int64)] * 4
    return _core.Traffic.from_flows(source.path.name, ranks, *taken)


def _survey(profile: _Counts, ranks: int) -> Survey:
    sums: dict[str, _Calls] = {}
    events = 0
    for rank in range(ranks):
        task = profile.of(rank)
        events += task.entries
        for name, one in task.calls.items():
            total = sums.setdefault(name, _Calls())
            total.calls += one.calls
            total.bytes += one.bytes
            total.seconds += one.seconds
    notes = [
        "sums over the run: the order of calls and the time between them are not in the file",
        "IPM rounds sizes down to their leading binary digits",
    ]
    others = sorted(
        name for name in sums if not _SENDS.fullmatch(f"MPI_{name}") and not _RECEIVES.fullmatch(f"MPI_{name}")
    )
    moved = [f"{name} {sums[name].bytes} B" for name in others if sums[name].bytes]
    if moved:
        notes.append(f"calls whose ranks are not recorded are no part of the traffic: {', '.join(moved)}")
    if profile.copies:
        notes.append(f"ranks that IPM wrote as being like another one: {len(profile.copies)}")
    if profile.is_relative:
        notes.append("ranks are counted from their own, as IPM writes them when it groups ranks")
    span_s = max((task.span_s for task in profile.tasks.values()), default=0.0)
    calls = {name: CallSum(one.calls, one.bytes, one.seconds) for name, one in sorted(sums.items())}
    return Survey(events=events, calls=calls, communicators=[ranks], span_s=span_s, notes=notes)


IPM = TraceFormat(
    name="ipm",
    aliases=("ipm-xml",),
    summary="How often each rank made each call of MPI with each size and rank, as IPM counts it.",
    restrictions=(
        "Sums: the messages of sends as a traffic, in sizes that IPM rounds down. Collectives and receives, whose "
        "ranks it does not record, are described and are no part of it; needs the full table (IPM_LOG=full)."
    ),
    source="IPM 2, https://github.com/nerscadmin/IPM, src/report_xml.c, doc/ipm_xml.dtd",
    begins=_begins,
    read=_read,
    is_sums=True,
)
