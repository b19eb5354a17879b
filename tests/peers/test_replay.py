"""Every action of a trace beside SMPI's replay: the same messages at the same instants, on every rank."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

import netloom

from . import replay, simgrid
from .conftest import TABLES

#: Largest difference of the time of any rank, in parts of the whole. Both sides send the same messages over the same
#: links, so that nothing but rounding is left: 2^-52 an event, and sharing amplifies it a little.
ROUNDING = 1e-9
#: Networks on which messages share links; 7 is no power of two, 16 enough for alltoall to change its algorithm.
NETWORKS = {4: "torus(2,2)", 7: "torus(7)", 8: "torus(2,4)", 16: "torus(4,4)"}
#: Bytes. SMPI returns early from a send below 64 KiB; an alltoall on 16 ranks goes another way below 512.
SIZES = (0, 100, 3000, 100_000)

Lines = Callable[[int], Sequence[str]]

pytestmark = [pytest.mark.usefixtures("peer"), pytest.mark.timeout(300)]


def counts(ranks: int, size: int) -> list[int]:
    """Different for every rank, and nothing for one."""
    return [0 if rank == 2 else size // 2 + size // 7 * rank for rank in range(ranks)]


def alltoallv(rank: int, ranks: int, size: int) -> str:
    def sent(a: int, b: int) -> int:
        return 0 if (a, b) == (1, 2) else size // 2 + size // 9 * a + b * (a + 3)

    to, from_ = [sent(rank, peer) for peer in range(ranks)], [sent(peer, rank) for peer in range(ranks)]
    return f"alltoallv {sum(to)} {words(to)} {sum(from_)} {words(from_)} 6 6"


def words(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def collective(action: str, rank: int, ranks: int, size: int) -> str:
    root, uneven = ranks - 2, counts(ranks, size)
    return {
        "barrier": "barrier",
        "bcast": f"bcast {size} {root} 6",
        "reduce": f"reduce {size} 1000 {root} 6",
        "allreduce": f"allreduce {size} 2000 6",
        "scan": f"scan {size} 0 6",
        "exscan": f"exscan {size} 0 6",
        "alltoall": f"alltoall {size} {size} 6 6",
        "allgather": f"allgather {size} {size} 6 6",
        "gather": f"gather {size} {size} {root} 6 6",
        "scatter": f"scatter {size} {size} {root} 6 6",
        "alltoallv": alltoallv(rank, ranks, size),
        "allgatherv": f"allgatherv {uneven[rank]} {words(uneven)} 6 6",
        "gatherv": f"gatherv {uneven[rank]} {words(uneven)} {root} 6 6",
        "scatterv": f"scatterv {words(uneven)} {uneven[rank]} {root} 6 6",
        "reducescatter": f"reducescatter {words([size] * ranks)} 3000 6",
        "reducescatter, unequal": f"reducescatter {words(uneven)} 0 6",
    }[action]


COLLECTIVES = (
    *("barrier", "bcast", "reduce", "allreduce", "scan", "exscan", "alltoall", "allgather", "gather", "scatter"),
    *("alltoallv", "allgatherv", "gatherv", "scatterv", "reducescatter", "reducescatter, unequal"),
)


def pair(first: Sequence[str], second: Sequence[str]) -> Lines:
    return lambda rank: (first, second)[rank] if rank < 2 else ()


def messages(size: int) -> dict[str, Lines]:
    """Actions between ranks 0 and 1, or of everybody."""
    send, recv = f"send 1 5 {size} 6", f"recv 0 5 {size} 6"
    isend, irecv, wait = f"isend 1 5 {size} 6", f"irecv 0 5 {size} 6", "wait 0 1 5"
    late = "compute 1e4"
    return {
        "send, recv": pair([send, "compute 3e3"], [late, recv]),
        "recv, send late": pair([late, send], [recv]),
        "isend, irecv, wait": pair([isend, late, wait], [irecv, "sleep 2e-6", wait]),
        "waitall": pair(
            [isend, f"irecv 1 6 {size} 6", "waitall 2"], [irecv, f"isend 0 6 {size} 6", "waitall 2", "compute 7"]
        ),
        "wait of two alike": pair([isend, isend, wait, late, wait], [irecv, irecv, wait, late, wait]),
        "never waited for": pair([isend], [irecv]),
        "shorter than its receive": pair([send], [f"recv 0 5 {4 * size} 6"]),
        "sendRecv": lambda rank: [f"sendRecv {size} {(rank + 1) % 4} {size} {(rank - 1) % 4} 6 6"],
        "to itself": lambda rank: [f"irecv {rank} 5 {size} 6", f"send {rank} 5 {size} 6", f"wait {rank} {rank} 5"],
    }


def beside(name: str, calibration: str, index: Path, ranks: int, settings: Sequence[str] = ()) -> None:
    """Both replays of a trace, rank by rank, for the table and as a test."""
    network = NETWORKS[ranks]
    where = replay.machine(network, ranks, index.parent.parent)
    theirs = replay.theirs_s(index, where, calibration, settings)
    ours = replay.ours_s(index, network, calibration)
    apart = float(np.abs(ours - theirs).max() / theirs.max())
    TABLES["replay"][1].append(
        (name, ranks, calibration, f"{theirs.max() * 1e6:.4f}", f"{ours.max() * 1e6:.4f}", apart)
    )
    assert apart <= ROUNDING


def place(folder: Path, *parts: object) -> Path:
    return folder / re.sub(r"\W+", "-", "-".join(map(str, ("replay", *parts))))


@pytest.mark.parametrize("calibration", replay.CONFIGURATIONS)
@pytest.mark.parametrize("ranks", NETWORKS)
@pytest.mark.parametrize("action", COLLECTIVES)
def test_a_collective_takes_what_smpi_says(action: str, ranks: int, calibration: str, folder: Path) -> None:
    """All sizes in one trace, the ranks apart by computation between them."""

    def lines(rank: int) -> list[str]:
        said: list[str] = []
        for size in (0,) if action == "barrier" else SIZES:
            said += [f"compute {1000 * (rank * 5 % ranks)}", collective(action, rank, ranks, size)]
        return said

    index = replay.written(place(folder, action, ranks, calibration), ranks, lines)
    beside(action, calibration, index, ranks)


@pytest.mark.parametrize("calibration", replay.CONFIGURATIONS)
@pytest.mark.parametrize("form", messages(1))
def test_a_message_takes_what_smpi_says(form: str, calibration: str, folder: Path) -> None:
    """65,535 bytes are the last that a send returns early from."""
    for size in (0, 1000, 65_535, 65_536, 1_000_000):
        index = replay.written(place(folder, form, size, calibration), 4, messages(size)[form])
        beside(f"{form}: {size}", calibration, index, 4)


@pytest.mark.parametrize("ranks", [5, 6])
def test_partners_that_do_not_exist_are_stood_in_for(ranks: int, folder: Path) -> None:
    """A reduce-scatter by doubling, where two or three of the last group of four are missing."""
    index = replay.written(
        place(folder, "doubling", ranks), ranks, lambda rank: [f"reducescatter {words(counts(ranks, 9000))} 0 6"]
    )
    network = f"torus({ranks})"
    theirs = replay.theirs_s(index, replay.machine(network, ranks, folder), "simgrid-pure")
    np.testing.assert_allclose(replay.ours_s(index, network, "simgrid-pure"), theirs, rtol=ROUNDING)


@pytest.mark.parametrize(
    ("size", "algorithm"), [(3000, "ompi_basic_recursivehalving"), (300_000, "mpich_pair")], ids=["halving", "pairwise"]
)
@pytest.mark.parametrize("ranks", NETWORKS)
def test_by_default_an_unequal_reduce_scatter_is_mpichs(ranks: int, size: int, algorithm: str, folder: Path) -> None:
    """Halving below 512 KiB in all, then pairwise; SMPI is told to do so too. No block is empty: SMPI's halving then
    leaves out both directions of a swap, which would not reduce."""
    uneven = [size // 2 + size // 70 * rank for rank in range(ranks)]
    assert (sum(uneven) < 512 << 10) == (algorithm != "mpich_pair")
    index = replay.written(place(folder, algorithm, ranks), ranks, lambda rank: [f"reducescatter {words(uneven)} 0 6"])
    network = NETWORKS[ranks]
    told = [f"smpi/reduce_scatter:{algorithm}"]
    theirs = replay.theirs_s(index, replay.machine(network, ranks, folder), "simgrid-smpi", told)
    np.testing.assert_allclose(replay.ours_s(index, network, "simgrid-smpi", None), theirs, rtol=ROUNDING)


def test_the_replay_waits_a_tenth_of_a_millisecond_in_every_test(folder: Path) -> None:
    """SMPI's guess of what MPI_Test costs, 100 µs, is not ours; told that it costs nothing, both agree."""
    lines = pair(
        ["compute 1e4", "isend 1 5 1000 6", "wait 0 1 5"],
        ["irecv 0 5 1000 6", "test 0 1 5", "compute 2e3", "test 0 1 5"],
    )
    index = replay.written(place(folder, "test"), 4, lines)
    beside("test, which costs nothing", "simgrid-pure", index, 4, ["smpi/test:0"])
    theirs = replay.theirs_s(index, replay.machine(NETWORKS[4], 4, folder), "simgrid-pure")
    assert theirs[1] > 100e-6 > 5 * replay.ours_s(index, NETWORKS[4], "simgrid-pure")[1]


