"""The packet study of Navaridas 2009: seven workloads on thin trees (section 5.2) and on trees of one radix (5.3).

`python -m tests.papers.navaridas_2009.packets --lines FILE` runs what FILE does not hold yet, a line of JSON per
run; with `--curves FILE` those of figure 4. `packets.jsonl` and `curves.jsonl` beside this file are what it gave, and
`packets-again.jsonl` with `--choice again`: the paper does not say whether a waiting packet chooses its output again.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

import netloom
from netloom.cost import performance as phi

MESSAGE, SMALL, SWEEPS = 40 << 10, 1 << 10, 40
#: Whether a packet that waits chooses its output again.
CHOICES = ("once", "again")


def switch(choice: str, channels: int = 1) -> str:
    """Section 4.1: one FIFO of 4 packets per input, adaptive among shortest paths."""
    return f"input-queued(channels={channels},choice={choice})"


SWITCH = switch("once")
CYCLE_S = 16 / 12.5e9
#: Grids by number of tasks; 512 is no square (the paper does not say which grid; no other is as close to one).
GRIDS: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {
    64: ((8, 8), (4, 4, 4)),
    512: ((16, 32), (8, 8, 8)),
    4096: ((64, 64), (16, 16, 16)),
}


def grid(tasks: int, axes: int) -> str:
    """The grid of the workloads of two or three axes."""
    return ",".join(map(str, GRIDS[tasks][axes - 2]))


#: By name: a workload for a number of tasks.
WORKLOADS: dict[str, Callable[[int], str]] = {
    "W2": lambda tasks: f"sweep({grid(tasks, 2)},bytes={MESSAGE})",
    "W3": lambda tasks: f"sweep({grid(tasks, 3)},bytes={MESSAGE})",
    "WF": lambda tasks: f"sweep({grid(tasks, 2)},bytes={SMALL},times={SWEEPS},back=false)",
    "M2": lambda tasks: f"stencil({grid(tasks, 2)},periodic=false,bytes={MESSAGE})",
    "M3": lambda tasks: f"stencil({grid(tasks, 3)},periodic=false,bytes={MESSAGE})",
    "BU": lambda tasks: "allreduce:recursive-doubling",
    "BT": lambda tasks: "reduce:binomial",
}


def size(workload: str) -> int:
    """Of a collective; the others have their own."""
    return MESSAGE if ":" in workload else 1


def without_latency(network: str) -> str:
    """The network as the paper has it: a link takes the cycle of its switch, and nothing beyond it."""
    return network.replace(")", ",latency=0,endpoint_latency=0)")


def cycles(network: str, workload: str, tasks: int, seed: int = 1, switch: str = SWITCH) -> float:
    """Cycles until every message has arrived."""
    load = WORKLOADS[workload](tasks)
    found = netloom.simulate(
        without_latency(network),
        workload=load,
        ranks=tasks,
        placement="linear",
        routing="minimal",
        variant="adaptive-direct",
        size_bytes=size(load),
        seed=seed,
        switch=switch,
        calibration="pure",
    )
    return float(found["time_s"]) / CYCLE_S


def same_size(tasks: int) -> list[str]:
    """8:1 to 8:8, which have as many nodes as tasks."""
    return [f"thin_tree(8,{up},{round(np.log2(tasks) / 3)})" for up in range(1, 9)]


def same_radix(tasks: int) -> list[str]:
    """Switches of 12 ports, the smallest tree of each kind with enough nodes."""
    found = []
    for down in (11, 10, 9, 8, 7, 6):
        levels = next(n for n in range(1, 9) if down**n >= tasks)
        found.append(f"thin_tree({down},{12 - down},{levels})")
    return found


def runs(sizes: list[int]) -> Iterator[tuple[str, str, int]]:
    for tasks in sizes:
        for network in (*same_size(tasks), *same_radix(tasks)):
            for workload in WORKLOADS:
                yield network, workload, tasks


def performance(times: dict[str, dict[str, float]], networks: list[str]) -> list[float]:
    """Phi of section 6.1: of the last network 1."""
    best = times[networks[-1]]
    return [phi({w: times[network][w] / best[w] for w in best}) for network in networks]


#: Figure 4: loads up to and beyond the ideal of each tree.
LOADS = {
    "thin_tree(8,2,4)": (0.01, 0.02, 0.04),
    "thin_tree(8,4,4)": (0.05, 0.1, 0.15, 0.3),
    "thin_tree(8,6,4)": (0.2, 0.4, 0.6),
    "thin_tree(8,8,4)": (0.4, 0.7, 1.0),
}


def curve(net: str, channels: int, load: float) -> dict[str, object]:
    """A point of figure 4, by the protocol of section 5.1."""
    scenario = netloom.Scenario(net, workload="uniform", routing="minimal", variant="adaptive-direct")
    asked = {"loads": str(load), "protocol": "batches", "warm_up": 30000, "cycles": 5000, "saturation": False}
    (point,) = netloom.evaluate(scenario, "throughput", switch=switch("once", channels), **asked).tables["points"]
    found = {"accepted": point["accepted"], "sd": point["accepted_sd"], "latency": point["latency_mean"]}
    return {"net": net, "vc": channels, "load": load, **found}


def curves(path: Path) -> None:
    known = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    have = {(row["net"], row["vc"], row["load"]) for row in known}
    with path.open("a") as out:
        for net, loads in LOADS.items():
            for channels, load in product((1, 2, 4), loads):
                if (net, channels, load) not in have:
                    out.write(json.dumps(curve(net, channels, load)) + "\n")
                    out.flush()


def one(run: tuple[str, str, int], choice: str) -> dict[str, object]:
    network, workload, tasks = run
    found = round(cycles(network, workload, tasks, switch=switch(choice)))
    return {"network": network, "workload": workload, "tasks": tasks, "cycles": found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=Path)
    parser.add_argument("--curves", type=Path)
    parser.add_argument("--tasks", type=int, nargs="+", default=list(GRIDS))
    parser.add_argument("--choice", choices=CHOICES, default="once")
    parser.add_argument("--anew", action="store_true", help="also runs that the file holds, in their places")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    if asked.curves:
        curves(asked.curves)
    if not asked.lines:
        return
    kept = [json.loads(line) for line in asked.lines.read_text().splitlines()] if asked.lines.exists() else []
    known = {(row["network"], row["workload"], row["tasks"]): row for row in kept}
    left = [run for run in dict.fromkeys(runs(asked.tasks)) if asked.anew or run not in known]
    with ProcessPoolExecutor(asked.workers) as pool:
        for run, row in zip(left, pool.map(partial(one, choice=asked.choice), left), strict=True):
            known[run] = row
            part = asked.lines.with_suffix(".part")
            part.write_text("".join(json.dumps(line) + "\n" for line in known.values()))
            part.replace(asked.lines)


if __name__ == "__main__":
    main()
