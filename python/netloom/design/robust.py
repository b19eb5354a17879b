"""How sure is the decision: by other rungs, by its worst case over prices and workloads, by what would change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from ..base.winner import margin_of
from .candidate import Candidate, goal_of
from .crossing import Change, changes
from .rule import Rule, may_win, price_errors

#: Rungs that are compared, in the order of their price. Hops alone say too little of a time.
COMPARED = ("loads", "steps", "time", "packet")
#: Its name, factors of prices by class, the workload that counts alone.
Case = tuple[str, Mapping[str, float], int | None]


@dataclass(frozen=True)
class Robust:
    """A choice by its worst case.

    Attributes
    ----------
    chosen
        The candidate whose worst case is best.
    regret
        How much worse it is there than the best for that case of the candidates with a time, as a share; infinite where
        it costs more than the budget.
    worst
        That case.
    of_decision
        The regret of the decision, and where.
    """

    chosen: Candidate
    regret: float
    worst: str
    of_decision: tuple[float, str]


def least_regret(rule: Rule, candidates: Sequence[Candidate], cases: Sequence[Case]) -> Robust | None:
    """The candidate whose worst case is best, of those that can be paid as prices are."""
    able = rule.ranked(candidates)
    if not able or not cases:
        return None
    timed = [one for one in candidates if one.timed]
    best = [min(rule.value(one, factors, only) for one in timed) for _, factors, only in cases]

    def regret(one: Candidate) -> tuple[float, str]:
        made = [
            (_excess(rule.value(one, factors, only), least), name)
            for (name, factors, only), least in zip(cases, best, strict=True)
            if least < inf
        ]
        return max(made, key=lambda pair: pair[0], default=(0.0, ""))

    chosen = min(able, key=lambda one: (regret(one)[0], rule.value(one), one.name))
    return Robust(chosen, *regret(chosen), regret(able[0]))


def _excess(value: float, least: float) -> float:
    """By which share a value is more than the least."""
    return value / least - 1 if least > 0 else inf if value > 0 else 0.0


@dataclass(frozen=True)
class RungCheck:
    """What a rung says of workloads that it saw and did not decide alone.

    Attributes
    ----------
    best
        The best by it.
    expected
        The best by the times of these workloads.
    better
        How much better by it the first is than the second, as a share.
    workloads
        Those that it saw.
    share
        Of the time of the decision.
    whole
        Whether these are all workloads with a weight.
    """

    best: Candidate
    expected: Candidate
    better: float
    workloads: tuple[str, ...]
    share: float
    whole: bool

    @property
    def agrees(self) -> bool:
        return self.best is self.expected


@dataclass(frozen=True)
class Sureness:
    """How sure the decision is.

    Attributes
    ----------
    lead
        How much worse the runner-up is, as a share; None without one, and where the decision takes no time.
    by_rung
        Rungs that check the decision.
    model_error
        The median error of predictions of time with these costs; None where it is not known.
    by_price
        Price errors that make another one the best; None for one that leaves nothing within the budget.
    decided_by
        Rungs that give the times.
    unknown
        Candidates without a time that may be better, as it is or under a price error.
    """

    lead: float | None
    by_rung: Mapping[str, RungCheck]
    model_error: float | None
    by_price: Sequence[tuple[str, float, Candidate | None]]
    robust_mix: Robust | None = None
    robust_price: Robust | None = None
    changes: Sequence[Change] = field(default_factory=list)
    decided_by: Sequence[str] = ()
    unknown: int = 0

    @property
    def tie(self) -> bool:
        """Whether the lead lies within the error of the model."""
        return self.lead is not None and self.lead <= margin_of(self.model_error)


def sureness(rule: Rule, candidates: Sequence[Candidate], model_error: float | None) -> Sureness:
    """How sure the best one is. O(candidates x (prices + workloads)).

    Parameters
    ----------
    candidates
        Those within the budget, and those that another price brings within it.
    """
    order = rule.ranked(candidates)
    best = order[0]
    value = rule.value(best)
    lead = rule.value(order[1]) / value - 1 if len(order) > 1 and value > 0 else None
    errors = price_errors(candidates)
    by_price = list[tuple[str, float, Candidate | None]]()
    for name, factor in errors:
        found = rule.ranked(candidates, {name: factor})
        if not found or found[0] is not best:
            by_price.append((name, factor, found[0] if found else None))
    over_mix: list[Case] = [(member.workload, {}, at) for at, member in enumerate(rule.mix) if member.weight]
    over_price: list[Case] = [(f"{name} x {factor:g}", {name: factor}, None) for name, factor in errors]
    last = {member.rungs[-1] for member in rule.mix if member.weight}
    return Sureness(
        lead, _by_rung(rule, order), model_error, by_price, least_regret(rule, candidates, over_mix),
        least_regret(rule, candidates, over_price), changes(rule, candidates),
        [rung for rung in COMPARED if rung in last], len(may_win(rule, candidates)),
    )  # fmt: skip


def _least(some: Sequence[Candidate], values: Mapping[int, float]) -> Candidate:
    return min(some, key=lambda one: values[id(one)])


def _by_rung(rule: Rule, order: Sequence[Candidate]) -> dict[str, RungCheck]:
    """What each rung says of the workloads that it saw, unless their times are all its own.

    Of the candidates that it was asked of, the decision among them: who is best by it, and who by the times of the same
    workloads.
    """
    made = {}
    weighted = [at for at, member in enumerate(rule.mix) if member.weight]
    for rung in COMPARED:
        seen = order[0].seen(rung)
        some = [at for at in weighted if at in seen]
        known = [one for one in order if set(some) <= set(one.seen(rung))]
        if len(known) < 2 or all(rule.mix[at].rungs[-1] == rung for at in some):
            continue
        by = {id(one): goal_of(rule.goal, one.by(rung, rule.mix, some), one.usd, one.watts) for one in known}
        last = {id(one): goal_of(rule.goal, one.last(rule.mix, some), one.usd, one.watts) for one in known}
        best, expected = _least(known, by), _least(known, last)
        better = by[id(expected)] / by[id(best)] - 1 if by[id(best)] > 0 else 0.0
        whole = order[0].last(rule.mix, weighted)
        made[rung] = RungCheck(
            best, expected, better, tuple(rule.mix[at].workload for at in some),
            order[0].last(rule.mix, some) / whole if whole else 1.0, some == weighted,
        )  # fmt: skip
    return made
