"""Sizes, times, bandwidths and speeds as people write them, in the core's call grammar, and as they read them.

One rule for bytes, in and out, here and in the page's scripts: kB, MB, GB, TB, PB are powers of 1000, KiB, MiB, GiB,
TiB, PiB of 1024. Sizes that are given are said in the system in which they are whole (:func:`size_text`), all those of
a column in one (:func:`are_binary`). What is summed, measured or predicted is decimal (:func:`amount_text`).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from fractions import Fraction

from .. import _core
from .errors import Fault, NetloomError

_BAD = "NL-A008"
_WHOLE = re.compile(r" *[+-]?[0-9]{1,19} *")
_AMOUNTS = ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_DECIMAL = ("B", "kB", "MB", "GB", "TB", "PB")
#: A number and a letter alone, the way nccl-tests takes sizes; in a call it is the whole of a value.
_LETTER = r"([0-9.]+(?:[eE][+-]?[0-9]+)?) *([KkMmGgTt])"
_SIZE, _IN_CALL = re.compile(_LETTER), re.compile(rf"""[=(,]\s*["']?\s*{_LETTER}\s*["']?\s*(?=[,)])""")
_EXA = re.compile(r" *([0-9]{1,19}(?:\.[0-9]{1,30})?) *(EB|EiB) *")
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"), (1e-12, "ps"))


class ReadAs(UserWarning):
    """How a size was read that can be read in two ways."""


def whole(text: str) -> int | None:
    """The integer that a text is, of at most 19 digits; None for any other text."""
    return int(text) if _WHOLE.fullmatch(text) else None


def parse_bytes(text: str | int, place: str = "size") -> int:
    """A whole number of bytes from `65536`, `"64 KiB"` or `"1.5 MiB"`.

    `kB`, `MB`, ..., `EB` are powers of 1000, `KiB`, ..., `EiB` of 1024. `K`, `M`, `G`, `T` without `B`, as
    OSU's benchmarks and nccl-tests take sizes, are powers of 1024 too, and a warning says so. `KB` is refused: it is
    1000 bytes to some and 1024 to others.

    Raises
    ------
    NetloomError
        `NL-A008` if it is not a size, not whole, or 2^63 or more.
    """
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if not isinstance(text, str):
        raise NetloomError([Fault(_BAD, place, 'a size such as "64 KiB"', f'"{text}"')])
    found = _core.parse_bytes(text, place) if (larger := _EXA.fullmatch(text)) is None else _exa(larger, place)
    if _SIZE.fullmatch(text.strip()):
        _say_read_as(text.strip(), found)
    return found


def _exa(larger: re.Match[str], place: str) -> int:
    """Sizes in EB and EiB, which a call does not know: there are few below 2^63."""
    found = Fraction(larger[1]) * (1000**6 if larger[2] == "EB" else 1024**6)
    if found.denominator != 1 or found >= 1 << 63:
        raise NetloomError([Fault(_BAD, place, "a whole number of bytes below 2^63", f'"{larger[0].strip()}"')])
    return int(found)


def say_letters(call: str) -> None:
    """Warns of each size in a call's text that is a number and a letter, as `parse_bytes` does."""
    for match in _IN_CALL.finditer(call):
        text = f"{match[1]}{match[2]}"
        _say_read_as(text, _core.parse_bytes(text, "size"))


def _say_read_as(text: str, size_bytes: int) -> None:
    said = size_text(size_bytes, " ")
    equal = "" if said.endswith(" B") else f" = {size_bytes:,} B"
    warnings.warn(f"{text} is read as {said}{equal}, as OSU and NCCL print sizes", ReadAs, stacklevel=3)


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


def percent(share: float) -> str:
    """``percent(0.0712)`` is ``"7.1 %"``, ``percent(0.34)`` is ``"34 %"``."""
    return f"{100 * share:.1f} %" if abs(share) < 0.1 else f"{100 * share:.0f} %"


def amount_text(size_bytes: float, digits: int = 3) -> str:
    """Bytes in decimal units: ``amount_text(1234567)`` is ``"1.23 MB"``."""
    # Rounded first: 999.9995 kB are 1 MB.
    value = float(f"{size_bytes:.{digits}g}")
    unit, name = next(((unit, name) for unit, name in _AMOUNTS if value >= unit), (1.0, "B"))
    scaled = value / unit
    return f"{scaled:.0f} {name}" if scaled >= 1000 else f"{scaled:.{digits}g} {name}"


def size_text(size_bytes: int, gap: str = "") -> str:
    """A size as people write it, exact: ``size_text(65536)`` is ``"64KiB"``, ``size_text(10**6)`` is ``"1MB"``.

    Binary or decimal, whichever has the shorter number: binary where both are as short.
    """
    binary, decimal = _whole_of(size_bytes, 1024), _whole_of(size_bytes, 1000)
    number, power = binary if binary[0] <= decimal[0] or not decimal[1] else decimal
    names = _BINARY if (number, power) == binary else _DECIMAL
    return f"{number}{gap}{names[power]}"


def _whole_of(size: int, base: int) -> tuple[int, int]:
    """The size without the powers of the base that divide it, at most five, and how many they are."""
    power = 0
    while size and size % base == 0 and power < len(_BINARY) - 1:
        size, power = size // base, power + 1
    return size, power


def are_binary(sizes: Iterable[float]) -> bool:
    """Whether all sizes of a column are whole numbers of KiB, MiB, ... below the next unit, or of bytes below 1 KiB."""
    whole_sizes = [int(size) if size == int(size) and size >= 0 else -1 for size in sizes]
    return bool(whole_sizes) and all(size >= 0 and _whole_of(size, 1024)[0] < 1024 for size in whole_sizes)


def counted(number: int, thing: str) -> str:
    """`1 endpoint`, `2 endpoints`; of a thing in `ch` or `sh`, `switches`."""
    end = "" if number == 1 else "es" if thing.endswith(("ch", "sh")) else "s"
    return f"{number} {thing}{end}"
