"""How closely two columns go together over rows: Pearson's, Spearman's and Kendall's coefficients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.statistics import correlation, uncorrelated
from ...results import Column

if TYPE_CHECKING:
    from ...results import Table
    from ...results.rows import Cell, Row
    from ..schema import Correlate

COLUMNS = (
    Column("first", "", "one column"),
    Column("second", "", "the other one"),
    Column("rows", "", "rows of the group, or pairs of them"),
    Column("pearson", "", "Pearson's coefficient: 1 on a rising line; empty: see note"),
    Column("spearman", "", "Spearman's: of the ranks, equal values with their mean rank"),
    Column("kendall", "", "Kendall's tau-b: of the pairs of rows in the same order and in the other one"),
    Column("note", "", "why there is no number"),
)


def rows(spec: Correlate, table: Table) -> list[Row]:
    """A row for each group. O(rows log² rows)."""
    chosen = table.where(spec.where)
    groups = chosen.groups(spec.each) if spec.each else [((), chosen)]
    return [dict(zip(spec.each, key, strict=True)) | _row(*_pairs(spec, group)) for key, group in groups]


def _pairs(spec: Correlate, table: Table) -> tuple[list[str], list[list[Cell]]]:
    """Names and cells of both lists; between two values of an axis, of the places that either has."""
    if not spec.between:
        return spec.columns, [table.values(name) for name in spec.columns]
    (column,), ((axis, ends),) = spec.columns, spec.between.items()
    found = [{key: group.aggregate(column) for key, group in table.where({axis: end}).groups(spec.by)} for end in ends]
    places = dict.fromkeys([*found[0], *found[1]])
    return [f"{column} of {end}" for end in ends], [[one.get(place) for place in places] for one in found]


def _row(names: list[str], cells: list[list[Cell]]) -> Row:
    first, second = names
    row: Row = {"first": first, "second": second, "rows": len(cells[0])}
    note = _without_numbers(dict(zip(names, cells, strict=True)))
    if note:
        return row | {"note": note}
    one, other = ([float(cell) for cell in column if isinstance(cell, (int, float))] for column in cells)
    found = correlation(one, other)
    if found is None:
        why = uncorrelated(one, other).replace("the first column", first).replace("the second column", second)
        return row | {"note": f"no correlation: {why}"}
    return row | vars(found)


def _without_numbers(values: dict[str, list[Cell]]) -> str:
    for name, column in values.items():
        texts = [value for value in column if isinstance(value, (str, bool))]
        if texts:
            return f"no correlation: {name} is no number, such as {str(texts[0])[:40]}"
        unknown = column.count(None)
        if unknown:
            return f"no correlation: {name} is not known in {unknown} of {len(column)} rows"
    return ""


def sentence(row: Row) -> str:
    """In words."""
    pair = f"{row['first']} and {row['second']} over {row['rows']} rows"
    if row.get("note"):
        return f"{pair}: {row['note']}"
    return (
        f"{pair}: correlation {row['pearson']:.3g} (Pearson), {row['spearman']:.3g} (Spearman), "
        f"{row['kendall']:.3g} (Kendall's tau-b)"
    )
