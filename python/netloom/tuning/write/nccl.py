"""NCCL: the CSV that NVIDIA's example tuner plug-in reads (`NCCL_TUNER_CONFIG_FILE`).

`collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks`; bytes are those of the whole buffer, both
ends inclusive; -1 matches anything, or keeps the default.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..tables import Timing, switch_points, total_bytes
from .names import aliased

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
#: Largest size in the plug-in's own example.
LAST = 4294967295


def render(timings: Sequence[Timing]) -> str | None:
    """The file, None if NCCL has none of the timed algorithms. The protocol is `simple`: the model knows no other."""
    lines = []
    for timing in timings:
        known = [name for name in timing.algorithms() if aliased("nccl", name) is not None]
        if timing.collective not in WORDS:
            continue
        points = switch_points(timing, known)
        starts = [total_bytes(timing.collective, timing.ranks, size) for size, _ in points]
        for number, (_, call) in enumerate(points):
            first = starts[number] if number else 0
            last = starts[number + 1] - 1 if number + 1 < len(points) else LAST
            cells = (WORDS[timing.collective], first, last, aliased("nccl", call), "simple", -1, -1, timing.ranks)
            lines.append(",".join(map(str, cells)))
    if not lines:
        return None
    head = "# written by netloom: collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks"
    return "\n".join([head, *lines]) + "\n"
