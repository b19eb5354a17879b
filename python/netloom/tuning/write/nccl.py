"""NCCL: the CSV that NVIDIA's example tuner plug-in reads (`NCCL_TUNER_CONFIG_FILE`).

`collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks`; bytes are those of the whole buffer, both
ends inclusive; -1 matches anything, or keeps the default.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..spans import spans
from ..tables import Timing, total_bytes
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
#: below, LL and LL128 do, which no schedule here models.
SIMPLE_FROM = 64 << 10


def render(timings: Sequence[Timing], left: list[str]) -> str | None:
    """The file, None if NCCL has none of the timed algorithms, or no size at which the protocol is known.

    Every row of the plug-in names a protocol; what it does not know it takes for `simple`. Schedules send every byte
    once, as Simple does: rows begin where that protocol wins, and NCCL keeps its choice below, where a row would take
    LL and LL128 away. `left` takes the collectives without a row, with the reason.
    """
    lines = []
    for timing in timings:
        known = [name for name in timing.algorithms() if aliased("nccl", name) is not None]
        chosen = spans(timing, known) if timing.collective in WORDS else []
        made = []
        for span in chosen:
            first, last = (total_bytes(timing.collective, timing.ranks, size) for size in (span.first, span.last))
            if number := total_bytes(timing.collective, timing.ranks, 1) - 1:
                # Totals between those of two sizes belong to the smaller one; the last row ends at a timed size.
                last += number if span is not chosen[-1] else 0
            first = max(first, SIMPLE_FROM)
            if first <= last:
                cells = (WORDS[timing.collective], first, last, aliased("nccl", span.algorithm), "simple", -1, -1)
                made.append(",".join(map(str, (*cells, timing.ranks))))
        if not made:
            low = (
                f"{timing.collective}: LL and LL128, which NCCL prefers below {SIMPLE_FROM >> 10} KiB, are not modelled"
            )
            left.append(low if chosen else without(timing))
        lines += made
    if not lines:
        return None
    head = [
        "# written by netloom: collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks",
        "# sizes that were not timed, and those at which LL and LL128 win, are left to NCCL",
    ]
    return "\n".join([*head, *lines]) + "\n"
