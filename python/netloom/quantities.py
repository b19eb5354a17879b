"""Sizes as people write them, times as they read them; the units are those of the core's call grammar."""

from __future__ import annotations

import re

from .errors import Fault, NetloomError

#: `KB`, `MB` and `GB` are powers of 1024, as in the papers; `kB` is 1000 bytes.
UNITS = {"": 1, "B": 1, "kB": 1000, "KB": 1 << 10, "KiB": 1 << 10, "MB": 1 << 20, "MiB": 1 << 20}
UNITS |= {"GB": 1 << 30, "GiB": 1 << 30, "TiB": 1 << 40}

_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"), (1e-12, "ps"))

_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*", re.ASCII)


def parse_bytes(text: str | int, place: str = "size") -> int:
    """A whole number of bytes from `65536`, `"64 KiB"` or `"1.5 MiB"`.

    Raises
    ------
    NetloomError
        `NL-A008` if it is not a size, not whole, or 2^63 or more.
    """
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    match = _SIZE.fullmatch(text) if isinstance(text, str) and len(text) <= 64 else None
    factor = UNITS.get(match[2]) if match else None
    if match is None or factor is None:
        hint = "units: " + ", ".join(unit for unit in UNITS if unit)
        raise NetloomError([Fault("NL-A008", place, 'a size such as "64 KiB"', f'"{text}"', hint)])
    whole, _, fraction = match[1].partition(".")
    value = int(whole) * factor
    if fraction:
        share, left = divmod(int(fraction) * factor, 10 ** len(fraction))
        value += share
        if left:
            raise NetloomError([Fault("NL-A008", place, "a whole number of bytes", f'"{text}"')])
    if value >= 2**63:
        raise NetloomError([Fault("NL-A008", place, "less than 2^63 bytes", f'"{text}"')])
    return value


def unit_of_time(seconds: float) -> tuple[float, str]:
    """Seconds per unit and its symbol, so that `seconds` is at least 1 of it where one is that small."""
    return next(((size, name) for size, name in _TIMES if seconds >= size), _TIMES[-1])


def time_text(seconds: float) -> str:
    """Three digits: ``time_text(0.00012345)`` is ``"123 µs"``."""
    if seconds == 0:
        return "0 s"
    # Rounded first: 999.9 ns are 1 µs.
    size, name = unit_of_time(float(f"{seconds:.3g}"))
    return f"{seconds / size:.3g} {name}"
