"""Section 3.2.3 of Jain 2016: UGAL of the link-load model next to UGAL of packets, on a smaller machine.

The paper checks its model with packets under direct and indirect routing alone. Here are both kinds of UGAL, what two
changes to the model do that packets have of themselves, and what the queues of packets hang on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

import netloom

from ..findings import Found
from ..measured import finding
from .hybrid_model import Ints, Paths, Rules, solve

TITLE = "UGAL of link loads and of packets"
RUNS = 15
MACHINE = "dragonfly(group=[4,3],p=1,h=2,g=24)"
GRID = (6, 4, 4, 3)
PLACEMENT = "random-groups(seed=1)"
MESSAGE = 1 << 20
#: As the rows of J20: mean and third quartile, and the greatest load.
NEAR, NEAR_MOST = 0.05, 0.2
#: One direct path and one detour, as the text of UGAL has it.
PAIR = "adaptive-hybrid(fresh_paths=2,direct_paths=1)"


@dataclass(frozen=True)
class Spread:
    """Bytes on links between switches: of those between groups, and the mean, third quartile and most of all."""

    between_groups: float
    mean: float
    q3: float
    most: float


@dataclass(frozen=True)
class Wires:
    """What packets depend on and link loads do not."""

    injection: str = "round-robin"
    packet_bytes: int = 16384
    buffer_bytes: int = 262144
    nic: float = 1.0

    def network(self) -> str:
        """The machine, with NICs so many times as fast as a link."""
        return f'{MACHINE[:-1]},endpoint_bandwidth="{12.5 * self.nic} GB/s")'

    def switch(self) -> str:
        """The switch model."""
        sizes = f"packet_bytes={self.packet_bytes},buffer_bytes={self.buffer_bytes}"
        return f"output-queued({sizes},injection={self.injection})"


USUAL = Wires()
#: Where the queues of direct routes fill most: the whole NIC on one message, and packets far smaller than a buffer.
IN_ORDER = Wires(injection="fcfs", packet_bytes=4096)


def scenario(variant: str, network: str = MACHINE) -> dict[str, object]:
    """The stencil of 3.2.3, one rank on each switch."""
    grid = ",".join(map(str, GRID))
    return {
        "network": network,
        "routing": "group-minimal",
        "workload": f"stencil({grid},bytes={MESSAGE})",
        "variant": variant,
        "placement": PLACEMENT,
    }


@cache
def packets(variant: str, wires: Wires = USUAL) -> Spread:
    """Of packets."""
    asked = scenario(variant, wires.network()) | {"calibration": "pure"}
    found = netloom.evaluate(asked, "packet", switch=wires.switch())
    return _spread({row["class"]: row for row in found.tables["classes"]})


@cache
def loads(variant: str) -> Spread:
    """Of link loads."""
    found = netloom.evaluate(scenario(variant), "loads", hottest=0)
    return _spread(found["classes"])


def _spread(by_class: dict[str, dict[str, float]]) -> Spread:
    of = by_class["all"]
    return Spread(by_class["global"]["total_bytes"], of["mean_bytes"], of["q3_bytes"], of["max_bytes"])


def messages() -> tuple[netloom.Network, Ints, Ints]:
    """The machine, and the switches of the stencil's messages."""
    net = netloom.network(MACHINE)
    places = np.asarray(netloom.place(net, net.endpoints, PLACEMENT), dtype=np.int64)
    ranks = np.arange(net.endpoints).reshape(GRID)
    src = [ranks.ravel() for _ in range(2 * len(GRID))]
    dst = [np.roll(ranks, -step, axis).ravel() for axis in range(len(GRID)) for step in (1, -1)]
    return net, places[np.concatenate(src)], places[np.concatenate(dst)]


def measure() -> Iterator[Found]:
    """Both rows."""
    yield as_indirect()
    yield of_both_models()


def as_indirect() -> Found:
    """UGAL-L of packets over static indirect of packets: mean, third quartile and most of the links."""
    cases = []
    for name, wires in (
        ("messages in turn", USUAL),
        ("in turn, packets of 4 KiB", Wires(packet_bytes=4096)),
        ("in order", Wires(injection="fcfs")),
        ("in order, packets of 4 KiB", IN_ORDER),
    ):
        ugal, indirect = packets(PAIR, wires), packets("static-indirect", wires)
        ratios = [ugal.mean / indirect.mean, ugal.q3 / indirect.q3, ugal.most / indirect.most]
        near = all(abs(r - 1) <= most for r, most in zip(ratios, (NEAR, NEAR, NEAR_MOST), strict=True))
        cases.append((name, " ".join(f"{ratio:.3f}" for ratio in ratios), near))
    text = "1 times ± 0.05 at the mean and the third quartile of links, ± 0.2 on the most loaded one"
    return finding("UGAL-L as SI", text, cases)


def of_both_models() -> Found:
    """Bytes on global links: of the model and of what is changed in it, over those of packets under UGAL-G."""
    net, src, dst = messages()
    paths, sizes = Paths.of(net), np.full(len(src), float(MESSAGE))

    def changed(rules: Rules) -> float:
        return float(solve(paths, src, dst, sizes, rules).link_bytes[paths.is_global].sum())

    own, fast = packets("adaptive-global").between_groups, packets("adaptive-global", Wires(nic=2)).between_groups
    found = [
        ("as it is", loads("adaptive-hybrid").between_groups, own),
        ("with NICs", changed(Rules(nic=1)), own),
        ("with the least contended candidate alone", changed(Rules(least=True)), own),
        ("with both", changed(Rules(nic=1, least=True)), own),
        ("with both, NICs of two links", changed(Rules(nic=2, least=True)), fast),
    ]
    cases = [(name, f"{model / of:.3f}", abs(model / of - 1) <= NEAR) for name, model, of in found]
    text = f"the bytes that packets under adaptive-global put on global links, 1 times ± {NEAR}"
    return finding("AH of link loads against packets", text, cases)
