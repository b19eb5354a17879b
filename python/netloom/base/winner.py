"""Winner or tie: who may be called the fastest, the cheapest or the best, and which bounds are worth telling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .quantities import percent

#: The first must be better by this share of its own value to be called so. Models leave out more than that: what
#: differs by less is a tie.
MARGIN = 0.02
#: Names of a tie that are told before the others are counted.
NAMED = 8
#: A bound below this share of what was found says nothing about how good that is.
USEFUL = 0.5


def is_tie(least: float, other: float, margin: float = MARGIN) -> bool:
    """True if `other`, which is not less, is within the margin of the least."""
    return other <= least * (1 + margin)


def leaders(values: Mapping[str, float], margin: float = MARGIN) -> list[str]:
    """Who has the least value, first, then those that tie with it in the order of their values; none of nobody."""
    if not values:
        return []
    ordered = sorted(values, key=values.__getitem__)
    least = values[ordered[0]]
    return [name for name in ordered if is_tie(least, values[name], margin)]


def margin_of(error: float | None) -> float:
    """Within which share values tie, where the median error of such predictions is known or not."""
    return max(MARGIN, error or 0.0)


def within(margin: float) -> str:
    """`within 7 %, the median error of such predictions`; of the usual margin its share alone."""
    why = ", the median error of such predictions" if margin > MARGIN else ""
    return f"within {100 * margin:.2g} %{why}"


def lead_said(lead: float, error: float | None) -> str:
    """What a lead over the runner-up, as a share, is next to the median error of such predictions."""
    margin = margin_of(error)
    if lead <= margin:
        why = f"the median error of such predictions, {percent(margin)}" if margin > MARGIN else f"{100 * MARGIN:g} %"
        return f"Between the two it is a tie: they differ by less than {why}."
    if error is None:
        return "The error of the model is not known for such a prediction."
    return f"That is more than the median error of such predictions, {percent(error)}."


def tie_said(names: Sequence[str], margin: float) -> str:
    """`within 7 %, the median error of such predictions: A, B, C tie`; "" by the usual margin, and of one alone."""
    if margin <= MARGIN or len(names) < 2:
        return ""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{within(margin)}: {', '.join(names[:NAMED])}{more} tie"


def called(names: Sequence[str], word: str) -> str:
    """`X is the fastest`, or `X and Y tie as the fastest`, for the leaders of a comparison."""
    if len(names) == 1:
        return f"{names[0]} is the {word}"
    return f"{listed(names)} tie as the {word} (within {100 * MARGIN:g} %)"


def listed(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def ties(times: Iterable[float], margin: float = MARGIN) -> list[bool]:
    """Of each value whether it ties with the least."""
    every = list(times)
    least = min(every, default=0.0)
    return [is_tie(least, value, margin) for value in every]


def tells(bound: float | None, found: float) -> bool:
    """True if a lower bound is near enough to what was found to be told."""
    return bound is not None and found > 0 and bound >= USEFUL * found
