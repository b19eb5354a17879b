"""What no machine measures: columns that are swapped, units that are others, times that a clock does not resolve."""

from __future__ import annotations

from ..base.errors import Fault
from ..base.quantities import amount_text, size_text, time_text
from . import codes
from .names import PARTED
from .rows import POINT_TO_POINT, Measurement

#: No network of 2025 carries a message, and no clock of a benchmark resolves a collective, in less.
LEAST_BETWEEN_NODES_S = 1e-6
_LEAST_S = 1e-9
_MOST_S = 3600.0
#: A call that takes longer than these together is not one of its size: per rank, and per byte of a rank.
_SLOW_S, _SLOW_RANK_S, _SLOW_BYTE_S = 1.0, 1e-4, 1e-6
#: Bytes/s of a rank. NVLink 5 has 0.9 TB/s a direction (NVIDIA, GB200 data sheet, 2024).
_FASTEST, _IMPOSSIBLE = 2e12, 2e14


def reason_to_drop(row: Measurement) -> str:
    """Why a row measures nothing; "" if it measures something."""
    if row.ranks == 1:
        return "one rank sends nothing"
    if row.bytes == 0 and row.collective not in (*POINT_TO_POINT, "barrier"):
        return "0 bytes: nothing is sent"
    if row.nodes > 1 and row.time_s < LEAST_BETWEEN_NODES_S and row.collective not in POINT_TO_POINT:
        return f"{time_text(row.time_s)}: below 1 µs between nodes measures nothing"
    return ""


def fault(row: Measurement) -> Fault | None:
    """The fault of a row that no machine gives."""
    moved = _moved_bytes(row)
    shown = f"{time_text(row.time_s)} for {size_text(row.bytes, ' ')}"
    if row.time_s > _MOST_S or row.time_s > _SLOW_S + _SLOW_RANK_S * row.ranks + _SLOW_BYTE_S * moved:
        hint = "check that times are in the unit of the column, and that bytes and times are not swapped"
        return Fault(codes.IMPLAUSIBLE, row.place, f"{shown} is slower than any machine", "", hint)
    if row.time_s < _LEAST_S or moved / row.time_s > _IMPOSSIBLE:
        hint = "check the units of times and sizes, and that they are not swapped"
        return Fault(codes.IMPLAUSIBLE, row.place, f"{shown} is faster than any machine", "", hint)
    return None


def doubt(row: Measurement) -> str:
    """What a reader of the answer should know of a row that is faster than any link; "" of others."""
    rate = _moved_bytes(row) / row.time_s
    if rate <= _FASTEST:
        return ""
    return f"{row.place}: {amount_text(rate)}/s of a rank is above any link: is a Gb meant where GB is written?"


def _moved_bytes(row: Measurement) -> int:
    """Bytes that a rank sends or receives at least, up to the root of a rooted collective."""
    return row.bytes * (row.ranks - 1 if row.collective in PARTED else 1)
