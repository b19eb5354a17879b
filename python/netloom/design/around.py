"""What else is asked of those on the front: failures, bisection, and what growing by a quarter costs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from .bill import Bill
from .candidate import Candidate
from .catalogue import Catalogue
from .families import sized
from .measure import Done, Job
from .mix import Member
from .pool import Pool

#: By how much a network grows, and the seeds of the failures that are drawn.
GROWTH, DRAWS = 0.25, 2
#: What may fail.
_KINDS = ("links", "switches")


@dataclass(frozen=True)
class Failed:
    """Some links or switches failed.

    Attributes
    ----------
    slowdown
        Time of the mix by loads, over that in full service, the worst of the draws, of the workloads that run on the
        ranks that are left; None where the network falls apart.
    lost
        Endpoints of failed switches, most of the draws: their ranks are left out.
    refused
        What the network said, where it fell apart.
    """

    slowdown: float | None
    lost: int
    refused: str = ""


@dataclass(frozen=True)
class Growth:
    """A quarter more endpoints, with the same family, variant and switch.

    Attributes
    ----------
    usd
        What is bought.
    unused_usd
        What of the old parts is no longer needed, at its price.
    moved
        Which old cables are plugged elsewhere, in words; "" for none.
    network
        The larger one.
    """

    network: str
    usd: float
    unused_usd: float
    moved: str


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
        jobs += [Job(one.sized.call, "loads", inputs, policy, fail=what) for what in fail]
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
    worst, lost = 0.0, 0
    for run in runs:
        if run.refused:
            return Failed(None, max(lost, run.lost), run.refused)
        # Some workloads run on no other number of ranks.
        both = [pair for pair in zip(mix, whole, run.times, strict=True) if pair[2] is not None]
        before = fsum(member.weight * (time_s or 0.0) for member, time_s, _ in both)
        after = fsum(member.weight * (time_s or 0.0) for member, _, time_s in both)
        worst, lost = max(worst, after / before if before else 1.0), max(lost, run.lost)
    return Failed(worst, lost)


def growths(
    candidates: Sequence[Candidate], endpoints: int, catalogue: Catalogue, policy: str, pool: Pool
) -> list[Growth | str]:
    """What growing costs, or why it cannot."""
    more = -(-endpoints * int(100 * (1 + GROWTH)) // 100)
    larger: list[tuple[Candidate, str]] = []
    reasons: dict[str, str] = {}
    for one in candidates:
        found, left_out = sized(one.sized.family, one.sized.switch, more)
        same = [new for new in found if new.variant == one.sized.variant]
        if same:
            larger.append((one, same[0].call))
        else:
            why = [left.reason for left in left_out if left.name == one.name]
            reasons[one.name] = why[0] if why else f"this shape has no room for {more:,} endpoints"
    jobs = [Job(call, "bill", (), policy, parts=(one.sized.switch, catalogue, more)) for one, call in larger]
    known = {}
    for (one, call), done in zip(larger, pool.map(jobs), strict=True):
        if done.bill is None:
            reasons[one.name] = done.refused
        else:
            known[one.name] = _growth(one, call, done.bill)
    return [known.get(one.name) or reasons[one.name] for one in candidates]


def _growth(one: Candidate, call: str, new: Bill) -> Growth:
    names = {*one.bill.usd_of, *new.usd_of}
    steps = [new.usd_of.get(name, 0.0) - one.bill.usd_of.get(name, 0.0) for name in sorted(names)]
    bought, unused = fsum(step for step in steps if step > 0), fsum(-step for step in steps if step < 0)
    return Growth(call, bought, unused, moved(one.sized.family, one.sized.call, call))


def moved(family: str, old: str, new: str) -> str:
    """Which cables between old switches are plugged elsewhere when a network grows."""
    if old == new:
        return ""
    if family == "fat-tree" and old.startswith("xgft") and new.startswith("xgft"):
        lists = [[part.split(",") for part in re.findall(r"\[([\d,]*)\]", call)] for call in (old, new)]
        (m, *rest), (m_new, *rest_new) = lists
        return "" if (m[:-1], rest) == (m_new[:-1], rest_new) else "cables to the top level"
    if family in ("dragonfly", "dragonfly-plus"):
        return "cables between groups"
    if family == "rail-optimised":
        return "cables to the spines"
    if family in ("random-regular", "xpander"):
        return "some cables: new switches are spliced into old links"
    return "most cables between switches"
