"""Input of the pictures of a simulated run: checked trace columns, and times in a suitable unit.

A trace is ``{"ranks": int, "messages": {...}, "intervals": {...}, "link_bins": {...}}``; each part maps names to NumPy
columns, as a simulation with ``trace=True`` returns them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Fault, NetloomError
from . import codes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
#: Columns by name, `Ints` and `Floats`, as `columns` has checked them.
Columns = dict[str, NDArray[Any]]

#: Most ranks of a picture's trace, and most cells that it adds up.
MAX_RANKS = 100_000_000


def part(source: object, name: str) -> Mapping[str, object]:
    """A part of a trace or path.

    Raises
    ------
    NetloomError
        NL-X108 if it is not there.
    """
    inner = source.get(name) if isinstance(source, Mapping) else None
    if not isinstance(inner, Mapping):
        got = f"{type(source).__name__} without it" if inner is None else type(inner).__name__
        hint = "simulate with trace=True"
        raise NetloomError([Fault(codes.BAD_TRACE, f"trace.{name}", "a mapping from names to columns", got, hint)])
    return inner


def columns(source: object, name: str, floats: Sequence[str], ints: Sequence[str]) -> Columns:
    """Columns of one part: `floats` finite and at least 0, `ints` at least 0, all of one length.

    Raises
    ------
    NetloomError
        NL-X108, all faults of the part together.
    """
    inner = part(source, name)
    out: Columns = {}
    faults = []
    for column in (*ints, *floats):
        place = f"trace.{name}.{column}"
        values = np.asarray(inner.get(column, "missing"))
        whole = column in ints
        sort = np.integer if whole else np.number
        kind = "integers" if whole else "finite numbers"
        expected = f"a flat column of {kind} of at least 0"
        if values.ndim != 1 or not (np.issubdtype(values.dtype, sort) or values.size == 0):
            faults.append(Fault(codes.BAD_TRACE, place, expected, f"{values.ndim} dimensions of {values.dtype}"))
            continue
        values = values.astype(np.int64 if whole else np.float64, copy=False)
        bad = ~(values >= 0) | ~np.isfinite(values)
        if bad.any():
            row = int(np.argmax(bad))
            faults.append(Fault(codes.BAD_TRACE, f"{place}, row {row}", expected, str(values[row])))
        out[column] = values
    lengths = {len(v) for v in out.values()}
    if len(lengths) > 1:
        seen = ", ".join(f"{c}: {len(v)}" for c, v in out.items())
        faults.append(Fault(codes.BAD_TRACE, f"trace.{name}", "columns of one length", seen))
    if faults:
        raise NetloomError(faults)
    return out


def words(source: object, name: str, column: str, known: Sequence[str], length: int) -> Ints:
    """Index into `known` of every word of a column, which may also hold these indices: they take less memory.

    Raises
    ------
    NetloomError
        NL-X108 for another word or length.
    """
    place = f"trace.{name}.{column}"
    values = np.asarray(part(source, name).get(column, "missing"))
    if values.shape != (length,):
        raise NetloomError([Fault(codes.BAD_TRACE, place, f"a flat column of {length} words", str(values.shape))])
    if np.issubdtype(values.dtype, np.integer):
        index = values.astype(np.int64)
        index[index >= len(known)] = -1
    else:
        index = np.full(length, -1, dtype=np.int64)
        for i, word in enumerate(known):
            index[values == word] = i
    if (index < 0).any():
        row = int(np.argmax(index < 0))
        expected = "one of " + ", ".join(known)
        raise NetloomError([Fault(codes.BAD_TRACE, f"{place}, row {row}", expected, repr(str(values[row])))])
    return index


def ranks(source: object, *used: Ints) -> int:
    """Number of ranks, which no rank of `used` may reach.

    Raises
    ------
    NetloomError
        NL-X108.
    """
    count = source.get("ranks") if isinstance(source, Mapping) else None
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 1 <= count <= MAX_RANKS:
        expected = f"an integer from 1 to {MAX_RANKS}"
        raise NetloomError([Fault(codes.BAD_TRACE, "trace.ranks", expected, repr(count)[:80])])
    for column in used:
        if len(column) and column.max() >= count:
            expected = f"ranks from 0 to {int(count) - 1}"
            raise NetloomError([Fault(codes.BAD_TRACE, "trace", expected, str(column.max()))])
    return int(count)


def nothing(place: str, sentence: str) -> NetloomError:
    """NL-X105."""
    return NetloomError([Fault(codes.NOTHING, place, sentence)])


def headline(sheet: Figure, title: str) -> None:
    """A title above all panels, in lines that fit the sheet, at most three."""
    if title:
        sheet.suptitle("\n".join(wrap(title, 90, max_lines=3, placeholder=" …")), fontsize=11)
