"""NCCL's choice: its tuner's table of latencies and bandwidths.

Numbers of `src/graph/tuning.cc` of NCCL 2.20.3 (commit b6475625, 2024) (times in µs, rates in GB/s). The search for
channels over the node's links is replaced by what it finds on DGX and HGX nodes: a ring through each NIC, 12 inside.
"""

from __future__ import annotations

from .choice import Communicator
from .tuner import NIC_BYTES_PER_S, PerProtocol, Shape, Tuner

VERSION = "2.20"
_LL, _LL128, _SIMPLE = range(3)

_BASE: dict[str, PerProtocol] = {
    "tree": (6.8, 14.0, 0.0),
    "ring": (6.6, 14.0, 8.4),
    "nvls": (0.0, 0.0, 0.0),
}
#: A hop inside a node, over NVLink, and one over the network.
_INSIDE: dict[str, PerProtocol] = {
    "tree": (0.6, 1.25, 28.0),
    "ring": (0.6, 1.9, 3.4),
    "nvls": (0.0, 0.0, 23.0),
}
_BETWEEN: dict[str, PerProtocol] = {
    "tree": (5.0, 8.5, 28.0),
    "ring": (2.7, 4.0, 14.0),
}
#: Posting a message to a NIC, on Intel's processors; three times as long for Simple.
_POST = 1.0
#: Most of LL on one, two and more nodes: by the GPU on one, by the processor on more.
_MOST_LL = (87.7, 39.0, 20.4)
#: Most of a channel of a tree on one, two and more nodes, Simple and LL128, and of a ring with LL128.
_MOST_TREE = {"blackwell": (77.4, 82.8, 72.0), "hopper": (38.7, 41.4, 36.0), "ampere": (24.0, 23.6, 17.8)}
_MOST_TREE_LL128 = {"blackwell": (73.4, 73.4, 58.0), "hopper": (36.7, 36.7, 29.0), "ampere": (20.0, 20.0, 20.0)}
_MOST_RING_LL128 = {"blackwell": 73.4, "hopper": 36.7, "ampere": 20.0}
#: Share of its bandwidth that a tree has at 64 B, 128 B, ... 256 MiB.
_TREE_SHARE = (
    (1, 1, 1, 1, 0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5, 0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1, 1, 1),
    (1, 1, 1, 1, 1, 0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9, 1, 1),
    (0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5, 0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.7, 0.7, 0.8, 0.9, 0.9),
)
#: A ring's latency counts so many times from this many bytes for each channel and rank on.
_PLATEAU, _PLATEAU_BYTES = 1.4, 64
#: GPUs whose links carry at least so much are Hoppers, Blackwells (NVLink 4, 5; also what is left of its rate).
_HOPPER_BYTES_PER_S, _BLACKWELL_BYTES_PER_S = 320e9, 640e9
#: GB/s that the search finds inside a node.
_INSIDE_GB_PER_S = {"ampere": 240.0, "hopper": 360.0, "blackwell": 720.0}
#: Rates of a channel through a NIC that the search tries, GB/s.
#: Those above are taken to reach as large a share as 48 of 50.
_SHARE = 0.96
_NIC_GB_PER_S = (48, 45, 42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6, 3, 2.4, 1.2, 0.24, 0.12)
_CHANNELS_INSIDE = 12


def generation(at: Communicator) -> str:
    """Of the GPUs, as the links of a node tell; `hopper` where they tell nothing."""
    if at.gpu_bytes_per_s >= _BLACKWELL_BYTES_PER_S:
        return "blackwell"
    return "ampere" if 0 < at.gpu_bytes_per_s < _HOPPER_BYTES_PER_S else "hopper"


def paths(at: Communicator) -> int:
    """Channels that the search finds."""
    return at.nics if at.nodes > 1 else _CHANNELS_INSIDE


def rates(at: Communicator) -> tuple[float, float]:
    """GB/s of all channels inside a node, and between nodes."""
    inside = _INSIDE_GB_PER_S[generation(at)]
    return inside, min(inside, between(at)) if at.local > 1 else between(at)


