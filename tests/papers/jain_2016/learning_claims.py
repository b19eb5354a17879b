"""Findings of chapter 4 of Jain 2016 that say which of the sixteen sets they rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ..findings import SLACK, Found, digest
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
    ties: Sequence[str] = (), refuted: str = "", alone: bool = True,
) -> Found:  # fmt: skip
    """A finding that says what was not run.

    Where sets of `wanted` were not, it is open; only what a set refutes by itself (`alone`) is refuted before they are.
    """
    made = finding(name, expected, cases, held=held, ties=ties, refuted=refuted)
    lacking = [one for one in wanted if one not in data.there()]
    if lacking:
        got = "; ".join(part for part in (made.got, f"not run yet: {len(lacking)} of {len(wanted)} sets") if part)
        decided = alone and held is None and made.verdict == "refuted" and bool(made.cases)
        made = replace(made, got=got, verdict="refuted" if decided else "open")
    return made if made.verdict == "refuted" else replace(made, reason="")


def greater(sets: Iterable[data.Set], pair: Callable[[data.Set], tuple[float, float]]) -> tuple[list[Case], list[str]]:
    """Whether the first score is above the second, set by set, and the labels of those that fail by 2 % or less."""
    cases, ties = [], []
    for one in sets:
        first, second = pair(one)
        cases.append((one.shown, f"{first:.3f} and {second:.3f}", first > second))
        if first <= second and second - first <= SLACK * abs(second):
            ties.append(one.shown)
    return cases, ties


#: From the worst.
ORDER = ("refuted", "open", "tie", "confirmed")


def as_one(name: str, parts: Sequence[Found]) -> Found:
    """One claim of all parts of a statement under another reading, which holds where all of them do."""
    cases = [
        {**case, "label": f"{part.id}: {case['label']}".removesuffix(": "), "setting": ""}
        for part in parts
        for case in part.cases
    ]
    expected, got = ("; ".join(getattr(part, key) for part in parts) for key in ("expected", "got"))
    verdict = min((part.verdict for part in parts), key=ORDER.index)
    return Found(name, digest([name, expected]), "", "", expected, got, verdict, "", False, cases)  # type: ignore[arg-type]
