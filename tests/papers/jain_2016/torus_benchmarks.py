"""Section 5.6.2 of Jain 2016: the three benchmarks that validate the torus, on 512 nodes of a Blue Gene/Q.

The paper gives no times of its machine. Here packets stand next to what they should come to: under static routes the
closed form, and flows that share every link evenly; under adaptive routes the time of static ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import netloom

from ..findings import Found
from ..measured import finding

TITLE = "Ping-pong, pairs and a permutation on a torus"
DIMS = (4, 4, 4, 4, 2)
NODES = 512
#: Ranks of a node.
CORES = 16
RATE, LATENCY_S = 2e9, 40e-9
NETWORK = (
    "torus(4,4,4,4,2,double=[false,false,false,false,true],bandwidth={rate},latency={latency},"
    "endpoint_bandwidth={ten},endpoint_latency=0)"
).format(rate=f'"{RATE:.0f} Bps"', latency=f'"{LATENCY_S} s"', ten=f'"{10 * RATE:.0f} Bps"')
PACKET = 512
STATIC = {"routing": "dimension-ordered", "variant": "static-direct"}
ADAPTIVE = {"routing": "minimal", "variant": "adaptive-direct"}
#: As the paper's models and its machine.
NEAR = 0.05
Place = tuple[int, ...]
#: Partners at 1, 5 and 9 hops.
PARTNERS: dict[int, Place] = {1: (1, 0, 0, 0, 0), 5: (2, 1, 1, 1, 0), 9: (2, 2, 2, 2, 1)}
PING_BYTES = (512, 8 << 10, 128 << 10, 2 << 20)
PAIR_BYTES = 1 << 20
#: Pairs, and how many of them static routes bring over one link.
PAIRS: dict[str, tuple[int, tuple[tuple[Place, Place], ...]]] = {
    "none shared": (1, (((0, 0, 0, 0, 0), (1, 0, 0, 0, 0)), ((2, 0, 0, 0, 0), (3, 0, 0, 0, 0)))),
    "two in one line": (2, (((0, 0, 0, 0, 0), (2, 0, 0, 0, 0)), ((1, 0, 0, 0, 0), (3, 0, 0, 0, 0)))),
    "two to one node": (2, (((0, 0, 0, 0, 0), (1, 1, 0, 0, 0)), ((0, 2, 0, 0, 0), (1, 1, 0, 0, 0)))),
}
SIZES = (512, 8 << 10, 64 << 10)
BUFFERS = (64 << 10, 1 << 20)
RUNS = 2 * len(PARTNERS) * len(PING_BYTES) + 2 * len(PAIRS) + len(SIZES) * (2 + len(BUFFERS))


def node(place: Place) -> int:
    """Number of a node from its coordinates."""
    found = 0
    for extent, at in zip(DIMS, place, strict=True):
        found = found * extent + at
    return found


def seconds(workload: object, routes: dict[str, str], buffer_bytes: int | None, cores: int = 1) -> float:
    """Time of a workload in packets, or as flows where no buffer is given."""
    switch = f"output-queued(packet_bytes={PACKET},buffer_bytes={buffer_bytes})" if buffer_bytes else None
    asked = {"ranks": NODES * cores, "cores": cores, "placement": "linear", "calibration": "pure"}
    return float(netloom.simulate(NETWORK, workload=workload, switch=switch, **asked, **routes)["time_s"])


def ping_pong(partner: int, size: int) -> object:
    """A message to another node and back."""
    actions: list[list[tuple[object, ...]]] = [[] for _ in range(NODES)]
    actions[0] = [("send", partner, size), ("receive", partner, size)]
    actions[partner] = [("receive", 0, size), ("send", 0, size)]
    return netloom.programs(actions)


def pairs(name: str) -> object:
    """All pairs of a case at the same time."""
    actions: list[list[tuple[object, ...]]] = [[] for _ in range(NODES)]
    for source, target in PAIRS[name][1]:
        actions[node(source)].append(("send", node(target), PAIR_BYTES))
        actions[node(target)].append(("receive", node(source), PAIR_BYTES))
    return netloom.programs(actions)


@cache
def permutation(size: int, routes: str, buffer_bytes: int | None) -> float:
    """Each of the 8,192 ranks sends to one that is drawn."""
    chosen = {"static": STATIC, "adaptive": ADAPTIVE}[routes]
    return seconds(f"permutation(seed=1,bytes={size})", chosen, buffer_bytes, CORES)


def beside(label: str, got: float, expected: float) -> tuple[str, str, bool]:
    """A case: two times and whether they are near each other."""
    return label, f"{got:.4g} and {expected:.4g} s", abs(got / expected - 1) <= NEAR


def measure() -> Iterator[Found]:
    """P9: static routes next to closed forms and flows, adaptive ones next to static ones."""
    small = BUFFERS[0]
    straight, faster = [], []
    for hops, place in PARTNERS.items():
        for size in PING_BYTES:
            label = f"{size} bytes over {hops}"
            static = seconds(ping_pong(node(place), size), STATIC, small)
            straight.append(beside(label, static, 2 * (hops * LATENCY_S + size / RATE)))
            ratio = seconds(ping_pong(node(place), size), ADAPTIVE, small) / static
            faster.append((f"ping-pong, {label}", f"{ratio:.3g} times", ratio <= 1))
    yield finding("P9 ping-pong", "2 (hops x 40 ns + bytes / 2 GB/s), within 5 %, by bytes and hops", straight)
    formed = []
    for name, (shared, _) in PAIRS.items():
        static = seconds(pairs(name), STATIC, small)
        formed.append(beside(name, static, shared * PAIR_BYTES / RATE))
        ratio = seconds(pairs(name), ADAPTIVE, small) / static
        faster.append((f"pairs, {name}", f"{ratio:.3g} times", ratio <= 1))
    yield finding("P9 pairs", "bytes over the link that most pairs share / 2 GB/s, within 5 %", formed)
    near = []
    for size in SIZES:
        flows = permutation(size, "static", None)
        near += [
            beside(f"{size} bytes, buffers of {room >> 10} KiB", permutation(size, "static", room), flows)
            for room in BUFFERS
        ]
        ratio = permutation(size, "adaptive", small) / permutation(size, "static", small)
        faster.append((f"permutation, {size} bytes", f"{ratio:.3g} times", ratio <= 1))
    why = (
        "A link sends messages of one packet one by one, where flows share it; and a buffer that is full of long "
        "messages holds up others too, as larger ones show: {got}."
    )
    yield finding("P9 permutation", "the time of flows, within 5 %", near, refuted=why)
    yield finding("P9 adaptive", "adaptive routes take no longer than static ones", faster)
