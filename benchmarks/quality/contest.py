"""Optimisers at equal CPU time on the case of Cui 2024: 512 given endpoints, or a free choice among 1,024."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import netloom
from benchmarks.quality.instances import COLLECTIVES, network, schedule, start
from benchmarks.quality.spread import Spread

# What the default optimiser is held to in two CPU seconds, by (collective, free choice).
TARGETS = {
    ("broadcast:binomial", False): 580,
    ("allreduce:recursive-doubling", False): 9_100,
    ("alltoall:bruck", False): 9_850,
    ("broadcast:binomial", True): 545,
    ("allreduce:recursive-doubling", True): 8_490,
    ("alltoall:bruck", True): 9_365,
}
COLUMNS = [
    "endpoints",
    "collective",
    "method",
    "hops: least / median / most",
    "target",
    "seeds at or below",
    "least bound",
    "CPU s",
]


@dataclass
class Entry:
    """What one method reached on every seed."""

    values: list[int] = field(default_factory=list)
    bounds: list[int] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)


def rows(seeds: int, seconds: float) -> list[list[Any]]:
    """One row per choice, collective and method, over the networks of seeds 1 to `seeds`."""
    table = []
    for free in (False, True):
        for collective in COLLECTIVES:
            anneal, guided = (calibrated(name, collective, free, seconds) for name in ("anneal", "auto"))
            methods = [
                ("two-opt, 200,000 swaps", 'two-opt(swaps=200000,accept="strict",seed={seed})', None),
                (f"annealing, {seconds:g} CPU s", anneal, None),
                (f"default, {seconds:g} CPU s", guided, None),
                (f"default, stopped after {seconds:g} s", "auto(seed={seed})", seconds),
            ]
            for name, text, budget in methods:
                entry = Entry()
                for seed in range(1, seeds + 1):
                    run(entry, collective, free, seed, text, budget)
                table.append(row(collective, free, name, entry))
    return table


def run(entry: Entry, collective: str, free: bool, seed: int, text: str, seconds: float | None) -> None:
    problem = {"workload": schedule(collective), "mapping": start("ring", seed), "optimiser": text.format(seed=seed)}
    net = network(seed)
    began = time.process_time()
    done = netloom.map_ranks(net, **problem, objective="hops", free=free, seconds=seconds)
    entry.spent.append(time.process_time() - began)
    entry.values.append(done["value"])
    entry.bounds.append(done["bound"])


def calibrated(method: str, collective: str, free: bool, seconds: float) -> str:
    """Call text of `method` with as many swaps as fit into `seconds` of CPU time here.

    A cooling schedule must know its end: a search that the clock stops is either hot or has cooled several times.
    """
    probe, entry = 1_000_000, Entry()
    run(entry, collective, free, 1, f"{method}(swaps={probe},seed={{seed}})", None)
    return f"{method}(swaps={int(probe * seconds / entry.spent[0])},seed={{seed}})"


def row(collective: str, free: bool, method: str, entry: Entry) -> list[Any]:
    target = TARGETS[collective, free]
    met = sum(value <= target for value in entry.values)
    return [
        "free choice of 1,024" if free else "512 given",
        collective,
        method,
        str(Spread.of(entry.values)),
        target,
        f"{met} of {len(entry.values)}",
        min(entry.bounds),
        Spread.of(entry.spent).median,
    ]
