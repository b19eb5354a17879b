"""What a notebook shows of an answer, and its tables for other libraries."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

from ..base.errors import Fault, NetloomError
from ..base.html import escaped, facts
from ..base.quantities import amount_text, size_text, time_text
from ..results.frames import Frames

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..results.rows import Cell

    Row = dict[str, Cell]

#: Numbers of a record in its one-line form.
FEW = 4


class Shown(Frames):
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
        known = {name: readable(name, value) for name, value in self.record.items() if value is not None}
        says = "".join(f"<p>{escaped(sentence)}</p>" for sentence in self.explain())
        tables = ", ".join(f"{escaped(name)} ({len(rows):,} rows)" for name, rows in self.tables.items())
        below = f"<p>Tables: {tables}</p>" if tables else ""
        return f"<p><b>{escaped(self.evaluator)}</b>: {escaped(self.model)}</p>{facts(known)}{says}{below}"

    def _rows_of(self, table: str | None) -> list[Row]:
        return [self.record] if table is None else self.tables[table]

    def _table_names(self) -> list[str]:
        return list(self.tables)

    def __array__(self, dtype: object = None, copy: object = None) -> NoReturn:
        """Refused: without it NumPy and `pandas.DataFrame(answer)` would make an array of the names.

        Raises
        ------
        NetloomError
            NL-A007 with what gives a frame.
        """
        hint = "answer.to_pandas(), pandas.DataFrame(answer.to_rows()) or polars.DataFrame(answer) is a table"
        raise NetloomError([Fault("NL-A007", "answer", "is no array: its values are had by name", "", hint)])

    def draw(self, kind: str | None = None) -> Axes:
        """Draws the answer; a notebook shows it.

        Parameters
        ----------
        kind
            `netloom.evaluate.drawn.PICTURES` lists those of each evaluator; by default the first.

        Returns
        -------
        matplotlib.axes.Axes
            The first of the figure, which is its `figure`.

        Raises
        ------
        NetloomError
            NL-A002 for a kind that the evaluator does not have, NL-X101 without matplotlib, NL-X105 if there is nothing
            to draw.

        Examples
        --------
        >>> import netloom
        >>> answer = netloom.hops("torus(4,4)", workload="alltoall:pairwise")
        >>> answer.draw().get_xlabel()
        'hops'
        """
        from .drawn import draw

        return draw(self, kind)


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
    if name.endswith("size_bytes") and value == int(value):
        return size_text(int(value), " ")
    if name.endswith("bytes"):
        return amount_text(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
