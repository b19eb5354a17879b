"""Mappings that a contest compares: what each is worth, and which is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.arrays import ndarray
from .rungs import of_mappings, rung

if TYPE_CHECKING:
    from ..base.arrays import Endpoints
    from ..plugin.rung import Worth

#: The rung of a candidate that none has rated.
COARSEST = "loads"
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
        As of `netloom.evaluate.mapped.measured`; None for what was not asked.
    """

    name: str
    slots: Endpoints
    worth: Worth


def by_link(one: Candidate) -> tuple[float, ...]:
    """Its rank where the worst link decides."""
    return tuple(rated(one, key) for key in ("max_link_s", "inter_node_bytes", "hop_bytes"))


def finest(start: Candidate, one: Candidate) -> str:
    """The finest rung that has rated both."""
    both = [at.name for at in of_mappings() if None not in (start.worth.get(at.decides), one.worth.get(at.decides))]
    return both[-1] if both else COARSEST


def rated(one: Candidate, key: str) -> float:
    """A number of a candidate; infinite if unknown."""
    number = one.worth.get(key)
    return float("inf") if number is None else float(number)


def best_of(found: list[Candidate], beaten: bool = False) -> tuple[Candidate, str]:
    """The best by the finest rung that the start and another one have, and that rung; coarser rungs break ties.

    A start that is `beaten` by time, simulated or not, needs none.
    """
    start = found[0]
    keys_of = {at.name: at.decides for at in of_mappings()}
    known = [name for name, key in keys_of.items() if start.worth.get(key) is not None or (beaten and name == "time")]
    having = {name: [one for one in found if one.worth.get(keys_of[name]) is not None] for name in known}
    rivals = {name: [one for one in ones if one is not start] for name, ones in having.items()}
    decides = next((name for name in reversed(known) if rivals[name]), known[-1] if known else COARSEST)
    keys = [keys_of[decides], "max_link_s", "inter_node_bytes", "hop_bytes"]

    def order(one: Candidate) -> tuple[float, ...]:
        return tuple(_rounded(rated(one, key)) for key in keys)

    best = min(having.get(decides, [start]), key=order)
    return (start if rated(best, keys[0]) >= rated(start, keys[0]) * (1 - SAME) else best), decides


def with_less_traffic(found: list[Candidate], best: Candidate, by: str) -> Candidate | None:
    """The quickest of those that put much less on the network than the best, for little more time, if there is one.

    `LESS` bytes between nodes or bytes times hops, and no more of the other; at most `MORE` of what `by` rates.
    """
    key = rung(by).decides
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
    for at in of_mappings():
        before, after = start.worth.get(at.decides), best.worth.get(at.decides)
        if before is not None and after is not None:
            found[at.name] = 1 - after / before if before else 0.0
    return found


def better(before: Candidate, after: Candidate, least: float) -> bool:
    """True if the finest number that both have fell by more than this share."""
    keys = [at.decides for at in of_mappings()]
    both = [key for key in keys if before.worth.get(key) is not None and after.worth.get(key) is not None]
    return bool(both) and rated(after, both[-1]) < rated(before, both[-1]) * (1 - least)


def equal(a: Endpoints, b: Endpoints) -> bool:
    """True of the same mapping."""
    return bool((ndarray(a) == ndarray(b)).all())
