"""Programs as rows of actions, rank by rank: loops unrolled, waits by what is open, tags that only match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from .. import _core
from ..base.errors import Fault, NetloomError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Most actions of all ranks, loops unrolled.
MOST = 1 << 24
#: From here on tags are numbers of the reader's own.
NUMBERED = 1 << 30
#: Actions with a peer.
SENDS, RECEIVES = ("send", "start_send"), ("receive", "start_receive")
MESSAGES = SENDS + RECEIVES
STARTS = ("start_send", "start_receive")
#: What stands after the last call.
END = "end"


class Action(NamedTuple):
    """What a rank does.

    Parameters
    ----------
    kind
        Of the core's names, a collective's, or that with "start_" before it.
    peer
        Of a message; of a collective the number of the root among the members; of a wait which of the open requests,
        the oldest first.
    flops, seconds
        Operations and time before it.
    members
        Of a collective: which of the listed communicators.
    """

    kind: str
    peer: int = 0
    tag: int = 0
    bytes: int = 0
    flops: float = 0.0
    seconds: float = 0.0
    members: int = -1


@dataclass
class Listed:
    """The actions of all ranks.

    Parameters
    ----------
    groups
        Members of the communicators of collectives.
    """

    place: str
    ranks: list[list[Action]]
    groups: list[tuple[int, ...]]

    @property
    def size(self) -> int:
        """Number of ranks."""
        return len(self.ranks)


def listed(programs: _core.Programs, place: str) -> Listed:
    """The actions of programs. O(actions, loops unrolled).

    Raises
    ------
    NetloomError
        NL-F013 for graphs of tasks; NL-F001 beyond 2^24 actions.
    """
    columns, calls = _core.listed_actions(programs)
    groups: dict[tuple[int, ...], int] = {}
    named = [(name, size, root, groups.setdefault(tuple(members), len(groups))) for name, size, root, members in calls]
    names = columns["kinds"]
    offsets = columns["offsets"].tolist()
    numbers = (columns["kind"], columns["peer"], columns["tag"], columns["bytes"], columns["amount"])
    rows = list(zip(*(column.tolist() for column in numbers), strict=True))
    made: list[list[Action]] = []
    left = MOST
    for rank in range(len(offsets) - 1):
        own = _Rank(f"{place}: rank {rank}", names, named)
        made.append(own.actions(rows[offsets[rank] : offsets[rank + 1]], left))
        left -= len(made[-1])
    _block_own(made)
    return matched(Listed(place, made, list(groups)), NUMBERED)


class _Rank:
    """One rank, as its requests are opened and closed."""

    def __init__(self, place: str, names: Sequence[str], calls: list[tuple[str, int, int, int]]) -> None:
        self.place, self.names, self.calls = place, names, calls
        self.started = 0
        self.open: list[int] = []
        self.flops, self.seconds = 0.0, 0.0

    def actions(self, rows: Sequence[tuple[int, int, int, int, float]], most: int) -> list[Action]:
        made: list[Action] = []
        for row in self._unrolled(rows, 0, len(rows)):
            self._put(made, row)
            if len(made) > most:
                sentence = f"has more than {MOST} actions in all"
                raise NetloomError([Fault("NL-F001", self.place, sentence, "", "take a part of the trace")])
        self._add(made, Action(END))
        return made

    def _add(self, made: list[Action], one: Action) -> None:
        """With what was computed before it."""
        made.append(one._replace(flops=self.flops, seconds=self.seconds))
        self.flops, self.seconds = 0.0, 0.0

    def _unrolled(
        self, rows: Sequence[tuple[int, int, int, int, float]], first: int, last: int
    ) -> Iterator[tuple[str, int, int, int, float]]:
        at = first
        while at < last:
            kind, peer, tag, size, amount = rows[at]
            name = self.names[kind]
            at += 1
            if name == "repeat":
                for _ in range(tag):
                    yield from self._unrolled(rows, at, at + peer)
                at += peer
            elif name == "strand":
                if peer != 1 or self.names[rows[at][0]] != "collective":
                    raise self._graph()
                _, member, call, _, _ = rows[at]
                at += 1
                yield "start_collective", member, call, 0, 0.0
            else:
                yield name, peer, tag, size, amount

    def _graph(self) -> NetloomError:
        sentence = "does several things at once, as a graph of tasks: such traces are not extrapolated"
        hint = "record the program with netloom record --depth order"
        return NetloomError([Fault("NL-F013", self.place, sentence, "", hint)])

    def _put(self, made: list[Action], row: tuple[str, int, int, int, float]) -> None:
        name, peer, tag, size, amount = row
        if name in MESSAGES:
            self._add(made, Action(name, peer, tag, size))
            if name in STARTS:
                self.open.append(self.started)
                self.started += 1
        elif name == "wait":
            self._wait(made, self.started - peer)
        elif name == "wait_all":
            if self.open:
                self._add(made, Action("wait_all"))
            self.open = []
        elif name == "compute":
            self.flops += amount
        elif name == "sleep":
            self.seconds += amount
        elif name in ("collective", "start_collective"):
            collective, size, root, group = self.calls[tag]
            prefix = "start_" if name.startswith("start_") else ""
            self._add(made, Action(prefix + collective, root, 0, size, members=group))
        elif name == "join":
            self._add(made, Action("join"))
        else:
            raise self._graph()

    def _wait(self, made: list[Action], request: int) -> None:
        """Waits one after another for all that is open are a wait for all."""
        if request not in self.open:
            return
        self._add(made, Action("wait", self.open.index(request)))
        self.open.remove(request)
        if self.open:
            return
        flops = seconds = 0.0
        while made and made[-1].kind == "wait":
            last = made.pop()
            flops, seconds = flops + last.flops, seconds + last.seconds
        made.append(Action("wait_all", flops=flops, seconds=seconds))


def _block_own(ranks: list[list[Action]]) -> None:
    """A send of a rank to itself that is waited for at once blocks where that of the other ranks does."""
    for rank, own in enumerate(ranks):
        for at, one in enumerate(own[:-1]):
            if one.kind != "start_send" or one.peer != rank or own[at + 1].kind != "wait_all":
                continue
            if any(other[at].kind == "send" for other in ranks if at < len(other)):
                own[at] = one._replace(kind="send")


def matched(made: Listed, least: int = 0) -> Listed:
    """The same with tags from `least` on that say nothing but which messages match: of each pair they count from there.

    Numbers of the reader's own always are such. O(actions).
    """
    numbers: dict[tuple[int, int], dict[int, int]] = {}
    for rank, actions in enumerate(made.ranks):
        for one in actions:
            if one.kind in SENDS and one.tag >= least:
                known = numbers.setdefault((rank, one.peer), {})
                known.setdefault(one.tag, least + len(known))

    def tag(rank: int, one: Action) -> int:
        pair = (rank, one.peer) if one.kind in SENDS else (one.peer, rank)
        return numbers.get(pair, {}).get(one.tag, least)

    ranks = [
        [one._replace(tag=tag(rank, one)) if one.kind in MESSAGES and one.tag >= least else one for one in actions]
        for rank, actions in enumerate(made.ranks)
    ]
    return Listed(made.place, ranks, made.groups)
