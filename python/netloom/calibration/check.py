"""Types of calibration keys; all faults of one calibration are reported together."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..base.errors import Fault
from ..base.nearest import did_you_mean
from . import codes

#: Most rows of one table: sizes from 1 byte to 1 EiB in steps of 1.01 need fewer.
MAX_ROWS = 4096
MAX_TEXT = 4096
#: A threshold in bytes and one value per column.
Row = tuple[float, ...]
_LARGEST = (1 << 63) - 1


class Wrong(Exception):
    """A value that is not of its kind: what it must be, the value, and where inside."""

    def __init__(self, expected: str, got: object, inside: str = "", hint: str = "") -> None:
        super().__init__(expected)
        self.expected, self.got, self.inside, self.hint = expected, got, inside, hint


class Kind:
    """The type of one key."""

    def clean(self, value: object) -> object:
        """The value in its canonical form, or :class:`Wrong`."""
        raise NotImplementedError

    def written(self, value: object) -> str:
        """The value as TOML."""
        return json.dumps(value, ensure_ascii=False)


class Text(Kind):
    """Words for people."""

    def clean(self, value: object) -> str:
        if not isinstance(value, str) or len(value) > MAX_TEXT:
            raise Wrong(f"text of at most {MAX_TEXT} characters", value)
        return value

    def written(self, value: object) -> str:
        # JSON and TOML agree on escapes, but for DEL, which TOML wants escaped and JSON leaves.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@dataclass(frozen=True)
class Word(Kind):
    """One of a few words."""

    words: tuple[str, ...]

    def clean(self, value: object) -> str:
        if value not in self.words:
            raise Wrong("one of " + ", ".join(self.words), value, hint=did_you_mean(str(value)[:100], self.words))
        return str(value)


@dataclass(frozen=True)
class Number(Kind):
    """A finite number from 0 (exclusive with `above`) to `high`; `none` means infinity."""

    expected: str
    high: float = math.inf
    above: bool = False
    none: bool = False

    def clean(self, value: object) -> float:
        if self.none and (value == "none" or value is None):
            return math.inf
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Wrong(self.expected, value)
        try:
            number = float(value)
        except OverflowError:
            number = math.nan
        if self.none and number == math.inf:
            return number
        if not (math.isfinite(number) and 0.0 <= number <= self.high) or (self.above and number == 0.0):
            raise Wrong(self.expected, value)
        return number

    def written(self, value: object) -> str:
        number = self.clean(value)
        return '"none"' if math.isinf(number) else repr(number)


@dataclass(frozen=True)
class Whole(Kind):
    """An integer from 0 to `high`."""

    high: int

    def clean(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= self.high:
            raise Wrong(f"an integer from 0 to {self.high}", value)
        return value


@dataclass(frozen=True)
class Rows(Kind):
    """Rows of a threshold in bytes and one value per column."""

    columns: tuple[Number, ...]
    form: str

    def clean(self, value: object) -> tuple[Row, ...]:
        if not isinstance(value, (list, tuple)) or len(value) > MAX_ROWS:
            raise Wrong(f"a list of at most {MAX_ROWS} rows {self.form}", value)
        rows: list[Row] = []
        for i, row in enumerate(value):
            if not isinstance(row, (list, tuple)) or len(row) != 1 + len(self.columns):
                raise Wrong(f"a row {self.form}", row, f"[{i}]")
            try:
                above = Whole(_LARGEST).clean(row[0])
                made = (above, *(column.clean(cell) for column, cell in zip(self.columns, row[1:], strict=True)))
            except Wrong as wrong:
                raise Wrong(wrong.expected, wrong.got, f"[{i}]") from None
            if rows and above <= rows[-1][0]:
                raise Wrong(f"above the threshold before it ({rows[-1][0]})", above, f"[{i}]")
            rows.append(made)
        return tuple(rows)

    def written(self, value: object) -> str:
        table = self.clean(value)
        if not table:
            return "[]"
        rows = (", ".join([str(row[0]), *(repr(cell) for cell in row[1:])]) for row in table)
        return "[\n" + "".join(f"    [{row}],\n" for row in rows) + "]"


def check(table: Mapping[str, object], kinds: Mapping[str, Kind], place: str) -> tuple[dict[str, Any], list[Fault]]:
    """The values that are right, and a fault for every one that is not."""
    clean: dict[str, object] = {}
    faults: list[Fault] = []
    for key, value in table.items():
        if key not in kinds:
            hint = did_you_mean(key, kinds, "keys")
            faults.append(Fault(codes.UNKNOWN_NAME, place, "a key of a calibration", shown(key), hint))
            continue
        try:
            clean[key] = kinds[key].clean(value)
        except Wrong as wrong:
            at = f"{place}: {key}{wrong.inside}"
            faults.append(Fault(codes.BAD_VALUE, at, wrong.expected, shown(wrong.got), wrong.hint))
    return clean, faults


def shown(value: object) -> str:
    """`value` as it was written, never empty and never huge."""
    if isinstance(value, int) and value.bit_length() > 256:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, (list, tuple)) and len(value) > 8:
        return f"a list of {len(value)}"
    return repr(value)[:200]
