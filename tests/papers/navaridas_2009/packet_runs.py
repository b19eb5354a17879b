"""The kept runs of the packet study of Navaridas 2009: cycles, relative times and weights, by choice and size."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from . import packets

HERE = Path(__file__).parent
TASKS = (64, 512, 4096)
KEPT = {"once": "packets.jsonl", "again": "packets-again.jsonl"}


def lines(name: str) -> list[dict[str, float | str]]:
    """Kept runs."""
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


RUNS = sum(len(lines(name)) for name in (*KEPT.values(), "curves.jsonl"))


@cache
def times(choice: str = "once") -> dict[tuple[int, str], dict[str, float]]:
    """Cycles by tasks and network, then workload."""
    found: dict[tuple[int, str], dict[str, float]] = {}
    for row in lines(KEPT[choice]):
        found.setdefault((int(row["tasks"]), str(row["network"])), {})[str(row["workload"])] = float(row["cycles"])
    return found


def relative(tasks: int, network: str, full: str, choice: str = "once") -> dict[str, float]:
    """Time over that of the complete tree, by workload."""
    run = times(choice)
    return {load: cycles / run[tasks, full][load] for load, cycles in run[tasks, network].items()}


def whole(choice: str, tasks: int, *networks: str) -> bool:
    """Whether all workloads of these networks are kept."""
    run = times(choice)
    return all(run.get((tasks, network), {}).keys() == packets.WORKLOADS.keys() for network in networks)


def sizes(choice: str, family: Callable[[int], list[str]]) -> list[int]:
    """Numbers of tasks of which every tree of a family is kept."""
    return [tasks for tasks in TASKS if whole(choice, tasks, *family(tasks))]


def thinned(up: int, choice: str = "once") -> Iterator[tuple[int, str, float]]:
    """Tasks, workload, relative time on 8:up."""
    for tasks in sizes(choice, packets.same_size):
        networks = packets.same_size(tasks)
        for load, ratio in relative(tasks, networks[up - 1], networks[-1], choice).items():
            yield tasks, load, ratio


def phi(tasks: int, networks: list[str], choice: str = "once") -> list[float]:
    """Weights of section 6.1."""
    return packets.performance({network: times(choice)[tasks, network] for network in networks}, networks)


def tree(network: str) -> str:
    """`thin_tree(8,4,2)` as the paper writes it, 8:4,2."""
    down, up, levels = network.removeprefix("thin_tree(").removesuffix(")").split(",")
    return f"{down}:{up},{levels}"
