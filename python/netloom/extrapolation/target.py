"""The programs of another number of ranks from what holds of all recordings."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .. import _core
from .computing import Computing
from .listing import END, MESSAGES, RECEIVES, SENDS, STARTS
from .loops import peers_in, turns
from .pattern import Unexplained
from .relation import peers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from .grid import Numbers
    from .growth import Grown, Growth, Repeated
    from .pattern import Token

    Column = NDArray[np.generic]

#: Names of the core's recording for those of its programs.
NAMES = {"send": "send", "receive": "recv", "start_send": "isend", "start_receive": "irecv", "wait_all": "waitall"}
#: Ranks that are made at once, times their actions.
AT_ONCE = 1 << 22
#: Most actions of all ranks.
MOST = 100 << 20
NONE = -1


@dataclass
class _Rows:
    """Actions of the ranks of one kind: one value for all of them, or one for each."""

    kind: list[int] = field(default_factory=list)
    group: list[int | Numbers] = field(default_factory=list)
    peer: list[int | Numbers] = field(default_factory=list)
    tag: list[int] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)
    request: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def put(
        self, kind: int, peer: int | Numbers = 0, tag: int = 0, size: int = 0, request: int = NONE,
        seconds: float = 0.0, group: int | Numbers = 0,
    ) -> None:  # fmt: skip
        """A row."""
        values = (kind, group, peer, tag, size, request, seconds)
        for column, value in zip(vars(self).values(), values, strict=True):
            column.append(value)


class Target:
    """Programs on a grid."""

    def __init__(self, growth: Growth, place: str) -> None:
        self.growth, self.grid, self.place = growth, growth.target, place
        self.kinds = {name: number for number, name in enumerate(_core.Recording.KINDS)}
        self.made = _core.Recording(place, self.grid.size)
        self.flops, self.seconds = Computing(growth, "flops"), Computing(growth, "seconds")
        self.groups: dict[tuple[int, ...], Numbers] = {}
        #: Source, destination, tag and bytes of every message, as both ends have it.
        self.sent: list[Numbers] = []
        self.received: list[Numbers] = []

    def programs(self) -> tuple[_core.Programs, dict[str, object]]:
        """They, and what they do by name.

        Raises
        ------
        Unexplained
            Where the grid has ranks of a kind that no recording has, or messages do not match.
        """
        kinds = self.grid.kinds(self.growth.patterns[0].scheme)
        for kind, ranks in kinds.items():
            if kind not in self.growth.kinds:
                said = ", ".join(f"{name} {at}" if at else name for name, at in kind)
                raise Unexplained(f"no recording has a rank such as {int(ranks[0])} of {self.grid.text()}: ({said})", 0)
        for kind, ranks in kinds.items():
            length = sum(len(part.tokens) * part.times(self.grid) for part in self.growth.kinds[kind])
            step = max(AT_ONCE // max(length, 1), 1)
            for first in range(0, len(ranks), step):
                self._kind(self.growth.kinds[kind], ranks[first : first + step])
        self._check()
        return self.made.finish(0.0)

    def _kind(self, parts: list[Repeated], ranks: Numbers) -> None:
        import numpy as np

        rows, state = _Rows(), _State()
        for part in parts:
            for _ in range(part.times(self.grid)):
                for one in part.tokens:
                    self._token(one, ranks, rows, state)
        types = (np.uint8, np.uint32, np.int64, np.int64, np.uint64, np.int64, np.float64)
        columns = [_spread(column, len(ranks), kind) for column, kind in zip(vars(rows).values(), types, strict=True)]
        self._ends(ranks, columns)
        for at, rank in enumerate(ranks.tolist()):
            self.made.extend(rank, *(np.ascontiguousarray(column[at]) for column in columns))

    def _token(self, one: Grown, ranks: Numbers, rows: _Rows, state: _State) -> None:
        if not one.body:
            self._put(one, ranks, rows, state, None, 0)
            return
        loop = next(inner.token.loop for inner in one.body if inner.token.loop is not None)
        lengths = {turns(inner.token.loop, self.grid) for inner in one.body if inner.token.loop is not None}
        if len(lengths) > 1:
            raise Unexplained(
                f"the {one.token.text()} has turns of several dimensions, which differ in {self.grid.text()}", 0
            )
        peers = {
            inner.token.loop: peers_in(inner.token.loop, self.grid, ranks) for inner in one.body if inner.token.loop
        }
        for turn in range(turns(loop, self.grid)):
            for inner in one.body:
                own = inner.token.loop
                self._put(inner, ranks, rows, state, peers[own][:, turn] if own else None, turn)

    def _put(self, one: Grown, ranks: Numbers, rows: _Rows, state: _State, peers: Numbers | None, turn: int) -> None:
        token, kind = one.token, one.token.kind
        for name, seconds in (("compute", self.flops.at(one)), ("sleep", self.seconds.at(one))):
            if seconds > 0:
                rows.put(self.kinds[name], seconds=seconds)
        size = round(one.law.at(self.grid) * token.steps**turn)
        if kind in RECEIVES:
            # Room for what is sent, which fits its law no better.
            size = math.ceil(size * (1 + self.growth.sizes.within))
        if kind in MESSAGES:
            there = self._there(token, ranks) if peers is None else peers
            request = state.start() if kind in STARTS else NONE
            rows.put(self.kinds[NAMES[kind]], there, token.tag, size, request)
        elif kind == "wait":
            rows.put(self.kinds["wait"], request=state.open.pop(token.tag))
        elif kind == "wait_all":
            rows.put(self.kinds["waitall"])
            state.open.clear()
        elif kind == "join":
            for request in state.collectives:
                rows.put(self.kinds["wait"], request=request)
            state.collectives.clear()
        elif kind != END and token.axes is not None:
            group = self._group(token.axes)[ranks]
            root = self._root(one, ranks) if peers is None else peers
            request = state.start_collective() if kind.startswith("start_") else NONE
            rows.put(self.kinds[kind.removeprefix("start_")], root, 0, size, request, 0.0, group)

    def _there(self, token: Token, ranks: Numbers) -> Numbers:
        found = None if token.partner is None else peers_of(token.partner.best(), self.grid, ranks)
        if found is None or token.partner is None:
            raise Unexplained(f"the partner of {token.kind} is outside of {self.grid.text()}", 0)
        return found

    def _group(self, axes: tuple[int, ...]) -> Numbers:
        """The communicator of each rank."""
        import numpy as np

        known = self.groups.get(axes)
        if known is None:
            members = self.grid.members(axes)
            known = self.groups[axes] = np.zeros(self.grid.size, dtype=np.int64)
            if members.shape[1] < self.grid.size:
                for first in np.unique(members[:, 0]).tolist():
                    known[members[first]] = self.made.communicator(members[first].tolist())
        return known

    def _root(self, one: Grown, ranks: Numbers) -> Numbers:
        import numpy as np

        axes = one.token.axes or ()
        world = self._there(one.token, ranks)
        made = np.zeros(len(ranks), dtype=np.int64)
        for d in axes:
            made = made * self.grid.dims[d] + self.grid.coordinates[world][:, d]
        return made

    def _ends(self, ranks: Numbers, columns: list[Column]) -> None:
        """Keeps the ends of messages."""
        import numpy as np

        kind, _, peer, tag, size = columns[:5]
        for names, made, is_sent in ((SENDS, self.sent, True), (RECEIVES, self.received, False)):
            where = np.isin(kind[0], [self.kinds[NAMES[name]] for name in names])
            other, own = peer[:, where].reshape(-1), np.repeat(ranks, int(where.sum()))
            ends = (own, other) if is_sent else (other, own)
            made.append(np.stack([*ends, tag[:, where].reshape(-1), size[:, where].reshape(-1).astype(np.int64)]))

    def _check(self) -> None:
        """Every message has both ends, in the order in which they match."""
        import numpy as np

        sent, received = (np.concatenate(some, axis=1) for some in (self.sent, self.received))
        sent, received = (one[:, np.lexsort(one[2::-1])] for one in (sent, received))
        least = min(sent.shape[1], received.shape[1])
        wrong = np.flatnonzero(np.any(sent[:3, :least] != received[:3, :least], axis=0))
        if len(wrong) or sent.shape[1] != received.shape[1]:
            at = int(wrong[0]) if len(wrong) else least
            one, words = (sent, "is sent") if at < sent.shape[1] else (received, "is received")
            source, destination = int(one[0, at]), int(one[1, at])
            raise Unexplained(f"a message from rank {source} to rank {destination} {words} and has no other end", 0)
        if len(short := np.flatnonzero(sent[3] > received[3])):
            source, destination, _, size = sent[:, short[0]].tolist()
            sentence = f"{size} bytes from rank {source} to rank {destination} do not fit its receive"
            raise Unexplained(sentence, 0)


@dataclass
class _State:
    """Requests of a rank."""

    number: int = 0
    open: list[int] = field(default_factory=list)
    collectives: list[int] = field(default_factory=list)

    def start(self) -> int:
        """A new one."""
        self.open.append(self.number)
        self.number += 1
        return self.number - 1

    def start_collective(self) -> int:
        """One of a collective."""
        self.collectives.append(self.number)
        self.number += 1
        return self.number - 1


def _spread(column: Sequence[int | float | Numbers], ranks: int, kind: type) -> Column:
    """A row for each rank."""
    import numpy as np

    made: Column = np.empty((ranks, len(column)), dtype=kind)
    for at, value in enumerate(column):
        made[:, at] = value
    return made
