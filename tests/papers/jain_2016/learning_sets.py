"""Writes `examples/learning.toml`: the sixteen sets of samples of Jain 2016, table 4.4, at sizes that run on two cores.

    python -m tests.papers.jain_2016.learning_sets > examples/learning.toml

The paper does not say which mappings it ran. Here they are drawn once, with the seed below: the default, hierarchies
counted in other orders, tiles, random ones, and what optimisers find.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

SEED = 4
CORES = 16
#: Ranks of a node where 16 are too many for packets: 65,536 ranks with 63 messages each, or 46.
FEWER = {("Sub A2A", 4096): 4, ("pF3D", 4096): 4}
#: Orders that only a halo along the axes of a grid has.
ON_GRIDS = ("geometric", "grid")
#: Partitions of table 4.3.
PARTITIONS = {1024: (4, 4, 4, 8, 2), 4096: (4, 8, 4, 16, 2)}
#: Bytes of a message of a kernel. 64 KiB stand for the 4 MB of the paper, with packets four times as large.
SMALL, LARGE = "16 KiB", "64 KiB"


@dataclass(frozen=True)
class Code:
    """A kernel or an application: its grid of ranks by nodes, its workload, its mappings by nodes, bytes of a packet.

    Packets are larger than the 512 bytes of the machine; on both numbers of nodes they are the same, so that packets
    that wait can be compared.
    """

    name: str
    grids: dict[int, tuple[int, ...]]
    workload: str
    mappings: dict[int, int]
    packet: int
    sized: bool = True


CODES = (
    Code(
        "2D Halo", {1024: (128, 128), 4096: (256, 256)}, 'stencil({grid},bytes=\\"{size}\\")', {1024: 84, 4096: 84},
        4096,
    ),
    Code(
        "3D Halo", {1024: (32, 32, 16), 4096: (64, 32, 32)}, 'stencil-corners({grid},bytes=\\"{size}\\")',
        {1024: 84, 4096: 84}, 8192,
    ),
    Code(
        "Sub A2A", {1024: (64, 16, 16), 4096: (64, 16, 16)}, 'many-to-many({grid},axis=0,bytes=\\"{size}\\")',
        {1024: 84, 4096: 84}, 16384,
    ),
    Code(
        "MILC", {1024: (16, 16, 8, 8), 4096: (16, 16, 16, 16)}, "milc(grid=[{grid}])", {1024: 208, 4096: 103}, 4096,
        False,
    ),
    Code("pF3D", {1024: (32, 16, 32), 4096: (32, 16, 32)}, "pf3d(x=32,y=16)", {1024: 94, 4096: 103}, 16384, False),
)  # fmt: skip


def cores(code: Code, nodes: int) -> int:
    """Ranks of a node."""
    return FEWER.get((code.name, nodes), CORES)


def _of(numbers: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, numbers))}]"


def _divisor(rng: random.Random, number: int, most: int) -> int:
    return rng.choice([one for one in range(1, number + 1) if number % one == 0 and one <= most])


def _tiles(rng: random.Random, grid: tuple[int, ...], places: tuple[int, ...]) -> str:
    """Tiles of the grid of ranks onto tiles of as many places."""
    while True:
        tile = tuple(_divisor(rng, extent, extent) for extent in grid)
        ranks = math.prod(tile)
        onto = tuple(_divisor(rng, extent, ranks) for extent in places)
        if 1 < ranks < math.prod(grid) and math.prod(onto) == ranks:
            return f"tiles({_of(grid)},{_of(tile)},{_of(places)},{_of(onto)})"


def mappings(code: Code, nodes: int) -> list[str]:
    """Orders, all different, the default first."""
    rng = random.Random(f"{SEED} {code.name} {nodes}")
    places, grid, number = (*PARTITIONS[nodes], cores(code, nodes)), code.grids[nodes], code.mappings[nodes]
    found = dict.fromkeys(["draw", "gather", "bisection"])
    found |= dict.fromkeys(ON_GRIDS if code.workload.startswith("stencil(") else ())
    found |= dict.fromkeys(f"guided(swaps={swaps})" for swaps in (30_000, 100_000, 300_000, 1_000_000))
    found |= dict.fromkeys(f"random(seed={seed})" for seed in range(1, 8))
    levels = list(range(len(places)))
    while len(found) < number:
        if rng.random() < 0.5:
            order = rng.sample(levels, len(levels))
            found[f"mixed-radix({','.join(map(str, order))},levels={_of(places)})"] = None
        else:
            found[_tiles(rng, grid, places)] = None
    return list(found)


HEAD = '''# Written by tests/papers/jain_2016/learning_sets.py: the mappings are drawn there.
title = "What slows a mapping: samples for learning"
about = """
The sixteen sets of Jain 2016, table 4.4, by the packet engine in place of a Blue Gene/Q: each sample is one mapping
of 16 ranks a node on 1,024 or 4,096 nodes of its torus (of 4 ranks in the all-to-all and pF3D on 4,096), with the
nineteen features of table 4.2 and the time of one exchange of all ranks. Packets have 4 to 64 KiB in place of 512
bytes: a message has four of them in 2D halos and MILC, two in 3D halos and pF3D, one in the all-to-all; 64 KiB stand
for the 4 MB of the paper. Messages of 16 KiB take dimension-ordered paths; packets of those of 64 KiB choose by the
queues before them. Ranks compute nothing, and software costs nothing.

    netloom run examples/learning.toml -o out/learning
"""
'''


def experiment(code: Code, nodes: int, size: str) -> Iterator[str]:
    dims, grid = ",".join(map(str, PARTITIONS[nodes])), ",".join(map(str, code.grids[nodes]))
    adaptive = size == LARGE
    packet = code.packet * (4 if adaptive else 1)
    label = f"{code.name} {size}" if code.sized else code.name
    name = f"{label} {nodes}".replace(" ", "-").lower()
    yield f'\n[[experiment]]\nname = "{name}"\nevaluate = "packet"'
    yield f'options = {{ features = true, switch = "output-queued(packet_bytes={packet})", threads = 1 }}'
    yield '[experiment.axes]\ncalibration = "pure"'
    links = 'bandwidth=\\"2 GBps\\",latency=\\"40 ns\\",endpoint_bandwidth=\\"20 GBps\\",endpoint_latency=0'
    torus = f"torus({dims},{links})"
    yield f'network = {{ value = "{torus}", label = "{nodes} nodes" }}'
    yield f"cores = {cores(code, nodes)}"
    yield f'workload = {{ value = "{code.workload.format(grid=grid, size=size)}", label = "{label}" }}'
    yield f'routing = "{"minimal" if adaptive else "dimension-ordered"}"'
    if adaptive:
        yield 'variant = "adaptive-escape(escape=\\"dimension-ordered\\")"'
    yield "[experiment.zip]\nmapping = ["
    for number, order in enumerate(mappings(code, nodes)):
        yield f"  {{ at = {number}, order = '{order}' }},"
    yield "]"


def text() -> str:
    """The study."""
    lines = [HEAD]
    for nodes in PARTITIONS:
        for code in CODES:
            for size in (SMALL, LARGE) if code.sized else (SMALL,):
                lines += experiment(code, nodes, size)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(text(), end="")
