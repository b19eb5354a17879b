"""Section 4.1 of Swartvagher 2023 with another node than in examples/enumerations.toml: cores share a link.

The paper gives no bandwidth inside a node, and two of its statements depend on it. Here eight cores of 160 Gbps share
one link of 320 Gbps out of their group or cache, as cores share memory; half and twice of both are run too. Pairwise
exchange among 16 ranks, on 16 nodes of Hydra (figure 3) and of LUMI (figure 5).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

import netloom
from netloom import enumerate_orders

from ..findings import Found
from ..measured import finding

TITLE = "Orders of ranks where cores share the links of a cache"
RUNS = 162
FACTORS = (0.5, 1.0, 2.0)
#: Levels of a node, with the bandwidth of a unit's link in Gbps, and the bandwidth of its port.
HYDRA = ((("socket", 2, 640), ("cache", 2, 320), ("core", 8, 160)), 100)
LUMI = ((("socket", 2, 640), ("numa", 4, 640), ("cache", 2, 320), ("core", 8, 160)), 200)
Machine = tuple[tuple[tuple[str, int, int], ...], int]
NODES, RANKS = 16, 16
#: Orders that put communicators on the same cores take the same time, to rounding.
SAME = 1e-9


def time_s(machine: Machine, order: str, size: str, *, alone: bool, factor: float) -> float:
    """Time of an alltoall in every communicator, or in the first one alone."""
    levels, port = machine
    plural = {"socket": "sockets", "numa": "numa", "cache": "caches", "core": "cores"}
    parts = [f"{plural[name]}={count}" for name, count, _ in levels]
    parts += [f'{name}_bandwidth="{gbps * factor:g} Gbps",{name}_latency="100 ns"' for name, _, gbps in levels]
    counts = [count for _, count, _ in levels]
    core = np.argsort(enumerate_orders(",".join(map(str, (NODES, *counts))), None, order=order)[0]["ranks"])
    split = {"lists": [list(range(RANKS))]} if alone else {"block": RANKS}
    step = {"on": "communicator", "workload": "alltoall:pairwise", "size": size}
    cores = int(np.prod(counts))
    found = netloom.simulate(
        f'complete(1,p={NODES},bandwidth="{port} Gbps")',
        workload=netloom.steps({"ranks": len(core), "groups": {"communicator": split}, "step": [step]}),
        ranks=len(core),
        node=f"node({','.join(parts)})",
        mapping=(core // cores).tolist(),
        seats=(core % cores).tolist(),
        calibration="pure",
    )
    return float(found["time_s"])


def measure() -> Iterator[Found]:
    """R12 and R16, a case for each factor of the bandwidths inside a node."""
    cases = []
    for factor in FACTORS:
        told, good = [], True
        for alone in (True, False):
            orders = [",".join(map(str, order)) for order in permutations(range(4))]
            times = {order: time_s(HYDRA, order, "256 KiB", alone=alone, factor=factor) for order in orders}
            end = min(times.values()) if alone else max(times.values())
            good = good and abs(times["0,1,2,3"] / end - 1) <= SAME
            told.append(
                f"{'one' if alone else 'all'} {times['0,1,2,3'] / end:.2f} times the {'least' if alone else 'most'}"
            )
        cases.append((f"inner links x {factor:g}", ", ".join(told), good))
    yield finding("R12 shared", "[0,1,2,3] the least time for one communicator, the most for all", cases)
    cases = []
    for factor in FACTORS:
        told, good = [], True
        for size, first in (("1 KiB", False), ("2 MiB", True)):
            spread, *others = (
                time_s(LUMI, order, size, alone=True, factor=factor)
                for order in ("0,1,2,3,4", "1,2,3,0,4", "3,2,1,4,0")
            )
            good = good and (spread < min(others)) == first
            told.append(f"{size} {spread / min(others):.2f} times the next")
        cases.append((f"inner links x {factor:g}", ", ".join(told), good))
    yield finding("R16 shared", "[0,1,2,3,4] first of three orders with large data only", cases)
