"""A reordered MPI_COMM_WORLD: obeyed by programs in C, Fortran and Python, or refused before they start."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from netloom.mpi import reordered
from netloom.mpi.reorder.split import HEADER

from .conftest import ASKED
from .mpi_libraries import BOTH, HERE, Library, facts, matrix, missing
from .test_recorder import FORTRAN

pytestmark = [pytest.mark.skipif(not ASKED, reason="run by `make peers`"), pytest.mark.timeout(200)]
RANKS = 4


def obeyed(out: str, new_ranks: list[int]) -> None:
    """Each process has its new rank, and halves of the new world are made of new neighbours."""
    lines = [line.split() for line in out.splitlines()]
    assert {int(process): int(rank) for process, rank, _, _ in lines} == dict(enumerate(new_ranks))
    half = len(new_ranks) // 2
    sums = [sum(range(half)), sum(range(half, 2 * half))]
    assert all(int(joined) == sums[int(rank) // half] for _, rank, joined, _ in lines)
    assert [verdict for *_, verdict in lines] == ["well"] * len(new_ranks)


def test_a_c_program_obeys(library: Library, tmp_path: Path) -> None:
    made = library.compiled("ranks.c")
    # The order of levels of the paper's kind: sockets count fastest.
    words = ("reorder", "--levels", "2,3", "--order", "0,1", "--")
    code, out, err = library.netloom(*words, *library.mpirun(6, str(made)), cwd=tmp_path)
    assert code == 0, err
    obeyed(out, reordered("2,3", "0,1"))
    assert reordered("2,3", "0,1") == [0, 2, 4, 1, 3, 5]


@pytest.mark.parametrize("binding", FORTRAN)
def test_a_fortran_program_obeys(library: Library, binding: str, tmp_path: Path) -> None:
    if not shutil.which("gfortran"):
        pytest.skip("no Fortran compiler")
    made = library.compiled("ranks.F90", *FORTRAN[binding])
    (tmp_path / "order.txt").write_text("3,1\n0 2 # Cray's form is read as well\n")
    words = ("reorder", "--mapping", "order.txt", "--")
    code, out, err = library.netloom(*words, *library.mpirun(RANKS, str(made)), cwd=tmp_path)
    assert code == 0, err
    obeyed(out, [3, 1, 0, 2])


def test_a_python_program_obeys_a_mapping_and_is_recorded(library: Library, tmp_path: Path) -> None:
    """The loop: what is recorded under the new order is counted by new ranks."""
    (tmp_path / "ranks.csv").write_text("rank,endpoint,host,slot,switch\n0,1,b,1,0\n1,0,a,0,0\n2,1,b,0,0\n3,0,a,1,0\n")
    program = library.mpirun(RANKS, sys.executable, str(HERE / "ranks.py"))
    words = ("record", "-o", "sent", "--mpicc", library.mpicc, "--", sys.executable, "-m", "netloom")
    reorder = ("reorder", "--mapping", "ranks.csv", "--", *program)
    code, out, err = library.netloom(*words, *reorder, cwd=tmp_path)
    assert code == 0, err
    obeyed(out, [1, 3, 2, 0])
    assert matrix(tmp_path / "sent") == {(rank, (rank + 1) % RANKS): (1, 20) for rank in range(RANKS)}


def test_the_loop_is_closed(library: Library, tmp_path: Path) -> None:
    """Record, map, run in the new order, record again: each rank sends what it sent before, from another process."""
    program = library.mpirun(RANKS, str(library.compiled("recorded.c")), "messages")
    first = library.netloom("record", "-o", "sent", "--", *program, cwd=tmp_path)
    assert first.code == 0, first.err
    words = ("-n", "ring(4)", "-t", "sent/matrix.csv", "--order", "random(seed=3)", "--optimise", "none")
    mapped = library.netloom("map", *words, "--emit", "csv", "-o", "maps", "-q", cwd=tmp_path)
    assert mapped.code == 0, mapped.err
    again = ("record", "-o", "again", "--before", "sent", "--mpicc", library.mpicc, "--")
    reorder = ("netloom", "reorder", "--mapping", "maps/ranks.csv", "--", *program)
    code, out, err = library.netloom(*again, sys.executable, "-m", *reorder, cwd=tmp_path)
    assert (code, out) == (0, "done\n") and "before" in err and "between hosts" in err, err
    assert matrix(tmp_path / "again") == matrix(tmp_path / "sent")


def test_verify_mapping_says_whether(library: Library, tmp_path: Path) -> None:
    inside = library.mpirun(RANKS, sys.executable, "-m", "netloom", "verify-mapping")
    asked = ("--levels", "2,2", "--order", "0,1")
    code, out, err = library.netloom("reorder", *asked, "--", *inside, *asked, cwd=tmp_path)
    assert code == 0 and "all 4 ranks are as asked" in out, err
    assert [line.split()[:2] for line in out.splitlines()[1:5]] == [["0", "0"], ["1", "2"], ["2", "1"], ["3", "3"]]
    # The first and the last stay where they are; without the order two are not as asked.
    done = subprocess.run([*inside, *asked], capture_output=True, text=True, cwd=tmp_path, env=library.environment)
    assert done.returncode != 0 and "2 of 4 ranks are not as asked" in done.stdout
    words = [*inside, *asked, "--json"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=library.environment)
    found = facts(done)
    assert done.returncode != 0 and (found["size"], found["asked_size"], found["as_asked"]) == (4, 4, False)
    assert [row["as_asked"] for row in found["ranks"]] == [True, False, False, True]
    assert [(row["process"], row["rank"], row["asked_rank"]) for row in found["ranks"]][1] == (1, 1, 2)
    assert all(row["host"] == socket.gethostname() and row["core"] in row["cores"] for row in found["ranks"])


def test_other_numbers_of_ranks_are_refused_before_the_program_starts(library: Library, tmp_path: Path) -> None:
    made = library.compiled("ranks.c")
    words = ("reorder", "--levels", "2,2", "--order", "0,1", "--")
    code, out, err = library.netloom(*words, *library.mpirun(2, str(made)), cwd=tmp_path)
    assert code == 2 and "well" not in out
    assert err.count("it orders 4 ranks, and the job has 2") == 1, err


def test_another_library_is_refused_before_the_program_starts(tmp_path: Path) -> None:
    for reason in map(missing, BOTH):
        if reason:
            pytest.skip(reason)
    library, other = BOTH
    made = library.compiled("ranks.c")
    words = ("reorder", "--levels", "2,2", "--order", "0,1", "--mpicc", other.mpicc, "--", "env")
    code, out, err = library.netloom(*words, *library.mpirun(RANKS, str(made)), cwd=tmp_path)
    assert code == 2 and "well" not in out
    assert err.count("the library was built for another MPI") == 1, err


def test_the_header_and_the_function_do_the_same(library: Library, tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text(
        "#include <netloom.h>\n#include <stdio.h>\nint main(int n, char **w) {\n"
        "    const int new_ranks[4] = {0, 2, 1, 3};\n    int old, now;\n    MPI_Init(&n, &w);\n"
        "    MPI_Comm world = netloom_world(MPI_COMM_WORLD, new_ranks);\n"
        "    MPI_Comm_rank(MPI_COMM_WORLD, &old);\n    MPI_Comm_rank(world, &now);\n"
        '    printf("%d %d\\n", old, now);\n    MPI_Finalize();\n    return 0;\n}\n'
    )
    (tmp_path / "one.py").write_text(
        "import sys\nfrom mpi4py import MPI\nfrom netloom.mpi import reordered_world\n"
        'world = reordered_world(levels="2,2", order="0,1")\n'
        # One write, so that lines of ranks do not mix.
        'sys.stdout.write(f"{MPI.COMM_WORLD.rank} {world.rank}\\n")\n'
    )
    import subprocess

    words = [library.mpicc, "-Wall", "-Wextra", "-Werror", f"-I{HEADER.parent}", "one.c", "-o", "one"]
    assert subprocess.run(words, cwd=tmp_path, timeout=60).returncode == 0
    assert len(HEADER.read_text().splitlines()) < 20
    for program in (["./one"], [sys.executable, "one.py"]):
        done = subprocess.run(
            library.mpirun(RANKS, *program), capture_output=True, text=True, cwd=tmp_path, env=library.environment
        )
        assert sorted(done.stdout.splitlines()) == ["0 0", "1 2", "2 1", "3 3"], done.stderr
