"""Schedules with real data on both MPI libraries: each of the catalogue is right, and a wrong one is found."""

from __future__ import annotations

from pathlib import Path

import pytest

import netloom
from netloom import _core
from netloom.base.errors import NetloomError
from netloom.base.registries import catalogue
from netloom.measured.reading import read

from .conftest import ASKED, IS_FULL
from .mpi_libraries import MPICH, NETLOOM, Library, facts, missing, said

pytestmark = [
    pytest.mark.skipif(not ASKED, reason="the check on real MPI libraries is run by `make peers`"),
    pytest.mark.timeout(300),
]
RUN = [*NETLOOM, "run-schedule"]
#: Neighbours of powers of two, and numbers with several factors.
#: Many more ranks than cores take a minute: with `make peers-full`.
RANKS = (2, 3, 4, 5, 6, 7, 8, 12, 16, *((24,) if IS_FULL else ()))
#: One combination of datatype, operation and place in so many, other ones on each number of ranks: their number for a
#: reduction that keeps the order of ranks has no divisor in common with the rank numbers' differences.
SHARE = 23
NO_SUM = """from netloom.plugin import Collective


class Forgetful(Collective):
    "An allreduce that forgets the last rank."

    name = "allreduce:forgetful"

    def steps(self, ranks, root, size_bytes):
        up = [(rank, 0, [0], True) for rank in range(1, ranks - 1)]
        return [up, [(0, rank, [0], False) for rank in range(1, ranks)]]
"""


def defined(ranks: int) -> set[str]:
    """Schedules of the catalogue that can run on so many ranks."""
    found = set()
    for row in catalogue("collectives"):
        try:
            made = _core.Schedule.build(str(row["name"]), ranks, 0, 24)
        except NetloomError:
            continue
        if made.switches == 0:
            found.add(str(row["name"]))
    return found


