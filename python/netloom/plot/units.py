"""Numbers as people read them: ``107 µs`` instead of ``0.000107047``; the page's script writes the same."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..base.quantities import are_binary

#: Seconds per unit of columns that do not hold seconds.
_OF_TIME = {"ps": 1e-12, "ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
_TIME_POWERS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"), (1e-12, "ps"))
_PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
#: Units that take a prefix above a thousand.
_PREFIXED = ("B", "B/s", "flop/s", "messages/s", "W")


def unit_in(values: Iterable[float], unit: str) -> str:
    """The unit of a column, of which these are the values: sizes, "bytes", are decimal, "B", unless all are binary.

    >>> unit_in([256, 65536], "bytes"), unit_in([10000, 65536], "bytes"), unit_in([65536], "B")
    ('bytes', 'B', 'B')
    """
    return "B" if unit == "bytes" and not are_binary(values) else unit


def value_text(value: float, unit: str = "", digits: int = 3) -> str:
    """A number with its unit and `digits` significant digits; integers keep all digits.

    `unit` as :func:`netloom.plot.style.unit_of` and :func:`unit_in` give it: ``bytes`` are binary, ``B`` is decimal.

    >>> value_text(0.000107047, "s"), value_text(65536, "bytes"), value_text(2945557, "B"), value_text(1320334, "USD")
    ('107 µs', '64 KiB', '2.95 MB', '1,320,334 USD')
    """
    if isinstance(value, float) and not math.isfinite(value):
        return "–"
    if unit in _OF_TIME:
        return _time(value * _OF_TIME[unit], digits)
    if unit == "bytes":
        return _binary(value, digits)
    if unit in _PREFIXED:
        return _prefixed(value, unit, digits)
    text = _usd(value) if unit == "USD" else plain(value, digits)
    return f"{text} {unit}" if unit else text


def plain(value: float, digits: int = 3) -> str:
    """A number without a unit: thousands apart, at least `digits` significant digits of a fraction.

    >>> plain(206308), plain(1.71318), plain(12345.678), plain(0.00001234)
    ('206,308', '1.71', '12,346', '1.23e-05')
    """
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    if 1e-4 <= abs(value) < 1e15:
        places = max(0, digits - 1 - math.floor(math.log10(abs(value)) + 1e-12))
        text = f"{value:,.{places}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{value:.{digits}g}"


def _usd(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:,.2f}"


def _time(seconds: float, digits: int) -> str:
    if seconds == 0:
        return "0 s"
    # Rounded first: 999.9 ns are 1 µs.
    size = abs(float(f"{seconds:.{digits}g}"))
    scale, name = next(((scale, name) for scale, name in _TIME_POWERS if size >= scale), _TIME_POWERS[-1])
    return f"{plain(seconds / scale, digits)} {name}"


def _prefixed(value: float, unit: str, digits: int) -> str:
    size = abs(float(f"{value:.{digits}g}"))
    scale, prefix = next(((scale, prefix) for scale, prefix in _PREFIXES if size >= scale), (1.0, ""))
    gap = " " if unit == "messages/s" and prefix else ""
    return f"{plain(value / scale, digits)} {prefix}{gap}{unit}"


def _binary(value: float, digits: int) -> str:
    power, scaled = 0, value
    while abs(scaled) >= 1024 and power < len(_BINARY) - 1:
        scaled, power = scaled / 1024, power + 1
    return f"{plain(scaled, digits)} {_BINARY[power]}"


def digits_for(values: list[float], unit: str, least: int = 3, most: int = 6) -> int:
    """The fewest digits that distinguish the values of a column as well as `most` digits do. O(values)."""
    distinct = set(values)
    wanted = len({value_text(v, unit, most) for v in distinct})
    return next((d for d in range(least, most) if len({value_text(v, unit, d) for v in distinct}) == wanted), most)
