"""Time-independent traces both ways: what SMPI records runs here, what is written here SMPI replays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import netloom

from . import platform, simgrid
from .conftest import TABLES

#: SMPI's simulated time is printed with six digits.
PRINTED = 1e-5
#: A recorded program against its live run. Not every algorithm is the same on both sides (scans, counts per rank), and
#: SMPI's own replay ends 1 % before its live run, so that it is held to the wider limit with either calibration.
RECORDED, REPLAYED = {"simgrid-pure": 0.01, "simgrid-smpi": 0.05}, 0.05
CONFIGURATIONS = {"simgrid-pure": simgrid.PURE, "simgrid-smpi": simgrid.DEFAULT}
#: The same algorithms on both sides.
THEIRS = (
    *("smpi/bcast:binomial_tree", "smpi/reduce:binomial", "smpi/allreduce:rdb", "smpi/alltoall:bruck"),
    *("smpi/allgather:rdb", "smpi/barrier:ompi_bruck", "smpi/gather:ompi_binomial", "smpi/scatter:ompi_binomial"),
    "smpi/reduce_scatter:ompi_basic_recursivehalving",
)
OURS = {
    "broadcast": "broadcast:binomial",
    "reduce": "reduce:binomial",
    "allreduce": "allreduce:recursive-doubling",
    "alltoall": "alltoall:bruck",
    "allgather": "allgather:recursive-doubling",
}
APPLICATIONS = (
    *("ft(class=S,iterations=1)", "is(class=S)", "cg(class=S,iterations=2)", "mg(class=S)"),
    "lu(class=S,iterations=5)",
)
SOURCE = simgrid.ROOT / "tests" / "data" / "smpi_trace" / "mixed_4.c"

pytestmark = [pytest.mark.usefixtures("peer"), pytest.mark.timeout(300)]


def machine(network: str, ranks: int, folder: Path) -> list[str]:
    """What tells smpirun where the ranks run: rank r on endpoint r."""
    path = folder / f"trace-{ranks}.xml"
    pairs = [(a, b) for a in range(ranks) for b in range(ranks)]
    platform.write(path, netloom.network(network), "single-minimal", list(range(ranks)), pairs)
    return ["-np", str(ranks), "-platform", str(path), "-hostfile", str(path.with_suffix(".hosts"))]


def replayed_s(index: Path, where: Sequence[str], calibration: str) -> float:
    """SMPI's simulated time of a trace. Files that an index names are sought in the working folder."""
    options = (*CONFIGURATIONS[calibration], *THEIRS, "network/optim:Full", "smpi/wtime:0", "smpi/display-timing:yes")
    told = [f"--cfg={option}" for option in options]
    inside = ["sh", "-c", f'cd "{index.parent}" && exec "$@"', "sh"]
    done = simgrid.run([*inside, "smpirun", *where, "-replay", index.name, *told])
    said = re.search(r"Simulated time: (\S+) seconds", done.stdout + done.stderr)
    assert said is not None, done.stderr[-500:]
    return float(said[1])


@pytest.mark.parametrize("calibration", CONFIGURATIONS)
@pytest.mark.parametrize("application", APPLICATIONS)
def test_what_is_written_smpi_replays(application: str, calibration: str, folder: Path) -> None:
    """Every NAS benchmark on eight ranks: messages, waits, computation at 1 Gflop/s, collectives."""
    network, ranks = "torus(2,4)", 8
    programs = netloom.application(application, ranks, OURS)
    index = netloom.write_trace(programs, folder / re.sub(r"\W+", "-", application))[0]
    theirs = replayed_s(index, machine(network, ranks, folder), calibration)
    ours = netloom.simulate(
        network, workload=programs, mapping=list(range(ranks)), calibration=calibration, flops_per_s=1e9
    )["time_s"]
    TABLES["traces"][1].append(
        (application, calibration, f"{theirs * 1e6:.3f}", f"{ours * 1e6:.3f}", ours / theirs - 1)
    )
    assert ours == pytest.approx(theirs, rel=PRINTED)
    # Reading it back loses nothing.
    again = netloom.simulate(
        network, workload=netloom.read_trace(index, OURS), mapping=list(range(ranks)), calibration=calibration,
        flops_per_s=1e9,
    )  # fmt: skip
    assert again["time_s"] == pytest.approx(ours, rel=1e-12)


@pytest.mark.parametrize("calibration", CONFIGURATIONS)
def test_what_smpi_records_runs_here(calibration: str, folder: Path) -> None:
    """A program with every form of line, recorded now: its replay there, its live run, and ours."""
    network, ranks = "torus(2,2)", 4
    program = folder / "mixed"
    simgrid.run(["smpicc", "-O1", str(SOURCE), "-o", str(program)])
    where = machine(network, ranks, folder)
    index = folder / f"recorded-{calibration}.txt"
    options = (*CONFIGURATIONS[calibration], *THEIRS, *simgrid.QUIET, "network/optim:Full")
    told = [f"--cfg={option}" for option in (*options, f"tracing/filename:{index}")]
    done = simgrid.run(["smpirun", *where, "-trace-ti", *told, "--log=root.thresh:warning", str(program)])
    live = max(float(end) for end in re.findall(r"ends at (\S+)", done.stdout))
    for file in map(Path, index.read_text().split()):
        # SMPI records sends to nobody and aborts where it replays them.
        file = file if file.is_absolute() else index.parent / file
        file.write_text("".join(x for x in file.read_text().splitlines(True) if " send -333 " not in x))
    theirs = replayed_s(index, where, calibration)
    ours = netloom.simulate(
        network, workload=netloom.read_trace(index, OURS), mapping=list(range(ranks)), calibration=calibration
    )["time_s"]
    TABLES["traces"][1].append(
        ("mixed_4.c, replayed", calibration, f"{theirs * 1e6:.3f}", f"{ours * 1e6:.3f}", ours / theirs - 1)
    )
    TABLES["traces"][1].append(
        ("mixed_4.c, live", calibration, f"{live * 1e6:.3f}", f"{ours * 1e6:.3f}", ours / live - 1)
    )
    assert ours == pytest.approx(theirs, rel=REPLAYED)
    assert ours == pytest.approx(live, rel=RECORDED[calibration])
