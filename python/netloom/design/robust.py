"""Is it the same decision where prices, weights or the mix are otherwise, and where would it change?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, inf

from ..base.winner import margin_of
from .candidate import Candidate, goal_of
from .mix import Member

#: Prices may be off by this share, one class of them at a time.
PRICE_ERROR = 0.2
#: A price or a weight that changes by more times than this is no near change of the decision.
FAR = 10.0


@dataclass(frozen=True)
class Rule:
    """What is decided by.

    Attributes
    ----------
    goal
        ``time``, ``per-usd`` or ``per-watt``.
    budget_usd
        Most that may be spent; infinite without a budget.
    """

    goal: str
    mix: Sequence[Member]
    budget_usd: float = inf

    def value(self, one: Candidate, factors: Mapping[str, float] | None = None, only: int | None = None) -> float:
        """What the goal makes least, a bound below it where the last rung was left out; infinite above the budget.

        Parameters
        ----------
        factors
            By class of price, how many times as much it costs.
        only
            The workload that counts alone.
        """
        usd = one.bill.at(factors or {})
        if usd > self.budget_usd * (1 + 1e-12):
            return inf
        time_s = one.time([member.weight for member in self.mix]) if only is None else one.bounds[only]
        return goal_of(self.goal, time_s, usd, one.watts)

    def ranked(self, candidates: Sequence[Candidate], factors: Mapping[str, float] | None = None) -> list[Candidate]:
        """Those with a time that can be paid, the best first; of equally good ones the cheaper."""
        able = [one for one in candidates if one.final and not one.refused and self.value(one, factors) < inf]
        return sorted(able, key=lambda one: (self.value(one, factors), one.usd, one.watts, one.name))


def price_errors(candidates: Sequence[Candidate]) -> list[tuple[str, float]]:
    """Classes of price that any candidate pays for, each with both errors."""
    names = dict.fromkeys(name for one in candidates for name, usd in one.bill.usd_of.items() if usd)
    return [(name, factor) for name in names for factor in (1 - PRICE_ERROR, 1 + PRICE_ERROR)]


def may_win(rule: Rule, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those without a time that could be the best under some price error."""
    left = [one for one in candidates if not one.final and not one.refused]
    found: dict[int, Candidate] = {}
    for factors in [{}, *({name: factor} for name, factor in price_errors(candidates))]:
        best = rule.ranked(candidates, factors)
        limit = rule.value(best[0], factors) if best else inf
        found |= {id(one): one for one in left if rule.value(one, factors) < limit}
    return list(found.values())


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
        How much worse it is there than the best for that case of the candidates with a time, as a share.
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
    """The candidate whose worst case is best. Cases: name, factors of prices, the workload that counts alone."""
    able = rule.ranked(candidates)
    if not able or not cases:
        return None
    best = [min(rule.value(one, factors, only) for one in able) for _, factors, only in cases]

    def regret(one: Candidate) -> tuple[float, str]:
        made = [
            (rule.value(one, factors, only) / least - 1 if least > 0 else 0.0, name)
            for (name, factors, only), least in zip(cases, best, strict=True)
            if least < inf
        ]
        return max(made, key=lambda pair: pair[0], default=(0.0, ""))

    chosen = min(able, key=lambda one: (regret(one)[0], rule.value(one), one.name))
    return Robust(chosen, *regret(chosen), regret(able[0]))


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
    share
        Of weights, the workload's share of the mix then.
    to
        Who is best then.
    """

    kind: str
    of: str
    factor: float
    to: Candidate
    share: float | None = None


def changes(rule: Rule, candidates: Sequence[Candidate]) -> list[Change]:
    """The nearest price and weight on either side at which the decision is another one.

    Times and prices are linear in them, so the crossing of two candidates is known. Candidates without a time stand
    with their bound, so that none changes the decision sooner than is said.
    """
    order = rule.ranked(candidates)
    if not order:
        return []
    best, others = order[0], [one for one in candidates if one is not order[0] and not one.refused]
    others = [one for one in others if rule.value(one) < inf]
    made = []
    if rule.goal == "per-usd":
        for name in dict.fromkeys(name for name, _ in price_errors(candidates)):
            made += _nearest("price", name, [(_price_crossing(rule, best, one, name), one) for one in others])
    for at, member in enumerate(rule.mix):
        if member.weight and len(rule.mix) > 1:
            found = _nearest(
                "weight", member.workload, [(_weight_crossing(rule, best, one, at), one) for one in others]
            )
            made += [_with_share(one, member.weight) for one in found]
    return made


def _nearest(kind: str, of: str, crossings: Sequence[tuple[float | None, Candidate]]) -> list[Change]:
    known = [(factor, one) for factor, one in crossings if factor is not None and 1 / FAR <= factor <= FAR]
    below = max((pair for pair in known if pair[0] < 1), key=lambda pair: pair[0], default=None)
    above = min((pair for pair in known if pair[0] >= 1), key=lambda pair: pair[0], default=None)
    return [Change(kind, of, *pair) for pair in (below, above) if pair is not None]


def _with_share(one: Change, weight: float) -> Change:
    share = one.factor * weight / (one.factor * weight + 1 - weight)
    return Change(one.kind, one.of, one.factor, one.to, share)


def _crossing(own: tuple[float, float], other: tuple[float, float]) -> float | None:
    """Where a + b x of both are equal, if the other one is less beyond it."""
    slope = own[1] - other[1]
    if slope == 0:
        return None
    at = (other[0] - own[0]) / slope
    return at if at > 0 else None


def _price_crossing(rule: Rule, best: Candidate, one: Candidate, name: str) -> float | None:
    def line(which: Candidate) -> tuple[float, float]:
        time_s = which.time([member.weight for member in rule.mix])
        own = which.bill.usd_of.get(name, 0.0)
        return time_s * (which.usd - own), time_s * own

    return _crossing(line(best), line(one))


def _weight_crossing(rule: Rule, best: Candidate, one: Candidate, at: int) -> float | None:
    def line(which: Candidate) -> tuple[float, float]:
        parts = [member.weight * time_s for member, time_s in zip(rule.mix, which.bounds, strict=True)]
        scale = goal_of(rule.goal, 1.0, which.usd, which.watts)
        return scale * fsum(part for number, part in enumerate(parts) if number != at), scale * parts[at]

    return _crossing(line(best), line(one))


@dataclass(frozen=True)
class Sureness:
    """How sure the decision is.

    Attributes
    ----------
    lead
        How much worse the runner-up is, as a share; None without one.
    by_rung
        By rung who is best of the front by it, and how much better than the decision.
    model_error
        The median error of predictions of time with these costs; None where it is not known.
    by_price
        Price errors that make another one the best.
    """

    lead: float | None
    by_rung: Mapping[str, tuple[Candidate, float]]
    model_error: float | None
    by_price: Sequence[tuple[str, float, Candidate]]
    robust_mix: Robust | None = None
    robust_price: Robust | None = None
    changes: Sequence[Change] = field(default_factory=list)

    @property
    def tie(self) -> bool:
        """Whether the lead lies within the error of the model."""
        return self.lead is not None and self.lead <= margin_of(self.model_error)


def sureness(rule: Rule, candidates: Sequence[Candidate], model_error: float | None) -> Sureness:
    """How sure the best one is. O(candidates x (prices + workloads))."""
    order = rule.ranked(candidates)
    best = order[0]
    value = rule.value(best)
    lead = rule.value(order[1]) / value - 1 if len(order) > 1 and value > 0 else None
    by_price = []
    for name, factor in price_errors(candidates):
        found = rule.ranked(candidates, {name: factor})
        if found and found[0] is not best:
            by_price.append((name, factor, found[0]))
    over_mix: list[Case] = [(member.workload, {}, at) for at, member in enumerate(rule.mix) if member.weight]
    over_price: list[Case] = [
        (f"{name} x {factor:g}", {name: factor}, None) for name, factor in price_errors(candidates)
    ]
    return Sureness(
        lead, _by_rung(rule, order), model_error, by_price, least_regret(rule, candidates, over_mix),
        least_regret(rule, candidates, over_price), changes(rule, candidates),
    )  # fmt: skip


def _by_rung(rule: Rule, order: Sequence[Candidate]) -> dict[str, tuple[Candidate, float]]:
    """By rung the best of those that it was asked of, the decision among them."""
    made = {}
    for rung in ("loads", "steps", "time", "packet"):
        known = [(one, time_s) for one in order if (time_s := one.by(rung, rule.mix)) is not None]
        if len(known) < 2 or known[0][0] is not order[0]:
            continue
        values = [(goal_of(rule.goal, time_s, one.usd, one.watts), one) for one, time_s in known]
        least, one = min(values, key=lambda pair: pair[0])
        made[rung] = (one, values[0][0] / least - 1 if least > 0 else 0.0)
    return made
