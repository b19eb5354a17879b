"""Graphs of tasks as the simulator runs them, next to a slow reference of their own."""

from __future__ import annotations

import heapq
import random
from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

import netloom


@dataclass
class Task:
    """A task of the reference: what it does, and what it waits for."""

    kind: str
    amount: int = 0
    peer: int = 0
    tag: int = 0
    cpu: int = 0
    after: list[int] = field(default_factory=list)
    after_start: list[int] = field(default_factory=list)


def drawn(seed: int, ranks: int, tasks: int, cpus: int) -> list[list[Task]]:
    """Graphs of computation, with messages between that always find their partner."""
    draw = random.Random(seed)
    made: list[list[Task]] = [[] for _ in range(ranks)]

    def put(rank: int, task: Task) -> None:
        own = made[rank]
        for _ in range(draw.choice([0, 1, 1, 2]) if own else 0):
            before = draw.randrange(max(0, len(own) - 5), len(own))
            (task.after if draw.random() < 0.8 else task.after_start).append(before)
        own.append(task)

    for number in range(tasks):
        if ranks > 1 and draw.random() < 0.3:
            source, target = draw.sample(range(ranks), 2)
            # Smaller ones return before they arrive.
            size = draw.choice([70_000, 100_000])
            put(source, Task("send", size, target, number))
            put(target, Task("recv", size, source, number))
        else:
            put(draw.randrange(ranks), Task("calc", draw.randint(1, 3000), cpu=draw.randrange(cpus)))
    return made


def as_goal(graphs: list[list[Task]]) -> str:
    lines = [f"num_ranks {len(graphs)}"]
    for rank, own in enumerate(graphs):
        lines.append(f"rank {rank} {{")
        for at, task in enumerate(own):
            words = {
                "calc": f"calc {task.amount} cpu {task.cpu}",
                "send": f"send {task.amount}b to {task.peer} tag {task.tag}",
                "recv": f"recv {task.amount}b from {task.peer} tag {task.tag}",
            }[task.kind]
            lines.append(f"t{at}: {words}")
            lines += [f"t{at} requires t{before}" for before in task.after]
            lines += [f"t{at} irequires t{before}" for before in task.after_start]
        lines.append("}")
    return "\n".join(lines) + "\n"


def reference(graphs: list[list[Task]], latency: float, bandwidth: float) -> float:
    """The end, where no two messages share the wire: each begins when both sides are ready."""
    now, number, queue = 0.0, 0, []  # type: ignore[var-annotated]
    left = [[len(task.after) + len(task.after_start) for task in own] for own in graphs]
    halves: dict[tuple[int, int, int], tuple[int, int]] = {}
    busy: dict[tuple[int, int], deque[int]] = {}
    end = 0.0

    def later(time: float, *what: object) -> None:
        nonlocal number
        number += 1
        heapq.heappush(queue, (time, number, what))

    def start(rank: int, at: int) -> None:
        task = graphs[rank][at]
        if task.kind == "calc":
            unit = rank, task.cpu
            if unit in busy:
                busy[unit].append(at)
                return
            busy[unit] = deque()
            begin(rank, at)
            return
        begin(rank, at)
        ends = (rank, task.peer) if task.kind == "send" else (task.peer, rank)
        other = halves.pop((*ends, task.tag), None)
        if other is None:
            halves[*ends, task.tag] = (rank, at)
        else:
            for who in ((rank, at), other):
                later(now + latency + task.amount / bandwidth, "end", *who)

    def begin(rank: int, at: int) -> None:
        if graphs[rank][at].kind == "calc":
            later(now + graphs[rank][at].amount * 1e-9, "end", rank, at)
        for next_, task in enumerate(graphs[rank]):
            for _ in range(task.after_start.count(at)):
                ready(rank, next_)

    def ready(rank: int, at: int) -> None:
        left[rank][at] -= 1
        if left[rank][at] == 0:
            later(now, "start", rank, at)

    for rank, own in enumerate(graphs):
        for at in range(len(own)):
            if left[rank][at] == 0:
                later(0.0, "start", rank, at)
    while queue:
        now, _, (what, rank, at) = heapq.heappop(queue)
        if what == "start":
            start(rank, at)
            continue
        end = max(end, now)
        task = graphs[rank][at]
        if task.kind == "calc":
            waiting = busy[rank, task.cpu]
            if waiting:
                begin(rank, waiting.popleft())
            else:
                del busy[rank, task.cpu]
        for next_, other in enumerate(graphs[rank]):
            for _ in range(other.after.count(at)):
                ready(rank, next_)
    assert not halves
    return end


LATENCY_S, BYTES_PER_S = 3e-7, 12.5e9


def simulated(graphs: list[list[Task]], folder: Path) -> float:
    path = folder / "g.goal"
    path.write_text(as_goal(graphs))
    found = netloom.simulate(network="complete(2)", workload=str(path), calibration="pure")
    seconds: float = found.record["time_s"]
    return seconds


@pytest.mark.parametrize("seed", range(40))
def test_tasks_start_when_what_they_wait_for_is_over(tmp_path: Path, seed: int) -> None:
    """With a core for each task, and messages of a rank one after another, nothing is shared."""
    graphs = drawn(seed, ranks=2, tasks=40, cpus=1)
    for own in graphs:
        for at, task in enumerate(own):
            task.cpu = at
        messages = [at for at, task in enumerate(own) if task.kind != "calc"]
        for before, at in pairwise(messages):
            own[at].after.append(before)
    assert simulated(graphs, tmp_path) == pytest.approx(reference(graphs, LATENCY_S, BYTES_PER_S), rel=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_a_core_computes_one_task_at_a_time(tmp_path: Path, seed: int) -> None:
    """Which of two tasks that are ready at one instant is first is not told; no core idles or doubles."""
    graphs = drawn(seed, ranks=1, tasks=40, cpus=3) * 2
    found = simulated(graphs, tmp_path)
    load = [sum(task.amount for task in graphs[0] if task.cpu == cpu) * 1e-9 for cpu in range(3)]
    alone = [[Task(**{**vars(task), "cpu": at}) for at, task in enumerate(own)] for own in graphs]
    least = max([*load, reference(alone, LATENCY_S, BYTES_PER_S)])
    assert least * (1 - 1e-12) <= found <= sum(load) * (1 + 1e-12)


def test_who_is_ready_first_computes_first(tmp_path: Path) -> None:
    text = """num_ranks 2
rank 0 {
 a: calc 100
 b: calc 50 cpu 1
 c: calc 7
 c requires b
 d: calc 60 cpu 1
 d requires b
 e: calc 1000
 e requires d
 f: send 8b to 1
 f requires c
}
rank 1 {
 recv 8b from 0
}
"""
    path = tmp_path / "g.goal"
    path.write_text(text)
    # Core 0: a to 100, then c, which was ready at 50, to 107, then e, ready at 110, to 1110 ns.
    found = netloom.simulate(network="complete(2)", workload=str(path), calibration="pure")
    assert found.record["time_s"] == pytest.approx(1110e-9, rel=1e-12)


def test_tasks_that_wait_for_each_other_over_ranks_are_a_deadlock(tmp_path: Path) -> None:
    path = tmp_path / "g.goal"
    rank = "rank {0} {{\n a: recv 8b from {1}\n b: send 8b to {1}\n b requires a\n c: calc 5\n}}\n"
    path.write_text("num_ranks 2\n" + rank.format(0, 1) + rank.format(1, 0))
    with pytest.raises(netloom.NetloomError, match=r"NL-E01[23]"):
        netloom.simulate(network="complete(2)", workload=str(path), calibration="pure")
