"""Section 5.6.2 of Jain 2016: the engine of whole packets, which stands in for the paper's, next to BookSim.

A fat-tree of radix 8 and three levels, uniform traffic, adaptive routes upwards. BookSim's numbers are those of
`tests/data/booksim.json`; its switches queue flits at the input of one to eight channels, ours whole packets at the
output that they pick.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from benchmarks.booksim.cases import measured

import netloom

from ..findings import Found
from ..measured import finding

TITLE = "A fat-tree in whole packets next to BookSim"
NEAR = 0.03
#: BookSim accepts less than this share of the load beyond saturation.
TAKEN = 0.97
WINDOW, WARM_UP = 100_000, 5_000
PEER = [(run, peer) for run, peer in measured()[1] if (run.topology, run.k, run.n) == ("fattree", 4, 3)]
RUNS = len({run.injection_rate for run, _ in PEER})


@cache
def accepted(load: float) -> float:
    """Load that packets of 1 KiB take, of the links' rate."""
    scenario = {
        "network": "k_ary_n_tree(4,3)",
        "routing": "minimal",
        "workload": "uniform(self=true)",
        "variant": "adaptive-direct",
    }
    options: dict[str, object] = {"warm_up": WARM_UP, "cycles": WINDOW, "drain": 0, "saturation": False}
    switch = "output-queued(packet_bytes=1024)"
    answer = netloom.evaluate(scenario, "throughput", loads=str(load), switch=switch, details=False, **options)
    (point,) = answer.tables["points"]
    return float(point["accepted"])


def measure() -> Iterator[Found]:
    """J60: one claim below saturation, one of all loads."""
    below, all_ = [], []
    for run, peer in PEER:
        ours = accepted(run.injection_rate)
        label = f"{run.num_vcs} channels, {run.packet_size} flits, load {run.injection_rate:g}"
        case = (label, f"{ours:.3f} and {peer.accepted:.3f}", abs(ours / peer.accepted - 1) <= NEAR)
        all_.append(case)
        if peer.accepted >= TAKEN * run.injection_rate:
            below.append(case)
    why = "Beyond saturation packets of BookSim wait behind others at the inputs, which output queues do not have."
    yield finding("J60 packets", "accepted loads within 3 %", all_, refuted=why)
    yield finding("J60 packets, below saturation", "accepted loads within 3 %", below)
