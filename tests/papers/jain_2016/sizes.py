"""Chapter 7 of Jain 2016 by the size of messages, which the paper does not give for the stencil, on smaller machines.

`python -m tests.papers.jain_2016.sizes` adds to `sizes.jsonl` the runs that it lacks. The dragonfly of the study
`what_if` has 201 groups of 20 switches with 6 nodes and 10 global links; this one has a third of each, so 19 groups and
228 nodes. 216 of them have 16 ranks each in blocks of 2 x 2 x 2 x 2, a grid of 4 x 6 x 12 x 12. Nothing but bandwidth
binds, 1,000 GB/s, as in that study. Nodes are taken in order, or drawn, as chapter 6 found best. Spread runs on two
tori of up to 512 nodes, each time anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from itertools import product
from pathlib import Path

import netloom

from ..findings import Found
from ..measured import finding

TITLE = "What if, by the size of messages"
FILE = Path(__file__).parent / "sizes.jsonl"
NETWORK = (
    'dragonfly(a=6,p=2,h=3,g=19,bandwidth="1000 GBps",global_bandwidth="2000 GBps",'
    'endpoint_bandwidth="1000 GBps",latency="0 ns")'
)
GRID, NODES, CORES = "4,6,12,12", 216, 16
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
    every += [Setting(LARGE, "in order", routes, policy) for routes in ROUTES for policy in POLICIES]
    every += [Setting(LARGE, buffer_kib=room) for room in BUFFERS]
    every += [Setting(LARGE, "drawn", routes, policy) for routes in ROUTES for policy in POLICIES]
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


def lines() -> dict[Setting, float]:
    """Seconds of the runs that are kept."""
    text = FILE.read_text(encoding="utf-8") if FILE.is_file() else ""
    kept = [json.loads(line) for line in text.splitlines()]
    return {Setting(*(line[name] for name in Setting.__dataclass_fields__)): line["time_s"] for line in kept}


#: Torus, ranks on a node and kibibytes of a message of Spread.
TORI = (("4,4,4,4,2", 2, 4), ("4,4,4,4,2", 2, 64), ("4,4,4,2", 16, 8))
RUNS = len(lines()) + 2 * len(TORI)


def measure() -> Iterator[Found]:
    """J39, J42 and W13 by size and placement, and J45."""
    times = lines()
    settings_ = dict.fromkeys((setting.kib, setting.placement) for setting in times)
    rooms, either, faster = [], [], []
    for kib, placement in settings_:
        label = f"{kib} KiB, nodes {placement}"
        by_room = [
            seconds
            for setting, seconds in times.items()
            if setting == Setting(kib, placement, buffer_kib=setting.buffer_kib)
        ]
        if len(by_room) > 1:
            ratio = max(by_room) / min(by_room)
            rooms.append((label, f"{ratio:.3g} times from least to most", ratio <= 1.02))
        four = {
            (routes, policy): times.get(Setting(kib, placement, routes, policy))
            for routes, policy in product(ROUTES, POLICIES)
        }
        if None in four.values():
            continue
        known = {chosen: float(seconds) for chosen, seconds in four.items() if seconds}
        best = known["adaptive", "round-robin"]
        ratios = {chosen: seconds / best for chosen, seconds in known.items()}
        one, other = ratios["adaptive", "fcfs"], ratios["static", "round-robin"]
        text = f"adaptive routes {one:.3g}, in turn {other:.3g}, neither {ratios['static', 'fcfs']:.3g} times"
        good = abs(one - 1) <= 0.05 and abs(other - 1) <= 0.05 and ratios["static", "fcfs"] > 1.05
        either.append((label, text, good))
        saved = 100 * (1 - 1 / one)
        faster.append((label, f"{saved:.3g} %", saved > 2))
    yield finding("J39 sizes", "alike within 2 % with 64 KiB to 4 MiB", rooms)
    yield finding("J42 sizes", "either as good as both, within 5 %, and neither is worse", either)
    yield finding("W13 sizes", "saved by messages in turn, adaptive routes", faster)
    yield on_tori()


def on_tori() -> Found:
    """J45: Spread with static routes, messages in turn over first come first served."""
    cases = []
    for dims, cores, kib in TORI:
        scenario = netloom.Scenario(
            f'torus({dims},bandwidth="1000 GBps",endpoint_bandwidth="1000 GBps",latency="0 ns")',
            routing="dimension-ordered",
            variant="static-direct",
            workload=f'spread(least=15,most=20,bytes="{kib} KiB")',
            cores=cores,
            order="draw",
            calibration="pure",
            switch_latency="0 ns",
        )
        took = {
            policy: float(
                netloom.evaluate(
                    scenario,
                    "packet",
                    threads=1,
                    switch=f"output-queued(packet_bytes={KIB},buffer_bytes={BUFFER * KIB},injection={policy})",
                ).record["time_s"]
            )
            for policy in POLICIES
        }
        more = 100 * (took["round-robin"] / took["fcfs"] - 1)
        label = f"torus {dims.replace(',', ' x ')}, {cores} ranks on a node, {kib} KiB"
        cases.append((label, f"{more:.3g} % more time", more > 2))
    return finding("J45 sizes", "more time in turn", cases)


def main() -> None:
    """Add the runs that are missing."""
    done = lines()
    for setting in settings():
        if setting not in done:
            with FILE.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(run(setting)) + "\n")


if __name__ == "__main__":
    main()
