"""Traces in SMPI's own replay: when every rank is done, to the last digit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import netloom

from . import platform, simgrid

CONFIGURATIONS = {"simgrid-pure": simgrid.PURE, "simgrid-smpi": simgrid.DEFAULT}


def machine(network: str, ranks: int, folder: Path) -> list[str]:
    """What tells smpirun where the ranks run: rank r on endpoint r."""
    path = folder / f"trace-{re.sub(r'[^a-z0-9]+', '-', network)}-{ranks}.xml"
    if not path.exists():
        pairs = [(a, b) for a in range(ranks) for b in range(ranks)]
        platform.write(path, netloom.network(network), "single-minimal", list(range(ranks)), pairs)
    return ["-np", str(ranks), "-platform", str(path), "-hostfile", str(path.with_suffix(".hosts"))]


def written(folder: Path, ranks: int, lines: Callable[[int], Sequence[str]]) -> Path:
    """The index of a trace in which rank r does `lines(r)`."""
    folder.mkdir(parents=True, exist_ok=True)
    for rank in range(ranks):
        said = ["init", *lines(rank), "finalize"]
        (folder / f"rank-{rank}.txt").write_text("".join(f"{rank} {line}\n" for line in said))
    index = folder / "trace.txt"
    index.write_text("".join(f"rank-{rank}.txt\n" for rank in range(ranks)))
    return index


def theirs_s(index: Path, where: Sequence[str], calibration: str, settings: Sequence[str] = ()) -> NDArray[np.float64]:
    """Finish of every rank. Files that an index names are sought in the working folder."""
    options = (*CONFIGURATIONS[calibration], "network/optim:Full", "smpi/wtime:0", *settings)
    told = [f"--cfg={option}" for option in options]
    program = simgrid.built("replay.c", "smpicc", "-O2", "-Wall")
    inside = ["sh", "-c", f'cd "{index.parent}" && exec "$@"', "sh"]
    quiet = "--log=root.thresh:warning"
    done = simgrid.run([*inside, "smpirun", *where, "-replay", index.name, str(program), *told, quiet])
    found = {int(rank): float(end) for rank, end in re.findall(r"^(\d+) (\S+)$", done.stdout, re.MULTILINE)}
    assert sorted(found) == list(range(int(where[1]))), done.stdout[-300:] + done.stderr[-300:]
    return np.array([found[rank] for rank in sorted(found)])


def ours_s(
    index: Path, network: str, calibration: str, algorithms: dict[str, str] | str | None = "smpi"
) -> NDArray[np.float64]:
    """Finish of every rank by our reckoning, at the speed of the platform's hosts."""
    programs = netloom.read(index, "programs", algorithms=algorithms)
    done = netloom.simulate(
        network, workload=programs, mapping=list(range(programs.ranks)), calibration=calibration, flops_per_s=1e9,
        routing="single-minimal",
    )  # fmt: skip
    return np.asarray(done["finish_s"], dtype=np.float64)
