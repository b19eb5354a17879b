"""Adaptive Hybrid of Jain 2016, section 3.2.2, message by message: a reference for link loads.

The text as written, and two things that packets have and the text has not: NICs bound a message, and of the candidates
only the least contended one is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import netloom

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: Remaining bandwidth that is none, of the fastest link's.
NONE_LEFT = 2.0**-20


@dataclass(frozen=True)
class Paths:
    """The paths between any two switches, one after the other, filled up with a link that is never full.

    Links between switches come first, then one into each switch and one out of it, for NICs, then that one.
    """

    switches: int
    links: int
    starts: Ints
    path_links: Ints
    is_global: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, net: netloom.Network, routing: str = "group-minimal") -> Paths:
        """O(switches² · paths)."""
        by, count, links = net.routing(routing), net.switches, len(net.tails)
        found: list[list[int]] = []
        starts = [0]
        for src in range(count):
            for dst in range(count):
                found += [list(path["links"]) for path in by.paths(src, dst)] if src != dst else [[]]
                starts.append(len(found))
        longest = max(len(path) for path in found)
        filled = np.array([path + [links + 2 * count] * (longest - len(path)) for path in found], dtype=np.int64)
        groups = np.asarray(net.groups)
        crosses = groups[np.asarray(net.tails)] != groups[np.asarray(net.heads)]
        return cls(count, links, np.array(starts, dtype=np.int64), filled, crosses)

    def number(self, src: Ints, dst: Ints) -> Ints:
        """How many paths each pair has."""
        pair = src * self.switches + dst
        return self.starts[pair + 1] - self.starts[pair]

    def take(self, src: Ints, dst: Ints, which: Ints) -> Ints:
        """A path of each pair."""
        return self.path_links[self.starts[src * self.switches + dst] + which]


@dataclass(frozen=True)
class Rules:
    """How a message gets its bandwidth.

    Parameters
    ----------
    nic
        Bandwidth of a NIC over that of a link; None: NICs do not bound a message, as in the paper.
    least
        In every round only the least contended candidate asks for bandwidth, the direct one at a tie. Without it all
        ask, in proportion to what they have left.
    """

    nic: float | None = None
    least: bool = False
    candidates: int = 4
    direct: int = 2
    increments: int = 50
    rounds: int = 100
    tolerance: float = 1e-3
    seed: int = 1


@dataclass(frozen=True)
class Solved:
    """Bytes on the links between switches, the share of all bytes on detours, and the bandwidth of all, in links."""

    link_bytes: Floats
    detoured: float
    granted: float


def solve(paths: Paths, src: Ints, dst: Ints, sizes: Floats, rules: Rules) -> Solved:
    """Rounds until they add nothing; one endpoint a switch, links of equal bandwidth. O(rounds · messages · hops)."""
    draws = np.random.default_rng(rules.seed)
    columns = paths.links + 2 * paths.switches + 1
    capacity = np.full(columns, np.inf if rules.nic is None else float(rules.nic))
    capacity[: paths.links], capacity[-1] = 1.0, np.inf
    allocated, rounds = np.zeros(columns), []
    for step in range(rules.increments + rules.rounds):
        candidates, is_direct = _drawn(paths, src, dst, rules, draws)
        exposed = min(1.0, (step + 1) / rules.increments)
        left = np.where(np.isinf(capacity), np.inf, np.maximum(exposed * capacity - allocated, 0.0))
        left[left < NONE_LEFT] = 0.0
        asked = _asked(left[candidates].min(axis=2), is_direct, rules.least) * sizes[:, None]
        requests = _on_links(candidates, asked, columns)
        offers = np.divide(left, requests, out=np.full(columns, np.inf), where=requests > 0)
        granted = np.where(asked > 0, asked * np.where(asked > 0, offers[candidates].min(axis=2), 0.0), 0.0)
        allocated += _on_links(candidates, granted, columns)
        rounds.append((candidates, granted, is_direct))
        total = sum(float(one[1].sum()) for one in rounds)
        if step + 1 >= rules.increments and granted.sum() <= rules.tolerance * total:
            break
    per_message = sum(one[1].sum(axis=1) for one in rounds)
    share = sizes / per_message
    carried, detoured = np.zeros(columns), 0.0
    for candidates, granted, is_direct in rounds:
        sent = granted * share[:, None]
        carried += _on_links(candidates, sent, columns)
        detoured += float(sent[~is_direct].sum())
    return Solved(carried[: paths.links], detoured / float(sizes.sum()), total)


def _drawn(
    paths: Paths, src: Ints, dst: Ints, rules: Rules, draws: np.random.Generator
) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """The links of the candidates of each message, with its NICs, and which are direct."""
    longest = paths.path_links.shape[1]
    shape = (len(src), rules.candidates)
    found = np.full((*shape, 2 * longest + 2), paths.links + 2 * paths.switches, dtype=np.int64)
    number = paths.number(src, dst)
    is_direct = np.arange(rules.candidates) < np.minimum(rules.direct, number)[:, None]
    first = draws.integers(0, number)

    def any_of(start: Ints, end: Ints) -> Ints:
        return paths.take(start, end, draws.integers(0, paths.number(start, end)))

    for column in range(rules.candidates):
        here = is_direct[:, column]
        found[here, column, :longest] = paths.take(src[here], dst[here], ((first + column) % number)[here])
        there = ~here
        middle = draws.integers(0, paths.switches, size=int(there.sum()))
        found[there, column, :longest] = any_of(src[there], middle)
        found[there, column, longest : 2 * longest] = any_of(middle, dst[there])
    found[:, :, -2] = (paths.links + src)[:, None]
    found[:, :, -1] = (paths.links + paths.switches + dst)[:, None]
    return found, is_direct


def _asked(least: Floats, is_direct: npt.NDArray[np.bool_], alone: bool) -> Floats:
    """The part of a message that asks for each candidate, by the least bandwidth left on it."""
    if not alone:
        total = least.sum(axis=1, keepdims=True)
        return np.divide(least, total, out=np.zeros_like(least), where=total > 0)
    best = np.where(is_direct, least * (1 + 1e-9), least).argmax(axis=1)
    asked = np.zeros_like(least)
    rows = np.arange(len(least))
    asked[rows, best] = least[rows, best] > 0
    return asked


def _on_links(candidates: Ints, amounts: Floats, columns: int) -> Floats:
    """The sum of the amounts of all paths over each link; the link that fills up gets none."""
    weights = np.repeat(amounts.reshape(-1), candidates.shape[2])
    found = np.bincount(candidates.reshape(-1), weights=weights, minlength=columns).astype(np.float64)
    found[-1] = 0.0
    return found
