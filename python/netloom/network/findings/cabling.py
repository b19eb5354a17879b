"""The cables of a tree, compared with the tree that was planned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...base.errors import Fault, NetloomError
from ...base.quantities import counted
from .base import Fabric, Finding, some

#: Most switches of two neighbouring levels whose shared neighbours are counted: 8 bytes for each pair.
MOST = 8192
MOVE = "move the cable to the port of the plan"


def miscabled(fabric: Fabric, plan: Fabric) -> Iterator[Finding]:
    """Where the cables of `fabric` are not those of `plan`, up to the numbering of switches.

    Raises
    ------
    NetloomError
        NL-A007 for a plan without levels.
    """
    if not plan.has_levels:
        hint = "give a tree such as fat_tree(radix=36,levels=2)"
        raise NetloomError([Fault("NL-A007", "--expect", "a network with levels", plan.net.label, hint)])
    if not fabric.has_levels:
        yield odd_level(fabric)
        return
    yield from sizes(fabric, plan)
    for level in range(min(int(fabric.level.max()), int(plan.level.max()))):
        own, due = Between(fabric, level), Between(plan, level)
        yield from parallel(own, due)
        yield from strays(own, due)


def odd_level(fabric: Fabric) -> Finding:
    """The first cable that joins no level to the next, with switches with (many) endpoints at level 0."""
    most = int(fabric.per_switch.max(initial=0))
    wrong = min((off_level(fabric, least) for least in (1, -(-most // 2))), key=len)
    where = some(fabric.cable(link) for link in wrong) or fabric.net.label
    what = "joins switches of one level, so that the fabric is no tree" if wrong else "has no levels"
    return finding(where, what, MOVE)


def off_level(fabric: Fabric, least: int) -> list[int]:
    """Cables that join no level to the next; switches with `least` endpoints or more are level 0."""
    level = np.where(fabric.per_switch >= max(1, least), 0, -1)
    while (level < 0).any():
        known = level[fabric.tails]
        reached = (known == level.max()) & (level[fabric.heads] < 0)
        if not reached.any():
            break
        level[fabric.heads[reached]] = level.max() + 1
    return [int(link) for link in fabric.cables if abs(level[fabric.tails[link]] - level[fabric.heads[link]]) != 1]


def finding(where: str, what: str, remedy: str) -> Finding:
    return {"kind": "miscabled", "severity": "error", "where": where, "what": what, "remedy": remedy}


def sizes(fabric: Fabric, plan: Fabric) -> Iterator[Finding]:
    """Switches and endpoints of each level."""
    own, due = np.bincount(fabric.level), np.bincount(plan.level)
    for level in range(max(len(own), len(due))):
        have, want = (int(counts[level]) if level < len(counts) else 0 for counts in (own, due))
        if have != want:
            what = f"has {counted(have, 'switch')} on level {level}, the plan {want}"
            yield finding(fabric.net.label, what, "correct the plan, or find the switches that are down")
    planned = set(plan.level[plan.per_switch > 0].tolist())
    for switch in map(int, np.flatnonzero((fabric.per_switch > 0) & ~np.isin(fabric.level, sorted(planned)))):
        own = np.flatnonzero(fabric.endpoint_switch == switch)
        verb = "is an endpoint" if len(own) == 1 else "are endpoints"
        what = f"{verb} on level {fabric.level[switch]}, the plan has them on level {min(planned)}"
        yield finding(some(fabric.endpoint(int(e)) for e in own), what, "move endpoints to leaves, or leave them out")
    usual = Counter(plan.per_switch[plan.level == 0].tolist())
    most = max(usual)
    for switch in map(int, np.flatnonzero(fabric.per_switch > most)):
        what = f"has {counted(int(fabric.per_switch[switch]), 'endpoint')}, the plan at most {most}"
        yield finding(fabric.switch_names[switch], what, "move endpoints to other switches")


class Between:
    """The cables from a level to the next, as counts by pair of switches."""

    def __init__(self, fabric: Fabric, level: int) -> None:
        self.fabric = fabric
        self.lower = np.flatnonzero(fabric.level == level)
        self.upper = np.flatnonzero(fabric.level == level + 1)
        place = np.zeros(fabric.net.switches, dtype=np.int64)
        place[self.lower], place[self.upper] = np.arange(len(self.lower)), np.arange(len(self.upper))
        of = (fabric.level[fabric.tails] == level) & (fabric.level[fabric.heads] == level + 1)
        self.links = np.flatnonzero(of)
        self.a, self.b = place[fabric.tails[self.links]], place[fabric.heads[self.links]]

    @property
    def is_small(self) -> bool:
        """Whether pairs of switches can be counted."""
        return max(len(self.lower), len(self.upper)) <= MOST

    def pairs(self) -> NDArray[np.int64]:
        """Cables by lower and upper switch."""
        counts = np.zeros((len(self.lower), len(self.upper)), dtype=np.int64)
        np.add.at(counts, (self.a, self.b), 1)
        return counts

    def support(self) -> NDArray[np.float64]:
        """Of every joined pair (a, b), the upper switches that a shares with the others below b, on average."""
        joined = (self.pairs() > 0).astype(np.float64)
        shared = joined @ joined.T
        others = joined.sum(axis=0) - 1
        total = shared @ joined - np.diag(shared)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where((joined > 0) & (others > 0), total / others, np.nan)


def parallel(own: Between, due: Between) -> Iterator[Finding]:
    """Pairs with more or fewer cables than any pair of the plan."""
    if not (own.is_small and due.is_small):
        return
    planned = set(np.unique(due.pairs()).tolist())
    counts = own.pairs()
    full = 0 not in planned
    names = own.fabric.switch_names
    for a, b in np.argwhere(~np.isin(counts, sorted(planned))):
        # Where the plan leaves pairs out, a pair without a cable is no fault in itself.
        have = int(counts[a, b])
        if have or full:
            where = f"{names[own.lower[a]]} - {names[own.upper[b]]}"
            wanted = " or ".join(str(count) for count in sorted(planned))
            yield finding(where, f"are joined by {counted(have, 'cable')}, the plan has {wanted}", MOVE)


def strays(own: Between, due: Between) -> Iterator[Finding]:
    """Cables to a switch whose other cables lead elsewhere in the tree."""
    if not (own.is_small and due.is_small) or not len(due.links):
        return
    planned = due.support()
    if np.isnan(planned).all():
        return
    least = float(np.nanmin(planned)) / 2
    support = own.support()
    for link, a, b in zip(own.links, own.a, own.b, strict=True):
        if support[a, b] < least:
            names = own.fabric.switch_names
            rest = {names[own.lower[x]] for x in own.a[own.b == b] if x != a}
            what = f"leads {names[own.lower[a]]} to a switch of {some(sorted(rest))}, with which it shares few others"
            yield finding(own.fabric.cable(int(link)), what, MOVE)
