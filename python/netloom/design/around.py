"""What else is asked of those on the front: failures, bisection, and what growing by a quarter costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from .candidate import Candidate
from .catalogue import Catalogue
from .families import larger
from .grown import Before, Growth
from .measure import Done, Job
from .mix import Member
from .pool import Pool

#: By how much a network grows, and the seeds of the failures that are drawn.
GROWTH, DRAWS = 0.25, 2
#: What may fail.
_KINDS = ("links", "switches")


@dataclass(frozen=True)
class Draw:
    """One draw of what fails.

    Attributes
    ----------
    slowdown
        Time of the mix by loads, over that in full service, of the workloads that run on the ranks that are left; where
        endpoints are lost, both of these ranks. None where the network falls apart.
    lost
        Endpoints of failed switches: their ranks are left out.
    refused
        What the network said, where it fell apart.
    """

    slowdown: float | None
    lost: int
    refused: str = ""


@dataclass(frozen=True)
class Failed:
    """Some links or switches failed.

    Attributes
    ----------
    draws
        What happens in each draw.
    failed, of
        Cables between switches, or switches, that fail, and how many there are.
    """

    draws: Sequence[Draw]
    failed: int = 0
    of: int = 0

    @property
    def slowdown(self) -> float | None:
        """The worst of the draws; None where the network falls apart in one."""
        known = [one.slowdown for one in self.draws if one.slowdown is not None]
        return max(known) if len(known) == len(self.draws) else None

    @property
    def lost(self) -> int:
        """The most of the draws, and not always of the one that is slowest."""
        return max(one.lost for one in self.draws)

    @property
    def refused(self) -> str:
        """What the network said, where it fell apart."""
        return next((one.refused for one in self.draws if one.slowdown is None), "")

    @property
    def together(self) -> bool:
        """Whether one draw is the slowest and loses the most."""
        return any(one.slowdown == self.slowdown and one.lost == self.lost for one in self.draws)


@dataclass(frozen=True)
class Around:
    """Of one candidate of the front; None for what cannot be said."""

    links: Failed | None
    switches: Failed | None
    bisection: tuple[float, bool] | None
    growth: Growth | None
    no_growth: str = ""


def around(
    candidates: Sequence[Candidate],
    mix: Sequence[Member],
    policy: str,
    fail: Sequence[tuple[str, str, int]],
    pool: Pool,
) -> list[tuple[Failed | None, Failed | None, tuple[float, bool] | None]]:
    """Failures and bisection of each. `fail`: what of links and of switches fails, draws one after another."""
    inputs = tuple(member.inputs for member in mix)
    jobs = []
    for one in candidates:
        jobs.append(Job(one.sized.call, "cut"))
        jobs += [Job(one.sized.call, "loads", inputs, policy, one.routing, what) for what in fail]
    found = pool.map(jobs)
    made = []
    each = len(fail) + 1
    for at, one in enumerate(candidates):
        cut, *runs = found[at * each : (at + 1) * each]
        of = {kind: [run for run, what in zip(runs, fail, strict=True) if what[0] == kind] for kind in _KINDS}
        links, switches = (_failed(one, mix, of[kind]) if of[kind] else None for kind in _KINDS)
        made.append((links, switches, cut.cut))
    return made


def failures(links: str, switches: str, seed: int) -> list[tuple[str, str, int]]:
    """What fails: all draws of links, then all of switches; none of which nothing fails."""
    asked = [(kind, much) for kind, much in zip(_KINDS, (links, switches), strict=True) if float(much.rstrip("%"))]
    return [(kind, much, seed + at) for kind, much in asked for at in range(DRAWS)]


def _failed(one: Candidate, mix: Sequence[Member], runs: Sequence[Done]) -> Failed | None:
    whole = one.by_rung.get("loads")
    if whole is None:
        return None
    draws = []
    for run in runs:
        if run.refused:
            draws.append(Draw(None, run.lost, run.refused))
            continue
        # Some workloads run on no other number of ranks.
        both = [pair for pair in zip(mix, run.undamaged or whole, run.times, strict=True) if pair[2] is not None]
        before = fsum(member.weight * (time_s or 0.0) for member, time_s, _ in both)
        after = fsum(member.weight * (time_s or 0.0) for member, _, time_s in both)
        draws.append(Draw(after / before if before else 1.0, run.lost))
    return Failed(draws, *runs[0].failed)


def growths(
    candidates: Sequence[Candidate], endpoints: int, catalogue: Catalogue, policy: str, pool: Pool
) -> list[Growth | str]:
    """What growing costs, or why it cannot.

    The larger network is the family's own choice, or the old shape with more below its top, whichever leaves more of
    the old cables where they are, then the cheaper one.
    """
    more = -(-endpoints * int(100 * (1 + GROWTH)) // 100)
    asked: list[tuple[int, Job]] = []
    reasons: dict[int, str] = {}
    for number, one in enumerate(candidates):
        calls, why = larger(one.sized, more)
        reasons[number] = why
        parts, before = (one.sized.switch, catalogue, more), Before(one.sized.call, endpoints)
        asked += [(number, Job(call, "growth", (), policy, parts=parts, before=before)) for call in calls]
    known: dict[int, Growth] = {}
    for (number, _), done in zip(asked, pool.map([job for _, job in asked]), strict=True):
        reasons[number] = done.refused
        best = known.get(number)
        if done.growth is not None and (best is None or _effort(done.growth) < _effort(best)):
            known[number] = done.growth
    return [known.get(number) or reasons[number] for number in range(len(candidates))]


def _effort(one: Growth) -> tuple[int, float]:
    return one.moved + one.unused_cables, one.usd
