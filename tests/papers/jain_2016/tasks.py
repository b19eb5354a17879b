"""Graphs of tasks as TraceR runs them: algorithm 1 of Jain 2016, slowly, and the same graphs as GOAL for netloom.

A message takes a latency and its bytes over a bandwidth, whatever else moves (SimpleNet). Times are whole picoseconds.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from dataclasses import dataclass, field
from itertools import count

#: Of a message, and of a byte of it.
LATENCY_PS, PS_PER_BYTE = 1_000_000, 80
#: The same as a network.
SIMPLE = 'simple({ranks},alpha="1 us",bandwidth="100 Gbps")'


@dataclass
class Send:
    """A message of a task: when it leaves, counted from the task's start, and which task of which rank waits for it."""

    offset_ns: int
    to: int
    task: int
    size: int


@dataclass
class Task:
    """What a task takes, sends and waits for: earlier tasks of its rank, and `messages` messages."""

    ns: int
    after: list[int] = field(default_factory=list)
    sends: list[Send] = field(default_factory=list)
    messages: int = 0


Graphs = list[list[Task]]


@dataclass
class Run:
    """When each rank has done its last task, when each task began, and how many events of completion there were."""

    ends_ps: list[int]
    starts_ps: list[list[int]]
    completions: int


def drawn(seed: int, ranks: int, tasks: int, largest: int = 60_000) -> Graphs:
    """Tasks that wait for up to two of the last ones of their rank, and for messages of earlier ones of others."""
    draw = random.Random(seed)
    graphs: Graphs = [[] for _ in range(ranks)]
    made: list[tuple[int, int]] = []
    for _ in range(tasks):
        rank = draw.randrange(ranks)
        own = graphs[rank]
        last = range(max(0, len(own) - 6), len(own))
        task = Task(draw.choice([0, 1, 1, 1]) * draw.randint(1, 3000))
        task.after = sorted(draw.sample(last, min(len(last), draw.choice([0, 1, 1, 2]))))
        for source, number in draw.sample(made[-20:], min(len(made), draw.choice([0, 0, 1, 2]))):
            if source != rank:
                sender = graphs[source][number]
                sender.sends.append(Send(draw.randint(0, sender.ns), rank, len(own), draw.randint(1, largest)))
                task.messages += 1
        made.append((rank, len(own)))
        own.append(task)
    return graphs


def algorithm_one(graphs: Graphs, *, multi: bool = False) -> Run:
    """The events Kickoff, Message Recv and Completion; with `multi` all ready tasks have one Completion together.

    Tasks that one event makes ready are so in their own order.
    """
    queue: list[tuple[int, int, str, int, list[int]]] = []
    numbers = count()
    left = [[len(task.after) + task.messages for task in own] for own in graphs]
    ready: list[deque[int]] = [deque() for _ in graphs]
    busy = [False] * len(graphs)
    run = Run([0] * len(graphs), [[-1] * len(own) for own in graphs], 0)
    dependents: list[list[list[int]]] = [[[] for _ in own] for own in graphs]
    for rank, own in enumerate(graphs):
        for number, task in enumerate(own):
            for before in task.after:
                dependents[rank][before].append(number)

    def later(time: int, what: str, rank: int, tasks: list[int]) -> None:
        heapq.heappush(queue, (time, next(numbers), what, rank, tasks))

    def execute_ready(now: int, rank: int) -> None:
        """Execute_Task of the next ready task, or of all of them one after another."""
        if not ready[rank]:
            return
        busy[rank] = True
        tasks, time = [], now
        while ready[rank] and (multi or not tasks):
            number = ready[rank].popleft()
            task = graphs[rank][number]
            tasks.append(number)
            run.starts_ps[rank][number] = time
            for send in task.sends:
                arrives = time + send.offset_ns * 1000 + LATENCY_PS + send.size * PS_PER_BYTE
                later(arrives, "receive", send.to, [send.task])
            time += task.ns * 1000
        later(time, "complete", rank, tasks)

    def done(rank: int, number: int) -> None:
        left[rank][number] -= 1
        if left[rank][number] == 0:
            ready[rank].append(number)

    for rank, own in enumerate(graphs):
        ready[rank].extend(number for number in range(len(own)) if left[rank][number] == 0)
        later(0, "kickoff", rank, [])
    while queue:
        now, _, what, rank, tasks = heapq.heappop(queue)
        if what == "receive":
            done(rank, tasks[0])
            if not busy[rank]:
                execute_ready(now, rank)
            continue
        if what == "complete":
            run.completions += 1
            run.ends_ps[rank], busy[rank] = now, False
            for number in tasks:
                for dependent in dependents[rank][number]:
                    done(rank, dependent)
        execute_ready(now, rank)
    assert not any(any(own) for own in left)
    return run


