"""What the recorder counts, next to what is known: our own programs by their sources, others by a counter of their own.

NetPIPE and hpcc are counted a second time by the monitoring of Open MPI itself, inside the library.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import netloom
from netloom.mpi import read_record
from netloom.mpi.recorder.layout import CALL, REQUEST, read_events

from .conftest import ASKED
from .mpi_libraries import BOTH, MPICH, OPEN_MPI, Done, Library, matrix, missing, summed

pytestmark = [pytest.mark.skipif(not ASKED, reason="run by `make peers`"), pytest.mark.timeout(200)]
Pairs = dict[tuple[int, int], tuple[int, int]]
RANKS = 4


def record(library: Library, folder: Path, *command: str | Path, options: str = "") -> Done:
    return library.netloom("record", "-o", "sent", *shlex.split(options), "--", *command, cwd=folder)


def ring(step: int, size: int, messages: int = 1, growing: int = 0) -> Pairs:
    return {(rank, (rank + step) % RANKS): (messages, messages * (size + growing * rank)) for rank in range(RANKS)}


MESSAGES = summed(
    ring(1, 100, growing=1),
    {(a, a ^ 1): (1, 64) for a in range(RANKS)},
    ring(2, 20),
    ring(2, 3, messages=3),
    {(rank, 0): (1, 48) for rank in range(1, RANKS)},
)
#: On a grid of two by two that is closed, both sides of a direction are one neighbour.
HALO = summed(
    {(a, a ^ 1): (2, 32) for a in range(RANKS)},
    {(a, a ^ 2): (2, 32) for a in range(RANKS)},
    ring(1, 12, growing=4),
    ring(1, 8),
)
#: Ranks count backwards. What is fetched goes from the target to who asks.
SIDED = summed(ring(-1, 40), ring(-1, 8, messages=2), ring(1, 32), ring(1, 8))
KNOWN = {"messages": MESSAGES, "halo": HALO, "sided": SIDED, "collectives": {}, "threads": ring(1, 8, messages=150)}


@pytest.mark.parametrize("program", KNOWN)
def test_the_matrix_of_a_program_is_the_known_one(library: Library, program: str, tmp_path: Path) -> None:
    made = library.compiled("recorded.c")
    code, out, err = record(library, tmp_path, *library.mpirun(RANKS, str(made), program))
    assert (code, out) == (0, "done\n"), err
    assert matrix(tmp_path / "sent") == KNOWN[program]
    summary = json.loads((tmp_path / "sent" / "summary.json").read_text())
    assert summary["complete"] is True and summary["ranks"] == RANKS
    assert summary["bytes"] == sum(total for _, total in KNOWN[program].values())
    assert summary["calls"]["MPI_Finalize"] == RANKS
    assert library.name[-3:] in summary["mpi"].lower().replace(" ", "")
    if program == "collectives":
        check_collectives(summary)


def test_json_is_the_summary(library: Library, tmp_path: Path) -> None:
    """Alone on stdout: what the program prints goes to stderr."""
    mpirun = library.mpirun(RANKS, str(library.compiled("recorded.c")), "messages")
    code, out, err = record(library, tmp_path, *mpirun, options="--json")
    assert code == 0 and json.loads(out) == json.loads((tmp_path / "sent" / "summary.json").read_text())
    assert "done" in err and json.loads(out)["exit_code"] == 0
    merged = library.netloom("record", "--merge", "sent", "--json", cwd=tmp_path)
    assert json.loads(merged.out) == json.loads((tmp_path / "sent" / "summary.json").read_text())


def test_what_came_with_mpi_4(tmp_path: Path) -> None:
    """Large counts, persistent neighbours, partitioned messages: Debian's MPICH has them, its Open MPI has not."""
    if reason := missing(MPICH):
        pytest.skip(reason)
    done = record(MPICH, tmp_path, *MPICH.mpirun(RANKS, str(MPICH.compiled("recorded.c")), "four"))
    assert done.code == 0, done.err
    circle = summed(ring(1, 17, messages=2), ring(-1, 17, messages=2))
    assert matrix(tmp_path / "sent") == summed(ring(1, 11), ring(1, 13), circle, ring(1, 40))


def test_more_communicators_than_rows(library: Library, tmp_path: Path) -> None:
    """What finds no row is still in the matrix and in the totals."""
    done = record(library, tmp_path, *library.mpirun(2, str(library.compiled("recorded.c")), "many"))
    assert done.code == 0, done.err
    assert matrix(tmp_path / "sent") == {(0, 1): (1100, 2200), (1, 0): (1100, 2200)}
    told = json.loads((tmp_path / "sent" / "summary.json").read_text())["communicators"]
    assert len(told) == 1024 and sum(row["messages"] for row in told) == 2200


