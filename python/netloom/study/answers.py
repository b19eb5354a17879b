"""What a study comes to: the best run of every group in one sentence, with its unit and its lead over the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from ..evaluate.shown import readable
from ..plot.style import words_of
from ..results.rows import Cell
from .readings import sentences
from .schema import Best
from .tables import Outcome

#: Numbers that differ by less, as a share, tie.
EQUAL = 1e-9
#: Axes of which no value is chosen: the best over one of them would be a lucky draw, so their mean is compared.
SEEDS = ("seed", "layout_seed")


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
    """One sentence for each group of each `best` of an experiment, then those of its readings. O(rows)."""
    best = [f"{found.group}: {found.says}" if found.group else found.says for found in bests(outcome)]
    return best + sentences(outcome)


def bests(outcome: Outcome) -> list[Found]:
    """The best of each group of each `best` of an experiment, by the mean over its seeds. O(rows)."""
    return [found for best in outcome.part.spec.best for found in _found(best, outcome)]


def _found(best: Best, outcome: Outcome) -> list[Found]:
    table = (outcome.named(best.table) or outcome.table).where(best.where)
    varied = [name for name, labels in outcome.part.labels.items() if len(labels) > 1]
    said = []
    for key, group in table.groups(best.each) if best.each else [((), table)]:
        told = [name for name in varied if name not in best.each and len(group.distinct(name)) > 1]
        drawn = [name for name in told if name in SEEDS]
        rated = [(row, value) for row in group.rows if (value := _number(row.get(best.column))) is not None]
        words = [_words(row, [name for name in told if name not in drawn]) for row, _ in rated]
        found = [(value, text) for (_, value), text in zip(rated, words, strict=True)]
        if drawn:
            found = _means(found, [tuple(row[name] for name in drawn) for row, _ in rated], bool(best.most))
        if found:
            head = ", ".join(readable(name, value) for name, value in zip(best.each, key, strict=True))
            values = [value for value, _ in found]
            first, last = (max(values), min(values)) if best.most else (min(values), max(values))
            winners = dict.fromkeys(words for value, words in found if abs(value - first) <= EQUAL * abs(first))
            title = outcome.part.spec.title or outcome.part.spec.name
            other = last if abs(last - first) > EQUAL * abs(first) else None
            winner = " or ".join(list(winners)[:3]) if other is not None else ""
            says = _sentence(best, found) + ("; means over " + " and ".join(f"{name}s" for name in drawn)) * bool(drawn)
            said.append(Found(title, head, says, best.column, bool(best.most), first, winner, other))
    return said


def _means(
    found: Sequence[tuple[float, str]], draws: Sequence[tuple[Cell, ...]], most: bool
) -> list[tuple[float, str]]:
    """One value for each text: the mean over the draws of the best that each has."""
    best: dict[str, dict[tuple[Cell, ...], float]] = {}
    for (value, text), draw in zip(found, draws, strict=True):
        known = best.setdefault(text, {})
        known[draw] = (max if most else min)(value, known.get(draw, value))
    return [(fmean(values.values()), text) for text, values in best.items()]


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
    if text[-1].isdigit():  # No unit says what it is.
        text = f"{words_of(best.column)} {text}"
    if not others and len(found) > 1:
        return f"{text}; all tie"
    text += f" with {' or '.join(winners)}" if winners[0] else ""
    if not others:
        return text
    value, words = (max if best.most else min)(others)
    lead = f", {100 * abs(1 - first / value):.0f} % {'more' if best.most else 'less'} than" if value else "; next is"
    return f"{text}{lead} with {words} ({readable(best.column, value)})"