def test_the_replay_stalls_in_receives_from_any_source(folder: Path) -> None:
    """Recorded as from -333, which its replay takes for a rank that never sends. It says so at the end of the run and
    ends with 0, having printed a time without that message. Here the only sender that fits is found."""

    def lines(source: int) -> Lines:
        return pair(["compute 1e4", "send 1 5 3000 6"], [f"irecv {source} 5 3000 6", f"wait {source} 1 5"])

    where = replay.machine(NETWORKS[4], 4, folder)
    named = replay.written(place(folder, "named"), 4, lines(0))
    recorded = replay.written(place(folder, "any"), 4, lines(-333))
    beside("irecv, its source named", "simgrid-smpi", named, 4)
    with pytest.raises(AssertionError, match="Deadlock detected"):
        replay.theirs_s(recorded, where, "simgrid-smpi")
    ours = [replay.ours_s(index, NETWORKS[4], "simgrid-smpi") for index in (recorded, named)]
    np.testing.assert_array_equal(ours[0], ours[1])


def test_the_replay_aborts_where_pairs_are_not_there(folder: Path) -> None:
    """An alltoall between 512 KiB and 1 MiB on 3 to 7 ranks goes from pair to pair, which SMPI can do for powers of two
    alone; the ranks go round the ring here."""
    for ranks in (4, 7):
        index = replay.written(place(folder, "pairs", ranks), ranks, lambda rank: ["alltoall 600000 600000 6 6"])
        if ranks == 4:
            beside("alltoall, pairwise", "simgrid-smpi", index, ranks)
            continue
        with pytest.raises(RuntimeError, match="can't be used with non power of two"):
            replay.theirs_s(index, replay.machine(NETWORKS[ranks], ranks, folder), "simgrid-smpi")
        ours = netloom.read(index, "programs", algorithms={"smpi": "smpi", "alltoall": "alltoall:pairwise"})
        given = {"mapping": list(range(ranks)), "routing": "single-minimal", "calibration": "pure"}
        simulated = netloom.simulate(NETWORKS[ranks], workload=ours, **given)["finish_s"]
        np.testing.assert_allclose(replay.ours_s(index, NETWORKS[ranks], "pure"), simulated, rtol=ROUNDING)