def as_goal(graphs: Graphs) -> str:
    """The same as GOAL. A message waits for a second unit of its rank, which counts the time from its task's start."""
    lines, tags = [f"num_ranks {len(graphs)}"], 0
    received: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    sent: dict[tuple[int, int], list[tuple[Send, int]]] = {}
    for rank, own in enumerate(graphs):
        for number, task in enumerate(own):
            for send in sorted(task.sends, key=lambda send: send.offset_ns):
                received.setdefault((send.to, send.task), []).append((rank, send.size, tags))
                sent.setdefault((rank, number), []).append((send, tags))
                tags += 1
    for rank, own in enumerate(graphs):
        lines.append(f"rank {rank} {{")
        for number, task in enumerate(own):
            receives = received.get((rank, number), [])
            lines += [f"r{tag}: recv {size}b from {source} tag {tag}" for source, size, tag in receives]
            lines.append(f"t{number}: calc {task.ns}")
            lines += [f"t{number} requires r{tag}" for _, _, tag in receives]
            lines += [f"t{number} requires t{before}" for before in task.after]
            before, at = f"irequires t{number}", 0
            for send, tag in sent.get((rank, number), []):
                if send.offset_ns > at:
                    lines += [f"d{tag}: calc {send.offset_ns - at} cpu 1", f"d{tag} {before}"]
                    before, at = f"requires d{tag}", send.offset_ns
                lines += [f"s{tag}: send {send.size}b to {send.to} tag {tag}", f"s{tag} {before}"]
        lines.append("}")
    return "\n".join(lines) + "\n"


def stencil(sides: tuple[int, int, int], iterations: int = 3, size: int = 128 << 10) -> Graphs:
    """Section 5.5.1 on a grid that wraps around: six faces, the update of 128^3 points, and a reduction to rank 0.

    A task sends the faces, 100 ns after each other; the update waits for it and for six messages; the reduction and the
    answer go along a binomial tree, 8 bytes a message.
    """
    ranks = sides[0] * sides[1] * sides[2]
    graphs: Graphs = [[] for _ in range(ranks)]

    def put(rank: int, task: Task) -> int:
        graphs[rank].append(task)
        return len(graphs[rank]) - 1

    def send(rank: int, number: int, offset_ns: int, to: tuple[int, int], bytes_: int) -> None:
        graphs[rank][number].sends.append(Send(offset_ns, *to, bytes_))
        graphs[to[0]][to[1]].messages += 1

    last: list[list[int]] = [[] for _ in range(ranks)]
    for _ in range(iterations):
        faces = [put(rank, Task(600, last[rank])) for rank in range(ranks)]
        updates = [put(rank, Task(1_000_000, [faces[rank]])) for rank in range(ranks)]
        for rank in range(ranks):
            for turn, neighbour in enumerate(neighbours(rank, sides)):
                send(rank, faces[rank], 100 * turn, (neighbour, updates[neighbour]), size)
        children = [[rank | bit for bit in bits(rank, ranks)] for rank in range(ranks)]
        sums = [put(rank, Task(50 * len(children[rank]), [updates[rank]])) for rank in range(ranks)]
        answers = [put(rank, Task(50, [sums[rank]])) for rank in range(ranks)]
        for rank in range(ranks):
            for child in children[rank]:
                send(child, sums[child], graphs[child][sums[child]].ns, (rank, sums[rank]), 8)
                send(rank, answers[rank], 50, (child, answers[child]), 8)
        last = [[number] for number in answers]
    return graphs


def bits(rank: int, ranks: int) -> list[int]:
    """Below the lowest bit of a rank: those that name its children in a binomial tree."""
    lowest = rank & -rank or ranks
    return [1 << at for at in range(ranks.bit_length()) if 1 << at < lowest and rank | 1 << at < ranks]


def neighbours(rank: int, sides: tuple[int, int, int]) -> list[int]:
    """The six next to a rank on a torus."""
    strides = [1, sides[0], sides[0] * sides[1]]
    found = []
    for side, stride in zip(sides, strides, strict=True):
        at = rank // stride % side
        found += [rank + ((at + step) % side - at) * stride for step in (1, -1)]
    return found
