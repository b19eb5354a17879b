"""Machines of nodes with many ranks: simulated time before and after netloom's search, beside Scotch's mapping.

Every case runs in a process of its own and leaves one line of JSON; a case that has its line is not run again.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import netloom
from benchmarks.measure import resident_bytes
from benchmarks.quality import scotch
from netloom import _core

COLUMNS = ["machine", "ranks", "workload", "mapping", "time, µs", "worst link, µs", "MB between nodes", "CPU s"]
#: Names of the mappings: two starts, each before and after the search, and Scotch's, which has no start.
STARTS = {"linear": "draw", "random": "random(seed=1)"}
#: Simulated seconds, longest time of a link, bytes that leave their node.
Worth = dict[str, float]


class Machine(NamedTuple):
    """A network with its job, and the tree that Scotch sees."""

    name: str
    call: str
    ranks: int
    #: Ranks per endpoint; per node, which is a single endpoint but on a rail cluster.
    cores: int
    per_node: int
    #: Children per level from the root to the seats of the job, and the cost between two of them.
    sizes: tuple[int, ...]
    costs: tuple[int, ...]


#: Costs are cables between switches and to endpoints, tenfold; 1 inside the node, where Scotch cannot take 0. On the
#: rail cluster a link of NVLink counts a ninth of a NIC's: the ratio of their bandwidths.
MACHINES = [
    Machine("fat tree", "fat_tree(radix=16,levels=2)", 1024, 32, 32, (4, 8, 32), (40, 20, 1)),
    Machine("dragonfly", "dragonfly(a=8,p=4,h=4,g=33)", 1024, 1, 1, (32, 8, 4), (50, 30, 20)),
    Machine("rail cluster", "rail_cluster(nodes=128)", 1024, 1, 8, (4, 32, 8), (36, 18, 2)),
    Machine("fat tree", "fat_tree(radix=16,levels=3)", 8192, 32, 32, (4, 8, 8, 32), (60, 40, 20, 1)),
    Machine("dragonfly", "dragonfly(a=8,p=4,h=4,g=33)", 8192, 8, 8, (32, 8, 4, 8), (50, 30, 20, 1)),
    Machine("rail cluster", "rail_cluster(nodes=1024)", 8192, 1, 8, (32, 32, 8), (36, 18, 2)),
]
#: Name, call text with the ranks (or half of them, or the stencil's sides) open, MPI size in bytes.
WORKLOADS = {
    "shift by half, 1 MiB": ('shift(k={half},bytes="1 MiB")', 1),
    "allreduce:rabenseifner, 1 MiB": ("allreduce:rabenseifner", 1 << 20),
    "stencil 2D, 64 KiB": ('stencil({sides},bytes="64 KiB")', 1),
    "alltoall:bruck, 1 KiB": ("alltoall:bruck", 1 << 10),
}
#: Wires alone: what a mapping changes.
CALIBRATION = "pure"
#: Searches of more ranks than these take three times as long.
FEW = 1024
SIDES = {1024: "32,32", 8192: "128,64"}


@dataclass(frozen=True)
class Case:
    """One search, or Scotch's mapping where `start` says so."""

    machine: Machine
    workload: str
    start: str

    @property
    def key(self) -> dict[str, str | int]:
        return {
            "machine": self.machine.call, "ranks": self.machine.ranks, "workload": self.workload, "start": self.start
        }  # fmt: skip

    @property
    def asked(self) -> dict[str, Any]:
        """Inputs of the scenario but for the mapping."""
        text, size = WORKLOADS[self.workload]
        ranks = self.machine.ranks
        sent = text.format(half=ranks // 2, sides=SIDES[ranks])
        return {"workload": sent, "size_bytes": size, "ranks": ranks, "cores": self.machine.cores}


def cases(with_scotch: bool) -> list[Case]:
    """Those of few ranks first, and of many ranks those last whose start makes simulations long."""
    starts = ["linear", *["Scotch"] * with_scotch, "random"]
    listed = [Case(machine, workload, start) for machine in MACHINES for workload in WORKLOADS for start in starts]
    return sorted(listed, key=lambda case: (case.machine.ranks, case.machine.ranks > FEW and case.start == "random"))


def rows(lines: Path, seconds: float, with_scotch: bool, limit_s: float = 900.0) -> Iterator[list[Any]]:
    """Runs what has no line in `lines` yet, one process at a time, and yields the table of all cases."""
    for case in cases(with_scotch):
        found = finished(lines, case)
        if found is None:
            child = get_context("spawn").Process(target=run, args=(case, seconds, lines))
            child.start()
            child.join(limit_s)
            if child.is_alive():
                child.kill()
                child.join()
            found = finished(lines, case)
        yield from shown(case, found)


def finished(lines: Path, case: Case) -> dict[str, Any] | None:
    """The line of this case, if it has one."""
    for text in lines.read_text().splitlines() if lines.exists() else []:
        line: dict[str, Any] = json.loads(text)
        if case.key.items() <= line.items():
            return line
    return None


def shown(case: Case, found: dict[str, Any] | None) -> Iterator[list[Any]]:
    """Rows of one case: before and after, or Scotch's mapping, or that it did not end."""
    head = [case.machine.call, case.machine.ranks, case.workload]
    if found is None:
        yield [*head, f"{case.start}: did not end", None, None, None, None]
        return
    for when in ("before", "after"):
        if when in found:
            worth = found[when]
            name = case.start if when == "before" or "before" not in found else f"{case.start}, map"
            numbers = [worth["time_s"] * 1e6, worth["max_link_s"] * 1e6, worth["inter_node_bytes"] / 1e6]
            yield [*head, name, *numbers, found["cpu_s"] if when == "after" else None]


def run(case: Case, seconds: float, lines: Path) -> None:
    """Does the case and appends its line."""
    line: dict[str, Any] = dict(case.key)
    clock, spent = time.monotonic(), cpu_seconds()
    if case.start == "Scotch":
        mapping = by_scotch(case)
    else:
        order = STARTS[case.start]
        placed = netloom.place(case.machine.call, case.machine.ranks, "linear", order, cores=case.machine.cores)
        line["before"] = worth(case, placed)
        clock, spent = time.monotonic(), cpu_seconds()
        seconds *= 1 if case.machine.ranks <= FEW else 3
        found = netloom.map_ranks(
            case.machine.call, **case.asked, calibration=CALIBRATION, mapping=placed, optimiser="best", seconds=seconds
        )
        mapping = found["mapping"]
        line |= {name: found[name] for name in ("method", "decided_by", "evaluations", "accepted")}
    line |= {"cpu_s": cpu_seconds() - spent, "wall_s": time.monotonic() - clock}
    line["after"] = worth(case, mapping)
    line["memory_bytes"] = resident_bytes("VmHWM")
    with lines.open("a") as out:
        out.write(json.dumps(line) + "\n")


def cpu_seconds() -> float:
    """User and system, of this process and of those that it ran."""
    return sum(os.times()[:4])


def worth(case: Case, mapping: NDArray[np.integer]) -> Worth:
    """What these endpoints are worth, by netloom's evaluators and by counting bytes here."""
    asked = case.asked | {"mapping": mapping}
    timed = netloom.simulate(case.machine.call, **asked, calibration=CALIBRATION)
    loads = netloom.loads(case.machine.call, **asked, hottest=0, arrays=False)
    pairs, sent = messages(case)
    node = np.asarray(mapping, np.int64) // (case.machine.per_node // case.machine.cores)
    return {
        "time_s": float(timed["time_s"]),
        "max_link_s": max(float(links.get("max_s", 0)) for links in loads["classes"].values()),
        "inter_node_bytes": float(sent[node[pairs[:, 0]] != node[pairs[:, 1]]].sum()),
    }


def messages(case: Case) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of ranks, source first, and the bytes of each pair."""
    asked = case.asked
    if ":" in asked["workload"]:
        schedule = _core.Schedule.build(asked["workload"], asked["ranks"], 0, asked["size_bytes"])
        table = _core.Traffic.of_schedule(schedule).table()
    else:
        table = _core.Traffic.pattern(asked["workload"], asked["ranks"]).table()
    return np.stack([table["src"], table["dst"]], axis=1).astype(np.int64), table["bytes"].astype(np.int64)


def by_scotch(case: Case) -> NDArray[np.int64]:
    """Endpoint of every rank on the endpoints of the linear placement."""
    pairs, sent = messages(case)
    apart = pairs[:, 0] != pairs[:, 1]
    ends, weights = scotch.merged(np.sort(pairs[apart], axis=1), sent[apart])
    seats = scotch.onto_tree(case.machine.ranks, ends, weights, case.machine.sizes, case.machine.costs)
    return seats // case.machine.cores