@pytest.mark.parametrize(("ranks", "runner"), [*((one, "auto") for one in RANKS), (6, "python")])
def test_every_schedule_of_the_catalogue(library: Library, ranks: int, runner: str, tmp_path: Path) -> None:
    given = ["--root", str(ranks // 2), "--runner", runner]
    words = [*RUN, "all", "--check-only", "--one-in", str(SHARE), "--sizes", "24", *given, "--json"]
    done = library.run(ranks, words, tmp_path)
    found = facts(done)
    assert done.returncode == 0, [row for row in found["sizes"] if not row["correct"]]
    assert (
        found["version"] == netloom.__version__ and found["mpi"].startswith(library.title) and found["ranks"] == ranks
    )
    names = {row["schedule"].partition("(")[0] for row in found["sizes"]}
    assert names == defined(ranks)
    assert all(row["correct"] and row["checked"] >= 1 for row in found["sizes"])
    assert {row["runner"] for row in found["sizes"]} == {"c" if runner == "auto" else runner}
    assert {*names, *found["skipped"]} == {str(row["name"]) for row in catalogue("collectives")}


def test_all_datatypes_and_operations(library: Library, tmp_path: Path) -> None:
    """Without --one-in every combination; blocks of several sizes, one of them empty."""
    words = ["allreduce:ring", "reduce:binomial", "scan:recursive-doubling", "reduce-scatter:ring", "alltoall:bruck"]
    done = library.run(5, [*RUN, *words, "--check-only", "--sizes", "8,72", "--json"], tmp_path)
    assert done.returncode == 0, done.stderr
    checked = {(row["schedule"], row["size_bytes"]): row["checked"] for row in facts(done)["sizes"]}
    # 4 types with 4 operations, 3 with 2 more, in place or not; and the operation whose order counts.
    assert checked["allreduce:ring", 72] == 2 * (4 * 4 + 3 * 2)
    assert checked["scan:recursive-doubling", 8] == checked["reduce:binomial", 8] == 2 * (4 * 4 + 3 * 2 + 1)
    assert checked["alltoall:bruck(k=2,direction=1)", 8] == 2 * 5


@pytest.mark.parametrize("runner", ["c", "python"])
def test_a_wrong_schedule_is_found(open_mpi: Library, runner: str, tmp_path: Path) -> None:
    (tmp_path / "forgetful.py").write_text(NO_SUM)
    words = [
        *RUN,
        "allreduce:forgetful",
        "--plugin",
        "forgetful.py",
        "--sizes",
        "8",
        "--check-only",
        "--runner",
        runner,
    ]
    done = open_mpi.run(3, [*words, "--json"], tmp_path)
    (row,) = facts(done)["sizes"]
    assert done.returncode == 1 and not row["correct"]
    assert row["wrong"].startswith("int32 sum: rank 0: element 0 is ")


def test_times_stand_beside_the_librarys(library: Library, tmp_path: Path) -> None:
    words = ["allreduce:ring", "barrier:dissemination", "--sizes", "8,1KiB", "--seconds", "0.01"]
    done = library.run(2, [*RUN, *words, "-o", "measured.csv", "--json"], tmp_path)
    found = facts(done)["sizes"]
    assert done.returncode == 0 and [row["size_bytes"] for row in found] == [8, 1024, 0]
    for row in found:
        assert 0 < row["min_s"] <= row["median_s"] <= row["max_s"] and row["calls"] >= 10
        assert 0 < row["library_min_s"] <= row["library_median_s"]
        ranks = row["ranks"]
        assert ranks["min_s"] <= ranks["p50_s"] <= ranks["p90_s"] <= ranks["p99_s"] <= ranks["max_s"]
        assert 0 < row["runner_s"] < 1 and row["runner"] == "c"
    measured = read(tmp_path / "measured.csv").rows
    told = {(one.collective, one.algorithm, one.bytes): one.time_s for one in measured}
    assert told["allreduce", "ring", 8] == found[0]["median_s"]
    assert told["barrier", "default", 0] == found[2]["library_median_s"]
    assert measured[0].nodes == 1 and measured[0].ranks_per_node == 2
    if library == MPICH:
        return
    plain = library.run(2, [*RUN, *words], tmp_path)
    (heads, _) = (line.split() for line in plain.stdout.splitlines() if line.startswith("# Size"))
    assert heads[2:5] == ["Avg", "Min", "Max"] and "C takes " in plain.stderr


def test_small_messages_go_through_c(library: Library, tmp_path: Path) -> None:
    """Next to Python it takes less of each step."""
    words = [*RUN, "allreduce:ring", "--seconds", "0.01", "--one-in", "46", "--json"]
    done = library.run(4, [*words, "--sizes", "8,4MiB"], tmp_path)
    small, large = facts(done)["sizes"]
    assert (small["runner"], large["runner"]) == ("c", "python") and small["correct"] and large["correct"]
    (other,) = facts(library.run(4, [*words, "--sizes", "8", "--runner", "python"], tmp_path))["sizes"]
    assert other["runner"] == "python" and small["runner_s"] < other["runner_s"]
    (whole,) = facts(library.run(4, [*words, "--sizes", "4MiB", "--runner", "c"], tmp_path))["sizes"]
    assert whole["runner"] == "c" and whole["correct"]


def test_without_a_compiler_python_does_it_and_says_so(library: Library, tmp_path: Path) -> None:
    words = [*RUN, "allreduce:ring", "--sizes", "8", "--check-only", "--mpicc", "nowhere/mpicc"]
    done = library.run(3, words, tmp_path)
    assert done.returncode == 0 and "Python goes through all steps, since " in done.stderr
    assert "NL-I001 nowhere/mpicc" in done.stderr
    found = facts(library.run(3, [*words, "--json"], tmp_path))
    assert found["sizes"][0]["runner"] == "python" and found["no_c"].startswith("NL-I001 nowhere/mpicc")
    done = library.run(3, [*words, "--runner", "c"], tmp_path)
    (line,) = said(done)
    assert line.startswith("error: NL-I001 nowhere/mpicc") and done.returncode == 2 and done.stdout == ""


REFUSED = [
    (3, "allreduce:swing --sizes 12", "NL-I053 --sizes must be a multiple of the 8 bytes of float64, got 12"),
    (3, "broadcast:multicast", "NL-I051 broadcast:multicast(segments=1): switches of the network take part in it"),
    (3, "gather:bine", "NL-C004 ranks of gather:bine must be a power of two, got 3"),
    (2, "scan:linear --datatype int64 --op maps --runner c", "NL-I052 --op must be an operation of MPI's own"),
    (3, "allreduce:ring --datatype int64 --op maps", "NL-I051 allreduce:ring: combines ranks that are no neighbours"),
]


@pytest.mark.parametrize(("processes", "words", "fault"), REFUSED)
def test_bad_input_ends_the_job_with_one_line(
    open_mpi: Library, processes: int, words: str, fault: str, tmp_path: Path
) -> None:
    done = open_mpi.run(processes, [*RUN, *words.split()], tmp_path)
    (line,) = said(done)
    assert line.startswith(f"error: {fault}") and done.returncode == 2 and done.stdout == ""


def test_what_hints_propose_works(open_mpi: Library, tmp_path: Path) -> None:
    """--datatype byte for a size that holds no whole elements, and with it another operation."""
    words = "allreduce:ring --datatype byte --op bxor --sizes 13 --check-only"
    done = open_mpi.run(3, [*RUN, *words.split()], tmp_path)
    assert done.returncode == 0 and "1 of 1 row right" in done.stdout


def test_processes_of_two_libraries(tmp_path: Path) -> None:
    if reason := missing(MPICH):
        pytest.fail(reason)
    """MPICH's mpirun, and mpi4py with Open MPI."""
    words = ["env", "MPI4PY_MPIABI=openmpi", "LD_LIBRARY_PATH=", *RUN, "allreduce:ring"]
    done = MPICH.run(2, words, tmp_path)
    (line,) = said(done)
    assert line.startswith("error: NL-X018 mpirun: started 2 processes, of which Open MPI v") and done.returncode == 2
