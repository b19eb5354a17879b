"""Rows for other libraries: Arrow, pandas, and whatever takes Arrow's stream."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from .rows import Cell

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyarrow.lib import Table as ArrowTable

    Rows = Iterable[Mapping[str, Cell]]


class Frames:
    """Mixed into what has rows: `to_rows`, `to_pandas`, `to_arrow`, and Arrow's PyCapsule stream.

    Polars, DuckDB and pyarrow take such an object itself: `polars.DataFrame(answer)`. `to_rows` gives dictionaries,
    which every library of tables takes, without a package between: `pandas.DataFrame(answer.to_rows())`.
    """

    def _rows_of(self, table: str | None) -> Rows:
        """The rows of a table; of None those that the object is mainly about."""
        raise NotImplementedError

    def _table_names(self) -> list[str]:
        """Tables that can be named."""
        return []

    def to_rows(self, table: str | None = None) -> list[dict[str, Cell]]:
        """The main rows, or those of one of the tables: dictionaries of all columns, None for no value.

        Parameters
        ----------
        table
            Name of a table; by default what the object is mainly about.

        Examples
        --------
        >>> import netloom
        >>> answer = netloom.loads("torus(4,4)", workload="nearest-ring")
        >>> len(answer.to_rows("hottest"))
        5

        Raises
        ------
        NetloomError
            NL-A002 for a table that there is not.
        """
        known = self._table_names()
        if table is not None and table not in known:
            expected = f"one of {', '.join(known) or 'no table'}"
            fault = Fault("NL-A002", "to_rows.table", expected, str(table)[:80], did_you_mean(str(table), known))
            raise NetloomError([fault])
        rows = list(self._rows_of(table))
        names = list(dict.fromkeys(key for row in rows for key in row))
        return [{key: row.get(key) for key in names} for row in rows]

    def to_arrow(self, table: str | None = None) -> ArrowTable:
        """The main rows, or those of one of the tables, as a table of pyarrow.

        Parameters
        ----------
        table
            Name of a table; by default what the object is mainly about.

        Raises
        ------
        NetloomError
            NL-A002 for a table that there is not; NL-A007 without the package pyarrow.
        """
        try:
            from pyarrow.lib import Table
        except ImportError:
            hint = "pip install 'netloom[parquet]', or give the library the rows: polars.DataFrame(answer.to_rows())"
            raise NetloomError([Fault("NL-A007", "to_arrow", "the package pyarrow", "nothing", hint)]) from None
        rows = self.to_rows(table)
        found: ArrowTable = Table.from_pydict({name: [row[name] for row in rows] for name in (rows[0] if rows else ())})
        return found

    def to_pandas(self, table: str | None = None) -> DataFrame:
        """The same as a DataFrame of pandas.

        Raises
        ------
        NetloomError
            NL-A002 for a table that there is not; NL-A007 without the package pandas.
        """
        try:
            import pandas
        except ImportError:
            hint = "pip install 'netloom[pandas]'"
            raise NetloomError([Fault("NL-A007", "to_pandas", "the package pandas", "nothing", hint)]) from None
        assert pandas is not None
        frame: DataFrame = pandas.DataFrame(self.to_rows(table))
        return frame

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The main rows as a stream of Arrow (its PyCapsule interface)."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)
