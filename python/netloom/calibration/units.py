"""Times and bandwidths as people write them; units and spelling are those of the core's call grammar."""

from __future__ import annotations

import re

from ..errors import Fault, NetloomError

_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9, "ps": 1e-12}
_BITS = {f"{prefix}b{per}": 125.0 * factor for prefix, factor in (("k", 1), ("M", 1e3), ("G", 1e6), ("T", 1e9))
         for per in ("ps", "/s")}  # fmt: skip
_BYTES = {f"{prefix}B{per}": factor for prefix, factor in (("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12))
          for per in ("ps", "/s")}  # fmt: skip
_FLOPS = {f"{prefix}flops": factor for prefix, factor in (("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12))}
_NUMBER = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\s*([A-Za-zµ/]*)\s*")


def seconds(place: str, text: str, least: float | None = None) -> float:
    """A time > 0 from `"100 ns"`, or one >= `least`; a bare number is seconds.

    Raises
    ------
    NetloomError
        `NL-A008`.
    """
    sign = ">" if least is None else ">="
    return _parse(place, text, {"": 1.0, **_SECONDS}, f'a time {sign} {least or 0:g} such as "100 ns"', least)


def flops_per_s(place: str, text: str) -> float:
    """A speed > 0 from `"100 Gflops"`; a bare number is operations per second.

    Raises
    ------
    NetloomError
        `NL-A008`.
    """
    return _parse(place, text, {"": 1.0, **_FLOPS}, 'a speed > 0 such as "100 Gflops"')


def bytes_per_s(place: str, text: str) -> float:
    """A bandwidth > 0 from `"100 Gbps"` or `"12.5 GB/s"`; a bare number is bytes per second.

    Raises
    ------
    NetloomError
        `NL-A008`.
    """
    return _parse(place, text, {"": 1.0, **_BITS, **_BYTES}, 'a bandwidth > 0 such as "100 Gbps"')


def _parse(place: str, text: str, units: dict[str, float], expected: str, least: float | None = None) -> float:
    match = _NUMBER.fullmatch(text[:64])
    factor = units.get(match[2]) if match else None
    value = float(match[1]) * factor if match and factor else -1.0
    if not 0.0 <= value < 1e30 or (value <= 0.0 if least is None else value < least):
        hint = "units: " + ", ".join(unit for unit in units if unit)
        raise NetloomError([Fault("NL-A008", place, expected, f'"{text[:80]}"', hint)])
    return value
