"""`netloom record`, `reorder` and `verify-mapping` on bad input: one line and exit code 2, without any MPI."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
OPEN = "#define OMPI_MAJOR_VERSION 4\n#define OMPI_MINOR_VERSION 1\n#define OMPI_RELEASE_VERSION 4\n"
MPICH = '#define MPICH_VERSION "4.0.2"\nint MPI_Init(int *, char ***);\nint MPI_Send(void *);\n'
STRANGE = "int MPI_Init(int *, char ***);\n"


def program(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def compiler(folder: Path, name: str, header: str, rest: str = "exit 1") -> Path:
    """Prints a header when asked to preprocess; otherwise fails, or as `rest` says."""
    return program(folder, name, f"case \"$*\" in *-E*) cat <<'EOF'\n{header}EOF\nexit 0;; esac\n{rest}")


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in front of the shell's own programs, and a cache of the test's own."""
    made = tmp_path / "tools"
    made.mkdir()
    for name in ("sh", "cat"):
        found = next(path for path in ("/bin", "/usr/bin") if Path(path, name).exists())
        (made / name).symlink_to(Path(found, name))
    monkeypatch.setenv("PATH", str(made))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return made


RECORD = ("record", "-o", "sent", "--", "mpirun", "-n", "2", "./app")
REORDER = ("reorder", "--levels", "2", "--order", "0", "--", "mpirun", "-n", "2", "./app")


@pytest.mark.parametrize("words", [RECORD, REORDER], ids=["record", "reorder"])
class TestWhichLibrary:
    def refused(self, netloom: Run, words: tuple[str, ...], start: str) -> str:
        code, out, err = netloom(*words)
        assert (code, out) == (2, "") and err.startswith(f"error: {start}"), err
        assert len(err.strip().splitlines()) <= 2 and not Path("sent").exists()
        return err

    def test_none(self, tools: Path, netloom: Run, words: tuple[str, ...]) -> None:
        assert "--mpicc" in self.refused(netloom, words, "NL-I001 mpicc: no compiler")
        program(tools, "mpirun", "echo mpirun '(Open MPI)' 4.1.4")
        assert "--mpicc" in self.refused(netloom, words, "NL-I001 mpicc: no compiler")

    def test_a_compiler_that_is_none(self, tools: Path, netloom: Run, words: tuple[str, ...]) -> None:
        named = (words[0], "--mpicc", "nowhere", *words[1:])
        self.refused(netloom, named, "NL-I001 nowhere: is not there")
        program(tools, "mpicc", "exit 1")
        self.refused(netloom, words, "NL-I001 mpicc: does not find mpi.h".replace("mpicc", str(tools / "mpicc")))
        compiler(tools, "mpicc", STRANGE)
        self.refused(netloom, words, f"NL-I001 {tools / 'mpicc'}: is of an MPI library that is neither")

    def test_two(self, tools: Path, netloom: Run, words: tuple[str, ...]) -> None:
        program(tools, "mpirun", "echo HYDRA build details:")
        compiler(tools, "mpicc", OPEN)
        err = self.refused(netloom, words, "NL-I002 mpicc must be the compiler of MPICH or a library like it")
        assert "Open MPI 4.1.4" in err
        # One of the right library elsewhere mends it, as far as the next fault.
        other = compiler(tools, "mpicc.other", MPICH)
        named = (words[0], "--mpicc", str(other), *words[1:])
        self.refused(netloom, named, "NL-I003 ")

    def test_a_compiler_that_fails(self, tools: Path, netloom: Run, words: tuple[str, ...]) -> None:
        compiler(tools, "mpicc", MPICH, "echo 'hooks.h:1: error: no such luck' >&2; exit 1")
        program(tools, "cc", "echo 'gate.c:1: error: no such luck' >&2; exit 1")
        err = self.refused(
            netloom, words, "NL-I003 cc: cannot compile netloom's C sources: gate.c:1: error: no such luck"
        )
        assert not [path for path in (tools.parent / "cache" / "netloom" / "mpi").iterdir() if "mpich" in path.name], (
            err
        )

    def test_a_cache_that_others_may_write_to(self, tools: Path, netloom: Run, words: tuple[str, ...]) -> None:
        compiler(tools, "mpicc", MPICH)
        cache = tools.parent / "cache" / "netloom" / "mpi"
        cache.mkdir(parents=True)
        cache.chmod(0o777)
        self.refused(netloom, words, f"NL-I004 {cache}: belongs to somebody else, or others may write to it")
        cache.chmod(0o700)
        cache.rename(cache.with_name("elsewhere"))
        cache.symlink_to(cache.with_name("elsewhere"))
        self.refused(netloom, words, f"NL-I004 {cache}")


