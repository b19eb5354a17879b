"""What the ranks of one recording do on a grid, kind by kind: tokens that grow with the grid, or why there are none."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from .listing import END, MESSAGES, Listed
from .loops import LONGEST_BODY, ROOT_LOOP, Loop, loops_of, peers_in, turns
from .relation import Partner, partner

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .grid import Grid, Kind, Numbers, Scheme

    Floats = NDArray[np.float64]


class Unexplained(Exception):
    """A grid that does not explain a recording; `reached` actions of a rank were explained before."""

    def __init__(self, sentence: str, reached: int) -> None:
        super().__init__(sentence)
        self.sentence, self.reached = sentence, reached


@dataclass
class Token:
    """A call of all ranks of a kind, or a loop of such calls.

    Parameters
    ----------
    partner
        Of a message outside of loops; of a rooted collective the root.
    loop
        In a loop, whose partner or root it has each turn.
    axes
        Of a collective: the dimensions in which its members differ.
    bytes, spread
        Mean size over ranks and turns, and the largest difference from it.
    steps
        In a loop, by how much the size is multiplied from turn to turn.
    body
        Of a loop, one turn.
    """

    kind: str
    tag: int = 0
    partner: Partner | None = None
    loop: Loop | None = None
    axes: tuple[int, ...] | None = None
    bytes: float = 0.0
    spread: float = 0.0
    steps: float = 1.0
    flops: float = 0.0
    seconds: float = 0.0
    body: list[Token] = field(default_factory=list)

    def key(self) -> tuple[object, ...]:
        """What must be the same in every recording."""
        return self.kind, self.tag, self.loop, self.axes, self.steps, tuple(one.key() for one in self.body)

    def text(self) -> str:
        """In words."""
        if self.body:
            return f"loop of {', '.join(one.text() for one in self.body)}"
        return self.kind


@dataclass
class Alike:
    """Ranks with the same calls in the same order, as columns: of ranks, then of calls."""

    ranks: Numbers
    keys: list[tuple[object, ...]]
    peers: Numbers
    bytes: Numbers
    flops: Floats
    seconds: Floats
    groups: Numbers
    #: Of each call which column of peers, and of communicators, it has.
    peer_column: list[int] = field(default_factory=list)
    group_column: list[int] = field(default_factory=list)
    known: dict[builtins.bytes, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.peer_column = self._numbered(self.peers, self.known)
        self.group_column = self._numbered(self.groups, {})

    def _numbered(self, columns: Numbers, known: dict[builtins.bytes, int]) -> list[int]:
        return [known.setdefault(column.tobytes(), len(known)) for column in columns.T.copy()]


def alike(made: Listed) -> list[Alike]:
    """The ranks of a recording by their calls."""
    import numpy as np

    found: dict[tuple[tuple[object, ...], ...], list[int]] = {}
    for rank, actions in enumerate(made.ranks):
        keys = tuple((one.kind, one.peer if one.kind == "wait" else one.tag) for one in actions)
        found.setdefault(keys, []).append(rank)

    def whole(ranks: list[int], name: str) -> Numbers:
        return np.array([[getattr(one, name) for one in made.ranks[rank]] for rank in ranks], dtype=np.int64)

    def real(ranks: list[int], name: str) -> Floats:
        return np.array([[getattr(one, name) for one in made.ranks[rank]] for rank in ranks], dtype=np.float64)

    return [
        Alike(
            ranks=np.array(ranks, dtype=np.int64),
            keys=list(keys),
            peers=whole(ranks, "peer"),
            bytes=whole(ranks, "bytes"),
            flops=real(ranks, "flops"),
            seconds=real(ranks, "seconds"),
            groups=whole(ranks, "members"),
        )
        for keys, ranks in found.items()
    ]


class _Turns(NamedTuple):
    """A loop, how many turns it has, and the column of peers of each."""

    loop: Loop
    times: int
    columns: list[int]


class Pattern:
    """A recording on a grid."""

    def __init__(self, made: Listed, some: list[Alike], grid: Grid, scheme: Scheme) -> None:
        self.made, self.some, self.grid, self.scheme = made, some, grid, scheme
        self.axes_of = self._axes()
        self.kinds: dict[Kind, list[Token]] = {}
        #: Of each kind the ranks.
        self.ranks = grid.kinds(scheme)

    def explain(self) -> None:
        """Finds the tokens of each kind.

        Raises
        ------
        Unexplained
            Where ranks of one kind differ in what no relation says.
        """
        where = {int(rank): number for number, one in enumerate(self.some) for rank in one.ranks}
        for ranks in self.ranks.values():
            if len({where[int(rank)] for rank in ranks}) > 1:
                raise self._differ(ranks, where)
        cuts = [self._cuts(one) for one in self.some]
        for kind, ranks in self.ranks.items():
            number = where[int(ranks[0])]
            self.kinds[kind] = self._tokens(ranks, self.some[number], cuts[number])

    def _differ(self, ranks: Numbers, where: dict[int, int]) -> Unexplained:
        one = int(ranks[0])
        other = next(int(rank) for rank in ranks if where[int(rank)] != where[one])
        mine, theirs = self.some[where[one]].keys, self.some[where[other]].keys
        at = next((n for n, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1]), 0)
        sentence = f"call {at} of rank {one} is {mine[at][0]}, and of rank {other}, alike in the grid, {theirs[at][0]}"
        return Unexplained(sentence, at)

    def _axes(self) -> list[tuple[int, ...] | None]:
        """The dimensions of each communicator."""
        from itertools import combinations

        import numpy as np

        depth = len(self.grid.dims)
        known: dict[tuple[int, ...], tuple[int, ...]] = {}
        for count in range(depth + 1):
            for axes in combinations(range(depth), count):
                for members in np.unique(self.grid.members(axes), axis=0).tolist():
                    known.setdefault(tuple(members), axes)
        return [known.get(members) for members in self.made.groups]

    # Loops.

    def _cuts(self, one: Alike) -> list[tuple[int, int, dict[int, Loop]]]:
        """Where loops begin, the length of their body, the loops by their place in it; else a body of 0."""
        made: list[tuple[int, int, dict[int, Loop]]] = []
        loops: list[_Turns] = []
        for loop in (*loops_of(self.grid, True), *loops_of(self.grid, False)):
            columns = peers_in(loop, self.grid, one.ranks).T.copy()
            numbers = [one.known.get(column.tobytes(), -1) for column in columns]
            if len(numbers) >= loop.least() and min(numbers) >= 0:
                loops.append(_Turns(loop, len(numbers), numbers))
        at = 0
        while at < len(one.keys):
            found = self._loop_at(one, at, loops)
            if found is None:
                made.append((at, 0, {}))
                at += 1
                continue
            body, times, places = found
            made.append((at, body, places))
            at += body * times
        return made

    def _loop_at(self, one: Alike, at: int, loops: list[_Turns]) -> tuple[int, int, dict[int, Loop]] | None:
        first = next((j for j in range(at, min(at + LONGEST_BODY, len(one.keys))) if self._turning(one, j)), None)
        if first is None:
            return None
        begun = [
            entry
            for entry in loops
            if entry.columns[0] == one.peer_column[first] and self._is_of(one, first, entry.loop)
        ]
        for times in dict.fromkeys(entry.times for entry in begun):
            near = [entry for entry in loops if entry.times == times]
            for body in range(first - at + 1, LONGEST_BODY + 1):
                places = self._places(one, at, body, times, near)
                if places:
                    return body, times, places
        return None

    def _turning(self, one: Alike, at: int) -> bool:
        return one.keys[at][0] in MESSAGES or int(one.groups[0, at]) >= 0

    def _is_of(self, one: Alike, at: int, loop: Loop) -> bool:
        if (loop.name == ROOT_LOOP) == (one.keys[at][0] in MESSAGES):
            return False
        if loop.name != ROOT_LOOP:
            return True
        axes = self.axes_of[int(one.groups[0, at])]
        return axes == ((loop.axis,) if loop.axis >= 0 else tuple(range(len(self.grid.dims))))

    def _is_same(self, one: Alike, turns_: slice) -> bool:
        """Whether a collective has one communicator and one root in all turns."""
        return len(set(one.group_column[turns_])) == 1 and len(set(one.peer_column[turns_])) == 1

    def _places(self, one: Alike, at: int, body: int, times: int, near: list[_Turns]) -> dict[int, Loop]:
        """The loop of each place of a body that turns; nothing where one does not."""
        if at + body * times > len(one.keys):
            return {}
        keys = one.keys[at : at + body]
        if any(one.keys[at + body * turn : at + body * (turn + 1)] != keys for turn in range(1, times)):
            return {}
        made: dict[int, Loop] = {}
        for place in range(body):
            if not self._turning(one, at + place):
                continue
            where = slice(at + place, at + place + body * times, body)
            columns = one.peer_column[where]
            calls = range(at + place, at + place + body * times, body)
            fits = (
                entry.loop
                for entry in near
                if entry.columns == columns and all(self._is_of(one, call, entry.loop) for call in calls)
            )
            loop = next(fits, None)
            if loop is not None:
                made[place] = loop
            elif keys[place][0] in MESSAGES or not self._is_same(one, where):
                return {}
        return made

    # Tokens.

    def _tokens(self, ranks: Numbers, one: Alike, cuts: list[tuple[int, int, dict[int, Loop]]]) -> list[Token]:
        import numpy as np

        rows = np.searchsorted(one.ranks, ranks)
        size, low, high = (fun(one.bytes[rows], axis=0) for fun in (np.mean, np.min, np.max))
        flops, seconds = one.flops[rows].mean(axis=0), one.seconds[rows].mean(axis=0)
        known: dict[int, Partner] = {}
        made: list[Token] = []
        for at, body, places in cuts:
            if not body:
                token = self._single(one, rows, ranks, at, known)
                token.bytes, token.spread = float(size[at]), float(high[at] - low[at])
                token.flops, token.seconds = float(flops[at]), float(seconds[at])
                made.append(token)
                continue
            times = turns(next(iter(places.values())), self.grid)
            loop = Token("loop")
            for place in range(body):
                where = slice(at + place, at + place + body * times, body)
                token = self._single(one, rows, ranks, at + place, known, places.get(place))
                token.bytes, token.steps, token.spread = _steps_of(low[where], high[where], size[where])
                token.flops, token.seconds = float(flops[where].mean()), float(seconds[where].mean())
                loop.body.append(token)
            made.append(loop)
        return made

    def _single(
        self, one: Alike, rows: Numbers, ranks: Numbers, at: int, known: dict[int, Partner], loop: Loop | None = None
    ) -> Token:
        import numpy as np

        kind, tag = str(one.keys[at][0]), int(str(one.keys[at][1]))
        if kind in MESSAGES:
            token = Token(kind, tag, loop=loop)
            if loop is None:
                found = known.get(one.peer_column[at])
                if found is None:
                    found = known[one.peer_column[at]] = partner(self.grid, ranks, one.peers[rows, at])
                if not found.is_known:
                    peers = one.peers[rows, at]
                    shown = ", ".join(
                        f"{a} to {b}" for a, b in list(zip(ranks.tolist(), peers.tolist(), strict=True))[:3]
                    )
                    tried = "no offset, border, xor, mirror or transpose"
                    sentence = f"{tried} explains the partners of {kind}, call {at}: {shown}"
                    raise Unexplained(sentence, at)
                token.partner = found
            return token
        if int(one.groups[0, at]) < 0:
            return Token(kind, tag)
        groups = one.groups[rows, at]
        axes = {self.axes_of[int(group)] for group in np.unique(groups)}
        if len(axes) > 1 or None in axes:
            sentence = f"the communicator of {kind}, call {at} of rank {int(ranks[0])}, is no part of the grid"
            raise Unexplained(sentence, at)
        own = axes.pop()
        token = Token(kind, 0, loop=loop, axes=own)
        if loop is None:
            token.partner = self._root(kind, ranks, one.peers[rows, at], groups, at)
        return token

    def _root(self, kind: str, ranks: Numbers, roots: Numbers, groups: Numbers, at: int) -> Partner:
        """The root as a partner."""
        import numpy as np

        world = np.array([self.made.groups[int(g)][int(r)] for g, r in zip(groups, roots, strict=True)], dtype=np.int64)
        found = partner(self.grid, ranks, world)
        if not found.is_known:
            sentence = f"no border and no coordinate explains the roots of {kind}, call {at} of rank {int(ranks[0])}"
            raise Unexplained(sentence, at)
        return found


def _steps_of(low: Floats, high: Floats, mean: Floats) -> tuple[float, float, float]:
    """Size at the first turn, the factor from turn to turn, and what does not fit it."""
    import numpy as np

    for factor in (1.0, 2.0, 0.5):
        wanted = mean[0] * factor ** np.arange(len(mean))
        if np.allclose(wanted, mean, rtol=1e-9, atol=0.5 if factor < 1 else 0.0) and np.array_equal(low, high):
            return float(mean[0]), factor, 0.0
    return float(mean.mean()), 1.0, float((high - low).max() + mean.max() - mean.min())


__all__ = ["END", "Alike", "Pattern", "Token", "Unexplained", "alike"]
