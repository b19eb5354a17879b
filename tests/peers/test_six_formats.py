"""One program in six formats: netloom's replay of each, and SMPI's of what netloom makes of it, take the same time."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.traces import record_files

import netloom
from netloom import _core

from . import replay
from .conftest import TABLES

#: Rounding of times in a file, and of two simulators.
SAME = 1e-9
RANKS, NETWORK = 4, "torus(2,2)"
#: Microseconds of computation, who receives from a rank, bytes, tag.
Round = tuple[list[int], int, int, int]

pytestmark = [pytest.mark.usefixtures("peer"), pytest.mark.timeout(300)]


def rounds() -> list[Round]:
    """Ranks compute, each for its own time, then all send to the rank so many further on, and wait."""
    draw = random.Random(43)
    sizes = (8, 1000, 70_000, 300_000)
    return [
        ([draw.randrange(1, 90) for _ in range(RANKS)], draw.randrange(1, RANKS), draw.choice(sizes), number)
        for number in range(10)
    ]


def programs() -> _core.Programs:
    bodies: list[list[tuple[object, ...]]] = [[] for _ in range(RANKS)]
    for computes, by, size, tag in rounds():
        for rank, body in enumerate(bodies):
            body += [
                ("sleep", computes[rank] * 1e-6), ("start_receive", (rank - by) % RANKS, size, tag),
                ("start_send", (rank + by) % RANKS, size, tag), ("wait_all",),
            ]  # fmt: skip
    return netloom.programs(bodies)


def _written(format: str, name: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        files = programs().write(format)
        folder.mkdir()
        for number, (part, data) in enumerate(files):
            (folder / (part if len(files) > 1 or number else name)).write_bytes(data)
        return folder / (files[0][0] if len(files) > 1 else name)

    return write


def _otf2(folder: Path) -> Path:
    """Ticks are microseconds; calls take time of their own, which is not computation."""
    otf2 = pytest.importorskip("otf2")
    from tests.unit.traces.test_otf2 import TICKS, Trace

    with otf2.writer.open(str(folder), timer_resolution=TICKS) as archive:
        trace = Trace(archive, RANKS)
        for rank in range(RANKS):
            trace.call(rank, "MPI_Init")
            for computes, by, size, tag in rounds():
                peers = (rank - by) % RANKS, (rank + by) % RANKS
                trace.call(rank, "MPI_Irecv", ("mpi_irecv_request", 2 * tag), before=computes[rank])
                trace.call(rank, "MPI_Isend", ("mpi_isend", peers[1], trace.world, tag, size, 2 * tag + 1))
                came = ("mpi_irecv", peers[0], trace.world, tag, size, 2 * tag)
                trace.call(rank, "MPI_Waitall", came, ("mpi_isend_complete", 2 * tag + 1))
    return folder / "traces.otf2"


def _record(folder: Path) -> Path:
    """Ticks are nanoseconds."""
    ranks = [record_files.Rank(rank, RANKS) for rank in range(RANKS)]
    for one in ranks:
        one.call("Init")
        for computes, by, size, tag in rounds():
            came, sent = 2 * tag + 1, 2 * tag + 2
            source, target = (one.rank - by) % RANKS, (one.rank + by) % RANKS
            one.call("Irecv", peer=source, tag=tag, wanted=size, request=came, gap=1000 * computes[one.rank])
            one.call("Isend", peer=target, tag=tag, sent=size, request=sent)
            one.call("Wait")
            one.more(record_files.layout.REQUEST, request=came)
            one.more(record_files.layout.REQUEST, request=sent)
    return record_files.write(folder, ranks)


FORMATS: dict[str, Callable[[Path], Path]] = {
    "smpi-trace": _written("smpi-trace", "trace.txt"),
    "goal": _written("goal", "one.goal"),
    "goal-binary": _written("goal-binary", "one.bin"),
    "chakra": _written("chakra", "one.et"),
    "otf2": _otf2,
    "netloom-record": _record,
}


@pytest.mark.parametrize("calibration", replay.CONFIGURATIONS)
@pytest.mark.parametrize("format", FORMATS)
def test_replays_agree(format: str, calibration: str, folder: Path) -> None:
    told = {"mapping": list(range(RANKS)), "calibration": calibration, "routing": "single-minimal"}
    expected = netloom.simulate(NETWORK, workload=programs(), **told)["time_s"]  # type: ignore[arg-type]
    path = FORMATS[format](folder / f"{format}-{calibration}")
    ours = netloom.simulate(NETWORK, workload=str(path), **told)["time_s"]  # type: ignore[arg-type]
    again = netloom.write(netloom.read(path, "programs"), folder / f"smpi-of-{format}-{calibration}")[0]
    theirs = float(replay.theirs_s(again, replay.machine(NETWORK, RANKS, folder), calibration).max())
    row = (f"six formats: {format}", calibration, f"{theirs * 1e6:.3f}", f"{ours * 1e6:.3f}", ours / theirs - 1)
    TABLES["traces"][1].append(row)
    assert ours == pytest.approx(expected, rel=SAME)
    assert ours == pytest.approx(theirs, rel=SAME)
