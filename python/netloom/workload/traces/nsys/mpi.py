"""Calls of MPI in profiles of Nsight Systems."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from .... import _core
from ....base.errors import Fault, NetloomError
from ..database import Database, Value, whole
from ..row import Recorded, Source, surveyed
from .process import pid_of, ranks_of_mpi, strings, times

_P2P, _COLLECTIVES, _WAITS = "MPI_P2P_EVENTS", "MPI_COLLECTIVES_EVENTS", "MPI_START_WAIT_EVENTS"
_MESSAGES = {f"{name}end": "send" for name in ("S", "Bs", "Ss", "Rs")} | {"Recv": "recv", "Irecv": "irecv"}
_MESSAGES |= {f"{name}end": "isend" for name in ("Is", "Ibs", "Iss", "Irs")}
_INITS = {f"{name}end_init": "isend" for name in ("S", "Bs", "Ss", "Rs")} | {"Recv_init": "irecv"}
_KINDS = {
    "barrier": "barrier", "bcast": "broadcast", "reduce": "reduce", "allreduce": "allreduce", "scan": "scan",
    "exscan": "exscan", "allgather": "allgather", "alltoall": "alltoall", "gather": "gather", "scatter": "scatter",
    "reduce_scatter_block": "reduce-scatter",
}  # fmt: skip
#: Collectives that make communicators and the like, and send nothing worth an action.
_SILENT = ("comm_", "cart_", "graph_", "dist_graph_", "intercomm_", "file_", "win_", "init", "finalize")


class _Event(NamedTuple):
    begin: float
    end: float
    kind: str
    comm: int
    peer: int = 0
    tag: int = 0
    bytes: int = 0
    request: int | None = None


def has_calls(database: Database) -> bool:
    """Whether a database has any."""
    return any(True for table in (_P2P, _COLLECTIVES) for _ in database.rows(table, ("start",)))


def read_mpi(source: Source, paths: list[Path], shifts: list[float]) -> Recorded:
    """The programs of the ranks of MPI.

    Raises
    ------
    NetloomError
        NL-F010 for ranks that no file has, NL-F020 for calls whose sizes or ends the export leaves out.
    """
    run = _MpiRun(source.place)
    for number, path in enumerate(paths):
        with Database(path) as database:
            run.add(database, number, shifts[number])
    return run.recorded(source)


class _MpiRun:
    """Events of all ranks."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.events: dict[int, list[_Event]] = defaultdict(list)
        self.ranks: set[int] = set()
        #: Of each rank: what its handles of communicators are, and its number in them.
        self.comms: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
        self.members: dict[tuple[int, int], dict[int, int]] = defaultdict(dict)
        self.sizes: dict[tuple[int, int], int] = {}
        self.notes: Counter[str] = Counter()

    def add(self, database: Database, number: int, shift: float) -> None:
        """One file."""
        text = strings(database)
        rank_of = {process.pid: rank for process, rank in ranks_of_mpi(database, number).items()}
        self.ranks |= set(rank_of.values())
        self._communicators(database)
        names = ("start", "end", "globalTid", "textId", "commHandle")
        ends = ("tag", "remoteRank", "size", "requestHandle")
        for row in database.rows(_P2P, (*names, *ends), "start"):
            self._put(database, _P2P, row, rank_of, text, shift)
        for row in database.rows(_COLLECTIVES, (*names, "rootRank", "size", "recvSize", "requestHandle"), "start"):
            self._put(database, _COLLECTIVES, row, rank_of, text, shift)
        for row in database.rows(_WAITS, (*names[:4], "requestHandle"), "start"):
            self._put(database, _WAITS, row, rank_of, text, shift)

    def _communicators(self, database: Database) -> None:
        names = ("rank", "commHandle", "localRank", "size", "groupRoot", "groupRootUid")
        for row in database.rows("MPI_COMMUNICATORS", names):
            rank, handle, own, size, root, uid = (whole(one) for one in row)
            if rank is None or handle is None or own is None or size is None or not 0 <= own < size <= 1 << 20:
                continue
            identity = root or 0, uid or 0
            self.comms[rank][handle] = identity
            self.members[identity][own] = rank
            self.sizes[identity] = size

    def _put(
        self, database: Database, table: str, row: tuple[Value, ...], rank_of: dict[int, int], text: dict[int, str],
        shift: float,
    ) -> None:  # fmt: skip
        rank = rank_of.get(pid_of(row[2]))
        if rank is None:
            sentence = f"process {pid_of(row[2])} calls MPI, and MPI_RANKS does not say its rank"
            raise NetloomError([Fault("NL-F010", str(database.path), sentence, "", "export it again, whole")])
        begin, end = times(database, table, row)
        name = text.get(whole(row[3]) or -1, "").removeprefix("MPI_").removesuffix("_c")
        place = f"{database.path}, {table}, rank {rank}"
        event = _waited(name, row) if table == _WAITS else self._called(table, name, row, place)
        if event is not None:
            self.events[rank].append(event._replace(begin=begin + shift, end=end + shift))

    def _called(self, table: str, name: str, row: tuple[Value, ...], place: str) -> _Event | None:
        comm = whole(row[4]) or 0
        if table == _P2P:
            kind = _MESSAGES.get(name) or _INITS.get(name)
            if kind is None:
                raise _unreplayable(place, f"MPI_{name[:40]} does not say both of its ends in the export")
            tag, peer, size, request = (whole(one) for one in row[5:9])
            start = "init " if name in _INITS else ""
            return _Event(0.0, 0.0, start + kind, comm, -1 if peer is None else peer, tag or 0, size or 0, request)
        base = name.lower().removesuffix("_init")
        base = base[1:] if base.startswith("i") and base[1:] in _KINDS else base
        if base not in _KINDS:
            if base.startswith(_SILENT):
                return None
            raise _unreplayable(place, f"MPI_{name[:40]} does not say its counts in the export")
        root, sent, received, request = (whole(one) for one in row[5:9])
        size = max(sent or 0, received or 0) if base in ("bcast", "scatter") else sent or received or 0
        return _Event(0.0, 0.0, _KINDS[base], comm, root or 0, 0, size, request or None)

    def recorded(self, source: Source) -> Recorded:
        """All of them."""
        world = max(max(self.ranks, default=-1) + 1, max(self.sizes.values(), default=0))
        missing = sorted(set(range(world)) - self.ranks)
        if missing:
            sentence = f"is of {world} ranks, and no file has rank {missing[0]}"
            hint = "put the databases of all nodes into one folder"
            raise NetloomError([Fault("NL-F010", source.place, sentence, "", hint)])
        wild = any(event.peer < 0 or event.tag < 0 for events in self.events.values() for event in events)
        made = source.recording(world, wild)
        groups = self._groups(made, world)
        if not self.sizes:
            made.note("the export has no communicators: all calls are taken to be on that of all ranks")
        made.note("sizes are taken as one rank gives them to the call, of an alltoall to each other rank")
        first = min((event.begin for events in self.events.values() for event in events), default=0.0)
        last = max((event.end for events in self.events.values() for event in events), default=0.0)
        for rank in range(world):
            self._add(made, rank, groups, first)
        programs, survey = made.finish(last - first, dict(source.algorithms))
        return Recorded(programs, surveyed(survey))

    def _groups(self, made: _core.Recording, world: int) -> dict[tuple[int, int], int]:
        found: dict[tuple[int, int], int] = {}
        for identity, members in self.members.items():
            if sorted(members) == list(range(self.sizes[identity])):
                listed = [members[number] for number in range(len(members))]
                is_world = listed == list(range(world)) and 0 not in found.values()
                found[identity] = 0 if is_world else made.communicator(listed)
        return found

    def _add(self, made: _core.Recording, rank: int, groups: dict[tuple[int, int], int], first: float) -> None:
        import numpy as np

        kinds = {name: number for number, name in enumerate(_core.Recording.KINDS)}
        rows: list[tuple[int, int, int, int, int, int, float, float]] = []
        handles: dict[int, int] = {}
        inits: dict[int, _Event] = {}
        ready = first
        for event in sorted(self.events[rank], key=lambda one: (one.begin, one.end)):
            if event.begin > ready:
                rows.append((kinds["sleep"], 0, 0, 0, 0, -1, event.begin - ready, ready - first))
            begins = max(event.begin, ready) - first
            took, ready = max(event.end - max(event.begin, ready), 0.0), max(ready, event.end)
            one = event
            if one.kind.startswith("init "):
                if one.request is not None:
                    inits[one.request] = one._replace(kind=one.kind.removeprefix("init "))
                continue
            if one.kind == "start":
                if (begun := inits.get(one.request or 0)) is None:
                    continue
                one = begun
            if one.kind == "wait":
                if one.request in handles:
                    rows.append((kinds["wait"], 0, 0, 0, 0, handles[one.request or 0], took, begins))
                continue
            number = -1 if one.request is None else handles.setdefault(one.request, len(handles))
            if one.kind in ("send", "recv"):
                number = -1
            rows.append((kinds[one.kind], self._group(rank, one, groups), *_ends(one), one.bytes, number, took, begins))
        types = (np.uint8, np.uint32, np.int64, np.int64, np.uint64, np.int64, np.float64, np.float64)
        columns = zip(*rows, strict=True) if rows else [()] * len(types)
        *taken, times = (np.array(column, dtype=kind) for column, kind in zip(columns, types, strict=True))
        made.ahead_of(times=times)
        made.extend(rank, *taken)

    def _group(self, rank: int, event: _Event, groups: dict[tuple[int, int], int]) -> int:
        if not self.sizes:
            return 0
        identity = self.comms[rank].get(event.comm)
        if identity is None or identity not in groups:
            place = f"{self.place}: rank {rank}"
            expected = "a communicator that MPI_COMMUNICATORS has with all its members"
            raise NetloomError([Fault("NL-F007", place, expected, hex(event.comm), "export it again, whole")])
        return groups[identity]


def _ends(event: _Event) -> tuple[int, int]:
    """Peer and tag, as events have them."""
    is_receive = event.kind in ("recv", "irecv")
    peer = _core.Recording.ANY_SOURCE if event.peer < 0 and is_receive else event.peer
    return peer, _core.Recording.ANY_TAG if event.tag < 0 and is_receive else event.tag


def _waited(name: str, row: tuple[Value, ...]) -> _Event | None:
    """A wait for a request, a start of one; nothing of a test, which does not say whether it succeeded."""
    kind = "wait" if name.startswith("Wait") else "start" if name.startswith("Start") else ""
    return _Event(0.0, 0.0, kind, 0, request=whole(row[4])) if kind else None


def _unreplayable(place: str, sentence: str) -> NetloomError:
    hint = "record it with netloom record --depth order, which keeps them"
    return NetloomError([Fault("NL-F020", place, sentence, "", hint)])
