"""Where more of something no longer pays: the value from which doubling it gains less than a share."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from ...results import Column

if TYPE_CHECKING:
    from ...results import Table
    from ...results.rows import Row
    from ..schema import Saturation

COLUMNS = (
    Column("column", "", "what is gained in"),
    Column("along", "", "what is doubled"),
    Column("limit_percent", "%", "a smaller gain is none"),
    Column("saturates_at", "", "the least value from which no doubling gains as much; empty: see note"),
    Column("gain_percent", "%", "what doubling gains from there; without a saturation, in the last step"),
    Column("note", "", "in words"),
)
STEPS = (
    Column("column", "", "what is gained in"),
    Column("along", "", "what is doubled"),
    Column("from", "", "its value"),
    Column("to", "", "its next value"),
    Column("gain_percent", "%", "gain per doubling; a step of another factor counts as its share of doublings"),
)


def found(spec: Saturation, table: Table) -> list[tuple[Row, list[Row]]]:
    """A row for each group, with the rows of its steps; rows at one value by their median. O(rows log rows)."""
    chosen = table.where(spec.where)
    groups = chosen.groups(spec.each) if spec.each else [((), chosen)]
    return [_found(spec, dict(zip(spec.each, key, strict=True)), group) for key, group in groups]


def gain(before: float, after: float, factor: float, most: bool = False) -> float:
    """Per cent that a doubling gains where `factor` times as much changes `before` to `after`, both above 0."""
    each = math.exp2(math.log2(after / before) / math.log2(factor))
    return 100 * (each - 1 if most else 1 - each)


def _found(spec: Saturation, group: Row, table: Table) -> tuple[Row, list[Row]]:
    named: Row = group | {"column": spec.column, "along": spec.along}
    row = named | {"limit_percent": spec.percent}
    points = _points(spec, table)
    if isinstance(points, str):
        return row | {"note": points}, []
    steps: list[Row] = []
    first: tuple[float, float] | None = None
    for (x, before), (then, after) in pairwise(points):
        gained = gain(before, after, then / x, bool(spec.most))
        steps.append(named | {"from": x, "to": then, "gain_percent": gained})
        first = None if gained >= spec.percent else first or (x, gained)
    if first is not None:
        note = f"from {first[0]:g} on a doubling gains less than {spec.percent:g} %"
        return row | {"saturates_at": first[0], "gain_percent": first[1], "note": note}, steps
    last = steps[-1]
    note = f"not up to {last['to']:g}: a doubling still gains {spec.percent:g} % or more"
    return row | {"gain_percent": last["gain_percent"], "note": note}, steps


def _points(spec: Saturation, table: Table) -> list[tuple[float, float]] | str:
    """By rising value of what is doubled; a text where there are none."""
    points = {}
    for (x,), group in table.groups([spec.along]):
        value = group.aggregate(spec.column)
        if isinstance(x, bool) or not isinstance(x, (int, float)) or not 0 < x < math.inf:
            return f"not known: {spec.along} is no number above 0, such as {x}"
        if value is None or not 0 < value < math.inf:
            return f"not known: {spec.column} is no number above 0 at {spec.along} {x:g}"
        points[x] = float(value)
    if len(points) < 2:
        return f"not known: {spec.along} has fewer than 2 values"
    return sorted(points.items())


def sentence(row: Row) -> str:
    """In words."""
    gained = row.get("gain_percent")
    more = f" ({gained:.2g} %)" if isinstance(gained, (int, float)) else ""
    return f"{row['column']} by {row['along']}: {row['note']}{more}"