def test_a_built_library_is_private_and_kept(tools: Path, netloom: Run) -> None:
    """A compiler that writes what it is told to: the second run does not call it again."""
    count = tools.parent / "calls"
    objects = 'for f; do n=${f##*/}; echo > "${n%.c}.o"; done'
    told = f'case "$1" in -o) echo > "$2";; -c) shift; {objects};; esac'
    write = f"echo x >> {count}; while [ $# -gt 0 ]; do {told}; shift; done"
    compiler(tools, "mpicc", MPICH, f'case "$*" in -show) echo cc -lmpi; exit 0;; esac\n{write}')
    program(tools, "cc", write)
    code, out, err = netloom("record", "--build")
    assert code == 0 and out.startswith("MPICH 4.0.2: "), err
    folder = Path(out.split(": ")[1].strip())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700 and stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    assert (folder / "gate.so").exists() and (folder / "hooks-mpich.so").exists()
    built = count.read_text()
    program(tools, "app", "exit 7")
    # It is no MPI program: its exit code comes first.
    code, _, err = netloom("record", "-o", "sent", "--", "app")
    assert code == 7 and "NL-I008" in err and count.read_text() == built
    program(tools, "app", "exit 0")
    code, _, err = netloom("record", "-o", "again", "--", "app")
    assert code == 2 and "error: NL-I008" in err
    code, _, err = netloom("record", "-o", "third", "--", "./nowhere")
    assert code == 2 and err.startswith("error: NL-I009 ./nowhere: cannot be started")


WRONG = [
    ("record", "NL-X010 COMMAND"),
    ("record --build -- app", "NL-X010 COMMAND"),
    ("record --build -o sent", "NL-X010 -o"),
    ("record --build --before sent", "NL-X010 --before"),
    ("record --before nowhere -- app", "NL-X001 nowhere/record.json"),
    ("record --limit 1MiB -- app", "NL-X010 --limit"),
    ("record --depth order --limit much -- app", "NL-A008 --limit"),
    ("record --merge nowhere", "NL-X001 nowhere/record.json"),
    ("reorder --levels 2,2 --order 0,1", "NL-X010 COMMAND"),
    ("reorder -- app", "NL-X010 --levels"),
    ("reorder --levels 2,2 -- app", "NL-X010 --levels"),
    ("reorder --order 0,1 -- app", "NL-X010 --order"),
    ("reorder --levels 2,2 --order 0,1 --mapping order.txt -- app", "NL-X010 --mapping"),
    ("reorder --levels 2,2 --order 0,2 -- app", "NL-A007 --order"),
    ("reorder --mapping nowhere -- app", "NL-X001 nowhere"),
    ("reorder --mapping twice.txt -- app", "NL-I010 twice.txt must be each rank once, got 1 twice"),
    ("reorder --mapping far.txt -- app", "NL-I010 far.txt must be ranks below 3"),
    ("reorder --mapping words.txt -- app", "NL-I010 words.txt:2"),
    ("reorder --mapping empty.txt -- app", "NL-I010 empty.txt"),
    ("reorder --mapping run.txt -- app", "NL-I010 run.txt:1"),
    ("reorder --mapping places.csv -- app", "NL-I010 places.csv:3"),
]
FILES = {
    "twice.txt": "1,0,1", "far.txt": "0,1,7", "words.txt": "0,1\ntwo\n", "empty.txt": "# nothing\n",
    "run.txt": "0-99999999",    "places.csv": "rank,endpoint\n0,1\n1,\n", "order.txt": "0,1",
}  # fmt: skip


@pytest.mark.parametrize(("line", "start"), WRONG, ids=[line for line, _ in WRONG])
def test_what_is_wrong_is_said_in_one_line(netloom: Run, line: str, start: str) -> None:
    for name, text in FILES.items():
        Path(name).write_text(text)
    code, out, err = netloom(*line.split())
    assert (code, out) == (2, "") and err.startswith(f"error: {start}"), err
    assert len(err.strip().splitlines()) <= 2


def test_new_ranks_from_files(tmp_path: Path) -> None:
    from netloom.mpi.reorder.given import read_new_ranks, written

    (tmp_path / "cray").write_text("# a remark\n2-3,0\n1\n")
    assert read_new_ranks(tmp_path / "cray") == [2, 3, 0, 1]
    # Rank 2 is mapped to the first place, so process 0 becomes rank 2.
    (tmp_path / "ranks.csv").write_text("rank,endpoint,host,slot\n0,5,x,1\n1,5,x,0\n2,1,y,0\n")
    assert read_new_ranks(tmp_path / "ranks.csv") == [2, 1, 0]
    assert written([1, 0]) == b"netloom-order 1 2\n1\n0\n"


def test_new_ranks_of_the_paper() -> None:
    """Rank 10 on two nodes of two sockets of four cores, by all six orders (Swartvagher 2023)."""
    from netloom.mpi import reordered

    orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    assert [reordered([2, 2, 4], order)[10] for order in orders] == [9, 5, 10, 12, 6, 10]