def check_collectives(summary: dict[str, list[dict[str, object]]]) -> None:
    """Counts, sizes, roots, operations, and what all ranks gave."""
    keys = ("call", "count", "type_bytes", "root", "op", "calls", "bytes")
    found = {tuple(row[key] for key in keys) for row in summary["collectives"]}
    expected = {
        ("MPI_Allreduce", 3, 8, -1, "sum", 8, 192),
        ("MPI_Bcast", 7, 4, 1, "", 4, 28),
        ("MPI_Ialltoall", 2, 4, -1, "", 4, 4 * 8 * RANKS),
        *{("MPI_Gatherv", count, 4, 2, "", 1, 4 * count) for count in range(1, RANKS + 1)},
        ("MPI_Scatter", 4, 4, 0, "", 4, 16 * RANKS),
        ("MPI_Reduce_scatter_block", 2, 4, -1, "max", 4, 4 * 8 * RANKS),
        ("MPI_Alltoallv", 6, 4, -1, "", 4, 4 * 24),
    }
    assert found == expected


FORTRAN = {"HEADER": ("-DHEADER", "-fallow-argument-mismatch"), "MODULE": ("-DMODULE",), "F08": ("-DF08",)}


@pytest.mark.parametrize("binding", FORTRAN)
def test_fortran_is_counted_once(library: Library, binding: str, tmp_path: Path) -> None:
    if not shutil.which("gfortran"):
        pytest.skip("no Fortran compiler")
    made = library.compiled("ranks.F90", *FORTRAN[binding])
    code, out, err = record(library, tmp_path, *library.mpirun(RANKS, str(made)))
    assert code == 0 and out.count("well") == RANKS, err
    assert matrix(tmp_path / "sent") == ring(1, 20)
    calls = json.loads((tmp_path / "sent" / "summary.json").read_text())["calls"]
    assert {name: calls[name] for name in ("MPI_Isend", "MPI_Recv", "MPI_Send", "MPI_Allreduce", "MPI_Comm_split")} == {
        "MPI_Isend": 4, "MPI_Recv": 4, "MPI_Send": 4, "MPI_Allreduce": 4, "MPI_Comm_split": 4,
    }  # fmt: skip


def test_the_ring_of_mpi4py(library: Library, tmp_path: Path) -> None:
    """As its source has it: one message of each rank to the next in each loop, the warm-up included."""
    words = [sys.executable, "-m", "mpi4py.bench", "ringtest", "-q", "-n", "1000", "-l", "7", "-s", "2"]
    code, _, err = record(library, tmp_path, *library.mpirun(RANKS, *words))
    assert code == 0, err
    assert matrix(tmp_path / "sent") == ring(1, 1000, messages=9)


MONITORED = ("--mca", "pml_monitoring_enable", "2", "--mca", "pml_monitoring_enable_output", "3")
LINE = re.compile(r"(?m)^E\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs")


def monitored(folder: Path, ranks: int, *words: str) -> Pairs:
    """A program on Open MPI under the recorder; what the library's own counter says."""
    mpirun = OPEN_MPI.mpirun(ranks, *MONITORED, "--mca", "pml_monitoring_filename", str(folder / "own"), *words)
    code, _, err = record(OPEN_MPI, folder, *mpirun)
    assert code == 0, err
    rows = [tuple(map(int, found)) for path in folder.glob("own.*.prof") for found in LINE.findall(path.read_text())]
    return {(a, b): (messages, total) for a, b, total, messages in rows}


def need(*programs: str) -> None:
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")


def test_netpipe_on_both_libraries(tmp_path: Path) -> None:
    """With a fixed number of repetitions its messages are the same everywhere."""
    need("NPopenmpi", "NPmpich2")
    words = ("-n", "5", "-u", "4096", "-o", str(tmp_path / "np.out"))
    own = monitored(tmp_path, 2, "NPopenmpi", *words)
    assert own[0, 1][0] > 900 and matrix(tmp_path / "sent") == own
    (tmp_path / "sent").rename(tmp_path / "first")
    code, _, err = record(MPICH, tmp_path, *MPICH.mpirun(2, "NPmpich2", *words))
    assert code == 0, err
    assert matrix(tmp_path / "sent") == own


def test_hpcc(tmp_path: Path) -> None:
    """The HPC Challenge benchmarks: HPL, PTRANS, FFT, random access, latency."""
    need("hpcc")
    text = Path("/usr/share/doc/hpcc/examples/_hpccinf.txt").read_text().splitlines()
    for line, value in ((5, "40"), (7, "16"), (10, "1"), (11, "2")):
        text[line] = f"{value} set by the test"
    (tmp_path / "hpccinf.txt").write_text("\n".join(text) + "\n")
    own = monitored(tmp_path, 2, "hpcc")
    assert own[0, 1][0] > 1000 and matrix(tmp_path / "sent") == own


