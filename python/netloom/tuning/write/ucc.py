"""UCC: the score string of its UCP team layer, as a line that a shell sources.

`collective:first-last:memory:[ranks]:score:@algorithm`, joined by `#`. Score `inf` comes before any other layer.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..spans import spans
from ..tables import Timing
from ..ties import error_lines
from .names import aliased, without

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


def render(timings: Sequence[Timing], left: list[str]) -> str | None:
    """The line, None if UCC has none of the timed algorithms. Sizes that were not timed are left to UCC.

    A range ends before its second number. `left` takes the collectives without a range, with the reason.
    """
    parts = []
    for timing in timings:
        known = [name for name in timing.algorithms() if aliased("ucc", name) is not None]
        chosen = spans(timing, known) if timing.collective in WORDS else []
        scale = timing.ranks if timing.collective in _TOTAL else 1
        for number, span in enumerate(chosen):
            last = number + 1 == len(chosen)
            end = span.last * scale + 1 if last else chosen[number + 1].first * scale
            span_ranks, word = f"[{timing.ranks}-{timing.ranks}]", WORDS[timing.collective]
            algorithm = aliased("ucc", span.algorithm)
            parts.append(f"{word}:{span.first * scale}-{end}:host:{span_ranks}:inf:@{algorithm}")
        if not chosen:
            left.append(without(timing))
    if not parts:
        return None
    return "\n".join([*error_lines(timings), f"export UCC_TL_UCP_TUNE='{'#'.join(parts)}'"]) + "\n"
