"""What would change the decision, from runs that were made: no model stands in for them.

*Value*: the map says what either parameter gives where the other one has another value. With the runner-up at `y` the
decision still gains more if the best of its column is better than the best of the runner-up's own curve: both start at
the same result. And so with the decision at `x`, by rows.

*Range*: the rows of the sample whose two values of a parameter lie in one half of its range are a sample of that half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.winner import is_tie
from .curves import Map
from .extrapolated import nothing_of
from .gains import Gain
from .indices import LEAST_ROWS, OUTSIDE, Index, indices
from .knees import better
from .varied import Choice, Range, Value, Varied

if TYPE_CHECKING:
    import numpy as np

    from ..base.arrays import Matrix


@dataclass(frozen=True)
class Change:
    """What would change the decision.

    Attributes
    ----------
    kind
        ``value``: the parameter stands elsewhere; ``range``: only a part of its range is asked about.
    of
        That parameter.
    values
        Of a value those that were run; of a range both its ends, or the choice.
    to
        Who gains more then, or has the greater total index.
    until
        The next value at which it is not so; None without one.
    totals
        Total indices of a range: of who decides then, and of the decision.
    """

    kind: str
    of: Varied
    values: Sequence[Value]
    to: str
    until: Value | None = None
    totals: tuple[Index, Index] | None = None


def by_value(found: Map, first: Gain, second: Gain, least: bool) -> list[Change]:
    """Values of the two parameters of a map at which the second one of them gains more. Results are above 0.

    Nothing where it does at the base point already, or neither does: that is no change of the decision.
    """
    results = found.results
    of_rows = [_best(row, least) for row in results]
    of_columns = [_best([row[at] for row in results], least) for at in range(len(found.columns))]
    # With the second one elsewhere the first one still gains what its column has, and the second one its own curve.
    if _ahead((first.after, second.after), least) != 0:
        return []
    made = []
    columns = [_ahead((one, second.after), least) == 1 for one in of_columns]
    rows = [_ahead((first.after, one), least) == 1 for one in of_rows]
    for of, values, ahead in ((found.second, found.columns, columns), (found.first, found.rows, rows)):
        made += _turns(of, values, ahead, second.name)
    return made


def _best(results: Sequence[float], least: bool) -> float:
    return min(results) if least else max(results)


def _ahead(pair: tuple[float, float], least: bool) -> int:
    """Which of two results is better by more than 2 %, or their error: 0 or 1; -1 for neither."""
    if is_tie(min(pair), max(pair), nothing_of(*pair)):
        return -1
    return 0 if better(pair[0], pair[1], least) > 1 else 1


def _turns(of: Varied, values: Sequence[Value], ahead: Sequence[bool], to: str) -> list[Change]:
    """Where another one is ahead than at the base point: the nearest part on either side, or the choices."""
    if isinstance(of, Choice):
        chosen = [value for value, second in zip(values, ahead, strict=True) if second and value != of.base]
        return [Change("value", of, chosen, to)] if chosen else []
    made = []
    base = float(of.base)
    sides = [
        [at for at in reversed(range(len(values))) if float(values[at]) < base],
        [at for at in range(len(values)) if float(values[at]) > base],
    ]
    for side in sides:
        first = next((number for number, at in enumerate(side) if ahead[at]), None)
        if first is None:
            continue
        last = next((number for number in range(first, len(side)) if not ahead[side[number]]), len(side))
        until = of.base if first == 0 else values[side[first - 1]]
        made.append(Change("value", of, [values[at] for at in side[first:last]], to, until))
    return made


def by_range(
    varied: Sequence[Varied],
    rows: Sequence[Sequence[tuple[Value, ...]]],
    results: Matrix[np.float64],
    decision: str,
    seed: int,
) -> list[Change]:
    """Halves of ranges, and choices, over which another parameter has the greatest total index, its interval apart.

    Parameters
    ----------
    rows, results
        Of the sample, as `indices.rows_of` and `indices.complete` give them.

    Notes
    -----
    One value of the decision alone is no part: it varies no longer, so another one decides of itself. Cost: that of the
    indices of each part.
    """
    made = []
    names = [one.name for one in varied]
    for at, one in enumerate(varied):
        for values in _parts(one):
            if one.name == decision and values[0] == values[-1]:
                continue
            kept = [number for number, row in enumerate(rows) if all(_lies(one, row[of][at], values) for of in (0, 1))]
            count = 1 << (len(kept).bit_length() - 1) if kept else 0
            if count < LEAST_ROWS:
                continue
            found = dict(zip(names, indices(results[kept[:count]], seed), strict=True))
            to = max(names, key=lambda name: found[name].total)
            few = max(index.outside for index in found.values()) > OUTSIDE
            if to != decision and not few and found[to].low > found[decision].high:
                made.append(Change("range", one, values, to, None, (found[to], found[decision])))
    return made


def _parts(one: Varied) -> list[Sequence[Value]]:
    if isinstance(one, Choice):
        return [[value] for value in one.choices]
    middle = one.middle()
    return [[one.low, middle], [middle, one.high]]


def _lies(one: Varied, value: Value, part: Sequence[Value]) -> bool:
    if isinstance(one, Range):
        return float(part[0]) <= float(value) <= float(part[1])
    return value == part[0]