def test_the_pingpong_of_mpi4py(tmp_path: Path) -> None:
    if reason := missing(OPEN_MPI):
        pytest.skip(reason)
    words = (sys.executable, "-m", "mpi4py.bench", "pingpong", "-n", "5000", "--no-header", "-l", "20", "-s", "1")
    own = monitored(tmp_path, 2, *words)
    assert own and matrix(tmp_path / "sent") == own


@pytest.mark.parametrize("end", ["abort", "kill"])
def test_what_was_counted_survives(library: Library, end: str, tmp_path: Path) -> None:
    made = library.compiled("recorded.c")
    mpirun = library.mpirun(RANKS, str(made), end)
    alone = library.netloom("list", cwd=tmp_path)
    assert alone.code == 0
    code, _, err = record(library, tmp_path, *mpirun, options="--depth order")
    assert code == {"abort": 7, "kill": 137 if library is OPEN_MPI else 9}[end], err
    assert matrix(tmp_path / "sent") == ring(1, 40)
    summary = json.loads((tmp_path / "sent" / "summary.json").read_text())
    assert summary["complete"] is False and summary["incomplete"] and "incomplete: " in err
    assert any("MPI_Abort" in reason for reason in summary["incomplete"]) == (end == "abort")
    # Nothing of what was done before is lost from the list either.
    events = read_events(tmp_path / "sent" / "rank-1.order")
    names = [read_record(tmp_path / "sent").names[one["call"]] for one in events if one["kind"] == CALL]
    assert names == ["MPI_Init", "MPI_Irecv", "MPI_Isend", "MPI_Waitall", "MPI_Barrier"]


def test_every_call_in_order(library: Library, tmp_path: Path) -> None:
    made = library.compiled("recorded.c")
    code, _, err = record(
        library, tmp_path, *library.mpirun(RANKS, str(made), "messages", "3"), options="--depth order"
    )
    assert code == 3, err
    found = read_record(tmp_path / "sent")
    for rank in range(RANKS):
        events = read_events(tmp_path / "sent" / f"rank-{rank}.order")
        calls = events[events["kind"] == CALL]
        assert np.all(calls["end"] >= calls["start"]) and np.all(np.diff(calls["end"].astype(np.int64)) >= 0)
        sent = {pair: total for pair, (_, total) in MESSAGES.items() if pair[0] == rank}
        own: dict[tuple[int, int], int] = {}
        for one in calls[(calls["sent"] > 0) & (calls["peer"] >= 0)]:
            pair = rank, int(one["peer"])
            own[pair] = own.get(pair, 0) + int(one["sent"])
        assert own == sent
        # Wildcards are resolved, and completions name the requests that were begun.
        received = [int(one["peer"]) for one in calls if found.names[one["call"]] == "MPI_Recv"]
        assert sorted(received) == sorted([rank ^ 1] + ([1, 2, 3] if rank == 0 else []))
        begun = {int(one["request"]) for one in calls if one["request"]}
        ended = {int(one["request"]) for one in events[events["kind"] == REQUEST]}
        assert begun and begun <= ended


def test_what_happened_in_order_is_replayed(library: Library, tmp_path: Path) -> None:
    """As SMPI's traces: the replay sends what the program sent."""
    made = library.compiled("recorded.c")
    done = record(library, tmp_path, *library.mpirun(RANKS, str(made), "messages"), options="--depth order")
    assert done.code == 0, done.err
    found = netloom.simulate("ring(4)", workload=str(tmp_path / "sent" / "trace.txt"))
    assert found.messages == sum(messages for messages, _ in MESSAGES.values())
    assert found.time_s > 0
    summary = json.loads((tmp_path / "sent" / "summary.json").read_text())
    assert summary["trace"] == "trace.txt"
    # What a trace cannot hold is named.
    (tmp_path / "sent").rename(tmp_path / "first")
    done = record(library, tmp_path, *library.mpirun(RANKS, str(made), "halo"), options="--depth order")
    assert done.code == 0 and "no trace to replay: MPI_Neighbor_alltoall has no words" in done.err


def test_other_commands_take_the_matrix(library: Library, tmp_path: Path) -> None:
    made = library.compiled("recorded.c")
    assert record(library, tmp_path, *library.mpirun(RANKS, str(made), "messages")).code == 0
    traffic = netloom.workload(str(tmp_path / "sent" / "matrix.csv"))
    table, own = traffic.table(), read_record(tmp_path / "sent").traffic().table()
    pairs = {(a, b): total for a, b, total in zip(table["src"], table["dst"], table["bytes"], strict=True)}
    assert pairs == {pair: total for pair, (_, total) in MESSAGES.items()}
    assert all(np.array_equal(table[name], own[name]) for name in ("src", "dst", "bytes"))
    done = library.netloom("hops", "-n", "ring(4)", "-t", "sent/matrix.csv", "--json", cwd=tmp_path)
    assert json.loads(done.out)["messages"] == sum(messages for messages, _ in MESSAGES.values()), done.err


