"""The public measurements, the machine of each, and the node counts to which its costs were fitted."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from netloom import measured
from netloom.measured import Measurement

#: Names of nccl-tests.
_NCCL_TESTS = {
    "all_reduce": "allreduce",
    "all_gather": "allgather",
    "reduce_scatter": "reduce-scatter",
    "alltoall": "alltoall",
}
#: Of these, nccl-tests prints the bytes of all ranks.
_WHOLE = ("allgather", "reduce-scatter", "alltoall")


@dataclass(frozen=True)
class Set:
    """Measurements of one machine.

    Parameters
    ----------
    fitted
        Node counts to which costs were fitted.
    missing
        What is missed, and why as far as that is known.
    """

    title: str
    machine: str
    read: Callable[[Path], list[Measurement]]
    fitted: tuple[int, ...]
    missing: str


def pico(name: str, *, gpu: bool = False, most_nodes: int = 512) -> Callable[[Path], list[Measurement]]:
    """Rows of PICO whose algorithm is known, with buffers of the host or of GPUs."""

    def rows(folder: Path) -> list[Measurement]:
        found = measured.read(folder / "pico" / f"{name}.csv").rows
        return [
            row
            for row in found
            if (row.memory == "gpu") == gpu
            and row.nodes <= most_nodes
            and row.algorithm not in ("", "default")
            and (not gpu or row.library.startswith("nccl"))
        ]

    return rows


def nccl_tests(folder: Path) -> list[Measurement]:
    """nccl-tests on ten nodes and on one."""
    return [
        *_rows(folder / "nccl-h100-pairs" / "multi_node.csv"),
        *_rows(folder / "nccl-h100-pairs" / "single_node.csv"),
    ]


def _rows(path: Path) -> Iterator[Measurement]:
    with path.open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file), 2):
            collective = _NCCL_TESTS.get(row["collective"])
            if collective is None:
                continue
            nodes, each = int(row.get("nodes", 1)), int(row.get("gpus_per_node") or row["gpus"])
            size = int(row["bytes"]) // (nodes * each if collective in _WHOLE else 1)
            time_s = 1e-6 * float(row.get("out_of_place_us") or row["median_us"])
            yield Measurement(
                collective, "default", "nccl", nodes, each, size, time_s, f"{path.name}:{number}", memory="gpu"
            )


SETS = (
    Set(
        "LUMI-G, host buffers, one rank a node",
        "lumi-g",
        pico("lumi"),
        (8, 100),
        "Allgathers of large blocks, whose copies differ between the library's code and PICO's own; names of Cray"
        " MPICH above 8 KiB, which do not say what ran.",
    ),
    Set(
        "MareNostrum 5 ACC, host buffers, one rank a node",
        "marenostrum5-acc",
        pico("mare_nostrum"),
        (32,),
        "All rows of this set are of 32 nodes, and the costs were fitted to a quarter of them: it says how well the "
        "terms can fit rather than how well they predict.",
    ),
    Set(
        "Leonardo, host buffers, one rank a node",
        "leonardo",
        pico("leonardo", most_nodes=256),
        (4, 8, 16, 32),
        "A step takes 1.3 µs on 32 nodes and 3.9 µs on 128. No term of the model grows so; the jobs of more than "
        "32 nodes ran on other days.",
    ),
    Set(
        "MareNostrum 5 ACC, NCCL, four GPUs a node",
        "marenostrum5-acc",
        pico("mare_nostrum", gpu=True),
        (8,),
        "Rings of 8 MiB on 16 nodes: NCCL takes a slower protocol there than its tuner's table says. Large rings "
        "reach less of the NIC the more nodes there are (22.5, 21.3, 19.9 GB/s on 4, 8, 16).",
    ),
    Set(
        "Ten nodes of eight H100, nccl-tests from 32 MiB on",
        "dgx-h100",
        nccl_tests,
        (),
        "Rings of 4 GiB and more on 80 GPUs, which the measurements themselves show slower a byte than 1 GiB. "
        "Allreduces of 1 GiB and more in one node are 5 to 8 % too quick: NVLS reaches less of NVLink than rings do.",
    ),
)
