"""Up the ladder: all candidates by cheap rungs, by dear ones those that may still be on the front.

Hops and loads give bounds below the time of flows over the same routes: what the busiest link needs for its bytes. A
candidate whose bound is no better than the time of one that costs no more and draws no more power cannot be on the
front, and its last rung is left out. So the front is that of climbing with all of them, as long as the bounds hold:
they do where messages take all routes of a policy in fixed shares (``spray``, ``one-path``), not where switches choose
(``adaptive``): there loads are an expectation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .candidate import Candidate, dominates
from .measure import Job
from .mix import Member
from .pool import Pool

#: Candidates that climb together before it is decided who climbs next; the same for any number of processes.
BATCH = 4
#: In the order of their price.
RUNGS = ("hops", "loads", "steps", "time")
#: The variant of routing of fixed shares: loads are bounds.
FIXED = "static-direct"


@dataclass
class Ladder:
    """Candidates, and the rungs that their workloads have.

    Attributes
    ----------
    prune
        False: all climb to the last rung.
    counts
        By rung the candidates that were asked.
    """

    mix: Sequence[Member]
    pool: Pool
    prune: bool = True
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def weights(self) -> list[float]:
        return [member.weight for member in self.mix]

    def climb(self, candidates: Sequence[Candidate]) -> None:
        """All of them, as far as they may be on the front."""
        for rung in RUNGS:
            if any(rung in member.rungs for member in self.mix):
                self._rung(rung, candidates)

    def further(self, candidates: Sequence[Candidate]) -> None:
        """Whatever the front: to the last rung those that have a bound, to the last but one those that have none."""
        rungs = [rung for rung in RUNGS if any(rung in member.rungs for member in self.mix)]
        new = [one for one in candidates if not one.by_rung]
        for some, climbed in ((new, rungs[:-1] or rungs), ([one for one in candidates if one not in new], rungs)):
            for rung in climbed:
                if asked := [one for one in some if rung not in one.by_rung and not one.refused]:
                    self._ask(asked, rung)

    def _rung(self, rung: str, candidates: Sequence[Candidate]) -> None:
        order = sorted(
            (one for one in candidates if not (one.refused or one.worse_than)),
            key=lambda one: (one.time(self.weights) * one.usd, one.usd, one.name),
        )
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            if self.prune:
                for one in batch:
                    one.worse_than = self._worse_than(one, candidates)
            self._ask([one for one in batch if not one.worse_than], rung)

    def _worse_than(self, one: Candidate, others: Sequence[Candidate]) -> str:
        """Who has a time, and is as good in everything; empty if nobody is."""
        point = (one.time(self.weights), one.usd, one.watts)
        for other in others:
            if (
                other.final
                and other is not one
                and dominates((other.time(self.weights), other.usd, other.watts), point)
            ):
                return other.name
        return ""

    def _ask(self, batch: Sequence[Candidate], rung: str) -> None:
        asked = [at for at, member in enumerate(self.mix) if rung in member.rungs]
        inputs = tuple(self.mix[at].inputs for at in asked)
        self.counts[rung] = self.counts.get(rung, 0) + len(batch)
        found = self.pool.map([Job(one.sized.call, rung, inputs, routing=one.routing) for one in batch])
        for one, made in zip(batch, found, strict=True):
            if made.refused:
                one.refused = made.refused
                continue
            times: list[float | None] = [None] * len(self.mix)
            for at, time_s in zip(asked, made.times, strict=True):
                times[at] = time_s
                if time_s is None:
                    continue
                if rung != self.mix[at].rungs[-1]:
                    one.bounds[at] = max(one.bounds[at], time_s)
                    continue
                if rung == "steps" and one.routing[1] == FIXED:
                    # A sample of steps may miss the dear ones; the bound by all of them holds.
                    times[at] = time_s = max(one.bounds[at], time_s)
                one.bounds[at] = time_s
            one.by_rung[rung] = times
            one.final = all(member.rungs[-1] in one.by_rung for member in self.mix)


def packets(candidates: Sequence[Candidate], mix: Sequence[Member], pool: Pool) -> None:
    """Packets check the front, of workloads that are small enough; times stay those of the ladder."""
    asked = [at for at, member in enumerate(mix) if member.packets]
    if not asked:
        return
    inputs = tuple(mix[at].inputs for at in asked)
    found = pool.map([Job(one.sized.call, "packet", inputs, routing=one.routing) for one in candidates])
    for one, made in zip(candidates, found, strict=True):
        if not made.refused:
            times: list[float | None] = [None] * len(mix)
            for at, time_s in zip(asked, made.times, strict=True):
                times[at] = time_s
            one.by_rung["packet"] = times
