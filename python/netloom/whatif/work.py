"""Whether what is compared is the same work: networks of other sizes have other numbers of ranks, if nobody says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..base.winner import listed
from ..evaluate import Evaluator
from ..evaluate.ranks import OF_EACH, SIZED, differ_said, ends, may_differ, ranks_of
from ..scenario.parameters import input_of
from .runs import OfScenario
from .varied import Choice, Value, Varied

#: Inputs that say how many ranks there are.
COUNTS = ("ranks", "nodes", "ranks_per_node")


def ranks_by(row: Evaluator, function: OfScenario, varied: Sequence[Varied]) -> dict[str, tuple[int, int]]:
    """Least and most ranks by the name of what changes them, the others as written.

    Inputs that say how many ranks there are change them; others only where `ranks` is not given.

    Cost: a network for each choice, and for the base and both ends of each range.
    """
    filled = may_differ(row, {*_said(function), *(one.key for one in varied)})
    if row.axis("ranks") is None or row.name in OF_EACH or "jobs" in function.scenario:
        return {}
    made = {}
    for one in varied:
        if one.key in COUNTS or (filled and input_of(one.key) in SIZED):
            found = ends(ranks_of(row, function.at({one.name: value})) for value in _values(one))
            if found is not None:
                made[one.name] = found
    return made


def _said(function: OfScenario) -> set[str]:
    """Inputs that are given; ``ranks = "all"`` says no number."""
    return {name for name in function.scenario if function.scenario.given(name) != "all"}


def _values(one: Varied) -> list[Value]:
    return [*one.choices, one.base] if isinstance(one, Choice) else [one.taken(one.low), one.base, one.taken(one.high)]


def other_work(ranks: Mapping[str, tuple[int, int]], function: OfScenario) -> str:
    """A sentence where ranks differ; empty where they do not."""
    if not ranks:
        return ""
    both = min(least for least, _ in ranks.values()), max(most for _, most in ranks.values())
    if counts := [name for name in ranks if function.keys[name] in COUNTS]:
        names = listed([f"`{name}`" for name in counts])
        return f"Ranks differ, {both[0]:,} to {both[1]:,}, as {names} is varied: other values of it are other work."
    return f"{differ_said(both, _said(function))}."
