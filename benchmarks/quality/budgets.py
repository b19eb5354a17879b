"""The objectives at equal seconds, judged by simulated time: nodes of many ranks, a dragonfly, a torus, rails."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from netloom import map_ranks, simulate

MIB = 1 << 20
#: Wires alone: what a mapping changes.
CALIBRATION = "pure"
#: Name, and the scenario.
CASES: dict[str, dict[str, Any]] = {
    "dragonfly": {
        "net": "dragonfly(a=8,p=4,h=4,g=9)",
        "ranks": 256,
        "workload": "allreduce:rabenseifner",
        "size_bytes": MIB,
    },
    "fat-tree": {
        "net": "fat_tree(radix=16,levels=2)",
        "ranks": 1024,
        "cores": 32,
        "workload": "allreduce:rabenseifner",
        "size_bytes": MIB,
    },
    "fat-tree-2d": {
        "net": "fat_tree(radix=16,levels=2)",
        "ranks": 1024,
        "cores": 32,
        "workload": 'stencil(32,32,bytes="64 KiB")',
    },
    "torus-3d": {"net": "torus(8,8,8)", "ranks": 512, "workload": 'stencil(8,8,8,bytes="64 KiB")'},
    "rails": {
        "net": "rail_cluster(nodes=16)",
        "ranks": 128,
        "workload": "allreduce:rabenseifner",
        "size_bytes": 64 * MIB,
    },
}
STARTS = ("linear", "random")
#: Under a budget of seconds `auto` is `time`.
OBJECTIVES = ("time", "step-load", "max-link-load", "inter-node", "hop-bytes")
SECONDS = (1.0, 5.0)
COLUMNS = ["case", "start", "seconds", "before", *OBJECTIVES, "time / best of the others"]


def rows(seeds: int, cases: Sequence[str] = tuple(CASES), seconds: Sequence[float] = SECONDS) -> Iterator[list[Any]]:
    """One row per budget, case and start: medians over the seeds of the simulated time reached, microseconds."""
    for budget in seconds:
        for case in cases:
            for start in STARTS:
                yield row(case, start, budget, seeds)


def row(case: str, start: str, budget: float, seeds: int) -> list[Any]:
    """The medians of one case, start and budget."""
    scenario = CASES[case] | {"calibration": CALIBRATION}
    net = scenario.pop("net")
    before: list[float] = []
    reached: dict[str, list[float]] = {name: [] for name in objectives(scenario)}
    for seed in range(1, seeds + 1):
        scenario["order"] = f"random(seed={seed})" if start == "random" else "draw"
        before.append(float(simulate(net, **scenario)["time_s"]) * 1e6)
        for name, found in reached.items():
            found.append(search(net, scenario, name, budget, seed))
    medians = {name: statistics.median(found) for name, found in reached.items()}
    ratio = medians["time"] / min(value for name, value in medians.items() if name != "time")
    cells = [f"{medians[name]:,.1f}" if name in medians else "" for name in OBJECTIVES]
    return [case, start, f"{budget:g}", f"{statistics.median(before):,.1f}", *cells, f"{ratio:.2f}"]


def objectives(scenario: dict[str, Any]) -> list[str]:
    """Those that can tell mappings apart: bytes between nodes need several ranks on a node."""
    return [name for name in OBJECTIVES if name != "inter-node" or scenario.get("cores", 1) > 1]


def search(net: Any, scenario: dict[str, Any], objective: str, budget: float, seed: int) -> float:
    """Simulated microseconds of what an objective finds in the time given."""
    found = map_ranks(net, **scenario, optimiser=f"auto(seed={seed})", objective=objective, seconds=budget)
    scenario = {name: value for name, value in scenario.items() if name != "order"}
    return float(simulate(net, **scenario, mapping=found["mapping"])["time_s"]) * 1e6
