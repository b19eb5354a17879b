"""What a study comes to: the best run of every group in one sentence, with its unit and its lead over the next."""

from __future__ import annotations

from collections.abc import Sequence

from ..evaluate.shown import readable
from ..results.rows import Cell
from .schema import Best
from .tables import Outcome

#: Numbers that differ by less, as a share, tie.
EQUAL = 1e-9


def answers(outcome: Outcome) -> list[str]:
    """One sentence for each group of each `best` of an experiment. O(rows)."""
    return [sentence for best in outcome.part.spec.best for sentence in _sentences(best, outcome)]


def _sentences(best: Best, outcome: Outcome) -> list[str]:
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
            said.append(f"{head}: {_sentence(best, found)}" if head else _sentence(best, found))
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
