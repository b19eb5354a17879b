"""Which algorithms are timed where nobody names them: those that are done in minutes, by a cautious estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .. import _core
from ..base.ahead import duration
from ..base.errors import NetloomError
from ..evaluate import core
from ..evaluate.ahead import flow_s
from .reorder import split

if TYPE_CHECKING:
    from ..scenario import Question

#: Seconds that all of them may be thought to take; most take a third of what is thought.
BUDGET_S = 150.0
#: Seconds from which it is asked how many of the ranks are simulated.
WORTH_S = 10.0


def costs(bound: Question, names: Sequence[str], sizes: Sequence[int]) -> dict[str, float]:
    """Seconds that each algorithm is thought to take at all sizes. O(ranks) each.

    Those that cannot be built cost nothing: whoever times them says why.
    """
    return {name: _seconds(bound, name, sizes) for name in names}


def affordable(cost: Mapping[str, float], sizes: int, budget_s: float = BUDGET_S) -> tuple[list[str], dict[str, str]]:
    """The algorithms that are timed, in the order given, and why the others are not.

    The cheapest first, and at least one, until the budget is spent.
    """
    spent, too_long = 0.0, dict[str, str]()
    for place, name in enumerate(sorted(cost, key=lambda one: cost[one])):
        spent += cost[name]
        if spent > budget_s and place > 0:
            too_long[name] = f"takes about {duration(cost[name])} at {sizes} sizes: name it with --algorithms"
    return [name for name in cost if name not in too_long], too_long


def _seconds(bound: Question, name: str, sizes: Sequence[int]) -> float:
    try:
        load = bound.work.of(split(name)[0], bound.ranks, bound.integer("root"), sizes[-1], "algorithms")
        seconds = flow_s(load, bound.ranks) * len(sizes)
        if seconds > WORTH_S and isinstance(load, _core.Schedule):
            seconds *= _core.simulated_share(core.several(bound, [load]))
    except NetloomError:
        return 0.0
    return seconds
