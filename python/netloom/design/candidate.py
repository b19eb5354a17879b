"""A candidate: what it is, what it costs, and what is known of its times so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import fsum

from .bill import Bill
from .families import Sized
from .mix import Member

#: Goals by name: what is least, in words.
GOALS = {
    "time": "the least time",
    "per-usd": "the least time times price",
    "per-watt": "the least time times power",
}


@dataclass
class Candidate:
    """One network of one switch.

    Attributes
    ----------
    bounds
        Of each workload the greatest bound below its time that is known, s.
    by_rung
        By rung the seconds of each workload; None where it was not asked or could not say.
    final
        Whether every workload has the time of its last rung: `bounds` are then these times.
    refused
        Why it has no time.
    """

    sized: Sized
    bill: Bill
    routing: tuple[str, str]
    bounds: list[float]
    by_rung: dict[str, list[float | None]] = field(default_factory=dict)
    final: bool = False
    refused: str = ""
    #: Why it was not climbed to the last rung: the candidate that it is worse than.
    worse_than: str = ""
    on_front: bool = False

    @property
    def name(self) -> str:
        """Family, variant and switch."""
        return f"{self.sized.family} {self.sized.variant}, {self.sized.switch.name}"

    @property
    def timed(self) -> bool:
        """Whether it has a time, not a bound below one."""
        return self.final and not self.refused

    @property
    def usd(self) -> float:
        return self.bill.usd

    @property
    def watts(self) -> float:
        return self.bill.watts

    def time(self, weights: Sequence[float]) -> float:
        """The weighted sum of its times, or of the bounds below them."""
        return fsum(weight * one for weight, one in zip(weights, self.bounds, strict=True))

    def by(self, rung: str, mix: Sequence[Member], some: Sequence[int]) -> float:
        """The weighted time of some workloads of the mix by a rung that saw them."""
        known = self.by_rung[rung]
        return fsum(mix[at].weight * (known[at] or 0.0) for at in some)

    def last(self, mix: Sequence[Member], some: Sequence[int]) -> float:
        """The weighted time of some workloads of the mix by their last rungs."""
        return fsum(mix[at].weight * self.bounds[at] for at in some)

    def seen(self, rung: str) -> list[int]:
        """Numbers of the workloads that a rung could say something of."""
        return [at for at, time_s in enumerate(self.by_rung.get(rung, ())) if time_s is not None]


def goal_of(goal: str, time_s: float, usd: float, watts: float) -> float:
    """What the goal makes least."""
    return time_s * {"time": 1.0, "per-usd": usd, "per-watt": watts}[goal]


def dominates(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    """Whether it is as good in everything and better in something."""
    return all(a <= b for a, b in zip(one, other, strict=True)) and one != other


def front(points: Sequence[tuple[float, float, float]]) -> list[bool]:
    """Of each point whether no other dominates it. O(points^2)."""
    return [not any(dominates(other, one) for other in points) for one in points]
