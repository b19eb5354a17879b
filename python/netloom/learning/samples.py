"""Tables of samples: one row for each, features and the target as columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from .codes import BAD_COLUMN, BAD_TABLE, MIXED, TOO_FEW

if TYPE_CHECKING:
    from ..base.arrays import Matrix, Vector

MAX_ROWS, MAX_COLUMNS = 1_000_000, 1000
#: Columns that say where samples are from.
ORIGIN = ("machine", "network", "workload", "evaluator", "model")
#: Also, where they have one value; several may stand together.
SETTINGS = ("routing", "cores")
PARQUET = b"PAR1"


@dataclass(frozen=True)
class Raw:
    """A table as it stands in a file: texts or numbers by column."""

    place: str
    columns: Mapping[str, Sequence[object]]
    rows: int

    def column(self, name: str, option: str) -> Sequence[object]:
        """A column.

        Raises
        ------
        NetloomError
            `NL-Q002` with the nearest name.
        """
        if name not in self.columns:
            hint = did_you_mean(name, self.columns, "columns")
            raise NetloomError([Fault(BAD_COLUMN, option, f'no column of {self.place} is called "{name}"', "", hint)])
        return self.columns[name]

    def where(self, wanted: Mapping[str, str]) -> Raw:
        """The rows whose columns have these values, as text."""
        rows: Iterable[int] = range(self.rows)
        for name, value in wanted.items():
            column = self.column(name, "--where")
            kept = [row for row in rows if _text(column[row]) == value]
            if not kept:
                known = sorted({_text(one) for one in column})
                fault = Fault(
                    BAD_COLUMN, f"--where {name}", "a value of the column", value, did_you_mean(value, known, "values")
                )
                raise NetloomError([fault])
            rows = kept
        kept = list(rows)
        return Raw(self.place, {name: [of[row] for row in kept] for name, of in self.columns.items()}, len(kept))


@dataclass(frozen=True)
class Samples:
    """Rows to learn from.

    Attributes
    ----------
    features
        Names of the columns of `values`.
    values
        Shape (rows, features).
    target, observed
        The name of what is predicted, and its value for each row; None where a table has none.
    origin
        The columns that say where the samples are from, each with its only value.
    """

    place: str
    features: tuple[str, ...]
    values: Matrix[np.float64]
    target: str
    observed: Vector[np.float64] | None
    origin: Mapping[str, str]

    def of(self, features: Sequence[str]) -> Matrix[np.float64]:
        """The columns of some of the features."""
        at = [self.features.index(name) for name in features]
        chosen: Matrix[np.float64] = self.values[:, at]
        return chosen


def _text(value: object) -> str:
    return "" if value is None else str(value)


def read_table(path: str | Path) -> Raw:
    """A CSV or Parquet file.

    Raises
    ------
    NetloomError
        `NL-X001`, `NL-X002`, `NL-X012` without pyarrow, `NL-Q001` for what it says.
    """
    data, place = files.read(path), str(path)
    raw = _parquet(data, place) if data.startswith(PARQUET) else _csv(data, place)
    if raw.rows > MAX_ROWS or len(raw.columns) > MAX_COLUMNS:
        sentence = f"{raw.rows} rows of {len(raw.columns)} columns exceed {MAX_ROWS} of {MAX_COLUMNS}"
        raise NetloomError([Fault(BAD_TABLE, place, sentence, "", "draw some of the rows")])
    return raw


def _csv(data: bytes, place: str) -> Raw:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise NetloomError([Fault(BAD_TABLE, place, "is neither CSV in UTF-8 nor Parquet")]) from None
    try:
        lines = list(csv.reader(io.StringIO(text), strict=True))
    except csv.Error as error:
        raise NetloomError([Fault(BAD_TABLE, place, f"is no CSV: {error}")]) from None
    lines = [line for line in lines if line and not line[0].startswith("#")]
    if len(lines) < 2:
        raise NetloomError([Fault(BAD_TABLE, place, "has no line of names with rows below it")])
    names = [name.strip() for name in lines[0]]
    if twice := [name for name in names if names.count(name) > 1]:
        raise NetloomError([Fault(BAD_TABLE, f"{place}:1", f'names the column "{twice[0]}" twice', "", "rename one")])
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(names):
            fault = Fault(
                BAD_TABLE, f"{place}: row {number}", f"{len(names)} values, as the first line", str(len(line))
            )
            raise NetloomError([fault])
    columns = {name: [line[at] for line in lines[1:]] for at, name in enumerate(names)}
    return Raw(place, columns, len(lines) - 1)


def _parquet(data: bytes, place: str) -> Raw:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        hint = "pip install 'netloom[parquet]', or give a CSV"
        raise NetloomError([Fault("NL-X012", place, "needs the package pyarrow", "", hint)]) from None
    try:
        # In this thread alone: one of a pool may let go of `data` when the interpreter has ended, and ends the process.
        file = parquet.ParquetFile(io.BytesIO(data), pre_buffer=False)  # type: ignore[no-untyped-call]
        table = file.read(use_threads=False)  # type: ignore[no-untyped-call]
    except (pyarrow.lib.ArrowException, OSError, ValueError) as error:
        sentence = f"is no Parquet file that can be read: {str(error).splitlines()[0][:200]}"
        raise NetloomError([Fault(BAD_TABLE, place, sentence)]) from None
    names = table.column_names
    if twice := [name for name in names if names.count(name) > 1]:
        raise NetloomError([Fault(BAD_TABLE, place, f'names the column "{twice[0]}" twice', "", "rename one")])
    return Raw(place, table.to_pydict(), table.num_rows)


def _numbers(raw: Raw, name: str, option: str) -> Vector[np.float64]:
    """A column as finite numbers."""
    found = np.empty(raw.rows)
    for row, value in enumerate(raw.column(name, option)):
        try:
            number = float(value)  # type: ignore[arg-type]  # what is no number raises
        except (TypeError, ValueError):
            number = float("nan")
        if not np.isfinite(number):
            place = f"{raw.place}: row {row + 2}, column {name}"
            hint = "leave the row or the column out; features of packets need --features where they are simulated"
            raise NetloomError([Fault(BAD_COLUMN, place, "a finite number", _text(value) or "nothing", hint)])
        found[row] = number
    return found


def samples(raw: Raw, target: str | None, features: Sequence[str], mixed: bool = False) -> Samples:
    """The rows of a table, to be learned from or predicted.

    Parameters
    ----------
    target
        None where there is nothing to learn.
    features
        Columns; none: those of Jain 2016 that the table has.
    mixed
        Whether samples of several machines and workloads may stand together.

    Raises
    ------
    NetloomError
        `NL-Q002` for columns that cannot be used, `NL-Q004` for samples of different origin.
    """
    names = list(features) or known_features(raw)
    if twice := [name for name in names if names.count(name) > 1]:
        raise NetloomError([Fault(BAD_COLUMN, "--features", f'names "{twice[0]}" twice', "", "name each once")])
    if target in names:
        fault = Fault(
            BAD_COLUMN, "--features", f'names the target "{target}"', "", "leave it out: it is what is predicted"
        )
        raise NetloomError([fault])
    if not names:
        hint = "name columns with --features; netloom simulate --model packet --features has those of Jain 2016"
        raise NetloomError([Fault(BAD_COLUMN, raw.place, "has none of the known features", "", hint)])
    values = np.column_stack([_numbers(raw, name, "--features") for name in names])
    observed = None if target is None else _numbers(raw, target, "--target")
    origin = {}
    for name in (*ORIGIN, *SETTINGS):
        if name not in raw.columns or name in names:
            continue
        found = sorted({_text(value) for value in raw.columns[name]})
        if len(found) == 1:
            origin[name] = found[0]
        elif name in ORIGIN and not mixed and target is not None:
            sentence = f"has {len(found)} values: {', '.join(found[:3])}{', ...' if len(found) > 3 else ''}"
            hint = f"choose with --where {name}=VALUE, or say --mixed where one model is to hold for all of them"
            raise NetloomError([Fault(MIXED, f"{raw.place}: column {name}", sentence, "", hint)])
    return Samples(raw.place, tuple(names), values, target or "", observed, origin)


def known_features(raw: Raw) -> list[str]:
    """The features of Jain 2016 that a table has, with values."""
    from .nineteen import NINETEEN

    return [name for name in NINETEEN.values() if name in raw.columns and _text(raw.columns[name][0])]


def varying(found: Samples, named: bool) -> tuple[Samples, list[str]]:
    """Without features that are the same in all rows, and their names.

    Raises
    ------
    NetloomError
        `NL-Q002` for such a feature that was `named`, and where no other is left; `NL-Q003` for fewer than two rows.
    """
    if len(found.values) < 2:
        raise NetloomError([Fault(TOO_FEW, found.place, "two rows at least", str(len(found.values)))])
    constant = [name for at, name in enumerate(found.features) if np.ptp(found.values[:, at]) == 0]
    left = [name for name in found.features if name not in constant]
    if constant and (named or not left):
        sentence = "is the same in all rows: nothing can be learned from it"
        raise NetloomError([Fault(BAD_COLUMN, f"column {constant[0]}", sentence, "", "leave it out of --features")])
    if found.observed is not None and np.ptp(found.observed) == 0:
        sentence = "is the same in all rows: there is nothing to learn"
        raise NetloomError([Fault(BAD_COLUMN, f"column {found.target}", sentence, "", "name another --target")])
    kept = Samples(found.place, tuple(left), found.of(left), found.target, found.observed, found.origin)
    return kept, constant
