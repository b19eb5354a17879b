"""Factors from measurements: straight lines in pieces, as few as the measurements ask for.

The time of a message of `E` bytes, envelope included, is a line `a + b E` in each piece, so that over a path of
latency `L` and bandwidth `W` its latency factor is `a / L` and its bandwidth factor `1 / (b W)`.

Where the pieces end is found by dynamic programming over all ways to cut the sizes: the sum of squared relative
residuals, in units of the measurements' own relative noise, plus a penalty of `3 ln(sizes)` per piece. That is
Schwarz's criterion (The Annals of Statistics 6, 1978) for a piece's three parameters: where it begins, `a` and `b`.
Lines are fitted by least squares of relative residuals with `a >= 0` and `b` at least a millionth of `1 / W`; a piece
has at least two sizes. O(sizes²).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ..base.errors import Fault, NetloomError
from ..machine import codes
from ..machine.calibration import Calibration

#: Most different sizes: a quadratic algorithm in Python, some seconds.
MAX_SIZES = 2048
_LEAST_SLOPE = 1e-6


@dataclass(frozen=True)
class Segment:
    """One piece: messages of more than `above_bytes`, envelope included, take ``fixed_s + s_per_byte * size``."""

    above_bytes: int
    fixed_s: float
    s_per_byte: float
    sizes: int


@dataclass(frozen=True)
class Fit:
    """A calibration and how well it meets what it was made from.

    Parameters
    ----------
    residuals : dict
        Relative error (fitted / measured - 1) by size in bytes.
    """

    calibration: Calibration
    segments: tuple[Segment, ...]
    residuals: dict[int, float]


def fit(
    one_way_s: Mapping[int, float],
    latency_s: float,
    bandwidth_bytes_per_s: float,
    *,
    envelope_bytes: int = 16,
    noise: float = 0.01,
    constant: str = "latency",
    base: Calibration | None = None,
    name: str = "fitted",
) -> Fit:
    """The calibration that gives these times on a path of that latency and bandwidth.

    Parameters
    ----------
    one_way_s
        Time of a lone message by its size in bytes, s, > 0.
    latency_s, bandwidth_bytes_per_s
        Of the path between the two endpoints that were measured, as the network model has it, > 0.
    envelope_bytes
        Bytes added to every message; more than 0, so that an empty message has a size too.
    noise
        Relative standard deviation of the measurements, 1e-9 to 1; a smaller one asks for more pieces.
    constant : {"latency", "overhead"}
        Where the part that does not grow with the size goes: into latency factors, which grow with the path; or, beyond
        the path's own latency, into overheads of the two processors, half each, which do not. One distance cannot tell.
    base
        Everything that a ping-pong does not show (sharing, thresholds of the protocol) comes from here; `pure` if None.
    name
        Of the calibration, whose `source` is empty: `but(source=...)` says where the measurements come from.

    Raises
    ------
    NetloomError
        NL-L005 for fewer than four sizes, NL-L001 for more than 2048 or a value out of range.
    """
    _check(one_way_s, latency_s, bandwidth_bytes_per_s, envelope_bytes, noise, constant)
    sizes = sorted(one_way_s)
    x = [size + envelope_bytes for size in sizes]
    t = [one_way_s[size] for size in sizes]
    segments = _segments(x, t, noise, _LEAST_SLOPE / bandwidth_bytes_per_s)
    plain = (base or Calibration()).but(envelope_bytes=envelope_bytes, name=name, source="", description="")
    made = _calibration(plain, segments, latency_s, bandwidth_bytes_per_s, constant)
    residuals = {
        size: made.one_way_s(size, latency_s, bandwidth_bytes_per_s) / time - 1.0
        for size, time in zip(sizes, t, strict=True)
    }
    return Fit(made, segments, residuals)


def _check(
    one_way_s: Mapping[int, float], latency_s: float, bandwidth: float, envelope: int, noise: float, constant: str
) -> None:
    faults = []
    if len(one_way_s) < 4:
        faults.append(Fault(codes.TOO_FEW, "calibrate", "at least 4 sizes", str(len(one_way_s)), "measure more sizes"))
    if len(one_way_s) > MAX_SIZES:
        faults.append(Fault(codes.BAD_VALUE, "calibrate", f"at most {MAX_SIZES} sizes", str(len(one_way_s))))
    ranges = {
        "latency_s": (latency_s, 1e-15, 1e6),
        "bandwidth_bytes_per_s": (bandwidth, 1e-6, 1e21),
        "envelope_bytes": (envelope, 1, 1 << 32),
        "noise": (noise, 1e-9, 1.0),
    }
    for key, (value, low, high) in ranges.items():
        if not low <= value <= high:
            faults.append(Fault(codes.BAD_VALUE, f"calibrate: {key}", f"a number from {low} to {high}", repr(value)))
    if constant not in ("latency", "overhead"):
        faults.append(Fault(codes.BAD_VALUE, "calibrate: constant", "latency or overhead", repr(constant)))
    if not all(0.0 < time < 1e9 for time in one_way_s.values()) or not all(size >= 0 for size in one_way_s):
        faults.append(Fault(codes.BAD_VALUE, "calibrate: one_way_s", "times > 0 of sizes >= 0", "another value"))
    if faults:
        raise NetloomError(faults)


class _Sums:
    """Weighted sums over the sizes before each, from which the line of any run of them follows in O(1)."""

    def __init__(self, x: list[int], t: list[float]) -> None:
        # In units of its own time every point has the value 1 and the row (1/t, x/t).
        rows = [(1.0 / v, e / v) for e, v in zip(x, t, strict=True)]
        self.sums = [(0.0, 0.0, 0.0, 0.0, 0.0)]
        for u, v in rows:
            a, b, c, d, e = self.sums[-1]
            self.sums.append((a + u * u, b + u * v, c + v * v, d + u, e + v))

    def line(self, start: int, end: int, least_slope: float) -> tuple[float, float, float]:
        """``(fixed, slope, squared relative residuals)`` of points ``start..end``."""
        uu, uv, vv, u, v = (q - p for p, q in zip(self.sums[start], self.sums[end], strict=True))
        n = end - start
        candidates = [(0.0, max(v / vv, least_slope)), (max((u - least_slope * uv) / uu, 0.0), least_slope)]
        determinant = uu * vv - uv * uv
        if determinant > 1e-14 * uu * vv:
            fixed, slope = (u * vv - v * uv) / determinant, (v * uu - u * uv) / determinant
            if fixed >= 0.0 and slope >= least_slope:
                candidates = [(fixed, slope)]

        def cost(line: tuple[float, float]) -> float:
            a, b = line
            return max(a * a * uu + 2 * a * b * uv + b * b * vv - 2 * (a * u + b * v) + n, 0.0)

        fixed, slope = min(candidates, key=cost)
        return fixed, slope, cost((fixed, slope))


def _segments(x: list[int], t: list[float], noise: float, least_slope: float) -> tuple[Segment, ...]:
    n = len(x)
    sums = _Sums(x, t)
    penalty = 3.0 * math.log(n)
    best = [0.0] + [math.inf] * n
    start_of = [0] * (n + 1)
    for end in range(2, n + 1):
        for start in range(end - 1):
            if math.isfinite(best[start]):
                total = best[start] + penalty + sums.line(start, end, least_slope)[2] / (noise * noise)
                if total < best[end]:
                    best[end], start_of[end] = total, start
    ends = [n]
    while ends[-1] > 0:
        ends.append(start_of[ends[-1]])
    found: list[Segment] = []
    for start, end in zip(reversed(ends[1:]), reversed(ends[:-1]), strict=True):
        fixed, slope, _ = sums.line(start, end, least_slope)
        above = 0 if start == 0 else _between(found[-1], fixed, slope, x[start - 1], x[start])
        found.append(Segment(above, fixed, slope, end - start))
    return tuple(found)


def _between(before: Segment, fixed: float, slope: float, last: int, first: int) -> int:
    """Where a piece begins: where its line meets the one before, if that is between the two sizes; else the last size
    before it, since a protocol's limit is mostly a size that is measured."""
    if slope != before.s_per_byte:
        crossing = (before.fixed_s - fixed) / (slope - before.s_per_byte)
        if last <= crossing < first:
            return int(crossing)
    return last


def _calibration(
    plain: Calibration, segments: tuple[Segment, ...], latency_s: float, bandwidth: float, constant: str
) -> Calibration:
    speed = tuple((s.above_bytes, 1.0 / (s.s_per_byte * bandwidth)) for s in segments)
    if constant == "latency":
        latency = tuple((s.above_bytes, s.fixed_s / latency_s) for s in segments)
        return plain.but(latency_factors=latency, bandwidth_factors=speed)
    latency = tuple((s.above_bytes, min(s.fixed_s / latency_s, 1.0)) for s in segments)
    half = tuple((s.above_bytes, max(s.fixed_s - latency_s, 0.0) / 2.0, 0.0) for s in segments)
    return plain.but(
        latency_factors=latency, bandwidth_factors=speed, send_overhead=half, nonblocking_send_overhead=half,
        receive_overhead=half,
    )  # fmt: skip
