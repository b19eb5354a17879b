"""Databases of a run, one or several, as one trace: calls of NCCL if there are any, else those of MPI."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from ....base.errors import Fault, NetloomError
from ..database import MAGIC, Database, has_tables
from ..row import Recorded, Source, TraceFormat
from ..streams import Call, Kernel, RankKernels, recorded_streams
from .mpi import has_calls, read_mpi
from .nccl import NcclCall, NcclProcess, NcclProfile, read_nccl
from .process import Process, origin_ns, ranks_of_mpi

_MARKS = ("META_DATA_EXPORT", "StringIds", "TARGET_INFO_SESSION_START_TIME")
#: Most files of a folder, and ranks that are named.
MOST_FILES, NAMED = 1 << 14, 8


def _begins(source: Source) -> bool:
    if source.path.is_dir():
        return any(_is_one(path) for path in _listed(source.path)[:NAMED])
    return source.head.startswith(MAGIC) and has_tables(source.path, *_MARKS)


def _listed(folder: Path) -> list[Path]:
    found = sorted(one for one in folder.iterdir() if one.suffix in (".sqlite", ".db", ".sqlite3") and one.is_file())
    return found[:MOST_FILES]


def _is_one(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC and has_tables(path, *_MARKS)


class _Run:
    """What the databases of a run hold together."""

    def __init__(self) -> None:
        self.paths: list[Path] = []
        self.origins: list[int] = []
        self.mpi: dict[Process, int] = {}
        self.nccl = NcclProfile()
        self.has_mpi = False

    def add(self, path: Path) -> None:
        with Database(path) as database:
            number = len(self.paths)
            self.paths.append(path)
            self.origins.append(origin_ns(database))
            self.mpi |= ranks_of_mpi(database, number)
            self.has_mpi |= has_calls(database)
            one = read_nccl(database, number)
        self.nccl.processes |= one.processes
        self.nccl.notes.update(one.notes)
        self.nccl.by_host |= one.by_host

    @property
    def shifts(self) -> list[float]:
        """Seconds from the first session to each; none where a file does not say when its began."""
        first = min(self.origins) if all(self.origins) else 0
        return [(one - first) * 1e-9 if first else 0.0 for one in self.origins]


def _read(source: Source) -> Recorded:
    run = _Run()
    own = _listed(source.path) if source.path.is_dir() else [source.path]
    for path in own:
        if path == source.path or _is_one(path):
            run.add(path)
    others = [] if source.path.is_dir() else _listed(source.path.resolve().parent)
    if run.nccl.processes and _members(run) is None:
        for path in others:
            if not path.samefile(source.path) and _is_one(path):
                run.add(path)
    if run.nccl.processes and any(one.kernels for one in run.nccl.processes.values()):
        return _of_nccl(source, run)
    if run.has_mpi:
        return read_mpi(source, run.paths, run.shifts)
    sentence = "has no calls of NCCL or MPI"
    hint = "profile with --trace=cuda,nvtx,mpi"
    raise NetloomError([Fault("NL-F004", source.place, sentence, "", hint)])


def _of_nccl(source: Source, run: _Run) -> Recorded:
    notes = [f"{number} {what}" for what, number in sorted(run.nccl.notes.items())]
    if run.nccl.by_host:
        notes.append("no kernel was recorded: the calls are those of the host, at its times")
    if run.has_mpi:
        notes.append("the calls of MPI in the profile are left out")
    members = _members(run)
    if members is None:
        sentence = "a communicator has more ranks than processes that are in the files"
        hint = "put the databases of all nodes into one folder"
        raise NetloomError([Fault("NL-F010", source.place, sentence, "", hint)])
    ranks = _numbered(run, members, notes)
    made = [_rank(one, ranks, members, run) for one in run.nccl.processes.values()]
    return recorded_streams(source, made, len(ranks), notes)


def _members(run: _Run) -> dict[int, list[Process]] | None:
    """Processes of each communicator by their rank in it; None where some are missing."""
    told: dict[int, dict[int, Process]] = defaultdict(dict)
    sizes: dict[int, int] = {}
    users: dict[int, set[Process]] = defaultdict(set)
    for one in run.nccl.processes.values():
        for comm, (rank, size) in one.ranks.items():
            told[comm][rank] = one.process
            sizes[comm] = size
        for kernel in one.kernels:
            for call in kernel.calls:
                users[call.comm].add(one.process)
    made = {}
    for comm in told.keys() | users.keys():
        if comm not in told:
            # The profile began after it was made: those that use it, in order.
            made[comm] = sorted(users[comm], key=lambda one: (run.mpi.get(one, 0), one))
            continue
        if len(told[comm]) < sizes[comm]:
            return None
        made[comm] = [told[comm][rank] for rank in range(sizes[comm])]
    return made


def _numbered(run: _Run, members: dict[int, list[Process]], notes: list[str]) -> dict[Process, int]:
    """The rank of each process: that of MPI, or in the communicator of all, or its place."""
    processes = sorted(run.nccl.processes)
    own = {one: run.mpi[one] for one in processes if one in run.mpi}
    if sorted(own.values()) == list(range(len(processes))):
        return own
    largest = max(members.values(), key=len, default=[])
    if sorted(largest) == processes and any(one.ranks for one in run.nccl.processes.values()):
        return {one: rank for rank, one in enumerate(largest)}
    notes.append("ranks are processes in the order of their files and numbers: the profile does not say their ranks")
    return {one: rank for rank, one in enumerate(processes)}


def _rank(one: NcclProcess, ranks: dict[Process, int], members: dict[int, list[Process]], run: _Run) -> RankKernels:
    streams = {stream: number for number, stream in enumerate(sorted({kernel.stream for kernel in one.kernels}))}
    place = f"{run.paths[one.process.file]}, process {one.process.pid}"
    made = RankKernels(ranks[one.process], place, [], one.compute)
    for kernel in sorted(one.kernels, key=lambda kernel: kernel.begin):
        calls = tuple(_call(call, ranks, members, place) for call in kernel.calls)
        made.kernels.append(Kernel(kernel.begin, kernel.end, streams[kernel.stream], calls))
    made.shift(run.shifts[one.process.file])
    return made


def _call(call: NcclCall, ranks: dict[Process, int], members: dict[int, list[Process]], place: str) -> Call:
    within = tuple(ranks[one] for one in members[call.comm])
    peer = call.peer if call.kind in ("send", "recv", "broadcast", "reduce", "gather", "scatter") else 0
    if not 0 <= peer < len(within):
        expected = f"a rank below {len(within)}, that of the communicator"
        raise NetloomError([Fault("NL-F009", place, expected, str(call.peer), "export it again")])
    is_message = call.kind in ("send", "recv")
    return Call(call.kind, (f"{call.comm & (1 << 64) - 1:x}", within), call.bytes, within[peer] if is_message else peer)


NSYS = TraceFormat(
    name="nsys",
    aliases=("nsight-systems",),
    summary="profiles of Nsight Systems as SQLite: calls of NCCL with streams and computation between, or those of MPI",
    restrictions="`nsys export --type sqlite`, of all nodes in a folder; NCCL 2.22 and later, one process for each GPU",
    source="Nsight Systems, exporter SQLite schema 3.28.1",
    begins=_begins,
    read=_read,
)
