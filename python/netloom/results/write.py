"""Tables to files: CSV always, Parquet where pyarrow is installed, provenance with both; equal tables, equal bytes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from ..base import files
from ..base.errors import printable
from .rows import Cell
from .table import Table

#: First characters of what a spreadsheet computes.
_FORMULAS = frozenset("=+-@\t\n")
#: Rows of a CSV file that are made at a time.
_PIECE = 1 << 13


def parquet_available() -> bool:
    """True if pyarrow (extra `parquet`) is installed."""
    return find_spec("pyarrow") is not None


def write_table(
    table: Table, folder: Path, provenance: Mapping[str, object], *, parquet: bool | None = None
) -> list[Path]:
    """Write `<name>.csv`, `<name>.provenance.json` and, if possible, `<name>.parquet`.

    Parameters
    ----------
    provenance
        What made the table; also the `netloom` entry of the Parquet schema's metadata.
    parquet
        By default whether pyarrow is there.

    Returns
    -------
    list of Path
        The files, each written whole or not at all.
    """
    about = {
        "columns": {column.name: {"unit": column.unit, "help": column.help} for column in table.columns},
        **provenance,
    }
    written = [folder / f"{table.name}.csv", folder / f"{table.name}.provenance.json"]
    files.write(written[0], csv_parts(table))
    files.write(written[1], (json.dumps(about, indent=2, ensure_ascii=False) + "\n").encode())
    if parquet_available() if parquet is None else parquet:
        written.append(folder / f"{table.name}.parquet")
        files.write(written[-1], parquet_bytes(table, about))
    return written


def csv_parts(table: Table) -> Iterator[bytes]:
    """UTF-8, comma, a header row, `\\n`; an unknown value is an empty field; floats read back exactly.

    Texts are as `plain_cell` makes them. A piece for some thousand rows each.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([plain_cell(name) for name in table.names()])
    plain = lru_cache(maxsize=1 << 12)(plain_cell)
    columns = [table.values(name) for name in table.names()]
    for number, cells in enumerate(zip(*columns, strict=True)):
        writer.writerow([plain(cell) if isinstance(cell, str) else _field(cell) for cell in cells])
        if number % _PIECE == _PIECE - 1:
            yield out.getvalue().encode(errors="backslashreplace")
            out.seek(0)
            out.truncate()
    yield out.getvalue().encode(errors="backslashreplace")


def csv_bytes(table: Table) -> bytes:
    """The whole of `csv_parts`."""
    return b"".join(csv_parts(table))


def plain_cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula: an apostrophe goes before `=`, `+`, `-`, `@`, tabs and line ends.

    Other control characters are escaped: a carriage return would end the row.

    A name of a network file or a study could otherwise run a command where the table is opened.
    """
    text = printable(text, kept="\n\t")
    return f"'{text}" if text[:1] in _FORMULAS and text else text


def _field(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def parquet_bytes(table: Table, provenance: Mapping[str, object]) -> bytes:
    """One row group; every column int64, double, bool or string, by what it holds."""
    pa = import_module("pyarrow")
    pq = import_module("pyarrow.parquet")
    arrays, fields = [], []
    for column in table.columns:
        values = table.values(column.name)
        kind = _arrow_type(pa, values)
        if kind == pa.string():
            values = [None if v is None else _field(v) for v in values]
        elif kind == pa.float64():
            values = [None if v is None else float(v) for v in values]
        arrays.append(pa.array(values, type=kind))
        fields.append(pa.field(column.name, kind, metadata={"unit": column.unit, "help": column.help}))
    metadata = {"netloom": json.dumps(provenance, ensure_ascii=False)}
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(arrays, schema=pa.schema(fields, metadata=metadata)), sink, compression="zstd")
    return bytes(sink.getvalue())


def _arrow_type(pa: ModuleType, values: list[Cell]) -> object:
    kinds = {type(v) for v in values if v is not None}
    if kinds <= {bool} and kinds:
        return pa.bool_()
    if kinds <= {int} and kinds and all(v is None or -(2**63) <= v < 2**63 for v in values):  # type: ignore[operator]
        return pa.int64()
    return pa.float64() if kinds <= {int, float} and kinds else pa.string()
