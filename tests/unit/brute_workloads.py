"""Random workloads for the witness of simulated time, each for the engine and for the witness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import netloom

from .brute_force import Program, Run
from .brute_programs import Collective, Sent, actions, exchange

Draw = np.random.Generator
#: A workload as the engine takes it, and what a rank does in the witness.
Work = tuple[Any, Callable[[Run, int], Program]]
#: Operations by what a rank has in its buffer: a vector, or a part of every rank.
VECTORS = ("broadcast", "reduce", "allreduce", "scan", "exscan", "barrier")
#: Algorithms whose combining and packing `of_catalogue` knows, on any number of ranks.
ALGORITHMS = (
    "broadcast:binomial", "broadcast:linear", "broadcast:chain(segments=3)", "broadcast:chain(segments=9)",
    "reduce:binomial", "reduce:linear",
    "reduce:chain(segments=3)", "allreduce:recursive-doubling", "allreduce:ring", "allreduce:rabenseifner",
    "allreduce:circulant", "allreduce:reduce-broadcast", "allgather:ring", "allgather:recursive-doubling",
    "allgather:bruck", "allgather:circulant", "allgather:sparbit", "allgather:linear", "gather:binomial",
    "gather:linear", "scatter:binomial", "scatter:linear", "reduce-scatter:ring", "reduce-scatter:pairwise",
    "reduce-scatter:recursive-halving", "reduce-scatter:circulant", "alltoall:bruck", "alltoall:pairwise",
    "alltoall:scattered(window=2)", "alltoall:linear", "alltoall:ring", "barrier:dissemination", "barrier:linear",
    "barrier:tree", "scan:recursive-doubling", "scan:linear", "exscan:recursive-doubling", "exscan:linear",
)  # fmt: skip


def draw_size(draw: Draw) -> int:
    """1 byte to 1 MiB, often a power of two or next to it, as thresholds are."""
    most = 20 if draw.random() < 0.2 else 14
    return threshold(draw, most) if draw.random() < 0.5 else int(2 ** draw.uniform(0, most))


def threshold(draw: Draw, most: int = 20) -> int:
    return max(1, int(2 ** draw.integers(0, most) + draw.integers(-1, 2)))


def draw_workload(draw: Draw, ranks: int) -> Work:
    kind = draw.random()
    if kind < 0.5:
        return draw_catalogue(draw, ranks)
    if kind < 0.65:
        return draw_steps(draw, ranks)
    if kind < 0.8:
        return draw_pattern(draw, ranks)
    return draw_programs(draw, ranks)


def own_copies(collective: str, ranks: int, size: int) -> tuple[int, int]:
    """Bytes that every rank copies before the first step and after the last, unless the algorithm copies more."""
    if collective == "reduce-scatter":
        return ranks * size, size
    return (0 if collective in ("barrier", "broadcast", "gather", "scatter") else size), 0


def draw_catalogue(draw: Draw, ranks: int) -> Work:
    name = ALGORITHMS[draw.integers(len(ALGORITHMS))]
    collective = name.split(":")[0]
    root = int(draw.integers(ranks)) if collective in ("broadcast", "reduce", "gather", "scatter") else 0
    size = 0 if collective == "barrier" else draw_size(draw)
    protocol = ["", "", "ll", "ll128", "simple"][draw.integers(5)]
    given = f"{name[:-1]}," if name.endswith(")") else f"{name}("
    schedule = netloom.workload(f"{given}protocol={protocol})" if protocol else name, ranks, root=root, size_bytes=size)
    made = of_catalogue(schedule, name, size)
    made.protocol = protocol
    return schedule, made.program


def of_catalogue(schedule: Any, name: str, size: int) -> Collective:
    """Messages as the schedule lists them; which are combined, and in pieces, from the algorithm's description."""
    collective, ranks, count = name.split(":")[0], schedule.ranks, schedule.steps
    steps: list[list[Sent]] = [[] for _ in range(count)]
    table = schedule.table()
    for step, src, dst, carried in zip(*(table[c].tolist() for c in ("step", "src", "dst", "bytes")), strict=True):
        made = Sent(src, dst, carried, combine=combines(name, step, count, ranks))
        made.pieces = pieces(name, made, step in (0, count - 1), size, ranks)
        steps[step].append(made)
    before, after = own_copies(collective, ranks, size)
    buffer = size if collective in VECTORS else ranks * size
    if name == "alltoall:bruck":
        before, after = buffer, buffer
    if name == "allgather:bruck":
        after = buffer
    return Collective(steps, buffer, before, after)


def folds(ranks: int) -> bool:
    return ranks & (ranks - 1) != 0


