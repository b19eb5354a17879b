"""Tables of the page: cells with units, a first column that stays, columns that the reader chooses."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeGuard

from ..base.errors import Fault, NetloomError
from ..plot.style import axis_label, unit_of, words_of
from ..plot.units import digits_for, unit_in, value_text
from . import codes
from .markup import escape, number
from .sections import Table

#: A text of more letters than this gets a wide column.
LONG = 60
#: Tables of more columns are turned on paper.
WIDE = 8

_Cells = Callable[[object], str]


def table(section: Table) -> str:
    """Tools and rows of a table; a folded one is closed, with its size as the summary.

    Raises
    ------
    NetloomError
        NL-X111 for rows of another length.
    """
    names = [str(name) for name in section.columns]
    faults = [
        Fault(codes.BAD_SECTION, f"row {i}", f"{len(names)} cells long", str(len(row)))
        for i, row in enumerate(section.rows)
        if len(row) != len(names)
    ]
    if faults:
        raise NetloomError(faults[:10])
    shown = section.rows[: section.limit]
    writers = [_writer(section, name, [row[i] for row in shown]) for i, name in enumerate(names)]
    words = Counter(map(words_of, names))
    heads = "".join(_head(section, name, words[words_of(name)] > 1) for name in names)
    rows = "\n".join(f"<tr>{_row(row, writers)}</tr>" for row in shown)
    title = escape(section.title)
    inner = (
        f'<div class="table{" wide" if len(names) > WIDE else ""}" data-name="{_file(section)}">'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>\n{rows}\n</tbody></table></div>{_rest(section)}</div>"
    )
    if not section.folded:
        return inner
    size = f"{len(section.rows):,} {'row' if len(section.rows) == 1 else 'rows'}, {len(names)} columns"
    return f'<details class="fold"><summary>{size}</summary>{inner}</details>'


def _file(section: Table) -> str:
    return re.sub(r"[^a-z0-9]+", "-", (section.name or section.title).lower()).strip("-") or "table"


def _rest(section: Table) -> str:
    hidden = len(section.rows) - section.limit
    words = "row is" if hidden == 1 else "rows are"
    return f'<p class="note">{hidden:,} more {words} in the study\'s table file.</p>' if hidden > 0 else ""


def _head(section: Table, name: str, twice: bool) -> str:
    """Its words; with the unit where two columns have the same words, as `max_bytes` and `max_s`."""
    put_away = " data-away" if name in section.hidden else ""
    shown = axis_label(name) if twice else words_of(name)
    return f'<th scope="col" data-name="{escape(name)}"{put_away}><button>{escape(shown)}</button></th>'


def _row(row: Sequence[object], writers: Sequence[_Cells]) -> str:
    first, *rest = (write(value) for write, value in zip(writers, row, strict=True))
    # The first column names the row; screen readers say it with every cell.
    return f'<th scope="row"{first.removeprefix("<td").removesuffix("</td>")}</th>' + "".join(rest)


def _writer(section: Table, name: str, column: Sequence[object]) -> _Cells:
    """How the cells of one column are written: a unit and as many digits as tell its values apart."""
    numbers = [float(v) for value in column if _is_number(v := _plain(value))]
    # The header of a table of results says bytes where its name says that they are sizes.
    unit = section.units.get(name, unit_of(name))
    unit = unit_in(numbers, unit_of(name)) if unit in ("B", "bytes") else unit
    digits = digits_for(numbers, unit)

    def write(value: object) -> str:
        value = _plain(value)
        if not _is_number(value):
            return _text(value)
        shown = value_text(value, unit, digits)
        exact = "" if repr(value) == shown else f' data-v="{escape(repr(value))}"'
        return f'<td class="n"{exact}>{escape(shown)}</td>'

    return write


def _text(value: object) -> str:
    shown = number(value)
    if shown == "–":
        return f'<td class="n" data-v="">{shown}</td>'
    kind = ' class="long"' if len(shown) > LONG else ""
    return f"<td{kind}>{escape(shown)}</td>"


def _plain(value: object) -> object:
    return value.item() if hasattr(value, "item") else value


def _is_number(value: object) -> TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return isinstance(value, int) or math.isfinite(value)
