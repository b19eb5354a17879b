"""Patterns of several counts of ranks become one that holds for all, and what that says of another count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .fold import counted, folded
from .law import Law, fitted, is_fit
from .pattern import Token, Unexplained

if TYPE_CHECKING:
    from .grid import Grid, Kind
    from .pattern import Pattern

#: Relative difference of laws that say the same of the target, and bytes of rounding.
AGREE, ROUNDING = 1e-3, 1.0
#: Relative difference of computed times that follow a law exactly.
EXACT = 1e-6


@dataclass(frozen=True)
class Sizes:
    """How sizes are found.

    Parameters
    ----------
    is_constant
        Whether they are those of the largest recording.
    within
        Largest relative difference of what counts as a fit.
    """

    is_constant: bool = False
    within: float = 0.0


@dataclass
class Grown:
    """A token of all recordings: `laws` of its size, whether they fit, and how far the first one is off."""

    token: Token
    law: Law
    is_fit: bool
    residual: float
    #: Mean operations and seconds before it, by recording.
    flops: list[float]
    seconds: list[float]
    body: list[Grown] = field(default_factory=list)


@dataclass
class Repeated:
    """Tokens that come one after another, so often."""

    tokens: list[Grown]
    times: Callable[[Grid], int]
    words: str


class Growth:
    """What holds for all recordings.

    Parameters
    ----------
    patterns
        By ascending numbers of ranks, explained.
    target
        The grid that is asked for.
    """

    def __init__(self, patterns: Sequence[Pattern], target: Grid, sizes: Sizes) -> None:
        self.patterns, self.target, self.sizes = patterns, target, sizes
        self.kinds: dict[Kind, list[Repeated]] = {}
        #: Of the last so many recordings.
        self._known: dict[tuple[float, ...], tuple[list[Law], bool]] = {}
        for kind in dict.fromkeys(kind for one in patterns for kind in one.kinds):
            self.kinds[kind] = self._merged(kind)

    def _merged(self, kind: Kind) -> list[Repeated]:
        have = [one for one in self.patterns if kind in one.kinds]
        grids = [one.grid for one in have]
        columns = [one.kinds[kind] for one in have]
        keys = [[one.key() for one in tokens] for tokens in columns]
        if all(one == keys[0] for one in keys):
            return [
                Repeated([self._one(kind, grids, some)], lambda grid: 1, "1") for some in zip(*columns, strict=True)
            ]
        return self._folded(kind, grids, columns)

    def _folded(self, kind: Kind, grids: list[Grid], columns: list[list[Token]]) -> list[Repeated]:
        numbers: dict[tuple[object, ...], int] = {}
        named = [
            [
                numbers.setdefault((*one.key(), one.partner.text() if one.partner else ""), len(numbers))
                for one in tokens
            ]
            for tokens in columns
        ]
        parts = [folded(one) for one in named]
        where = f"ranks {_words(kind)}"
        if len({len(some) for some in parts}) > 1:
            raise Unexplained(f"{where} have {_listed([len(some) for some in columns])} calls, and no part repeats", 0)
        made = []
        for some in zip(*parts, strict=True):
            first = named[0][some[0].first : some[0].first + some[0].length]
            if any(one[part.first : part.first + part.length] != first for one, part in zip(named, some, strict=True)):
                raise Unexplained(f"{where} do different calls at different numbers of ranks", some[0].first)
            times = [part.times for part in some]
            found = counted(grids, times)
            text = columns[0][some[0].first].text()
            if not found:
                raise Unexplained(
                    f"{text} of {where} comes {_listed(times)} times, as no count of the grid says", some[0].first
                )
            if len({fun(self.target) for _, fun in found}) > 1:
                said = ", ".join(f"{words} = {fun(self.target)}" for words, fun in found[:3])
                raise Unexplained(f"{text} of {where} comes {_listed(times)} times, which may be {said}", some[0].first)
            tokens = [
                self._one(kind, grids, [_mean(tokens, part, j) for tokens, part in zip(columns, some, strict=True)])
                for j in range(some[0].length)
            ]
            made.append(Repeated(tokens, found[0][1], found[0][0]))
        return made

    def _one(self, kind: Kind, grids: list[Grid], some: Sequence[Token]) -> Grown:
        """A token of all recordings."""
        made = replace(some[-1])
        if made.partner is not None:
            for other in some[:-1]:
                if other.partner is not None:
                    made.partner = made.partner.narrowed(other.partner)
            if not made.partner.is_known:
                said = " and ".join(one.partner.text() for one in some if one.partner)
                raise Unexplained(f"the partner of {made.kind} of ranks {_words(kind)} is {said}", 0)
        values, within = [one.bytes for one in some], self.sizes.within
        if self.sizes.is_constant:
            law = Law("as recorded", values[-1], 0.0, lambda grid: 1.0, True)
            is_good, residual = True, max(one.spread / one.bytes if one.bytes else 0.0 for one in some)
        else:
            # Loops count sizes at their first turn: that of a loop that halves grows with its turns.
            laws, is_good = self._laws(grids, values)
            law = laws[0]
            residual = max([law.residual, *(one.spread / one.bytes for one in some if one.bytes)])
            if within:
                law = min(laws, key=lambda one: one.residual)
            elif is_good:
                self._require_one(made, kind, laws, values)
        is_good = is_good and all(one.spread <= within * one.bytes for one in some)
        body = [self._one(kind, grids, inner) for inner in zip(*(one.body for one in some), strict=True)]
        return Grown(made, law, is_good, residual, [one.flops for one in some], [one.seconds for one in some], body)

    def _laws(self, grids: list[Grid], values: list[float]) -> tuple[list[Law], bool]:
        key = (len(grids), *values)
        if key not in self._known:
            laws = fitted(grids, values, self.sizes.within)
            self._known[key] = laws, is_fit(laws, grids, values, self.sizes.within)
        return self._known[key]

    def _require_one(self, token: Token, kind: Kind, laws: list[Law], values: list[float]) -> None:
        said = [(law.name, law.at(self.target)) for law in laws]
        most, least = max(size for _, size in said), min(size for _, size in said)
        if most - least > max(AGREE * most, ROUNDING):
            words = " or ".join(f"{name} ({size:.0f} bytes)" for name, size in said[:3])
            sizes = _listed([round(value) for value in values])
            sentence = f"the size of {token.kind} of ranks {_words(kind)}, {sizes} bytes, may grow as {words}"
            raise Unexplained(sentence, 0)


def _mean(tokens: list[Token], part: object, place: int) -> Token:
    """The tokens at one place of what repeats, as one."""
    from .fold import Part

    assert isinstance(part, Part)
    some = [tokens[part.first + place + part.length * turn] for turn in range(part.times)]
    sizes = [one.bytes for one in some]
    return replace(
        some[0],
        bytes=sum(sizes) / len(sizes),
        spread=max(max(sizes) - min(sizes), *(one.spread for one in some)),
        flops=sum(one.flops for one in some) / len(some),
        seconds=sum(one.seconds for one in some) / len(some),
    )


def _words(kind: Kind) -> str:
    """Where the ranks of a kind are."""
    return f"({', '.join(f'{name} {at}' if at else name for name, at in kind)})"


def _listed(values: Sequence[object]) -> str:
    return " and ".join(map(str, values))
