"""Every call in order as a trace that `netloom simulate` replays: one file per rank, and their index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .layout import ANYBODY, CALL, NOBODY, PART, REQUEST, Rank, read_events
from .summary import Record

if TYPE_CHECKING:
    from .layout import Table

INDEX = "trace.txt"
#: Any source and any tag, and a byte, as SMPI's traces have them.
ANY_SOURCE, ANY_TAG, BYTE = -333, -444, 6
#: Most events of all ranks that become a trace.
MOST_EVENTS = 1 << 23

_SENDS = {f"MPI_{name}end": "send" for name in ("S", "Bs", "Ss", "Rs")} | {
    f"MPI_{name}end": "isend" for name in ("Is", "Ibs", "Iss", "Irs")
}
_STARTED = {f"MPI_{name}end_init": "isend" for name in ("S", "Bs", "Ss", "Rs")} | {"MPI_Recv_init": "irecv"}
_RECEIVES = {"MPI_Recv": "recv", "MPI_Irecv": "irecv"}
#: Collectives with the same size on all ranks: what stands in the line.
_COLLECTIVES = {
    "MPI_Barrier": "barrier",
    "MPI_Bcast": f"bcast {{bytes}} {{root}} {BYTE}",
    "MPI_Reduce": f"reduce {{bytes}} 0 {{root}} {BYTE}",
    "MPI_Allreduce": f"allreduce {{bytes}} 0 {BYTE}",
    "MPI_Scan": f"scan {{bytes}} 0 {BYTE}",
    "MPI_Exscan": f"exscan {{bytes}} 0 {BYTE}",
    "MPI_Allgather": f"allgather {{bytes}} {{bytes}} {BYTE} {BYTE}",
    "MPI_Alltoall": f"alltoall {{bytes}} {{bytes}} {BYTE} {BYTE}",
    "MPI_Gather": f"gather {{bytes}} {{bytes}} {{root}} {BYTE} {BYTE}",
    "MPI_Scatter": f"scatter {{bytes}} {{bytes}} {{root}} {BYTE} {BYTE}",
}
#: Calls that send nothing worth a line: they make something, ask for something, or end a request told on its own.
_SILENT = (
    "MPI_Init", "MPI_Finalize", "MPI_Wait", "MPI_Test", "MPI_Start", "MPI_Request_free", "MPI_Cancel", "MPI_Probe",
    "MPI_Iprobe", "MPI_Comm_", "MPI_Cart_", "MPI_Graph_", "MPI_Dist_graph_", "MPI_Intercomm_", "MPI_File_",
)  # fmt: skip


class Unreplayable(Exception):
    """A call that the trace has no words for."""


@dataclass
class _Tags:
    """Messages of two communicators do not match, and a trace has one: each tag of each gets a number of its own."""

    numbers: dict[tuple[int, int], int] = field(default_factory=dict)

    def of(self, communicator: int, tag: int) -> int:
        return ANY_TAG if tag == ANYBODY else self.numbers.setdefault((communicator, tag), len(self.numbers))


def trace(record: Record) -> dict[str, bytes]:
    """The files by name: the index and one for each rank. Time between calls becomes sleep.

    Raises
    ------
    Unreplayable
        For calls that such a trace cannot hold: collectives on a part of the ranks, with counts of their own, or not
        blocking; one-sided calls; several threads.

    Notes
    -----
    O(events).
    """
    if record.missing or not record.complete:
        raise Unreplayable("the record is not complete")
    tags, files, events = _Tags(), {}, 0
    for rank in record.ranks:
        name = f"rank-{rank.number}.txt"
        found = read_events(record.folder / f"rank-{rank.number}.order")
        events += len(found)
        if events > MOST_EVENTS:
            raise Unreplayable(f"there are more than {MOST_EVENTS} events")
        lines = ["init", *_lines(record, rank, found, tags), "finalize"]
        files[name] = "".join(f"{rank.number} {line}\n" for line in lines).encode()
    return {INDEX: "".join(f"{name}\n" for name in files).encode()} | files


def _lines(record: Record, rank: Rank, events: Table, tags: _Tags) -> Iterator[str]:
    if len(events) and int(events["thread"].max()) > 0:
        raise Unreplayable("several threads call MPI")
    opened: dict[int, tuple[int, int, int]] = {}
    wholes, end, at = _wholes(rank, record.size), 0, 0
    while at < len(events):
        one = events[at]
        at += 1
        if one["kind"] == REQUEST:
            if (key := opened.pop(int(one["request"]), None)) is not None:
                yield f"wait {key[0]} {key[1]} {key[2]}"
            continue
        if one["kind"] != CALL:
            continue
        if end and int(one["start"]) > end:
            yield f"sleep {(int(one['start']) - end) * rank.seconds_per_tick:.9g}"
        end = int(one["end"])
        name = record.names[int(one["call"])].removesuffix("_c")
        communicator = rank.communicator(int(one["comm"]))
        if name in ("MPI_Sendrecv", "MPI_Sendrecv_replace"):
            other = events[at] if at < len(events) and events[at]["kind"] == PART else one
            sides = [_message("irecv", other, communicator, rank.number, tags)]
            sides.append(_message("isend", one, communicator, rank.number, tags))
            yield from (line for line, _ in sides if line)
            yield from (f"wait {key[0]} {key[1]} {key[2]}" for line, key in sides if line)
            continue
        kind = _SENDS.get(name) or _RECEIVES.get(name) or (_STARTED.get(name) if one["request"] else None)
        if kind is not None:
            line, key = _message(kind, one, communicator, rank.number, tags)
            if line and kind.startswith("i"):
                opened[int(one["request"])] = key
            yield from [line] if line else []
        elif name in _COLLECTIVES:
            if int(one["comm"]) not in wholes:
                raise Unreplayable(f"{name} is called on a part of the ranks")
            yield _COLLECTIVES[name].format(bytes=int(one["wanted"]), root=int(one["root"]))
        elif not (name.startswith(_SILENT) or name in _STARTED):
            raise Unreplayable(f"{name} has no words in a trace")


def _message(kind: str, event: Table, communicator: int, here: int, tags: _Tags) -> tuple[str, tuple[int, int, int]]:
    """The line of a message, "" where there is nobody at the other end, and what names its request."""
    peer, tag = int(event["peer"]), tags.of(communicator, int(event["tag"]))
    if peer == NOBODY:
        return "", (0, 0, 0)
    other = ANY_SOURCE if peer == ANYBODY else peer
    is_send = kind.endswith("send")
    size = int(event["sent" if is_send else "wanted"])
    return f"{kind} {other} {tag} {size} {BYTE}", (here, other, tag) if is_send else (other, here, tag)


def _wholes(rank: Rank, size: int) -> set[int]:
    """Rows of the communicators of all ranks: the world and its copies, in which every rank has its own number."""
    return {at for at, row in enumerate(rank.comms) if int(row["size"]) == size and int(row["rank"]) == rank.number}
