"""Sizes, times, bandwidths and speeds as people write them, in the core's call grammar; times as they read them."""

from __future__ import annotations

import re

from .. import _core
from .errors import Fault, NetloomError

_BAD = "NL-A008"
_WHOLE = re.compile(r" *[+-]?[0-9]{1,19} *")
_AMOUNTS = ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB")
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"), (1e-12, "ps"))


def whole(text: str) -> int | None:
    """The integer that a text is, of at most 19 digits; None for any other text."""
    return int(text) if _WHOLE.fullmatch(text) else None


def parse_bytes(text: str | int, place: str = "size") -> int:
    """A whole number of bytes from `65536`, `"64 KiB"` or `"1.5 MiB"`.

    `KB`, `MB` and `GB` are powers of 1024, as in the papers; `kB` is 1000 bytes.

    Raises
    ------
    NetloomError
        `NL-A008` if it is not a size, not whole, or 2^63 or more.
    """
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if not isinstance(text, str):
        raise NetloomError([Fault(_BAD, place, 'a size such as "64 KiB"', f'"{text}"')])
    return _core.parse_bytes(text, place)


def parse_seconds(text: str, place: str, least: float | None = None) -> float:
    """A time > 0 from `"100 ns"`, or one >= `least`; a bare number is seconds.

    Raises
    ------
    NetloomError
        `NL-A008`.
    """
    value = _core.parse_seconds(text, place)
    if value <= 0.0 if least is None else value < least:
        sign = ">" if least is None else ">="
        raise NetloomError([Fault(_BAD, place, f'a time {sign} {least or 0:g} such as "100 ns"', f'"{text}"')])
    return value


def parse_bytes_per_s(text: str, place: str) -> float:
    """A bandwidth > 0 from `"100 Gbps"` or `"12.5 GB/s"`; a bare number is bytes per second.

    Raises
    ------
    NetloomError
        `NL-A008`.
    """
    return _positive(_core.parse_bytes_per_s(text, place), place, 'a bandwidth > 0 such as "100 Gbps"', text)


def parse_flops_per_s(text: str, place: str) -> float:
    """A speed > 0 from `"100 Gflops"`; a bare number is operations per second.

    Raises
    ------
    NetloomError
        `NL-A008`.
    """
    return _positive(_core.parse_flops_per_s(text, place), place, 'a speed > 0 such as "100 Gflops"', text)


def _positive(value: float, place: str, expected: str, text: str) -> float:
    if value <= 0.0:
        raise NetloomError([Fault(_BAD, place, expected, f'"{text}"')])
    return value


def unit_of_time(seconds: float) -> tuple[float, str]:
    """Seconds per unit and its symbol, so that `seconds` is at least 1 of it where one is that small."""
    return next(((size, name) for size, name in _TIMES if seconds >= size), _TIMES[-1])


def time_text(seconds: float, digits: int = 3) -> str:
    """With its unit: ``time_text(0.00012345)`` is ``"123 µs"``."""
    if seconds == 0:
        return "0 s"
    # Rounded first: 999.9 ns are 1 µs.
    size, name = unit_of_time(float(f"{seconds:.{digits}g}"))
    return f"{seconds / size:.{digits}g} {name}"


def amount_text(size_bytes: float, digits: int = 3) -> str:
    """Bytes in decimal units: ``amount_text(1234567)`` is ``"1.23 MB"``."""
    # Rounded first: 999.9995 kB are 1 MB.
    value = float(f"{size_bytes:.{digits}g}")
    unit, name = next(((unit, name) for unit, name in _AMOUNTS if value >= unit), (1.0, "B"))
    scaled = value / unit
    return f"{scaled:.0f} {name}" if scaled >= 1000 else f"{scaled:.{digits}g} {name}"


def size_text(size_bytes: int) -> str:
    """A size as people write it: ``size_text(65536)`` is ``"64KiB"``, ``size_text(1000)`` is ``"1000B"``; exact."""
    for power, unit in enumerate(_BINARY):
        if size_bytes % 1024 or size_bytes < 1024 or power == len(_BINARY) - 1:
            return f"{size_bytes}{unit}"
        size_bytes //= 1024
    raise AssertionError


def counted(number: int, thing: str) -> str:
    """`1 endpoint`, `2 endpoints`; of a thing in `ch` or `sh`, `switches`."""
    end = "" if number == 1 else "es" if thing.endswith(("ch", "sh")) else "s"
    return f"{number} {thing}{end}"
