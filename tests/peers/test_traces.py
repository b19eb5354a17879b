"""Time-independent traces both ways: what SMPI records runs here, what is written here SMPI replays."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import netloom

from . import replay, simgrid
from .conftest import TABLES

#: The same messages on both sides: rounding alone, which sharing amplifies over the iterations of an application.
ROUNDING = 1e-7
#: A recorded program against its live run, which prints nanoseconds.
PRINTED = 1e-5
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
#: SMPI has one algorithm for these, whatever it is told.
SCANS = {"scan": "scan:smpi", "exscan": "exscan:smpi"}
APPLICATIONS = (
    *("ft(class=S,iterations=1)", "is(class=S)", "cg(class=S,iterations=2)", "mg(class=S)"),
    "lu(class=S,iterations=5)",
)
SOURCE = simgrid.ROOT / "tests" / "data" / "smpi_trace" / "mixed_4.c"

pytestmark = [pytest.mark.usefixtures("peer"), pytest.mark.timeout(300)]


@pytest.mark.parametrize("calibration", replay.CONFIGURATIONS)
@pytest.mark.parametrize("application", APPLICATIONS)
def test_what_is_written_smpi_replays(application: str, calibration: str, folder: Path) -> None:
    """Every NAS benchmark on eight ranks: messages, waits, computation at 1 Gflop/s, collectives."""
    network, ranks = "torus(2,4)", 8
    programs = netloom.application(application, ranks, OURS)
    index = netloom.write(programs, folder / re.sub(r"\W+", "-", application))[0]
    where = replay.machine(network, ranks, folder)
    theirs = float(replay.theirs_s(index, where, calibration, THEIRS).max())
    ours = netloom.simulate(
        network, workload=programs, mapping=list(range(ranks)), calibration=calibration, flops_per_s=1e9,
        routing="single-minimal",
    )["time_s"]  # fmt: skip
    TABLES["traces"][1].append(
        (application, calibration, f"{theirs * 1e6:.3f}", f"{ours * 1e6:.3f}", ours / theirs - 1)
    )
    assert ours == pytest.approx(theirs, rel=ROUNDING)
    # Reading it back loses nothing.
    again = netloom.simulate(
        network, workload=netloom.read(index, "programs", algorithms=OURS), mapping=list(range(ranks)),
        calibration=calibration, flops_per_s=1e9, routing="single-minimal",
    )  # fmt: skip
    assert again["time_s"] == pytest.approx(ours, rel=1e-12)


@pytest.mark.parametrize("calibration", replay.CONFIGURATIONS)
@pytest.mark.parametrize("algorithms", ["chosen", "smpi"])
def test_what_smpi_records_runs_here(algorithms: str, calibration: str, folder: Path) -> None:
    """A program with every form of line, recorded now: its replay there, its live run, and ours. Either both sides are
    told the algorithms, or neither is."""
    network, ranks = "torus(2,2)", 4
    told, ours_is = ((), "smpi") if algorithms == "smpi" else (THEIRS, {**OURS, **SCANS})
    program = folder / "mixed"
    simgrid.run(["smpicc", "-O1", str(SOURCE), "-o", str(program)])
    where = replay.machine(network, ranks, folder)
    index = folder / f"recorded-{algorithms}-{calibration}.txt"
    options = (*replay.CONFIGURATIONS[calibration], *told, *simgrid.QUIET, "network/optim:Full")
    configured = [f"--cfg={option}" for option in (*options, f"tracing/filename:{index}")]
    done = simgrid.run(["smpirun", *where, "-trace-ti", *configured, "--log=root.thresh:warning", str(program)])
    live = max(float(end) for end in re.findall(r"ends at (\S+)", done.stdout))
    ours = replay.ours_s(index, network, calibration, ours_is)
    # Here the trace is read as it was recorded; SMPI's replay needs help with two things.
    for rank, file in enumerate(map(Path, index.read_text().split())):
        file = file if file.is_absolute() else index.parent / file
        # A send to nobody aborts it; a receive from any source is recorded as one from nobody, which no message ever
        # meets (test_replay.py shows it): its sender is named.
        said = "".join(line for line in file.read_text().splitlines(True) if " send -333 " not in line)
        left = (rank - 1) % ranks
        file.write_text(said.replace(" irecv -333 11 ", f" irecv {left} 11 ").replace(" wait -333 ", f" wait {left} "))
    theirs = replay.theirs_s(index, where, calibration, told)
    for kind, end in (("replayed", float(theirs.max())), ("live", live)):
        row = (f"mixed_4.c, {kind}, {algorithms}", calibration, f"{end * 1e6:.3f}", f"{ours.max() * 1e6:.3f}")
        TABLES["traces"][1].append((*row, float(abs(ours.max() / end - 1))))
    assert np.abs(ours - theirs).max() <= ROUNDING * theirs.max()
    assert ours.max() == pytest.approx(live, rel=PRINTED)
