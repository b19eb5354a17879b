"""Chapter 7 of Jain 2016 by the size of the stencil's messages, which the paper does not give, on a smaller dragonfly.

`python -m tests.papers.jain_2016.sizes` adds to `sizes.jsonl` the runs that it lacks. The dragonfly of the study
`what_if` has 201 groups of 20 switches with 6 nodes and 10 global links; this one has half of each, so 51 groups and
1,530 nodes. 1,440 of them have 16 ranks each in blocks of 2 x 2 x 2 x 2, a grid of 8 x 10 x 12 x 24. Nothing but
bandwidth binds, 1,000 GB/s, as in that study. Nodes are taken in order, or drawn, as chapter 6 found best.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from itertools import product
from pathlib import Path

import netloom

FILE = Path(__file__).parent / "sizes.jsonl"
NETWORK = (
    'dragonfly(a=10,p=3,h=5,g=51,bandwidth="1000 GBps",global_bandwidth="2000 GBps",'
    'endpoint_bandwidth="1000 GBps",latency="0 ns")'
)
GRID, NODES, CORES = "8,10,12,24", 1440, 16
KIB = 1024
#: Kibibytes of a message, and of a channel's room.
SIZES, LARGE = (1, 8, 64), 512
BUFFERS = (64, 256, 1024, 4096)
BUFFER = 1024
PLACEMENTS = {"in order": "linear", "drawn": "random(seed=1)"}
ROUTES = {"static": "static-direct", "adaptive": "adaptive-hybrid"}
POLICIES = ("fcfs", "round-robin")


@dataclass(frozen=True)
class Setting:
    """What a run is asked for."""

    kib: int
    placement: str = "in order"
    routes: str = "adaptive"
    policy: str = "round-robin"
    buffer_kib: int = BUFFER


def settings() -> Iterator[Setting]:
    """All, each once: routes and injection by size and placement, then buffers."""
    every = [Setting(*chosen) for chosen in product(SIZES, PLACEMENTS, ROUTES, POLICIES)]
    every += [Setting(kib, placement, buffer_kib=room) for placement in PLACEMENTS for kib in SIZES for room in BUFFERS]
    every += [Setting(LARGE, buffer_kib=room) for room in (BUFFERS[0], BUFFER)]
    yield from dict.fromkeys(every)


def run(setting: Setting) -> dict[str, object]:
    """The time of one exchange."""
    scenario = netloom.Scenario(
        NETWORK,
        routing="group-minimal",
        variant=ROUTES[setting.routes],
        workload=f'stencil({GRID},bytes="{setting.kib} KiB")',
        ranks=NODES * CORES,
        cores=CORES,
        placement=PLACEMENTS[setting.placement],
        order=f"tiles([{GRID}],[2,2,2,2],[{NODES},{CORES}],[1,{CORES}])",
        calibration="pure",
        switch_latency="0 ns",
    )
    room = setting.buffer_kib * KIB
    switch = f"output-queued(packet_bytes={KIB},buffer_bytes={room},injection={setting.policy})"
    answer = netloom.evaluate(scenario, "packet", threads=1, switch=switch)
    return asdict(setting) | {"time_s": answer.record["time_s"], "made": date.today().isoformat()}


def main() -> None:
    """Add the runs that are missing."""
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.is_file() else []
    done = {Setting(*(json.loads(line)[name] for name in Setting.__dataclass_fields__)) for line in lines}
    for setting in settings():
        if setting not in done:
            with FILE.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(run(setting)) + "\n")


if __name__ == "__main__":
    main()
