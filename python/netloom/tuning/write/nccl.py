"""NCCL: the CSV that NVIDIA's example tuner plug-in reads (`NCCL_TUNER_CONFIG_FILE`).

`collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks`; bytes are those of the whole buffer, both
ends inclusive; -1 matches anything, or keeps the default.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..bandwidth import total_bytes
from ..spans import Span, spans
from ..tables import Timing
from ..ties import error_lines
from .names import aliased, without

FILE = "nccl-tuner.csv"
USE = "NCCL_TUNER_CONFIG_FILE={path}"
#: NCCL's word for each collective that its tuner knows.
WORDS = {
    "allreduce": "allreduce",
    "allgather": "allgather",
    "reduce-scatter": "reducescatter",
    "broadcast": "broadcast",
    "reduce": "reduce",
}
#: Bytes of the whole buffer from which NCCL's Simple protocol wins (Hu et al., arXiv 2507.04786, 2025, NCCL 2.19.1):
#: below, LL and LL128 do. It decides where the model of NCCL's choice has no protocol for an algorithm.
SIMPLE_FROM = 64 << 10


def render(timings: Sequence[Timing], left: list[str]) -> str | None:
    """The file, None if NCCL has none of the timed algorithms, or no size at which the protocol is known.

    Every row of the plug-in names a protocol; what it does not know it takes for `simple`. A row has the one that NCCL
    would take for its algorithm and sizes (`Timing.protocol`). Where that is not known rows say `simple`, and begin
    where that protocol wins: NCCL keeps its choice below, where a row would take LL and LL128 away. `left` takes the
    collectives without a row, with the reason.
    """
    lines = []
    for timing in timings:
        known = [name for name in timing.algorithms() if aliased("nccl", name) is not None]
        chosen = spans(timing, known) if timing.collective in WORDS else []
        pieces = [piece for span in chosen for piece in _pieces(timing, span)]
        made = []
        for span, protocol in pieces:
            first, last = (total_bytes(timing.collective, timing.ranks, size) for size in (span.first, span.last))
            if number := total_bytes(timing.collective, timing.ranks, 1) - 1:
                # Totals between those of two sizes belong to the smaller one; the last row ends at a timed size.
                last += number if span is not pieces[-1][0] else 0
            first = first if protocol else max(first, SIMPLE_FROM)
            if first <= last:
                cells = (WORDS[timing.collective], first, last, aliased("nccl", span.algorithm), protocol or "simple")
                made.append(",".join(map(str, (*cells, -1, -1, timing.ranks))))
        if not made:
            low = f"{timing.collective}: which protocol NCCL takes below {SIMPLE_FROM >> 10} KiB is not known here"
            left.append(low if chosen else without(timing))
        lines += made
    if not lines:
        return None
    head = [
        "# written by netloom: collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks",
        "# sizes that were not timed, and those at which the protocol is not known, are left to NCCL",
    ]
    return "\n".join([*head, *error_lines(timings), *lines]) + "\n"


def _pieces(timing: Timing, span: Span) -> list[tuple[Span, str]]:
    """A span cut where the protocol changes, "" where it is not known. O(sizes), and the doublings between two."""
    ask = timing.protocol
    if ask is None:
        return [(span, "")]

    def protocol(size: int) -> str:
        return ask(span.algorithm, size)

    found = [(span.first, protocol(span.first))]
    stops = [span.first, *(size for size in timing.sizes if span.first < size < span.last), span.last]
    for last, stop in pairwise(stops):
        while protocol(stop) != found[-1][1]:
            low, high = max(last, found[-1][0]), stop
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if protocol(middle) == found[-1][1] else (low, middle)
            found.append((high, protocol(high)))
    ends = [first - 1 for first, _ in found[1:]] + [span.last]
    return [(Span(first, last, span.algorithm), name) for (first, name), last in zip(found, ends, strict=True)]
