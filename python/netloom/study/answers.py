"""What a study comes to: the best run of every group in one sentence, with its unit and its lead over the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..evaluate.shown import readable
from ..results.rows import Cell
from .schema import Best
from .tables import Outcome

#: Numbers that differ by less, as a share, tie.
EQUAL = 1e-9


@dataclass(frozen=True)
class Found:
    """The best of one group of an experiment.

    Attributes
    ----------
    title, group
        Of the experiment; the values of `each`, "" without.
    says
        In a sentence.
    column, most
        What was compared, and whether more is better.
    value, winner
        The best value, and the runs that have it.
    other
        The value at the other end; None if all tie.
    """

    title: str
    group: str
    says: str
    column: str
    most: bool
    value: float
    winner: str
    other: float | None

    @property
    def head(self) -> str:
        """Experiment and group."""
        return ": ".join(filter(None, (self.title, self.group)))


def answers(outcome: Outcome) -> list[str]:
    """One sentence for each group of each `best` of an experiment. O(rows)."""
    return [f"{found.group}: {found.says}" if found.group else found.says for found in bests(outcome)]


def bests(outcome: Outcome) -> list[Found]:
    """The best of each group of each `best` of an experiment. O(rows)."""
    return [found for best in outcome.part.spec.best for found in _found(best, outcome)]


def _found(best: Best, outcome: Outcome) -> list[Found]:
    table = (outcome.named(best.table) or outcome.table).where(best.where)
    varied = [name for name, labels in outcome.part.labels.items() if len(labels) > 1]
    said = []
    for key, group in table.groups(best.each) if best.each else [((), table)]:
        told = [name for name in varied if name not in best.each and len(group.distinct(name)) > 1]
        found = [
            (value, _words(row, told)) for row in group.rows if (value := _number(row.get(best.column))) is not None
        ]
        if found:
            head = ", ".join(readable(name, value) for name, value in zip(best.each, key, strict=True))
            values = [value for value, _ in found]
            first, last = (max(values), min(values)) if best.most else (min(values), max(values))
            winners = dict.fromkeys(words for value, words in found if abs(value - first) <= EQUAL * abs(first))
            title = outcome.part.spec.title or outcome.part.spec.name
            other = last if abs(last - first) > EQUAL * abs(first) else None
            winner = " or ".join(list(winners)[:3]) if other is not None else ""
            said.append(Found(title, head, _sentence(best, found), best.column, best.most, first, winner, other))
    return said


def _number(value: Cell) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _words(row: dict[str, Cell], axes: Sequence[str]) -> str:
    return ", ".join(str(row[name]) for name in axes)


def _sentence(best: Best, found: list[tuple[float, str]]) -> str:
    first = (max if best.most else min)(value for value, _ in found)
    close = EQUAL * abs(first)
    winners = list(dict.fromkeys(words for value, words in found if abs(value - first) <= close))
    others = [(value, words) for value, words in found if abs(value - first) > close]
    text = readable(best.column, first)
    if not others and len(found) > 1:
        return f"{text}; all tie"
    text += f" with {' or '.join(winners)}" if winners[0] else ""
    if not others:
        return text
    value, words = (max if best.most else min)(others)
    lead = f", {100 * abs(1 - first / value):.0f} % {'more' if best.most else 'less'} than" if value else "; next is"
    return f"{text}{lead} with {words} ({readable(best.column, value)})"