def between(at: Communicator) -> float:
    """GB/s of the channels through the NICs of a node."""
    nic = (at.nic_bytes_per_s or NIC_BYTES_PER_S) / 1e9
    most = _NIC_GB_PER_S[0]
    if nic > most / _SHARE:
        return at.nics * _SHARE * nic
    return at.nics * next((rate for rate in _NIC_GB_PER_S if rate <= nic), nic)


def _bandwidth(shape: Shape, algorithm: str, place: int) -> float:
    """GB/s of the whole vector."""
    at, generation_ = shape.at, generation(shape.at)
    inside, outside = rates(at)
    bus, channels, count = outside if shape.between else inside, paths(at), min(at.nodes, 3) - 1
    if algorithm == "ring":
        if place == _LL:
            third = not shape.between and shape.collective not in ("allreduce", "reduce")
            bus = min(bus / (3 if third else 4), _MOST_LL[count])
        elif place == _LL128:
            bus = min(bus * (0.92 if at.local >= 2 else 0.7), channels * _MOST_RING_LL128[generation_])
        return bus * at.ranks / shape.steps
    if algorithm == "tree":
        bus = min(0.92 * bus, channels * _MOST_TREE[generation_][count])
        if place == _LL:
            bus = min(bus / 3.8, _MOST_LL[count])
        elif place == _LL128:
            share = 120 / 128 if shape.between else 7 / 9
            bus = min(bus * share, channels * _MOST_TREE_LL128[generation_][count])
        known = _TREE_SHARE[place]
        return bus / 2 * (known[shape.log_size] if 0 <= shape.log_size < len(known) else 1.0)
    return inside * 5 / 6


def _latency(shape: Shape, algorithm: str, place: int) -> float:
    """µs."""
    at, inside = shape.at, _INSIDE[algorithm][place]
    if algorithm == "nvls":
        return inside
    outside = _BETWEEN[algorithm][place]
    if algorithm == "ring":
        if shape.collective in ("broadcast", "reduce"):
            # Between nodes a chunk of Simple counts as in a tree.
            hop = _BETWEEN["tree"][place] if place == _SIMPLE else outside
            return _BASE["ring"][place] + (shape.steps * hop if shape.between else inside)
        far = 2 * at.nodes if shape.between and shape.collective == "allreduce" else shape.steps_between
        if shape.between:
            inside = max(inside, _POST * (3 if place == _SIMPLE else 1))
        found = _BASE["ring"][place] + (shape.steps - far) * inside + far * outside
        is_plateau = (
            place == _SIMPLE
            and shape.between
            and shape.collective == "allreduce"
            and shape.size_bytes // (2 * paths(at) * at.ranks) >= _PLATEAU_BYTES
        )
        return found * _PLATEAU if is_plateau else found
    return _BASE["tree"][place] + 2 * ((at.local - 1) * inside + shape.log_nodes * outside)


def estimate(shape: Shape, algorithm: str, place: int) -> float | None:
    """Seconds that the tuner expects; None for what it does not consider."""
    at = shape.at
    if algorithm == "nvls":
        # Between nodes it needs reductions in the network. NVLS tree, which does not, is left out: no schedule here has
        # its times, and those measured on 10 nodes of H100 with NCCL 2.29 are those of rings.
        possible = place == _SIMPLE and at.local > 1 and at.is_switched and generation(at) != "ampere"
        if not possible or shape.between:
            return None
    if at.ranks < 2:
        return 1e-6 * _BASE[algorithm][place]
    seconds = 1e-6 * _latency(shape, algorithm, place)
    return seconds + shape.size_bytes / (1e9 * _bandwidth(shape, algorithm, place))


NCCL = Tuner(
    "nccl",
    VERSION,
    estimate,
    {
        "allreduce": ("ring", "tree", "nvls"),
        "allgather": ("ring", "nvls"),
        "reduce-scatter": ("ring", "nvls"),
        "broadcast": ("ring",),
        "reduce": ("ring",),
    },
)
