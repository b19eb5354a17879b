"""Mappings that a contest compares: what each is worth, and which is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.arrays import ndarray

if TYPE_CHECKING:
    from ..base.arrays import Endpoints
    from .mapped import Worth

#: Rungs from coarse to fine, and the number of each that decides.
RUNGS = {"loads": "max_link_s", "time": "time_s", "packet": "packet_s"}
#: Ratings that are this near are the same.
SAME = 1e-9
#: Traffic that is worth more time: so much less of it, for no more than so much.
LESS, MORE = 0.1, 0.15


@dataclass(eq=False)
class Candidate:
    """A mapping and what it is worth.

    Attributes
    ----------
    worth
        As of `netloom.evaluate.mapped.measured`, and `packet_s`; None for what was not asked.
    """

    name: str
    slots: Endpoints
    worth: Worth


def by_link(one: Candidate) -> tuple[float, ...]:
    """Its rank where the worst link decides."""
    return tuple(rated(one, key) for key in ("max_link_s", "inter_node_bytes", "hop_bytes"))


def finest(start: Candidate, one: Candidate) -> str:
    """The finest rung that has rated both."""
    both = [rung for rung, key in RUNGS.items() if None not in (start.worth.get(key), one.worth.get(key))]
    return both[-1] if both else "loads"


def rated(one: Candidate, key: str) -> float:
    """A number of a candidate; infinite if unknown."""
    number = one.worth.get(key)
    return float("inf") if number is None else float(number)


def best_of(found: list[Candidate], beaten: bool = False) -> tuple[Candidate, str]:
    """The best by the finest rung that the start and another one have, and that rung; coarser rungs break ties.

    A start that is `beaten` by time, simulated or not, needs none.
    """
    start = found[0]
    known = [key for key in RUNGS if start.worth.get(RUNGS[key]) is not None or (beaten and key == "time")]
    having = {rung: [one for one in found if one.worth.get(RUNGS[rung]) is not None] for rung in known}
    rivals = {rung: [one for one in ones if one is not start] for rung, ones in having.items()}
    rung = next((rung for rung in reversed(known) if rivals[rung]), known[-1] if known else "loads")
    keys = [RUNGS[rung], "max_link_s", "inter_node_bytes", "hop_bytes"]

    def order(one: Candidate) -> tuple[float, ...]:
        return tuple(_rounded(rated(one, key)) for key in keys)

    best = min(having.get(rung, [start]), key=order)
    return (start if rated(best, keys[0]) >= rated(start, keys[0]) * (1 - SAME) else best), rung


def with_less_traffic(found: list[Candidate], best: Candidate, rung: str) -> Candidate | None:
    """The quickest of those that put much less on the network than the best, for little more time, if there is one.

    `LESS` bytes between nodes or bytes times hops, and no more of the other; at most `MORE` of what `rung` rates.
    """
    key = RUNGS[rung]
    traffic = [each for each in ("inter_node_bytes", "hop_bytes") if 0 < rated(best, each) < float("inf")]

    def saves(one: Candidate) -> bool:
        shares = [rated(one, each) / rated(best, each) for each in traffic]
        quick = rated(one, key) <= (1 + MORE) * rated(best, key)
        return quick and bool(shares) and max(shares) <= 1 + SAME and min(shares) <= 1 - LESS

    return min(filter(saves, found), key=lambda one: (rated(one, key), *by_link(one)), default=None)


def _rounded(number: float) -> float:
    """Nine digits: what differs less is rounding."""
    return float(f"{number:.9g}")


def gains(start: Candidate, best: Candidate) -> dict[str, float]:
    """By rung, the share that is saved."""
    found = {}
    for rung, key in RUNGS.items():
        before, after = start.worth.get(key), best.worth.get(key)
        if before is not None and after is not None:
            found[rung] = 1 - after / before if before else 0.0
    return found


def better(before: Candidate, after: Candidate, least: float) -> bool:
    """True if the finest number that both have fell by more than this share."""
    both = [key for key in RUNGS.values() if before.worth.get(key) is not None and after.worth.get(key) is not None]
    return bool(both) and rated(after, both[-1]) < rated(before, both[-1]) * (1 - least)


def equal(a: Endpoints, b: Endpoints) -> bool:
    """True of the same mapping."""
    return bool((ndarray(a) == ndarray(b)).all())
