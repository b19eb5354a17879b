"""Calls of NCCL in a profile: ranges of its NVTX domain, and the kernels that they launch."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from ....base.errors import Fault, NetloomError
from ..database import Database, whole
from ..streams import Compute
from .payload import Payloads
from .process import Process, pid_of, strings, times

KINDS = {
    "ncclAllReduce": "allreduce", "ncclAllGather": "allgather", "ncclReduceScatter": "reduce-scatter",
    "ncclBroadcast": "broadcast", "ncclBcast": "broadcast", "ncclReduce": "reduce", "ncclSend": "send",
    "ncclRecv": "recv", "ncclAlltoAll": "alltoall", "ncclAllToAll": "alltoall", "ncclGather": "gather",
    "ncclScatter": "scatter",
}  # fmt: skip
_INIT = "ncclCommInit"
_KERNELS = ("ncclKernel", "ncclDevKernel", "ncclSymk")
_TABLES = ("CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET")
_KERNEL = "CUPTI_ACTIVITY_KIND_KERNEL"
_COMM, _SIZE, _PEER = "nccl communicator id", "message size [bytes]", "peer rank"


class NcclCall(NamedTuple):
    """A call as its range tells it; `peer` is a root or the other end, a rank in the communicator."""

    begin: float
    end: float
    kind: str
    comm: int
    bytes: int
    peer: int


class NcclKernel(NamedTuple):
    """A kernel with the calls in it."""

    begin: float
    end: float
    stream: tuple[int, int]
    calls: tuple[NcclCall, ...]


@dataclass
class NcclProcess:
    """A process: its kernels with calls, what else its GPU does, and its rank in each communicator."""

    process: Process
    kernels: list[NcclKernel] = field(default_factory=list)
    compute: Compute = field(default_factory=Compute)
    ranks: dict[int, tuple[int, int]] = field(default_factory=dict)


class _Range(NamedTuple):
    thread: int
    call: NcclCall


@dataclass
class NcclProfile:
    """A database: its processes that call NCCL, and what is left out of it, by sentence."""

    processes: dict[Process, NcclProcess] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)
    by_host: bool = False


def read_nccl(database: Database, file: int) -> NcclProfile:
    """Calls of NCCL with their kernels; of none, an empty profile.

    Raises
    ------
    NetloomError
        NL-F009 for times and sizes out of range, NL-F010 for kernels without the ranges that say what they do.
    """
    made = NcclProfile()
    text = strings(database)
    calls = _ranges(database, file, text, made)
    kernels = _kernels(database, file, text, made)
    if kernels and not calls:
        hint = "profile with --trace=cuda,nvtx and NCCL 2.22 or later, whose ranges have the sizes"
        sentence = "has kernels of NCCL, and no range of NVTX that says their communicators and sizes"
        raise NetloomError([Fault("NL-F010", str(database.path), sentence, "", hint)])
    if not kernels:
        _by_host(calls, file, made)
    else:
        _attach(database, file, calls, kernels, made)
    return made


def _ranges(database: Database, file: int, text: dict[int, str], made: NcclProfile) -> dict[int, list[_Range]]:
    """Calls by process; communicators that are made go into `made`."""
    payloads = Payloads(database)
    found: dict[int, list[_Range]] = defaultdict(list)
    names = ("start", "end", "text", "textId", "globalTid", "binaryData")
    for row in database.rows("NVTX_EVENTS", names, "start"):
        name = row[2] if isinstance(row[2], str) else text.get(whole(row[3]) or -1, "")
        name = name.partition("(")[0].strip()
        if not name.startswith("nccl") or (name not in KINDS and not name.startswith(_INIT)):
            continue
        fields = payloads.read(row[5])
        process = Process(file, pid_of(row[4]))
        if name.startswith(_INIT):
            _communicator(database, made, process, fields)
            continue
        begin, end = times(database, "NVTX_EVENTS", row)
        if _COMM not in fields or not 0 <= fields.get(_SIZE, 0) < 1 << 50:
            made.notes[f"calls of {name} are left out: their payload has no communicator and size"] += 1
            continue
        root = fields.get(_PEER, fields.get("root", 0))
        call = NcclCall(begin, end, KINDS[name], fields[_COMM], fields.get(_SIZE, 0), root)
        found[process.pid].append(_Range(whole(row[4]) or 0, call))
    return found


def _communicator(database: Database, made: NcclProfile, process: Process, fields: dict[str, int]) -> None:
    rank, ranks = fields.get("rank"), fields.get("no. of ranks")
    if _COMM not in fields or rank is None or ranks is None:
        return
    if not 0 <= rank < ranks <= 1 << 20:
        got = f"rank {rank} of {ranks}"
        raise NetloomError([Fault("NL-F009", str(database.path), "a rank of a communicator", got, "export it again")])
    own = made.processes.setdefault(process, NcclProcess(process)).ranks
    if own.setdefault(fields[_COMM], (rank, ranks)) != (rank, ranks):
        sentence = f"process {process.pid} has several GPUs"
        hint = "profile a run with one process for each GPU"
        raise NetloomError([Fault("NL-F013", str(database.path), sentence, "", hint)])


class _Launched(NamedTuple):
    begin: float
    end: float
    stream: tuple[int, int]
    correlation: int | None
    is_of_graph: bool


def _kernels(database: Database, file: int, text: dict[int, str], made: NcclProfile) -> dict[int, list[_Launched]]:
    """Kernels of NCCL by process; the others are computation."""
    found: dict[int, list[_Launched]] = defaultdict(list)
    compute: dict[int, Compute] = defaultdict(Compute)
    names = (
        "start",
        "end",
        "deviceId",
        "streamId",
        "correlationId",
        "globalPid",
        "demangledName",
        "shortName",
        "graphNodeId",
    )
    for row in database.rows(_KERNEL, names, "start"):
        begin, end = times(database, _KERNEL, row)
        name = text.get(whole(row[6]) or -1) or text.get(whole(row[7]) or -1, "")
        pid = pid_of(row[5])
        if any(one.startswith(_KERNELS) for one in (name, text.get(whole(row[7]) or -1, ""))):
            stream = whole(row[2]) or 0, whole(row[3]) or 0
            found[pid].append(_Launched(begin, end, stream, whole(row[4]), row[8] is not None))
        else:
            compute[pid].add(begin, end)
    for table in _TABLES:
        for copied in database.rows(table, ("start", "end", "globalPid")):
            compute[pid_of(copied[2])].add(*times(database, table, copied))
    for pid in found:
        process = Process(file, pid)
        made.processes.setdefault(process, NcclProcess(process)).compute = compute[pid]
    return found


def _launches(database: Database, wanted: set[tuple[int, int]]) -> dict[tuple[int, int], tuple[int, float]]:
    """Thread and end of the launch of each kernel, by process and correlation."""
    found = {}
    names = ("start", "end", "globalTid", "correlationId")
    for row in database.rows("CUPTI_ACTIVITY_KIND_RUNTIME", names):
        key = pid_of(row[2]), whole(row[3]) or 0
        if key in wanted:
            found[key] = whole(row[2]) or 0, times(database, "CUPTI_ACTIVITY_KIND_RUNTIME", row)[1]
    return found


def _attach(
    database: Database,
    file: int,
    calls: dict[int, list[_Range]],
    kernels: dict[int, list[_Launched]],
    made: NcclProfile,
) -> None:
    """Calls with the next kernel of the library that their thread launches: grouped calls share one."""
    wanted = {(pid, one.correlation or 0) for pid, of in kernels.items() for one in of}
    launches = _launches(database, wanted)
    for pid, of in kernels.items():
        threads: dict[int, list[tuple[float, int]]] = defaultdict(list)
        for number, one in enumerate(of):
            if (launch := launches.get((pid, one.correlation or 0))) is not None and not one.is_of_graph:
                threads[launch[0]].append((launch[1], number))
        inside: dict[int, list[NcclCall]] = defaultdict(list)
        for queue in threads.values():
            queue.sort()
        for thread, call in calls.get(pid, []):
            queue = threads.get(thread, [])
            at = bisect_left(queue, (call.begin, -1))
            if at < len(queue):
                inside[queue[at][1]].append(call)
            else:
                made.notes["calls are left out: no kernel of theirs is in the profile"] += 1
        own = made.processes[Process(file, pid)]
        for number, one in enumerate(of):
            if number not in inside:
                own.compute.add(one.begin, one.end)
                made.notes["kernels of NCCL count as computation: no call of theirs is in the profile"] += 1
            else:
                own.kernels.append(NcclKernel(one.begin, one.end, one.stream, tuple(inside[number])))


def _by_host(calls: dict[int, list[_Range]], file: int, made: NcclProfile) -> None:
    """Calls at the times of the host, where no kernel was recorded."""
    for pid, of in calls.items():
        made.by_host = True
        process = Process(file, pid)
        own = made.processes.setdefault(process, NcclProcess(process))
        own.kernels = [NcclKernel(call.begin, call.end, (0, thread), (call,)) for thread, call in of]
