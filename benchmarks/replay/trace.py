"""A trace of any length: exchange with four neighbours on a torus, computation, now and then an allreduce."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

#: Actions of an iteration, iterations between two allreduces, bytes of a message.
ACTIONS, BETWEEN, BYTES = 10, 10, 4096
#: Of an operation of GOAL in binary.
OPERATION = np.dtype(
    [
        ("waits", "<u4"), ("kind", "u1"), ("peer", "<u4"), ("size", "<u8"), ("tag", "<u4"), ("cpu", "u1"),
        ("nic", "u1"), ("after", "<u4"), ("after_at", "<u4"), ("after_start", "<u4"), ("after_start_at", "<u4"),
    ]
)  # fmt: skip
SEND, RECEIVE, CALC = 1, 2, 3


def neighbours(rank: int, rows: int, columns: int) -> list[int]:
    """Up, down, left, right."""
    row, column = divmod(rank, columns)
    steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
    return [(row + down) % rows * columns + (column + right) % columns for down, right in steps]


def flops(rank: int, iterations: int, drawn: bool) -> list[int]:
    """Operations of each iteration: the same ones, or drawn."""
    draw = random.Random(rank)
    return [draw.randrange(20_000, 60_000) if drawn else 40_000 for _ in range(iterations)]


def smpi(folder: Path, rows: int, columns: int, iterations: int, drawn: bool) -> Path:
    """A file a rank, and their index."""
    index = folder / "trace.txt"
    if index.exists():
        return index
    folder.mkdir(parents=True, exist_ok=True)
    ranks = rows * columns
    for rank in range(ranks):
        near = neighbours(rank, rows, columns)
        # What is sent one way comes from the other side.
        exchange = [f"{rank} irecv {peer} {side} {BYTES} 6\n" for side, peer in enumerate(near)]
        exchange += [f"{rank} isend {peer} {side ^ 1} {BYTES} 6\n" for side, peer in enumerate(near)]
        said = "".join([*exchange, f"{rank} waitall 8\n"])
        reduce = f"{rank} allreduce 8 0 6\n"
        lines = (
            f"{rank} compute {own}\n{said}{reduce if number % BETWEEN == BETWEEN - 1 else ''}"
            for number, own in enumerate(flops(rank, iterations, drawn))
        )
        (folder / f"rank-{rank}.txt").write_text(f"{rank} init\n{''.join(lines)}{rank} finalize\n")
    # Last: what has an index is whole.
    index.write_text("".join(f"rank-{rank}.txt\n" for rank in range(ranks)))
    return index


def goal(path: Path, rows: int, columns: int, iterations: int, drawn: bool) -> Path:
    """The same without the allreduces as one file of GOAL in binary; a nanosecond is an operation at 1 Gflop/s."""
    if path.exists():
        return path
    ranks, whole = rows * columns, path.with_suffix(".part")
    sizes = [8 + 4 + iterations * (9 * OPERATION.itemsize + 4 * 16) - 4 * 8] * ranks
    begins = np.cumsum([6 + 16 * ranks, *sizes]).astype("<u8")
    with whole.open("wb") as file:
        file.write((4223).to_bytes(8, "little") + ranks.to_bytes(4, "little") + bytes(2))
        file.write(np.stack([begins[:-1], begins[1:]], axis=1).tobytes())
        for rank in range(ranks):
            file.writelines(_part(neighbours(rank, rows, columns), flops(rank, iterations, drawn)))
    whole.replace(path)
    return path


def _part(near: list[int], own: list[int]) -> Iterator[bytes]:
    """A rank: each message waits for the computation before it, and that for all messages before it."""
    iterations = len(own)
    made = np.zeros((iterations, 9), OPERATION)
    made["kind"] = [CALC] + [RECEIVE] * 4 + [SEND] * 4
    made["peer"] = [0, *near, *near]
    made["size"] = BYTES
    made["size"][:, 0] = own
    made["tag"] = [0, 0, 1, 2, 3, 1, 0, 3, 2]
    made["waits"] = [8] + [1] * 8
    made["waits"][0, 0] = 0
    made["after"] = [8] + [1] * 8
    made["after"][-1, 1:] = 0
    # Where each list begins: eight of a computation, then one of each message.
    made["after_at"] = 16 * np.arange(iterations)[:, None] + [0, *range(8, 16)]
    made["after_start_at"] = made["after_at"]
    lists = 9 * np.arange(iterations)[:, None] + [*range(1, 9), *([9] * 8)]
    yield np.array([made.size, 1, 0], "<u4").tobytes()
    yield made.tobytes()
    yield lists.reshape(-1)[:-8].astype("<u4").tobytes()
