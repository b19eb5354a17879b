"""Which grid, and which ranks are alike, explain all recordings; what that gives at another number of ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from ..base.errors import Fault, NetloomError
from .grid import SCHEMES, Grid, Scheme, grids, grown
from .growth import Grown, Growth, Sizes
from .listing import END, Listed, listed, matched
from .pattern import Alike, Pattern, Unexplained, alike
from .target import Target

if TYPE_CHECKING:
    from .. import _core

#: Most ranks that are made.
MOST_RANKS = 1 << 20
#: Most combinations of grids of the recordings that are tried.
MOST_TRIED = 64


class Call(TypedDict):
    """Calls that are alike: how many of all ranks at the target, with whom, and how their size grows."""

    call: str
    partner: str
    calls: int
    bytes: int
    law: str
    residual: float
    fits: bool


@dataclass(frozen=True)
class Extrapolated:
    """Programs of more ranks, and how they were found.

    Parameters
    ----------
    grids
        Of the recordings, by ascending number of ranks.
    """

    programs: _core.Programs
    survey: dict[str, object]
    grids: list[Grid]
    target: Grid
    calls: list[Call]


@dataclass
class _Recording:
    place: str
    made: Listed
    some: list[Alike]


class _Best:
    """The refusal that came furthest."""

    def __init__(self) -> None:
        self.sentence, self.reached = "", -1

    def add(self, grid: str, found: Unexplained) -> None:
        """Another one."""
        if found.reached > self.reached:
            self.sentence, self.reached = f"on a grid of {grid}, {found.sentence}", found.reached


def extrapolate(
    programs: Sequence[tuple[str | Path, _core.Programs]], ranks: int, dims: tuple[int, ...] | None = None,
    sizes: Sizes | None = None,
) -> Extrapolated:  # fmt: skip
    """The programs of more ranks, from those of one or several smaller numbers of them.

    Parameters
    ----------
    programs
        Name and programs of each recording, with different numbers of ranks.
    ranks
        How many there shall be.
    dims
        The grid of them; by default grown as those of the recordings are.
    sizes
        How sizes are found; by default fitted over two or more recordings.

    Raises
    ------
    NetloomError
        NL-A007 for recordings of the same number of ranks, a grid of another number, one recording without constant
        sizes; NL-F018 for what no grid explains, with what was tried.

    Notes
    -----
    Cost: for each grid of the recordings, their actions.
    """
    sizes = sizes or Sizes()
    recorded = sorted(programs, key=lambda one: one[1].ranks)
    _require(recorded, ranks, dims, sizes)
    lists = [listed(one, str(place)) for place, one in recorded]
    best = _Best()
    tried: list[str] = []
    for read, scheme in _views(lists):
        for patterns in _explained(read, scheme, best, tried):
            target = Grid(dims) if dims is not None else grown([one.grid for one in patterns], ranks)
            shape = " and ".join(one.grid.text() for one in patterns)
            if target is None or len(target.dims) != len(patterns[0].grid.dims):
                sentence = f"the recordings are of {shape} ranks, which does not say the grid of {ranks}"
                best.add(shape, Unexplained(f"{sentence}: give it", 1 << 40))
                continue
            try:
                return _made(patterns, target, sizes)
            except Unexplained as found:
                best.add(shape, Unexplained(found.sentence, found.reached + (1 << 32)))
    names = ", ".join(one.place for one in lists)
    shapes = ", ".join(dict.fromkeys(tried)) or "no grid of 3 ranks or more a side"
    hint = f"tried: {shapes}; give recordings of other numbers of ranks, or --grid"
    raise NetloomError([Fault("NL-F018", names, f"cannot be extrapolated: {best.sentence}", "", hint)])


def _views(lists: list[Listed]) -> Iterator[tuple[list[_Recording], Scheme]]:
    """The recordings as they may be seen: with the tags of the code, or with those that only match."""
    for own in (True, False):
        some = lists if own else [matched(one) for one in lists]
        read = [_Recording(one.place, one, alike(one)) for one in some]
        yield from ((read, scheme) for scheme in SCHEMES)


def _require(
    recorded: Sequence[tuple[str | Path, _core.Programs]], ranks: int, dims: tuple[int, ...] | None, sizes: Sizes
) -> None:
    faults = []
    counts = [one.ranks for _, one in recorded]
    if len(set(counts)) < len(counts):
        got = " and ".join(map(str, counts))
        faults.append(Fault("NL-A007", "traces", "recordings of different numbers of ranks", got, "give one of each"))
    if not counts[-1] < ranks <= MOST_RANKS:
        expected = f"more than the {counts[-1]} of the largest recording, at most {MOST_RANKS}"
        faults.append(Fault("NL-A007", "ranks", expected, str(ranks), ""))
    elif dims is not None and (Grid(dims).size != ranks or min(dims) < 1):
        faults.append(Fault("NL-A007", "grid", f"numbers whose product is {ranks}", " x ".join(map(str, dims)), ""))
    if len(counts) == 1 and not sizes.is_constant:
        hint = "give a second recording, or --sizes constant for a code whose messages and computation stay as they are"
        expected = "two recordings or more, which say how sizes grow"
        faults.append(Fault("NL-A007", "traces", expected, "one", hint))
    if faults:
        raise NetloomError(faults)


def _explained(read: list[_Recording], scheme: Scheme, best: _Best, tried: list[str]) -> Iterator[list[Pattern]]:
    """Patterns of all recordings on grids of the same number of dimensions, the fewest first."""
    by_depth = [{len(some[0].dims): some for some in grids(one.made.size)} for one in read]
    for depth in sorted(set.intersection(*(set(one) for one in by_depth))):
        found: list[list[Pattern]] = []
        for one, known in zip(read, by_depth, strict=True):
            found.append([])
            for grid in known[depth]:
                tried.append(grid.text())
                pattern = Pattern(one.made, one.some, grid, scheme)
                try:
                    pattern.explain()
                except Unexplained as refused:
                    best.add(grid.text(), refused)
                    continue
                found[-1].append(pattern)
            if not found[-1]:
                break
        if len(found) == len(read) and all(found):
            for number, some in enumerate(product(*found)):
                if number >= MOST_TRIED:
                    return
                yield list(some)


def _made(patterns: list[Pattern], target: Grid, sizes: Sizes) -> Extrapolated:
    growth = Growth(patterns, target, sizes)
    calls = _calls(growth)
    if bad := next((one for one in calls if not one["fits"]), None):
        laws = "a constant, powers of P and of the sides, and log P"
        sentence = f"the size of {bad['call']} to {bad['partner']} follows none of {laws}: off by {bad['residual']:.2%}"
        raise Unexplained(sentence, 0)
    made = Target(growth, f"extrapolated to {target.size} ranks")
    programs, survey = made.programs()
    for name, one in (("operations", made.flops), ("computation", made.seconds)):
        if one.is_any:
            row = Call(call=name, partner="", calls=0, bytes=0, law=one.text(), residual=one.residual, fits=one.is_fit)
            calls.append(row)
    return Extrapolated(programs, survey, [one.grid for one in patterns], target, calls)


def _calls(growth: Growth) -> list[Call]:
    """What fits and what does not, by call, partner and law."""
    made: dict[tuple[str, str, str], Call] = {}
    ranks = growth.target.kinds(growth.patterns[0].scheme)
    for kind, parts in growth.kinds.items():
        for part in parts:
            for one in part.tokens:
                times = part.times(growth.target) * len(ranks.get(kind, ()))
                for inner, turns in _inner(one, growth):
                    _count(made, inner, times * turns, growth)
    return sorted(made.values(), key=lambda one: (one["fits"], -one["bytes"], -one["calls"], one["call"]))


def _inner(one: Grown, growth: Growth) -> list[tuple[Grown, int]]:
    from .loops import turns

    if not one.body:
        return [(one, 1)]
    loop = next(inner.token.loop for inner in one.body if inner.token.loop is not None)
    return [(inner, turns(loop, growth.target)) for inner in one.body]


def _count(made: dict[tuple[str, str, str], Call], one: Grown, times: int, growth: Growth) -> None:
    token = one.token
    if token.kind in (END, "wait", "wait_all", "join"):
        return
    if token.loop is not None:
        partner = token.loop.text()
    elif token.axes is None:
        partner = token.partner.text() if token.partner else ""
    else:
        whole = len(token.axes) == len(growth.target.dims)
        partner = "all ranks" if whole else f"dimensions {', '.join(map(str, token.axes))}" if token.axes else "itself"
    row = made.setdefault(
        (token.kind, partner, one.law.name),
        Call(call=token.kind, partner=partner, calls=0, bytes=0, law=one.law.name, residual=0.0, fits=True),
    )
    row["calls"] += times
    row["bytes"] += times * round(one.law.at(growth.target))
    row["residual"] = max(row["residual"], one.residual)
    row["fits"] = row["fits"] and one.is_fit
