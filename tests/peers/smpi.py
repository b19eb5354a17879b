"""Whole collectives under SMPI: a netloom mapping on a netloom network, timed by SimGrid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import netloom
from netloom import Network

from . import platform, simgrid

#: Ours, what our C program calls it, and the algorithm that SMPI is told to take.
COLLECTIVES = {
    "broadcast:binomial": ("bcast", "smpi/bcast:binomial_tree"),
    "allreduce:recursive-doubling": ("allreduce", "smpi/allreduce:rdb"),
    "alltoall:bruck": ("alltoall", "smpi/alltoall:bruck"),
}
CALIBRATIONS = {"simgrid-pure": simgrid.PURE, "simgrid-smpi": simgrid.DEFAULT}
ROUTING = "single-minimal"


@dataclass(frozen=True)
class Run:
    """One collective on one network.

    `size_bytes` is that of MPI: the vector of a broadcast or an allreduce, the block of one pair of an alltoall.
    """

    network: str
    ranks: int
    collective: str
    size_bytes: int
    calibration: str = "simgrid-pure"
    repetitions: int = 10
    duplex: str = "full"
    placement: str = "linear"
    order: str = "draw"

    def mapping(self, network: Network) -> Sequence[int]:
        return [int(e) for e in netloom.place(network, self.ranks, self.placement, self.order)]


def written(case: Run, folder: Path) -> Path:
    """The platform of a run; runs that differ in size alone share it."""
    key = f"{case.network}-{case.ranks}-{case.collective}-{case.duplex}-{case.placement}-{case.order}"
    path = folder / (re.sub(r"[^\w=.-]+", "_", key) + ".xml")
    if not path.exists():
        network = netloom.network(case.network)
        table = netloom.workload(case.collective, case.ranks, size_bytes=1).table()
        pairs = {(int(a), int(b)) for a, b in zip(table["src"], table["dst"], strict=True)}
        platform.write(path, network, ROUTING, case.mapping(network), pairs, case.duplex)
    return path


def command(case: Run, written_platform: Path, program: str | None = None, settings: Sequence[str] = ()) -> list[str]:
    """Command line of smpirun. `program` overrides the collective's own, to take `bruck` for `alltoall`."""
    name, algorithm = COLLECTIVES[case.collective]
    # One block of memory for the buffers that all ranks share, where there are any.
    options = (*CALIBRATIONS[case.calibration], *simgrid.QUIET, "smpi/shared-malloc:local", algorithm, *settings)
    return [
        "smpirun",
        *("-np", str(case.ranks), "-platform", str(written_platform)),
        *("-hostfile", str(written_platform.with_suffix(".hosts"))),
        *(f"--cfg={option}" for option in options),
        "--log=root.thresh:warning",
        *(str(simgrid.collectives_program()), program or name, str(case.size_bytes), str(case.repetitions)),
    ]


def theirs(
    case: Run, folder: Path, program: str | None = None, settings: Sequence[str] = ()
) -> tuple[NDArray[np.float64], simgrid.Finished]:
    """When every rank is done under SMPI, in seconds, and what simulating it cost."""
    done = simgrid.run(command(case, written(case, folder), program, settings))
    return finish_s(case, done), done


def finish_s(case: Run, done: simgrid.Finished) -> NDArray[np.float64]:
    """What the ranks of a finished run printed."""
    finish = np.full(case.ranks, np.nan)
    for rank, end in re.findall(r"^(\d+) (\S+)$", done.stdout, re.MULTILINE):
        finish[int(rank)] = float(end)
    if np.isnan(finish).any():
        raise RuntimeError(f"{case}: not every rank said when it was done: {done.stdout[-300:]} {done.stderr[-300:]}")
    return finish


def ours(case: Run) -> NDArray[np.float64]:
    """When every rank is done by our reckoning, in seconds."""
    network = netloom.network(case.network)
    answer = netloom.simulate(
        network,
        workload=case.collective,
        ranks=case.ranks,
        mapping=np.array(case.mapping(network), dtype=np.uint32),
        size_bytes=case.size_bytes,
        repetitions=case.repetitions,
        calibration=case.calibration,
        duplex=case.duplex,
        routing=ROUTING,
    )
    return np.asarray(answer["finish_s"], dtype=np.float64)
