"""What a network becomes when it grows in place: switches and cables that stay, move, are bought, are left over.

Old switches stay where they stand, and so does a cable between two switches that the larger network joins as well. Of
the other old cables those that have the medium and length of one that is needed are plugged elsewhere; the rest is
left over, and what is missing is bought.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..cost import Layout, cable_lengths_m, layout
from .bill import Parts, cheapest, parts_of
from .places import blocks, grown_floor, matchings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .catalogue import Catalogue, Switch

    Ints = NDArray[np.int64]

#: Families that grow by splicing: a new switch takes an old cable's place between two switches, one half of its ports
#: at a time (Singla et al. 2012, section 4.2; Valadarsky et al. 2016).
SPLICED = ("random_regular", "xpander")
#: Of the cables that splicing takes out.
SEED = 1
#: Cables are as long as each other to this many decimals of a metre.
DIGITS = 6


@dataclass(frozen=True)
class Growth:
    """A network with more endpoints, made of the old one.

    Attributes
    ----------
    network
        The larger one.
    usd
        What is bought.
    unused_usd
        What of the old parts is left over, at its price.
    switches, cables
        Numbers that are bought; cables to endpoints among them.
    unused_switches, unused_cables
        Numbers that are left over.
    moved
        Old cables that are plugged elsewhere.
    between
        Cables between switches before and after.
    radix
        Most ports in use at a switch.
    fewer
        Pairs of old switches that are joined still, by fewer cables.
    fewest
        Cables of the pair that loses most of them, before and after; (0, 0) where none loses any.
    spliced
        Whether new switches are put into old cables, so that it is no instance of a generator, but as good as one.
    """

    network: str
    usd: float
    unused_usd: float
    switches: int
    cables: int
    unused_switches: int
    unused_cables: int
    moved: int
    between: tuple[int, int]
    radix: int
    fewer: int = 0
    fewest: tuple[int, int] = (0, 0)
    spliced: bool = False


@dataclass(frozen=True)
class Before:
    """The network that grows: its call, the endpoints that it was bought for."""

    call: str
    endpoints: int


def grown(
    before: Before, net: _core.Network, call: str, endpoints: int, switch: Switch, catalogue: Catalogue
) -> Growth:
    """What growing to a larger network takes.

    Parameters
    ----------
    net, call
        The larger one.
    endpoints
        That it is bought for.

    Notes
    -----
    O(links log links).
    """
    old_net = _core.Network.build(before.call)
    old, new = parts_of(old_net, before.endpoints), parts_of(net, endpoints)
    matched, spliced = np.arange(old.switches), False
    if old_net.family in SPLICED and new.switches > old.switches and _degree(old) == _degree(new):
        new, spliced = _spliced(old, new), True
    else:
        ways = matchings(blocks(old_net, before.call, old.switches), blocks(net, call, new.switches))
        matched = max(ways, key=lambda way: int(_counts(old, new, way)[1:].min(axis=0).sum()))
    floor = layout(old.switches, catalogue.floor)
    larger = grown_floor(catalogue.floor, floor, matched, new.switches)
    counts = _counts(old, new, matched)
    pairs, was, now = counts
    removed = np.concatenate([_between(pairs, was - np.minimum(was, now), larger), _lost(old, matched, floor)])
    added = _between(pairs, now - np.minimum(was, now), larger)
    moved, left, bought = _reused(catalogue, switch.gbps, removed, added)
    taken = int((matched < 0).sum())
    stay = np.minimum(old.ends[matched >= 0], new.room[matched[matched >= 0]])
    ends, free = int(old.ends.sum() - stay.sum()), max(0, int(new.ends.sum() - old.ends.sum()))
    end_usd = float(cheapest(catalogue, switch.gbps, np.array([catalogue.endpoint_m]))[0][0])
    nic = catalogue.nic_of(switch.gbps)
    switches = new.switches - (old.switches - taken)
    less = (was > now) & (now > 0)
    worst = int(np.argmax(np.where(less, was - now, 0))) if less.any() else -1
    return Growth(
        call,
        switches * switch.usd + float(bought.sum()) + free * (end_usd + (nic.usd if nic else 0.0)),
        taken * switch.usd + float(left.sum()), switches, len(bought) + free, taken, len(left), moved + ends,
        (len(old.tails), len(new.tails)), new.radix, int(less.sum()),
        (int(was[worst]), int(now[worst])) if worst >= 0 else (0, 0), spliced,
    )  # fmt: skip


def _degree(parts: Parts) -> int:
    ports = np.bincount(np.concatenate([parts.tails, parts.heads]), minlength=parts.switches)
    return int(ports.max(initial=0))


def _counts(old: Parts, new: Parts, matched: Ints) -> Ints:
    """Pairs of switches of the larger network, as one number each, with their cables before and after."""
    tails, heads = matched[old.tails], matched[old.heads]
    both = (tails >= 0) & (heads >= 0)
    was = np.minimum(tails, heads)[both] * new.switches + np.maximum(tails, heads)[both]
    now = new.tails * new.switches + new.heads
    pairs, of = np.unique(np.concatenate([was, now]), return_inverse=True)
    made = [np.bincount(some, minlength=len(pairs)) for some in (of[: len(was)], of[len(was) :])]
    return np.stack([pairs, *made])


def _between(pairs: Ints, many: Ints, floor: Layout) -> NDArray[np.float64]:
    """Lengths of the cables of each pair, `many` of them."""
    every = np.repeat(pairs, many)
    return cable_lengths_m(every // floor.switches, every % floor.switches, floor)


def _lost(old: Parts, matched: Ints, floor: Layout) -> NDArray[np.float64]:
    """Lengths of the cables of switches that are taken out."""
    lost = (matched[old.tails] < 0) | (matched[old.heads] < 0)
    return cable_lengths_m(old.tails[lost], old.heads[lost], floor)


def _reused(
    catalogue: Catalogue, gbps: float, removed: NDArray[np.float64], added: NDArray[np.float64]
) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """How many cables are plugged elsewhere, and the prices of those that are left over and of those that are bought.

    A price follows from the length, and so does the medium.
    """
    lengths, of = np.unique(np.round(np.concatenate([removed, added]), DIGITS), return_inverse=True)
    out, needed = (np.bincount(some, minlength=len(lengths)) for some in (of[: len(removed)], of[len(removed) :]))
    both = np.minimum(out, needed)
    usd = cheapest(catalogue, gbps, lengths)[0] if len(lengths) else np.zeros(0)
    return int(both.sum()), np.repeat(usd, out - both), np.repeat(usd, needed - both)


def _spliced(old: Parts, new: Parts) -> Parts:
    """The old network with more switches, each put into cables between two others until its ports are in use."""
    edges = list(zip(old.tails.tolist(), old.heads.tolist(), strict=True))
    joined = [set[int]() for _ in range(new.switches)]
    for tail, head in edges:
        joined[tail].add(head)
        joined[head].add(tail)
    draw, degree = Random(SEED), _degree(old)
    for one in range(old.switches, new.switches):
        for _ in range(degree // 2):
            for _ in range(len(edges)):
                at = draw.randrange(len(edges))
                tail, head = edges[at]
                if one not in (tail, head) and not joined[one] & {tail, head}:
                    break
            else:
                break
            joined[tail].discard(head)
            joined[head].discard(tail)
            edges[at] = (tail, one)
            edges.append((head, one))
            joined[one] |= {tail, head}
            joined[tail].add(one)
            joined[head].add(one)
    if degree % 2:
        # One port of each is left: new switches join in pairs.
        pairs = zip(range(old.switches, new.switches, 2), range(old.switches + 1, new.switches, 2), strict=False)
        edges += [(one, other) for one, other in pairs if other not in joined[one]]
    ends = np.array([sorted(edge) for edge in edges], dtype=np.int64).reshape(-1, 2)
    return Parts(new.switches, ends[:, 0], ends[:, 1], new.ends, new.room, new.radix)