def test_what_probes_wait_is_recorded_as_computation(folder: Path) -> None:
    """MPI_Probe and MPI_Iprobe have no action: the time that SMPI lets pass in them becomes one at the host's speed."""
    source = folder / "probe.c"
    source.write_text(
        "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); int r; char b[9]; MPI_Status s;"
        " MPI_Comm_rank(MPI_COMM_WORLD, &r);"
        " if (r == 0) MPI_Send(b, 9, MPI_CHAR, 1, 3, MPI_COMM_WORLD);"
        " else { MPI_Probe(0, 3, MPI_COMM_WORLD, &s); MPI_Recv(b, 9, MPI_CHAR, 0, 3, MPI_COMM_WORLD, &s); }"
        " MPI_Finalize(); return 0; }\n"
    )
    simgrid.run(["smpicc", "-O1", str(source), "-o", str(folder / "probe")])
    index = folder / "probe.txt"
    told = [f"--cfg={option}" for option in (*simgrid.QUIET, f"tracing/filename:{index}")]
    where = replay.machine("star(2)", 2, folder)
    simgrid.run(["smpirun", *where, "-trace-ti", *told, "--log=root.thresh:warning", str(folder / "probe")])
    said = [(folder / line).read_text() for line in index.read_text().split()]
    assert "probe" not in "".join(said).lower()
    assert re.search(r"1 compute 100000\b", said[1])
