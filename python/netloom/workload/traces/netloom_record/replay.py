"""Events of a record become those of programs, rank by rank: most of them as columns, collectives with counts alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from .... import _core
from ....base.errors import Fault, NetloomError
from ..row import Source
from .calls import BOTH, COUNTS, MESSAGE, NEIGHBOURS, UNIFORM, call_of
from .gathered import Gathered, done, instances, parts_of, unreplayable
from .layout import ANYBODY, CALL, NOBODY, REQUEST, Rank, read_events

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .layout import Table
    from .record import Record

    Numbers = NDArray[np.int64]

#: Calls that become columns at once.
PIECE = 1 << 16
#: Tags of messages among neighbours, and of communicators whose members are not known.
NEAR_TAG, FAR_TAG = 1 << 28, 1 << 29
#: Rows of an event: the time before it, and what it does.
WIDTH = 5


class Replay:
    """The programs of a whole record."""

    def __init__(self, record: Record, source: Source) -> None:
        self.record, self.source = record, source
        self.calls = [call_of(name) for name in record.names]
        self.far: dict[tuple[int, int], int] = {}

    def programs(self) -> tuple[_core.Programs, dict[str, object]]:
        """They, and what the record says of itself. O(events).

        Raises
        ------
        NetloomError
            NL-F020 for calls that programs have no words for, NL-F021, NL-F022 and others for what does not fit.
        """
        known = Gathered()
        known.communicators(self.record)
        for rank in self.record.ranks:
            known.look(rank, self._events(rank), self.calls, self.record.names, self._place(rank))
        made = self.source.recording(self.record.size, known.wildcards)
        groups = {
            identity: 0 if identity == self._world() else made.communicator(members)
            for identity, members in known.members.items()
        }
        span = 0.0
        for rank in self.record.ranks:
            events = self._events(rank)
            if len(events):
                span = max(span, int(events["end"].max() - events["start"].min()) * rank.seconds_per_tick)
            _OneRank(self, rank, events, known, groups, made).add()
        return made.finish(span, dict(self.source.algorithms))

    def _world(self) -> int:
        rank = self.record.ranks[0]
        world = [int(row["id"]) for row in rank.comms if int(row["size"]) == self.record.size and not row["parent"]]
        return world[0] if world else 0

    def _events(self, rank: Rank) -> Table:
        return read_events(self.record.folder / f"rank-{rank.number}.order")

    def _place(self, rank: Rank) -> str:
        return str(self.record.folder / f"rank-{rank.number}.order")


class _Columns:
    """Rows of events that are added at once; a kind of 255 is none."""

    def __init__(self, length: int) -> None:
        import numpy as np

        def full(value: int, kind: type) -> NDArray[np.generic]:
            return np.full((length, WIDTH), value, dtype=kind)

        self.kind, self.group = full(255, np.uint8), full(0, np.uint32)
        self.peer, self.tag, self.request = full(0, np.int64), full(0, np.int64), full(-1, np.int64)
        self.bytes, self.seconds, self.times = full(0, np.uint64), full(0, np.float64), full(0, np.float64)

    def add(self, made: _core.Recording, rank: int) -> None:
        used = self.kind != 255
        names = ("kind", "group", "peer", "tag", "bytes", "request", "seconds")
        made.ahead_of(times=self.times[used])
        made.extend(rank, *(getattr(self, name)[used] for name in names))


class _OneRank:
    """A rank that is being replayed."""

    def __init__(
        self, of: Replay, rank: Rank, events: Table, known: Gathered, groups: Mapping[int, int], made: _core.Recording
    ) -> None:
        import numpy as np

        self.of, self.rank, self.events, self.known, self.made = of, rank, events, known, made
        self.does = done(events, of.calls)
        self.numbers = instances(rank, events, self.does)
        kinds = {name: at for at, name in enumerate(_core.Recording.KINDS)}
        self.kinds, self.wait, self.sleep = kinds, kinds["wait"], kinds["sleep"]
        self.kind_of_call = np.array([*(kinds.get(one.kind, 255) for one in of.calls), 255], dtype=np.uint8)
        # Handles of requests as small numbers; two more for exchanges that block.
        self.handles, request = np.unique(events["request"], return_inverse=True)
        self.request = np.where(events["request"] == 0, -1, request.reshape(-1))
        started = self.request[(self.does != 0) & (events["kind"] == CALL) & (self.request >= 0)]
        self.started = np.isin(self.request, started)
        ids = np.array([*(int(row["id"]) for row in rank.comms), 0], dtype=np.uint64)
        self.identity = ids[np.minimum(events["comm"], len(rank.comms))]
        self.groups = {identity: (groups[identity], known.members[identity]) for identity in groups}
        self.pending: dict[int, int] = {}
        begins = events["start"].astype(np.int64)
        self.begins = (begins - (begins.min() if len(begins) else 0)) * rank.seconds_per_tick

    def add(self) -> None:
        """All events, those that are alone after and before the columns of the others."""
        import numpy as np

        whole = np.flatnonzero(self.events["kind"] == CALL)
        gap = np.zeros(len(self.events))
        starts, ends = (self.events[name][whole].astype(np.int64) for name in ("start", "end"))
        gap[whole[1:]] = np.maximum(starts[1:] - ends[:-1], 0) * self.rank.seconds_per_tick
        lone = self._alone()
        for first, last in self._pieces(lone, whole):
            if lone[first]:
                self._one(first, float(gap[first]))
            else:
                self._several(slice(first, last), gap[first:last])

    def _alone(self) -> NDArray[np.bool_]:
        """Events that no column holds: collectives with counts and neighbours, and the ends of several messages."""
        import numpy as np

        many = (self.does == NEIGHBOURS) | ((self.does == BOTH) & (self.request >= 0))
        ends = (self.events["kind"] == REQUEST) & np.isin(self.request, self.request[many & (self.request >= 0)])
        alone: NDArray[np.bool_] = many | (self.does == COUNTS) | ends
        return alone

    def _pieces(self, lone: NDArray[np.bool_], whole: Numbers) -> Iterator[tuple[int, int]]:
        import numpy as np

        alone = np.flatnonzero(lone)
        cuts = np.unique(np.concatenate([[0], alone, alone + 1, whole[::PIECE], [len(lone)]]).astype(np.int64))
        cuts = cuts[cuts <= len(lone)].tolist()
        yield from pairwise(cuts)

    def _several(self, where: slice, gap: NDArray[np.float64]) -> None:
        import numpy as np

        events, does, request = self.events[where], self.does[where], self.request[where]
        rows = _Columns(len(events))
        rows.kind[gap > 0, 0], rows.seconds[:, 0] = self.sleep, gap
        rows.times[:] = self.begins[where, None]
        rows.times[:, 0] = self.begins[where] - gap
        took = (events["end"] - events["start"]) * self.rank.seconds_per_tick
        kind = self.kind_of_call[np.minimum(events["call"], len(self.kind_of_call) - 1)]
        simple = (does == MESSAGE) | (does == UNIFORM)
        group, peer, tag = self._ends(where, does)
        rows.kind[simple, 1], rows.group[simple, 1] = kind[simple], group[simple]
        rows.peer[:, 1], rows.tag[:, 1] = np.where(does == UNIFORM, events["root"], peer), tag
        gives = (kind == self.kinds["send"]) | (kind == self.kinds["isend"])
        rows.bytes[:, 1] = np.where(gives, events["sent"], events["wanted"])
        rows.request[simple, 1], rows.seconds[simple, 1] = request[simple], took[simple]
        ended = (events["kind"] == REQUEST) & self.started[where]
        rows.kind[ended, 1], rows.request[ended, 1] = self.wait, request[ended]
        rows.times[ended, 1] += took[ended]
        self._exchanges(rows, events, (group, peer, tag), np.flatnonzero(does == BOTH))
        rows.add(self.made, self.rank.number)

    def _exchanges(self, rows: _Columns, events: Table, ends: tuple[Numbers, Numbers, Numbers], at: Numbers) -> None:
        """A receive and a send that start together, and the waits for both."""
        if not len(at):
            return
        own = len(self.handles)
        if at[-1] + 1 >= len(events):
            raise unreplayable(self.of._place(self.rank), "an exchange without its second half", "record again, whole")
        for column, where, kind, size in ((1, at + 1, "irecv", "wanted"), (2, at, "isend", "sent")):
            rows.kind[at, column], rows.request[at, column] = self.kinds[kind], own + column
            for name, values in zip(("group", "peer", "tag"), ends, strict=True):
                getattr(rows, name)[at, column] = values[where]
            rows.bytes[at, column] = events[size][where]
            rows.kind[at, column + 2], rows.request[at, column + 2] = self.wait, own + column

    def _ends(self, where: slice, does: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Communicator, peer in it, and tag of each event."""
        import numpy as np

        events, identity = self.events[where], self.identity[where]
        group, tag = np.zeros(len(events), dtype=np.int64), events["tag"].astype(np.int64)
        peer = events["peer"].astype(np.int64)
        for one in np.unique(identity).tolist():
            mine = identity == one
            found = self.groups.get(one)
            if found is None:
                self._refuse_collective(where, mine & (does == UNIFORM))
                tag[mine] = [self._far_tag(one, int(number)) for number in tag[mine]]
                continue
            group[mine] = found[0]
            peer[mine] = self._numbers(found[1], peer[mine], where.start)
        peer[events["peer"] == NOBODY] = _core.Recording.NO_PROCESS
        peer[events["peer"] == ANYBODY] = _core.Recording.ANY_SOURCE
        tag[(events["tag"] == ANYBODY) & (does != UNIFORM)] = _core.Recording.ANY_TAG
        return group, peer, tag

    def _numbers(self, members: list[int], peers: Numbers, first: int) -> Numbers:
        """Numbers in a communicator of ranks of the world; what is no rank stays."""
        import numpy as np

        inverse = np.full(self.of.record.size, -1, dtype=np.int64)
        inverse[members] = np.arange(len(members))
        real = (peers >= 0) & (peers < len(inverse))
        numbers = np.where(real, inverse[np.where(real, peers, 0)], peers)
        if np.any(real & (numbers < 0)):
            raise self._outside(first)
        return numbers

    def _outside(self, at: int) -> NetloomError:
        place = f"{self.of._place(self.rank)}, at event {at} or after it"
        expected = "a peer within the communicator of its call"
        return NetloomError([Fault("NL-F009", place, expected, "another", "record again")])

    def _far_tag(self, identity: int, tag: int) -> int:
        """A tag of a communicator that is not known whole, such as one between two groups."""
        if tag == ANYBODY:
            return tag
        return FAR_TAG + self.of.far.setdefault((identity, tag), len(self.of.far))

    def _refuse_collective(self, where: slice, mine: NDArray[np.bool_]) -> None:
        import numpy as np

        for at in np.flatnonzero(mine)[:1] + where.start:
            name = self.of.record.names[int(self.events["call"][at])]
            sentence = f"{name} is called on a communicator whose members are not known, as of two groups"
            raise unreplayable(f"{self.of._place(self.rank)}, event {at}", sentence, "take matrix.csv as traffic")

    def _one(self, at: int, gap: float) -> None:
        event, request = self.events[at], int(self.request[at])
        self.made.at(self.rank.number, float(self.begins[at]) - gap)
        rows: list[tuple[int, int, int, int, int, int, float]] = []
        if gap > 0:
            rows.append((self.sleep, 0, 0, 0, 0, -1, gap))
        if event["kind"] == REQUEST:
            rows += [(self.wait, 0, 0, 0, 0, request, 0.0)] * self.pending.pop(request, 1)
            self._put(rows)
            return
        self._refuse_collective(slice(at, at + 1), self._unknown(at))
        if self.does[at] == COUNTS:
            self._put(rows)
            self._with_counts(at, request)
            return
        messages = self._messages(at)
        own = len(self.handles) + WIDTH
        keys = [request if request >= 0 else own + number for number in range(len(messages))]
        rows += [(*message, key, 0.0) for message, key in zip(messages, keys, strict=True)]
        if request >= 0:
            self.pending[request] = self.pending.get(request, 0) + len(messages)
        else:
            rows += [(self.wait, 0, 0, 0, 0, key, 0.0) for key in keys]
        self._put(rows)

    def _unknown(self, at: int) -> NDArray[np.bool_]:
        import numpy as np

        return np.array([self.does[at] != BOTH and int(self.identity[at]) not in self.groups])

    def _messages(self, at: int) -> list[tuple[int, int, int, int, int]]:
        """Kind, communicator, peer, tag, bytes of what starts together, receives first."""
        import numpy as np

        if self.does[at] == BOTH:
            where = slice(at, at + 2)
            group, peer, tag = self._ends(where, np.full(2, BOTH))
            pair = self.events[where]
            if len(pair) < 2:
                raise unreplayable(
                    self.of._place(self.rank), "an exchange without its second half", "record again, whole"
                )
            return [
                (self.kinds["irecv"], int(group[1]), int(peer[1]), int(tag[1]), int(pair[1]["wanted"])),
                (self.kinds["isend"], int(group[0]), int(peer[0]), int(tag[0]), int(pair[0]["sent"])),
            ]
        identity, number = int(self.identity[at]), int(self.numbers[at])
        group_, members = self.groups[identity]
        incoming = self.known.incoming.get((identity, number), {}).get(self.rank.number, [])
        numbers = {rank: own for own, rank in enumerate(members)}
        outgoing = [(int(part["peer"]), int(part["sent"])) for part in parts_of(self.events, at) if part["peer"] >= 0]
        if any(peer_ not in numbers for peer_, _ in incoming + outgoing):
            raise self._outside(at)
        return [
            (self.kinds[kind], group_, numbers[peer_], NEAR_TAG + number, size)
            for kind, ends in (("irecv", incoming), ("isend", outgoing))
            for peer_, size in ends
        ]

    def _with_counts(self, at: int, request: int) -> None:
        event = self.events[at]
        identity = int(self.identity[at])
        group, members = self.groups[identity]
        own = self.known.own[identity, int(self.numbers[at])]
        kind = self.of.calls[int(event["call"])].kind
        me, root = members.index(self.rank.number), int(event["root"])
        given = [own.get(member, (0, [])) for member in range(len(members))]
        mine, received = given[me][0], [0] * len(members)
        if kind == "alltoallv":
            sent = given[me][1]
            received = [parts[me] if me < len(parts) else 0 for _, parts in given]
        elif kind == "reduce-scatterv":
            sent = given[me][1]
        elif kind == "scatterv":
            sent = given[root][1] if 0 <= root < len(given) else []
            received = [sent[me] if me < len(sent) else mine]
        else:
            sent, received = [size for size, _ in given], [mine]
        took = int(event["end"] - event["start"]) * self.rank.seconds_per_tick
        self.made.vector(
            self.rank.number, kind, group, max(root, 0), sent, received, took, request if request >= 0 else None
        )

    def _put(self, rows: list[tuple[int, int, int, int, int, int, float]]) -> None:
        import numpy as np

        kinds = (np.uint8, np.uint32, np.int64, np.int64, np.uint64, np.int64, np.float64)
        if rows:
            columns = [
                np.array(column, dtype=kind) for column, kind in zip(zip(*rows, strict=True), kinds, strict=True)
            ]
            self.made.extend(self.rank.number, *columns)
