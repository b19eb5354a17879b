"""Where one algorithm takes over from another: the sizes between those that were timed, by simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

from .reorder import places
from .tables import Timing, winners

if TYPE_CHECKING:
    from .. import _core
    from .bound import Where
    from .clock import Clock, Simulated

#: A takeover is known to this part of its size.
CLOSE = 1 / 32


@dataclass(frozen=True)
class Span:
    """Sizes for which one algorithm is chosen, both ends included."""

    first: int
    last: int
    algorithm: str


def asking(network: _core.Network, where: Where, clock: Clock | Simulated) -> Callable[[str, int], float]:
    """The time in seconds of an algorithm at a size that was not timed; each is taken once."""

    @cache
    def time_s(algorithm: str, size_bytes: int) -> float:
        schedule, ends = places(where.mapping, algorithm, where.root)
        if where.seats is None:
            return float(clock(network, schedule, ends, size_bytes, where.root)["time_s"])
        seats = places(where.seats, algorithm, where.root)[1]
        return float(cast("Simulated", clock)(network, schedule, ends, size_bytes, where.root, seats=seats)["time_s"])

    return time_s


def spans(timing: Timing, among: Iterable[str]) -> list[Span]:
    """The fastest of some algorithms from the smallest to the largest size that was timed; nothing beyond.

    Where two sizes next to each other have different winners, the size between them at which the second is faster is
    searched for by halving, to 3 %; without `timing.ask`, as with a clock that knows the timed sizes only, the second
    begins at the size where it was timed.

    Notes
    -----
    Cost: two simulations per halving, at most six of them for each takeover between powers of two.
    """
    found: list[Span] = []
    for size, algorithm, _ in winners(timing, among):
        if found and found[-1].algorithm == algorithm:
            found[-1] = Span(found[-1].first, size, algorithm)
        elif found:
            first = _takeover(timing, found[-1], size, algorithm)
            found[-1] = Span(found[-1].first, first - 1, found[-1].algorithm)
            found.append(Span(first, size, algorithm))
        else:
            found.append(Span(size, size, algorithm))
    return found


def _takeover(timing: Timing, before: Span, size: int, algorithm: str) -> int:
    """The first size, above the last that `before` won and up to `size`, from which the other algorithm is faster."""
    low, high = before.last, size
    while timing.ask is not None and high - low > max(1.0, low * CLOSE):
        middle = (low + high) // 2
        if timing.ask(algorithm, middle) < timing.ask(before.algorithm, middle):
            high = middle
        else:
            low = middle
    return high
