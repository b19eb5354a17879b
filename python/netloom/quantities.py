"""Sizes as people write them; the units are those of the core's call grammar."""

from __future__ import annotations

import re

from .errors import Fault, NetloomError

#: `KB`, `MB` and `GB` are powers of 1024, as in the papers; `kB` is 1000 bytes.
UNITS = {"": 1, "B": 1, "kB": 1000, "KB": 1 << 10, "KiB": 1 << 10, "MB": 1 << 20, "MiB": 1 << 20}
UNITS |= {"GB": 1 << 30, "GiB": 1 << 30, "TiB": 1 << 40}

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