def combines(name: str, step: int, count: int, ranks: int) -> bool:
    """The first half of an allreduce combines; recursive doubling does so until it hands results to folded ranks."""
    collective, algorithm = name.split(":")
    if algorithm == "recursive-doubling" and collective == "allreduce":
        return not (folds(ranks) and step == count - 1)
    return collective in ("reduce", "scan", "exscan", "reduce-scatter") or (
        collective == "allreduce" and 2 * step < count
    )


def pieces(name: str, sent: Sent, outer: bool, size: int, ranks: int) -> int:
    """1, or 2 for more than one; `outer`: in the first or the last step."""
    many = sent.size > size
    if name in ("alltoall:bruck", "allgather:sparbit"):
        return 2 if many else 1
    if name in ("gather:binomial", "scatter:binomial"):
        first = sent.src if name.startswith("gather") else sent.dst
        return 2 if first + sent.size // size > ranks else 1
    folded = {"allgather:recursive-doubling": sent.dst, "reduce-scatter:recursive-halving": sent.src}.get(name)
    # A folded rank gets, or hands in, all blocks but its own.
    if folded is not None and folds(ranks) and outer and sent.size == (ranks - 1) * size:
        return runs([block for block in range(ranks) if block != folded])
    return 1


def draw_steps(draw: Draw, ranks: int) -> Work:
    """Random transfers of random blocks: no collective at all, but that is not asked here."""
    collective = ["allreduce", "reduce-scatter", "allgather", "alltoall", "gather", "scan"][draw.integers(6)]
    size = draw_size(draw)
    blocks = {"allreduce": 7, "scan": 7, "alltoall": ranks**2}.get(collective, ranks)
    given: list[list[tuple[int, int, list[int], bool]]] = []
    used = 0
    for _ in range(draw.integers(1, 5)):
        step = []
        for _ in range(draw.integers(1, 2 * ranks)):
            src, dst = draw.choice(ranks, 2, replace=False).tolist()
            carried = sorted(draw.choice(blocks, draw.integers(1, min(blocks, 6) + 1), replace=False).tolist())
            combine = bool(draw.random() < 0.5) and collective in ("allreduce", "reduce-scatter", "scan")
            step.append((src, dst, carried, combine))
            used = max(used, *carried)
        given.append(step)
    schedule = netloom.Schedule.from_transfers(collective, ranks, 0, size, given)
    if collective in ("allreduce", "scan"):
        # As many blocks as are named; the first are one byte longer.
        count = used + 1
        of_block = [size // count + (b < size % count) for b in range(count)]
    else:
        of_block = [size] * blocks

    def sent(src: int, dst: int, carried: list[int], combine: bool) -> Sent:
        return Sent(src, dst, sum(of_block[block] for block in carried), runs(carried), combine)

    steps = [[sent(*transfer) for transfer in step] for step in given]
    buffer = size if collective in VECTORS else ranks * size
    return schedule, Collective(steps, buffer, *own_copies(collective, ranks, size)).program


def runs(blocks: Sequence[int]) -> int:
    """Runs of consecutive numbers."""
    return sum(block - 1 not in blocks for block in blocks)


def draw_pattern(draw: Draw, ranks: int) -> Work:
    size = draw_size(draw)
    call = [
        f"uniform(messages=12,seed={draw.integers(1000)},bytes={size})", f"all-pairs(bytes={size})",
        f"shift(k=1,bytes={size})", f"nearest-ring(bytes={size})", f"permutation(seed=3,bytes={size})",
    ][draw.integers(5)]  # fmt: skip
    traffic = netloom.workload(call, ranks)
    table = traffic.table()
    columns = (table[c].tolist() for c in ("src", "dst", "bytes"))
    sent = [Sent(src, dst, all_bytes) for src, dst, all_bytes in zip(*columns, strict=True) if src != dst]
    # A rank sends to the next one after it first.
    sent.sort(key=lambda one: (one.src, (one.dst - one.src) % ranks))
    return traffic, lambda run, rank: exchange(run, rank, sent)


def draw_programs(draw: Draw, ranks: int) -> Work:
    """Messages in one order for all ranks, so that nobody waits for ever, each started or blocking at either end."""
    given: list[list[tuple[str | float, ...]]] = [[] for _ in range(ranks)]
    for _ in range(draw.integers(1, 25)):
        src, dst = draw.choice(ranks, 2, replace=False).tolist()
        size = draw_size(draw)
        for rank, word, other in ((src, "send", dst), (dst, "receive", src)):
            if draw.random() < 0.3:
                given[rank].append(("sleep", float(draw.uniform(0, 1e-5))))
            if draw.random() < 0.3:
                given[rank].append(("compute", float(draw.uniform(0, 1e4))))
            if draw.random() < 0.2:
                given[rank].append(("wait_all",))
            given[rank].append((("start_" if draw.random() < 0.5 else "") + word, other, size))
    for body in given:
        body.append(("wait_all",))
    return netloom.programs(given), lambda run, rank: actions(run, rank, given[rank])
