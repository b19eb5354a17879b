"""Findings of chapter 4 of Jain 2016 that say which of the sixteen sets they rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ..findings import SLACK, Found
from ..measured import finding
from . import learning_data as data

Case = tuple[str, str, bool]
#: What a row says: value or text, and whether it holds.
Judge = Callable[[data.Set], tuple[str, bool]]


def over(sets: Iterable[data.Set], judge: Judge) -> Iterator[Case]:
    """A case for each set."""
    for one in sets:
        yield (one.shown, *judge(one))


def claim(
    name: str, expected: str, cases: Iterable[Case], wanted: Sequence[data.Set], *, held: bool | None = None,
    ties: Sequence[str] = (), refuted: str = "",
) -> Found:  # fmt: skip
    """A finding. Where sets that it speaks of were not run, it is open, unless a set that was run refutes it."""
    made = finding(name, expected, cases, held=held, ties=ties, refuted=refuted)
    lacking = [one.shown for one in wanted if one not in data.there()]
    if not lacking:
        return made
    told = f"not run yet: {len(lacking)} of {len(wanted)} sets"
    decided = made.verdict == "refuted" and held is None and made.cases
    return replace(
        made,
        got="; ".join(part for part in (made.got, told) if part),
        verdict="refuted" if decided else "open",
        reason=made.reason if decided else "",
        cases=made.cases if made.cases else [],
    )


def greater(sets: Iterable[data.Set], pair: Callable[[data.Set], tuple[float, float]]) -> tuple[list[Case], list[str]]:
    """Whether the first score is above the second, set by set, and the labels of those that fail by 2 % or less."""
    cases, ties = [], []
    for one in sets:
        first, second = pair(one)
        cases.append((one.shown, f"{first:.3f} and {second:.3f}", first > second))
        if first <= second and second - first <= SLACK * abs(second):
            ties.append(one.shown)
    return cases, ties
