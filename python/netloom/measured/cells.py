"""Cells of a table of measurements as numbers, or what is wrong with them."""

from __future__ import annotations

import math

from ..base.errors import Fault
from .codes import BAD_ROW

#: No collective takes longer, no memory holds more, no machine has more nodes.
MOST_S, MOST_BYTES, MOST_NODES = 1e6, 1 << 50, 1 << 24


def whole(text: str, least: int, most: int, place: str, faults: list[Fault]) -> int:
    """An integer without a unit; `least` after a fault."""
    if text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most:
        return int(text)
    hint = "sizes are bytes without a unit" if place.endswith("bytes") else ""
    faults.append(Fault(BAD_ROW, place, f"an integer from {least} to {most}", repr(text)[:200], hint))
    return least


def seconds(text: str, place: str, faults: list[Fault], unit_s: float = 1.0) -> float:
    """A time above 0, from a number of this unit; 1 after a fault."""
    try:
        value = float(text) * unit_s
    except ValueError:
        value = math.nan
    if 0.0 < value <= MOST_S:
        return value
    unit = {1.0: "seconds", 1e-6: "µs"}[unit_s]
    faults.append(Fault(BAD_ROW, place, f"a time above 0 in {unit}", repr(text)[:200]))
    return 1.0
