"""`python -m benchmarks.packets series`: studies whose sizes packets and flows share, next to packets alone.

Series of 16 workloads on four networks of 64 endpoints, powers of two from 8 B to 1 MiB, and the studies of twelve
sizes of `docs/how-to/long-studies.md`. An error is that of the time of a row that flows answer against packets.
"""

from __future__ import annotations

import csv
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

NETWORKS = (
    ("torus(8,8)", "minimal"),
    ("torus(4,4,4)", "minimal"),
    ("xgft(m=[8,8],w=[1,8])", "minimal"),
    ("dragonfly(a=4,p=2,h=2,g=8)", "group-minimal"),
)
PATTERNS = (
    "stencil([8,8],bytes={n})", "stencil([4,4,4],bytes={n})", "opposite(bytes={n})", "permutation(seed=1,bytes={n})",
    "spread(least=4,most=8,seed=1,bytes={n})", "near-neighbour(least=4,most=8,range=16,seed=1,bytes={n})",
    "many-to-many([8,8],axis=1,bytes={n})", "shift(k=9,bytes={n})",
)  # fmt: skip
COLLECTIVES = (
    "allreduce:ring", "allreduce:recursive-doubling", "allreduce:rabenseifner", "allgather:ring", "alltoall:pairwise",
    "broadcast:binomial", "gather:binomial", "reduce-scatter:recursive-halving",
)  # fmt: skip
STUDY = """
title = "Sizes"
[[experiment]]
name = "sizes"
evaluate = "packet"
[experiment.axes]
network = '{network}'
routing = '{routing}'
ranks = 64
workload = {workloads}
{sizes}
"""
TWELVE = {
    "allreduce:recursive-doubling, 4 to 48 MB": ("allreduce:recursive-doubling", [4_000_000 * i for i in range(1, 13)]),
    "stencil, 1 to 12 MB": ("stencil([8,8],bytes={n})", [1_000_000 * i for i in range(1, 13)]),
    "allreduce:recursive-doubling, 32 KiB to 64 MiB": ("allreduce:recursive-doubling", [2**i for i in range(15, 27)]),
    "allgather:ring, 1 KiB to 2 MiB": ("allgather:ring", [2**i for i in range(10, 22)]),
}
COLUMNS = ("series", "rows", "by flows", "off by more than stated", "by more than 2 %", "largest error %", "stated %",
           "packets s", "fast s")  # fmt: skip


@dataclass
class Left:
    """A row that flows answered: how far off it says it may be, and how far it is, over the time of packets."""

    stated: float
    error: float


@dataclass
class Compared:
    """A study by packets alone, and with flows between: rows left to flows, all rows, processor time in seconds."""

    left: list[Left]
    rows: int
    packets_s: float
    fast_s: float


def compared(network: str, routing: str, workloads: tuple[str, ...], sizes: list[int]) -> Compared:
    """One experiment on one network, both ways."""
    name = "n" if "{n}" in workloads[0] else "size_bytes"
    text = STUDY.format(network=network, routing=routing, workloads=list(workloads), sizes=f"{name} = {sizes}")
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder, "study.toml")
        study.write_text(text)
        whole, took = ran(study, fast=False)
        spared, less = ran(study, fast=True)
    left = []
    for by_packets, row in zip(whole, spared, strict=True):
        if row["fast_over"] == "flows":
            packets, flows = float(by_packets["time_s"]), float(row["time_s"])
            left.append(Left(float(row["fast_error"]), abs(flows - packets) / packets))
    return Compared(left, len(whole), took, less)


def ran(study: Path, fast: bool) -> tuple[list[dict[str, str]], float]:
    """Rows of a study, and the processor time that they took."""
    from netloom.study import prepare, run_study

    out, before = study.parent / ("fast" if fast else "whole"), time.process_time()
    run_study(prepare(study, fast=fast), out, jobs=1, figures=False)
    took = time.process_time() - before
    with (out / "tables" / "sizes.csv").open(newline="") as file:
        return list(csv.DictReader(file)), took


def summed(name: str, found: Compared) -> list[object]:
    """A row of the table."""
    from netloom.study.between import AGREE

    left = found.left
    beyond, far = sum(one.error > one.stated for one in left), sum(one.error > AGREE for one in left)
    worst = max((one.error for one in left), default=0.0)
    stated = max((one.stated for one in left), default=0.0)
    return [name, found.rows, len(left), beyond, far, 100 * worst, 100 * stated, found.packets_s, found.fast_s]


def rows() -> list[list[object]]:
    """A row for each network and kind of workload, and one for each study of twelve sizes."""
    made = []
    powers = [2**i for i in range(3, 21)]
    for network, routing in NETWORKS:
        for kind, workloads in (("patterns", PATTERNS), ("collectives", COLLECTIVES)):
            made.append(summed(f"{network}, {kind}", compared(network, routing, workloads, powers)))
            print(made[-1], file=sys.stderr, flush=True)
    for name, (workload, sizes) in TWELVE.items():
        made.append(summed(name, compared("torus(8,8)", "minimal", (workload,), sizes)))
        print(made[-1], file=sys.stderr, flush=True)
    return made