#: No room for files of a record; the MPI library's own find theirs.
FULL = """#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int posix_fallocate(int file, off_t from, off_t bytes)
{
    char name[64], path[4096] = "";
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    if (readlink(name, path, sizeof path - 1) > 0 && strstr(path, "/rank-"))
        return ENOSPC;
    return ftruncate(file, from + bytes) ? errno : 0;
}
"""


def test_a_full_disk_harms_nobody(library: Library, tmp_path: Path) -> None:
    """A line, the program's own end, and no file that looks whole."""
    made = library.compiled("recorded.c")
    (tmp_path / "full.c").write_text(FULL)
    subprocess.run(["cc", "-shared", "-fPIC", "full.c", "-o", "full.so"], cwd=tmp_path, check=True)
    for exit_code, expected in (("0", 2), ("5", 5)):
        code, out, err = library.netloom(
            "record", "-o", f"sent{exit_code}", "--", *library.mpirun(RANKS, str(made), "messages", exit_code),
            cwd=tmp_path, LD_PRELOAD=str(tmp_path / "full.so"),
        )  # fmt: skip
        assert (code, "done" in out) == (expected, True), err
        assert err.count("nothing is recorded here, the program goes on") == 1 and "NL-I005" in err


def test_a_limit_on_file_sizes_is_no_signal(library: Library, tmp_path: Path) -> None:
    """The kernel would end a process that goes beyond it: the recorder takes that back and stops its list."""
    made = library.compiled("recorded.c")
    mpirun = library.mpirun(2, str(made), "limited")
    code, out, err = record(library, tmp_path, *mpirun, options="--depth order")
    assert (code, out) == (2, "done\n"), err
    assert "no more events are recorded" in err and "File too large" in err
    assert matrix(tmp_path / "sent") == {(0, 1): (20000, 20000), (1, 0): (20000, 20000)}


def test_a_list_that_is_full_says_so(tmp_path: Path) -> None:
    library = next((one for one in BOTH if one.is_here), None)
    if library is None:
        pytest.skip("no MPI is installed")
    words = [sys.executable, "-m", "mpi4py.bench", "ringtest", "-q", "-n", "8", "-l", "9000"]
    code, _, err = record(library, tmp_path, *library.mpirun(2, *words), options="--depth order --limit 1MiB")
    assert code == 2 and "no more events are recorded" in err and "events were not written" in err
    # The sums are whole.
    assert matrix(tmp_path / "sent") == {(0, 1): (9000, 72000), (1, 0): (9000, 72000)}


def test_another_library_than_the_recorder_was_built_for(tmp_path: Path) -> None:
    for reason in map(missing, BOTH):
        if reason:
            pytest.skip(reason)
    for library, other in ((OPEN_MPI, MPICH), (MPICH, OPEN_MPI)):
        made = library.compiled("recorded.c")
        mpirun = library.mpirun(RANKS, str(made), "messages")
        # Named together with its launcher it is refused before anything starts.
        code, out, err = record(library, tmp_path, *mpirun, options=f"--mpicc {other.mpicc}")
        assert (code, out) == (2, "") and err.startswith("error: NL-I002 "), err
        # Behind a script nobody knows: the program runs, and a line says why nothing was recorded.
        code, out, err = record(library, tmp_path, "env", *mpirun, options=f"--mpicc {other.mpicc}")
        assert code == 2 and "done" in out
        assert err.count("the library was built for another MPI") == 1 and "NL-I008" in err
        shutil.rmtree(tmp_path / "sent")
        code, out, err = record(library, tmp_path, "env", *mpirun, "5", options=f"--mpicc {other.mpicc}")
        assert code == 5 and "done" in out and "NL-I008" in err
        shutil.rmtree(tmp_path / "sent")


def test_a_folder_that_is_used_is_refused(library: Library, tmp_path: Path) -> None:
    made = library.compiled("recorded.c")
    assert record(library, tmp_path, *library.mpirun(2, str(made))).code == 0
    assert (tmp_path / "sent").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "sent" / "rank-0.sums").stat().st_mode & 0o777 == 0o600
    code, out, err = record(library, tmp_path, *library.mpirun(2, str(made)))
    assert (code, out) == (2, "") and err.startswith("error: NL-X003 sent: is not empty")
    # A run whose netloom was killed is read afterwards, to the same files.
    kept = (tmp_path / "sent" / "matrix.csv").read_bytes()
    (tmp_path / "sent" / "matrix.csv").unlink()
    assert library.netloom("record", "--merge", "sent", cwd=tmp_path).code == 0
    assert (tmp_path / "sent" / "matrix.csv").read_bytes() == kept
