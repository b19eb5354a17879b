"""Where the decision changes: the nearest price and weight on either side at which another candidate is the best.

What the goal makes least and what a candidate costs are straight lines over the factor of a price or of a weight, so
where one candidate beats another is known exactly: between the crossing of their lines, where both can be paid, and
from where on the decision alone is over the budget. A candidate without a time stands with a bound below it: it beats
the decision nowhere sooner than that says, and perhaps nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum, inf

from .candidate import Candidate, goal_of
from .rule import Rule, price_classes

#: A price or a weight that changes by more times than this is no near change of the decision.
FAR = 10.0
#: Factors that differ by less are the same.
SAME = 1e-9
#: Candidates without a time that are asked for at once, of those nearest on one side.
AT_ONCE = 4


@dataclass(frozen=True)
class Change:
    """What would change the decision.

    Attributes
    ----------
    of
        A class of price or a workload.
    kind
        ``price`` or ``weight``.
    factor
        Times as much of it, and another one is best.
    to
        Who is best then, of those with a time; None where nothing with a time can be paid.
    share
        Of weights, the workload's share of the mix then.
    over
        The decision costs more than the budget from there on.
    bound
        `to` has a bound in place of a time: it is best from there on at the earliest, and perhaps nowhere.
    """

    kind: str
    of: str
    factor: float
    to: Candidate | None
    share: float | None = None
    over: bool = False
    bound: bool = False


#: a + b x.
Line = tuple[float, float]


@dataclass(frozen=True)
class _Lines:
    """Of a candidate over a factor: what the goal makes least, and the price."""

    value: Line
    usd: Line

    def room(self, limit_usd: float) -> float:
        """The greatest factor at which it can be paid."""
        fixed, slope = self.usd
        if slope > 0:
            return (limit_usd - fixed) / slope
        return inf if fixed <= limit_usd else 0.0

    def at(self, factor: float) -> tuple[float, float]:
        return self.value[0] + self.value[1] * factor, self.usd[0] + self.usd[1] * factor


@dataclass(frozen=True)
class _Axis:
    """A price or a weight, and the lines of every candidate over its factor."""

    kind: str
    of: str
    lines: Callable[[Candidate], _Lines]
    weight: float = 0.0


def _axes(rule: Rule, candidates: Sequence[Candidate]) -> Iterator[_Axis]:
    weights = [member.weight for member in rule.mix]

    def priced(name: str) -> Callable[[Candidate], _Lines]:
        def lines(one: Candidate) -> _Lines:
            own, time_s = one.bill.usd_of.get(name, 0.0), one.time(weights)
            usd = (one.usd - own, own)
            value = (time_s * usd[0], time_s * usd[1]) if rule.goal == "per-usd" else (_goal(rule, one, time_s), 0.0)
            return _Lines(value, usd)

        return lines

    def weighed(at: int) -> Callable[[Candidate], _Lines]:
        def lines(one: Candidate) -> _Lines:
            parts = [weight * time_s for weight, time_s in zip(weights, one.bounds, strict=True)]
            rest = fsum(part for number, part in enumerate(parts) if number != at)
            return _Lines((_goal(rule, one, rest), _goal(rule, one, parts[at])), (one.usd, 0.0))

        return lines

    for name in price_classes(candidates):
        yield _Axis("price", name, priced(name))
    for at, member in enumerate(rule.mix):
        if member.weight and len(rule.mix) > 1:
            yield _Axis("weight", member.workload, weighed(at), member.weight)


def _goal(rule: Rule, one: Candidate, time_s: float) -> float:
    return goal_of(rule.goal, time_s, one.usd, one.watts)


def _less(one: Line, other: Line) -> tuple[float, float]:
    """From where to where the first is less; two equal numbers where it is nowhere."""
    above, slope = other[0] - one[0], other[1] - one[1]
    if slope == 0:
        return (0.0, inf) if above > 0 else (0.0, 0.0)
    at = max(0.0, -above / slope)
    return (at, inf) if slope > 0 else (0.0, at)


def _won(best: _Lines, one: _Lines, limit_usd: float) -> list[tuple[float, float]]:
    """Where one beats the best."""
    room, own = one.room(limit_usd), best.room(limit_usd)
    # Of two that are as good the cheaper one is taken.
    low, high = _less(one.usd, best.usd) if one.value == best.value else _less(one.value, best.value)
    return [(low, min(high, room)), (own, room)]


def _start(regions: Sequence[tuple[float, float]], up: bool) -> float | None:
    """The factor next to 1 on one side from which on it wins, if it is no more than `FAR` times off."""
    if up:
        starts = [max(low, 1.0) for low, high in regions if high > max(low, 1.0) * (1 + SAME)]
        found = min(starts, default=inf)
        return found if found <= FAR else None
    ends = [min(high, 1.0) for low, high in regions if low < min(high, 1.0) * (1 - SAME)]
    found = max(ends, default=0.0)
    return found if found >= 1 / FAR else None


@dataclass(frozen=True)
class _Side:
    """One side of a price or a weight: who wins from which factor on, the nearest first."""

    axis: _Axis
    up: bool
    own: float
    starts: Sequence[tuple[float, Candidate]]

    def nearest(self, timed: bool) -> Change | None:
        """The nearest change, of candidates with a time or of all."""
        starts = [(factor, one) for factor, one in self.starts if one.timed or not timed]
        over = self.up and self.own <= FAR
        if over and (not starts or self.own < starts[0][0] * (1 - SAME)):
            return self._change(self.own, None, over=True)
        if not starts:
            return None
        factor = starts[0][0]
        beyond = factor * (1 + SAME if self.up else 1 - SAME)
        # Those that begin there stand in line as the rule has it.
        tied = [one for at, one in starts if abs(at - factor) <= SAME * factor]
        best = min(tied, key=lambda one: (*self.axis.lines(one).at(beyond), one.watts, one.name))
        return self._change(factor, best, over=over and abs(self.own - factor) <= SAME * factor)

    def _change(self, factor: float, to: Candidate | None, over: bool) -> Change:
        share = None
        if self.axis.kind == "weight":
            weight = self.axis.weight
            share = factor * weight / (factor * weight + 1 - weight)
        return Change(self.axis.kind, self.axis.of, factor, to, share, over)

    def sooner(self, factor: float, than: Change | None) -> bool:
        """Whether a factor is nearer to 1 than that of a change."""
        if than is None:
            return True
        return factor < than.factor * (1 - SAME) if self.up else factor > than.factor * (1 + SAME)


def _sides(rule: Rule, candidates: Sequence[Candidate]) -> Iterator[_Side]:
    order = rule.ranked(candidates)
    if not order:
        return
    best, least = order[0], rule.value(order[0])
    # Those that may be better as it is are told of elsewhere: no crossing of theirs is known.
    others = [
        one for one in candidates if one is not best and not one.refused and (one.timed or rule.value(one) >= least)
    ]
    for axis in _axes(rule, candidates):
        own = axis.lines(best)
        won = [(_won(own, axis.lines(one), rule.limit_usd), one) for one in others]
        for up in (False, True):
            starts = [(start, one) for regions, one in won if (start := _start(regions, up)) is not None]
            starts.sort(key=lambda pair: (pair[0] if up else -pair[0], pair[1].name))
            yield _Side(axis, up, own.room(rule.limit_usd), starts)


def changes(rule: Rule, candidates: Sequence[Candidate]) -> list[Change]:
    """The nearest changes, and those that candidates without a time may bring sooner, marked as bounds.

    O(candidates x (prices + workloads)).
    """
    made = []
    for side in _sides(rule, candidates):
        known, any_ = side.nearest(timed=True), side.nearest(timed=False)
        if known is not None:
            made.append(known)
        if any_ is not None and any_.to is not None and not any_.to.timed and side.sooner(any_.factor, known):
            made.append(replace(any_, bound=True))
    return made


def wanted(rule: Rule, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates without a time that may change the decision sooner than those that have one: the nearest ones."""
    found: dict[int, Candidate] = {}
    for side in _sides(rule, candidates):
        known = side.nearest(timed=True)
        near = [one for factor, one in side.starts if not one.timed and side.sooner(factor, known)]
        found |= {id(one): one for one in near[:AT_ONCE]}
    return list(found.values())
