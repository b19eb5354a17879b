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
    Column("rows", "", "rows of the group"),
    Column("pearson", "", "Pearson's coefficient: 1 on a rising line; empty: see note"),
    Column("spearman", "", "Spearman's: of the ranks, equal values with their mean rank"),
    Column("kendall", "", "Kendall's tau-b: of the pairs of rows in the same order and in the other one"),
    Column("note", "", "why there is no number"),
)


def rows(spec: Correlate, table: Table) -> list[Row]:
    """A row for each group. O(rows log² rows)."""
    chosen = table.where(spec.where)
    groups = chosen.groups(spec.each) if spec.each else [((), chosen)]
    return [dict(zip(spec.each, key, strict=True)) | _row(spec.columns, group) for key, group in groups]


def _row(columns: list[str], table: Table) -> Row:
    first, second = columns
    row: Row = {"first": first, "second": second, "rows": len(table.rows)}
    values = {name: table.values(name) for name in columns}
    note = _without_numbers(values)
    if note:
        return row | {"note": note}
    one, other = ([float(value) for value in values[name] if isinstance(value, (int, float))] for name in columns)
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
