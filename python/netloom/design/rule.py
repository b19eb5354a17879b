"""What is decided by: a goal, a mix and a budget; and the price errors under which it is asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from .candidate import Candidate, goal_of
from .mix import Member

#: Prices may be off by this share, one class of them at a time.
PRICE_ERROR = 0.2


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

    @property
    def limit_usd(self) -> float:
        """The budget, and what rounding may add to a sum of prices."""
        return self.budget_usd * (1 + 1e-12)

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
        if usd > self.limit_usd:
            return inf
        time_s = one.time([member.weight for member in self.mix]) if only is None else one.bounds[only]
        return goal_of(self.goal, time_s, usd, one.watts)

    def ranked(self, candidates: Sequence[Candidate], factors: Mapping[str, float] | None = None) -> list[Candidate]:
        """Those with a time that can be paid, the best first; of equally good ones the faster, then the cheaper."""
        able = [(self.value(one, factors), one) for one in candidates if one.timed]
        weights = [member.weight for member in self.mix]

        def key(pair: tuple[float, Candidate]) -> tuple[float, float, float, float, str]:
            value, one = pair
            return value, one.time(weights), one.bill.at(factors or {}), one.watts, one.name

        return [one for _, one in sorted((pair for pair in able if pair[0] < inf), key=key)]


def price_errors(candidates: Sequence[Candidate]) -> list[tuple[str, float]]:
    """Classes of price that any candidate pays for, each with both errors."""
    return [(name, factor) for name in price_classes(candidates) for factor in (1 - PRICE_ERROR, 1 + PRICE_ERROR)]


def price_classes(candidates: Sequence[Candidate]) -> list[str]:
    """Classes of price that any candidate pays for."""
    return list(dict.fromkeys(name for one in candidates for name, usd in one.bill.usd_of.items() if usd))


def may_win(rule: Rule, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those without a time that could be the best, as it is or under some price error; some of them over the budget."""
    left = [one for one in candidates if not one.final and not one.refused]
    found: dict[int, Candidate] = {}
    for factors in [{}, *({name: factor} for name, factor in price_errors(candidates))]:
        best = rule.ranked(candidates, factors)
        limit = rule.value(best[0], factors) if best else inf
        found |= {id(one): one for one in left if rule.value(one, factors) < limit}
    return list(found.values())
