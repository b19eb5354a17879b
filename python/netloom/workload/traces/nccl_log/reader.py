"""A log as programs: its calls, one after another, as no line says when they were made."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from .... import _core
from ....base.errors import Fault, NetloomError
from ..row import Recorded, Source, TraceFormat, surveyed
from .lines import CallLine, Who
from .log import Communicator, Log

MARK = b" NCCL INFO "
#: Bytes of a file that tell its format, files of a folder, ranks that are named.
HEAD_BYTES, MOST_FILES, NAMED = 1 << 16, 1 << 16, 8
#: Bytes of an element by its number: int8, uint8, int32, uint32, int64, uint64, half, float, double, bfloat16, fp8.
WIDTHS = (1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1)
KINDS = {
    "AllReduce": "allreduce", "AllGather": "allgather", "ReduceScatter": "reduce-scatter", "Broadcast": "broadcast",
    "Bcast": "broadcast", "Reduce": "reduce", "AllToAll": "alltoall", "AlltoAll": "alltoall", "Gather": "gather",
    "Scatter": "scatter", "Send": "isend", "Recv": "irecv",
}  # fmt: skip
ROOTED = ("broadcast", "reduce", "gather", "scatter")


def _begins(source: Source) -> bool:
    if source.path.is_dir():
        return any(_is_one(path) for path in _listed(source.path)[:NAMED])
    return MARK in source.head


def _listed(folder: Path) -> list[Path]:
    return sorted(one for one in folder.iterdir() if one.is_file() and not one.name.startswith("."))[:MOST_FILES]


def _is_one(path: Path) -> bool:
    with path.open("rb") as file:
        return MARK in file.read(HEAD_BYTES)


def read_log(source: Source) -> Log:
    """The log of all ranks: of a file alone if it has them all, else of those next to it too.

    Raises
    ------
    NetloomError
        NL-F010 where ranks of a communicator are in no file, NL-F004 where none is made; what is wrong in a line.
    """
    log = Log()
    if source.path.is_dir():
        log.add(path for path in _listed(source.path) if _is_one(path))
    else:
        log.add([source.path])
        if _missing(log) is not None:
            others = _listed(source.path.resolve().parent)
            log.add(path for path in others if not path.samefile(source.path) and _is_one(path))
    if not log.communicators:
        hint = "log with NCCL_DEBUG=INFO and INIT,COLL among NCCL_DEBUG_SUBSYS"
        raise NetloomError([Fault("NL-F004", source.place, "makes no communicator", "", hint)])
    if (found := _missing(log)) is not None:
        comm, numbers = found
        shown = ", ".join(map(str, numbers[:NAMED])) + (
            f" and {len(numbers) - NAMED} more" if len(numbers) > NAMED else ""
        )
        sentence = f"a communicator has {comm.ranks} ranks, and of these no line is there: {shown}"
        hint = "put the files of all processes (NCCL_DEBUG_FILE=log.%h.%p) into one folder"
        raise NetloomError([Fault("NL-F010", source.place, sentence, "", hint)])
    return log


def _missing(log: Log) -> tuple[Communicator, list[int]] | None:
    for comm in log.communicators.values():
        if len(comm.members) < comm.ranks:
            return comm, [rank for rank in range(comm.ranks) if rank not in comm.members]
    return None


class _Row(NamedTuple):
    kind: str
    group: int = 0
    peer: int = 0
    bytes: int = 0
    request: int = -1


def _read(source: Source) -> Recorded:
    log = read_log(source)
    ranks = log.ranks()
    made = source.recording(len(ranks))
    numbers: dict[str, int] = {}
    for comm in log.communicators.values():
        members = [ranks[comm.members[number]] for number in range(comm.ranks)]
        is_world = members == list(range(len(ranks))) and 0 not in numbers.values()
        numbers[comm.identity] = 0 if is_world else made.communicator(members)
    if not any(log.calls.values()):
        hint = "log with COLL among NCCL_DEBUG_SUBSYS; netloom describe shows what it says of rings and choices"
        raise NetloomError([Fault("NL-F004", source.place, "has no calls", "", hint)])
    _require_pairs(log, source)
    made.note("the calls follow each other at once: a log has no times")
    if any(line.name in ("Send", "Recv") for calls in log.calls.values() for _, line, _ in calls):
        made.note("sends and receives that follow each other go on at the same time, as in one group")
    for who, rank in sorted(ranks.items(), key=lambda item: item[1]):
        _add(made, rank, _rows(log.calls.get(who, []), numbers))
    programs, survey = made.finish(0.0, dict(source.algorithms))
    return Recorded(programs, surveyed(survey))


def _rows(calls: list[tuple[Communicator, CallLine, str]], numbers: dict[str, int]) -> list[_Row]:
    rows: list[_Row] = []
    open_ = 0
    for comm, line, place in calls:
        kind = KINDS.get(line.name)
        if kind is None or line.datatype >= len(WIDTHS):
            got = f"{line.name[:30]} of datatype {line.datatype}"
            raise NetloomError([Fault("NL-F020", place, "a call and a datatype of NCCL", got, "leave the line out")])
        size = line.elements * WIDTHS[line.datatype]
        is_message = kind in ("isend", "irecv")
        if (is_message or kind in ROOTED) and not 0 <= line.root < comm.ranks:
            expected = f"a rank below {comm.ranks}, that of the communicator"
            raise NetloomError([Fault("NL-F009", place, expected, str(line.root), "log again")])
        if is_message:
            rows.append(_Row(kind, numbers[comm.identity], line.root, size, open_))
            open_ += 1
            continue
        if open_:
            rows.append(_Row("waitall"))
            open_ = 0
        rows.append(_Row(kind, numbers[comm.identity], line.root if kind in ROOTED else 0, size))
    return [*rows, _Row("waitall")] if open_ else rows


def _add(made: _core.Recording, rank: int, rows: list[_Row]) -> None:
    import numpy as np

    kinds = {name: number for number, name in enumerate(_core.Recording.KINDS)}
    zero = np.zeros(len(rows))
    made.extend(
        rank,
        np.array([kinds[one.kind] for one in rows], dtype=np.uint8),
        np.array([one.group for one in rows], dtype=np.uint32),
        np.array([one.peer for one in rows], dtype=np.int64),
        zero.astype(np.int64),
        np.array([one.bytes for one in rows], dtype=np.uint64),
        np.array([one.request for one in rows], dtype=np.int64),
        zero,
    )


def _require_pairs(log: Log, source: Source) -> None:
    """Every message has both ends."""
    pairs: Counter[tuple[str, Who, Who]] = Counter()
    for who, calls in log.calls.items():
        for comm, line, _ in calls:
            if line.name in ("Send", "Recv") and (other := comm.members.get(line.root)) is not None:
                ends = (who, other) if line.name == "Send" else (other, who)
                pairs[comm.identity, *ends] += 1 if line.name == "Send" else -1
    ranks = log.ranks()
    for (_, sender, receiver), left in pairs.items():
        if left:
            what = "sends that nobody receives" if left > 0 else "receives that nobody sends to"
            sentence = f"from rank {ranks[sender]} to rank {ranks[receiver]} there are {abs(left)} {what}"
            raise NetloomError([Fault("NL-F010", source.place, sentence, "", "give the logs of all ranks, whole")])


NCCL_LOG = TraceFormat(
    name="nccl-log",
    aliases=("rccl-log",),
    summary="logs of NCCL and RCCL (`NCCL_DEBUG=INFO`): calls and communicators; describe has rings, trees, choices",
    restrictions="all ranks, in one file or as the files of a folder; INIT and COLL among NCCL_DEBUG_SUBSYS; no times",
    source="NVIDIA/nccl, src/init.cc, src/enqueue.cc, src/graph",
    begins=_begins,
    read=_read,
)
