"""RCCL's choice: NCCL's model with a table of its own.

Numbers of `src/graph/tuning.cc` of RCCL (commit 9e22c79d, 2025), model 0, which holds where no model of the node is
known (times in µs). LL128 is left out: it is switched on for a few models of nodes only.
"""

from __future__ import annotations

from .nccl import between
from .tuner import PerProtocol, Shape, Tuner

VERSION = "9e22c79d"
_LL, _LL128, _SIMPLE = range(3)

_BASE: PerProtocol = (12.0, 12.0, 17.0)
_INSIDE: dict[str, PerProtocol] = {"tree": (0.8, 1.4, 2.5), "ring": (0.8, 2.2, 3.6)}
_BETWEEN: dict[str, PerProtocol] = {"tree": (11.8, 18.2, 20.8), "ring": (9.5, 19.8, 15.1)}
#: Share of the bandwidth of all channels, on at most two nodes and on more.
_SHARE: dict[str, tuple[PerProtocol, PerProtocol]] = {
    "tree": ((0.04, 0.22, 0.91), (0.04, 0.22, 0.95)),
    "ring": ((0.04, 0.34, 1.0), (0.04, 0.34, 1.0)),
}
#: And of that at 64 B, 128 B, ... 4 GiB, for LL and for Simple; a ring's between nodes only.
_SIZES: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "tree": (
        (0.1, 0.2, 0.1, 0.1, 0.9, 0.3, 0.4, 0.1, 0.2, 0.4, 0.2, 0.1, 0.3, 0.3, 0.2, 0.2, 0.2, *(0.1,) * 10),
        (0.2, 1, 0.1, 0.1, 0.7, 0.2, 0.4, 0.1, 0.1, 0.3, 0.4, 0.3, 0.6, 0.8, 1, 1, 1, 1, 0.9, *(0.8,) * 5, *(0.9,) * 3),
    ),
    "ring": (
        (0.1, 0.1, 0.1, 0.1, 0.1, 0.2, 0.4, 0.2, 0.3, 0.5, 0.3, 0.1, 0.5, 0.5, 0.3, 0.2, 0.2, *(0.1,) * 10),
        (1, 0.8, 0.2, 1, 1, 0.3, 1, 0.1, 0.1, 0.2, 0.2, 0.1, 0.5, 1, 0.8, 0.8, 1, 0.9, *(1,) * 9),
    ),
}
#: What a search for channels reaches of the links of a GPU, and these where nothing is said: four of 50 GB/s.
_INSIDE_SHARE, _GPU_BYTES_PER_S = 0.8, 200e9
#: Posting a message to a NIC, on AMD's processors; three times as long for Simple.
_POST = 2.0


def _bandwidth(shape: Shape, algorithm: str, place: int) -> float:
    """GB/s of the whole vector."""
    at = shape.at
    inside = _INSIDE_SHARE * (at.gpu_bytes_per_s or _GPU_BYTES_PER_S) / 1e9
    outside = min(inside, between(at)) if at.local > 1 else between(at)
    bus = (outside if shape.between else inside) * _SHARE[algorithm][at.nodes > 2][place]
    if algorithm == "tree" or shape.between:
        known = _SIZES[algorithm][place == _SIMPLE]
        bus *= known[min(max(shape.log_size, 0), len(known) - 1)]
    return bus * (at.ranks / shape.steps if algorithm == "ring" else 0.5)


def _latency(shape: Shape, algorithm: str, place: int) -> float:
    """µs."""
    at, inside = shape.at, _INSIDE[algorithm][place]
    outside = _BETWEEN["tree" if at.local == 1 else algorithm][place]
    if algorithm == "tree":
        return _BASE[place] + 2 * ((at.local - 1) * inside + shape.log_nodes * outside)
    if shape.collective in ("broadcast", "reduce"):
        # Between nodes a chunk of Simple counts as in a tree.
        hop = _BETWEEN["tree" if place == _SIMPLE else "ring"][place]
        return _BASE[place] + (shape.steps * hop if shape.between else inside)
    if shape.between:
        inside = max(inside, _POST * (3 if place == _SIMPLE else 1))
    far = shape.steps_between
    return _BASE[place] + (shape.steps - far) * inside + far * outside


def estimate(shape: Shape, algorithm: str, place: int) -> float | None:
    """Seconds that the tuner expects; None for what it does not consider."""
    if place == _LL128:
        return None
    if shape.at.ranks < 2:
        return 1e-6 * _BASE[place]
    seconds = 1e-6 * _latency(shape, algorithm, place)
    return seconds + shape.size_bytes / (1e9 * _bandwidth(shape, algorithm, place))


RCCL = Tuner(
    "rccl",
    VERSION,
    estimate,
    {
        "allreduce": ("ring", "tree"),
        "allgather": ("ring",),
        "reduce-scatter": ("ring",),
        "broadcast": ("ring",),
        "reduce": ("ring",),
    },
)
