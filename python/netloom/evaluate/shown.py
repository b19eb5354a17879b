"""What a notebook shows of an answer, and its tables for other libraries."""

from __future__ import annotations

import html
from functools import cached_property
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.quantities import amount_text, time_text

if TYPE_CHECKING:
    from pyarrow.lib import Table

    from ..results.rows import Cell

    Row = dict[str, Cell]

#: Numbers of a record in its one-line form.
FEW = 4


class Shown:
    """Mixed into `Answer`."""

    evaluator: str
    model: str

    if TYPE_CHECKING:

        @cached_property
        def record(self) -> Row: ...
        @cached_property
        def tables(self) -> dict[str, list[Row]]: ...

    def explain(self) -> list[str]:
        """The answer in sentences."""
        return []

    def __repr__(self) -> str:
        known = [(name, value) for name, value in self.record.items() if value is not None]
        shown = ", ".join(f"{name}={readable(name, value)}" for name, value in known[:FEW])
        more = f", and {len(known) - FEW} more" if len(known) > FEW else ""
        return f"<{self.evaluator or 'answer'}: {shown}{more}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{_text(name)}</th><td>{_text(readable(name, value))}</td></tr>"
            for name, value in self.record.items()
            if value is not None
        )
        says = "".join(f"<p>{_text(sentence)}</p>" for sentence in self.explain())
        tables = ", ".join(f"{_text(name)} ({len(rows):,} rows)" for name, rows in self.tables.items())
        below = f"<p>Tables: {tables}</p>" if tables else ""
        return f"<p><b>{_text(self.evaluator)}</b>: {_text(self.model)}</p><table>{rows}</table>{says}{below}"

    def to_arrow(self, table: str | None = None) -> Table:
        """The record as one row, or one of the tables, as an Arrow table, which pandas, Polars and DuckDB take.

        Parameters
        ----------
        table
            Name of one of `tables`; the record by default.

        Raises
        ------
        NetloomError
            NL-A002 for a table that the answer does not have; NL-A007 without the package pyarrow.
        """
        try:
            from pyarrow.lib import Table
        except ImportError:
            hint = "pip install 'netloom[parquet]'"
            raise NetloomError([Fault("NL-A007", "to_arrow", "the package pyarrow", "nothing", hint)]) from None
        if table is not None and table not in self.tables:
            expected = f"one of {', '.join(self.tables) or 'no table'}"
            raise NetloomError(
                [Fault("NL-A002", "to_arrow.table", expected, str(table)[:80], did_you_mean(str(table), self.tables))]
            )
        rows = [self.record] if table is None else self.tables[table]
        names = list(dict.fromkeys(name for row in rows for name in row))
        found: Table = Table.from_pydict({name: [row.get(name) for row in rows] for name in names})
        return found


def readable(name: str, value: Cell) -> str:
    """A number with the unit that its name tells: `time_s` 1.07e-4 is 107 µs."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if name.endswith("per_s"):
        return f"{value:.4g}/s"
    if name.endswith("_s"):
        return time_text(value)
    if name.endswith("usd"):
        return f"{value:,.0f} USD"
    if name.endswith("bytes"):
        return amount_text(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"


def _text(value: object) -> str:
    return html.escape(str(value))
