"""How two causes combine: whether both together take as long as the slower one, or as both in sum."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from ...evaluate.shown import readable
from ...plot.style import words_of
from ...results import Column

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...results import Table
    from ...results.rows import Cell, Row
    from ..schema import Combine

COLUMNS = (
    Column("column", "", "what is compared"),
    Column("first", "", "one cause"),
    Column("first_value", "", "its value"),
    Column("second", "", "the other one"),
    Column("second_value", "", "its value"),
    Column("got", "", "with both"),
    Column("maximum", "", "the greater of what each alone makes"),
    Column("sum", "", "what both alone make, less once what there is without either"),
    Column("maximum_error_percent", "%", "of the maximum, from what came out"),
    Column("sum_error_percent", "%", "of the sum"),
    Column("nearer", "", "maximum, sum, or both where they are as near"),
    Column("note", "", "why there is no number"),
)


def rows(spec: Combine, table: Table) -> list[Row]:
    """A row for each group and each pair of values that both limit; rows at one place by their median. O(rows)."""
    chosen = table.where(spec.where)
    groups = chosen.groups(spec.each) if spec.each else [((), chosen)]
    return [dict(zip(spec.each, key, strict=True)) | row for key, group in groups for row in _rows(spec, group)]


def _rows(spec: Combine, table: Table) -> list[Row]:
    (one, free), (other, loose) = spec.free.items()
    values = {key: group.aggregate(spec.column) for key, group in table.groups([one, other])}
    none = values.get((free, loose))
    return [
        _row(spec, key, found, values.get((key[0], loose)), values.get((free, key[1])), none)
        for key, found in values.items()
        if key[0] != free and key[1] != loose
    ]


def _row(
    spec: Combine, key: tuple[Cell, ...], found: float | None, alone: float | None, other: float | None,
    none: float | None,
) -> Row:  # fmt: skip
    first, second = spec.free
    row: Row = {"column": spec.column, "first": first, "first_value": key[0], "second": second, "second_value": key[1]}
    row["got"] = found
    lacking = {"both": found, f"{first} {key[0]} alone": alone, f"{second} {key[1]} alone": other, "neither": none}
    missing = [name for name, value in lacking.items() if value is None]
    if found is None or alone is None or other is None or none is None:
        return row | {"note": f"not known: no value with {' and '.join(missing)}"}
    if found == 0:
        return row | {"note": f"not known: {spec.column} is 0"}
    made = {"maximum": max(alone, other), "sum": alone + other - none}
    errors = {name: 100 * (value / found - 1) for name, value in made.items()}
    apart = [abs(value - found) for value in made.values()]
    nearer = "both" if apart[0] == apart[1] else "maximum" if apart[0] < apart[1] else "sum"
    return row | made | {f"{name}_error_percent": error for name, error in errors.items()} | {"nearer": nearer}


def sentences(spec: Combine, table: Table) -> list[str]:
    """For each group how often the maximum is nearer, and the mean error of both."""
    said = []
    mine = table.where({"column": spec.column} | dict(zip(("first", "second"), spec.free, strict=True)))
    for key, group in mine.groups(spec.each) if spec.each else [((), mine)]:
        own = list(group.rows)
        known = [row for row in own if row.get("nearer")]
        causes = f"{spec.column} by {' and '.join(spec.free)}"
        if not known:
            words = str(own[0]["note"]) if own else "not known: no row has both"
        else:
            near = sum(row["nearer"] == "maximum" for row in known)
            off = {name: _mean(known, f"{name}_error_percent") for name in ("maximum", "sum")}
            words = (
                f"nearer to the maximum than to the sum in {near} of {len(known)} combinations; errors "
                f"{_percent(off['maximum'])} and {_percent(off['sum'])} in the mean"
            )
        said.append(headed(dict(zip(spec.each, key, strict=True)), f"{causes}: {words}"))
    return said


def headed(group: Mapping[str, Cell], words: str) -> str:
    """The words after the values of their group; a number without a unit has the name of its axis."""
    said = [(name, readable(name, value)) for name, value in group.items()]
    head = ", ".join(f"{words_of(name)} {text}" if text[-1].isdigit() else text for name, text in said)
    return f"{head}: {words}" if head else words


def _percent(value: float) -> str:
    """Without the noise of the last digits."""
    return f"{value if value > 1e-6 else 0:.2g} %"


def _mean(rows: list[Row], name: str) -> float:
    return fmean(abs(value) for row in rows if isinstance(value := row[name], (int, float)))
