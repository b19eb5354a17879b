"""The objectives at equal seconds, judged by simulated time: nodes of many ranks, a dragonfly, a torus, rails."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from typing import Any

from netloom import NetloomError, map_ranks, simulate

MIB = 1 << 20
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
OBJECTIVES = ("time", "auto", "step-load", "max-link-load", "hop-bytes")
SECONDS = (1.0, 2.0, 5.0, 20.0)
COLUMNS = ["case", "start", "seconds", "before", *OBJECTIVES, "time over the best"]


def rows(
    seeds: int, cases: Sequence[str] = (), seconds: Sequence[float] = SECONDS, starts: Sequence[str] = STARTS
) -> Iterator[list[Any]]:
    """One row per case, start and budget: median over the seeds of the simulated time reached, in microseconds."""
    for case in cases or CASES:
        for start in starts:
            for budget in seconds:
                yield row(case, start, budget, seeds)


def row(case: str, start: str, budget: float, seeds: int) -> list[Any]:
    scenario = dict(CASES[case])
    net = scenario.pop("net")
    before, reached = [], {objective: [] for objective in OBJECTIVES}
    for seed in range(1, seeds + 1):
        scenario["order"] = "random(seed={})".format(seed) if start == "random" else "draw"
        before.append(simulate(net, **scenario)["time_s"] * 1e6)
        for objective in OBJECTIVES:
            reached[objective].append(search(net, scenario, objective, budget, seed))
    medians = [median(reached[objective]) for objective in OBJECTIVES]
    ratio = medians[0] / min(m for m in medians[2:] if m is not None)
    cells = ["-" if m is None else f"{m:,.1f}" for m in (median(before), *medians)]
    return [case, start, f"{budget:g}", *cells, f"{ratio:.3f}"]


def search(net: Any, scenario: dict[str, Any], objective: str, budget: float, seed: int) -> float | None:
    """Simulated microseconds of what an objective finds in the time given; None where it does not apply."""
    try:
        found = map_ranks(net, **scenario, optimiser=f"auto(seed={seed})", objective=objective, seconds=budget)
    except NetloomError:
        return None
    scenario = {name: value for name, value in scenario.items() if name != "order"}
    return float(simulate(net, **scenario, mapping=found["mapping"])["time_s"]) * 1e6


def median(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None
