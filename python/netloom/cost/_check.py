"""Checks that collect every fault of one input before raising."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from . import codes


class Checker:
    """Collects faults; :meth:`done` raises them together."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def add(self, code: str, place: str, expected: str, got: object = "", hint: str = "") -> None:
        self.faults.append(Fault(code=code, place=place, expected=expected, got=str(got), hint=hint))

    def done(self) -> None:
        if self.faults:
            raise NetloomError(self.faults)

    def number(self, place: str, value: object, low: float = 0.0, expected: str = "a finite number >= 0") -> float:
        """A finite real number at least `low`; the fault is collected and 0 returned otherwise."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.add(codes.BAD_VALUE, place, expected, shown(value))
            return 0.0
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number) or number < low:
            self.add(codes.BAD_VALUE, place, expected, shown(value))
            return 0.0
        return number

    def integer(self, place: str, value: object, low: int, high: int) -> int:
        """An integer in ``low..=high``; the fault is collected and `low` returned otherwise."""
        if hasattr(value, "__index__") and not isinstance(value, bool):
            whole = int(value.__index__())
            if low <= whole <= high:
                return whole
        self.add(codes.BAD_VALUE, place, f"an integer from {low} to {high}", shown(value))
        return low

    def name(self, place: str, value: object, known: Iterable[str], what: str) -> None:
        known = list(known)
        if value not in known:
            self.add(codes.UNKNOWN_NAME, place, what, shown(value), did_you_mean(str(value), known, "one of"))


def shown(value: object) -> str:
    """`value` as the user wrote it, never empty and never huge."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 256:
        return f"an integer of {value.bit_length()} bits"
    return repr(value)
