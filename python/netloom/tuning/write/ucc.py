"""UCC: the score string of its UCP team layer, as a line that a shell sources.

`collective:first-last:memory:[ranks]:score:@algorithm`, joined by `#`. Score `inf` comes before any other layer.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..tables import Timing, switch_points
from .names import aliased

FILE = "ucc-tune.env"
USE = "UCC_TL_UCP_TUNE, set by: . {path}"
#: UCC's word for each collective.
WORDS = {
    "allgather": "allgather",
    "allreduce": "allreduce",
    "alltoall": "alltoall",
    "broadcast": "bcast",
    "gather": "gather",
    "reduce": "reduce",
    "reduce-scatter": "reduce_scatter",
    "scatter": "scatter",
}
#: Collectives whose ranges count the whole buffer.
_TOTAL = {"allgather", "alltoall", "reduce-scatter", "gather", "scatter"}


def render(timings: Sequence[Timing]) -> str | None:
    """The line, None if UCC has none of the timed algorithms."""
    parts = []
    for timing in timings:
        known = [name for name in timing.algorithms() if aliased("ucc", name) is not None]
        points = switch_points(timing, known) if timing.collective in WORDS else []
        scale = timing.ranks if timing.collective in _TOTAL else 1
        for number, (size, call) in enumerate(points):
            first = size * scale if number else 0
            last = str(points[number + 1][0] * scale) if number + 1 < len(points) else "inf"
            span = f"[{timing.ranks}-{timing.ranks}]"
            word = WORDS[timing.collective]
            parts.append(f"{word}:{first}-{last}:host:{span}:inf:@{aliased('ucc', call)}")
    return f"export UCC_TL_UCP_TUNE='{'#'.join(parts)}'\n" if parts else None
