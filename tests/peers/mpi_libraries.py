"""The two MPI libraries of the tests as Debian packages them, and netloom's commands run on them as a user does."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, NamedTuple

import pytest

from netloom.cli.app import main

HERE = Path(__file__).parent
SECONDS = 100
NETLOOM = [sys.executable, "-m", "netloom"]


class Done(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Library:
    """One MPI library: the name of its programs' endings, and what it calls itself."""

    name: str
    title: str

    @property
    def mpicc(self) -> str:
        return f"mpicc.{self.name}"

    @property
    def is_here(self) -> bool:
        programs = all(shutil.which(f"{tool}.{self.name}") for tool in ("mpicc", "mpirun"))
        return programs and find_spec("mpi4py") is not None

    @property
    def launcher(self) -> str:
        return f"mpirun.{self.name}"

    def mpirun(self, ranks: int, *words: str) -> list[str]:
        """More ranks than cores, with the words of the launcher's own."""
        more = ["--oversubscribe"] if self.name == "openmpi" else []
        return [self.launcher, *more, "-n", str(ranks), *words]

    def run(self, ranks: int, words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
        """The end of a job whose processes are free to use all cores."""
        free = ["--bind-to", "none"] if self.name == "openmpi" else []
        return subprocess.run(
            self.mpirun(ranks, *free, *words), capture_output=True, text=True, timeout=240, env=self.environment,
            cwd=folder, check=False,
        )  # fmt: skip

    @property
    def environment(self) -> dict[str, str]:
        # mpi4py is made for both; it asks for MPICH by a name that Debian does not use.
        return {
            **os.environ,
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            # Processes of all jobs share compiled modules.
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(workshop() / "compiled"),
            # Ranks that wait leave the cores to others.
            "OMPI_MCA_mpi_yield_when_idle": "1",
            "MPI4PY_MPIABI": self.name,
            "LD_LIBRARY_PATH": _linked(),
            # Built anew; the user's own cache is not touched.
            "XDG_CACHE_HOME": str(workshop() / "cache"),
        }

    def compiled(self, source: str, *flags: str) -> Path:
        """A program of this folder, built once for all tests."""
        folder = workshop()
        made = folder / f"{source.replace('.', '-')}-{'-'.join(flags).strip('-')}-{self.name}"
        if not made.exists():
            compiler = f"mpif90.{self.name}" if source.endswith(".F90") else self.mpicc
            words = [compiler, "-O1", *flags, str(HERE / source), "-o", str(made), "-lpthread"]
            done = subprocess.run(words, capture_output=True, text=True, cwd=folder, timeout=SECONDS)
            assert done.returncode == 0, done.stderr
        return made

    def netloom(self, *words: str | Path, cwd: Path, **settings: str) -> Done:
        """A command of netloom in this process, which saves its start; what it starts is captured as well."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, pytest.MonkeyPatch.context() as patch:
            patch.chdir(cwd)
            for name, value in (self.environment | settings).items():
                patch.setenv(name, value)
            with _written_to(1, "stdout", out), _written_to(2, "stderr", err), pytest.raises(SystemExit) as left:
                main(list(map(str, words)))
            said = []
            for file in (out, err):
                file.seek(0)
                said.append(file.read().decode())
        return Done(int(left.value.code or 0), *said)


OPEN_MPI, MPICH = Library("openmpi", "Open MPI"), Library("mpich", "MPICH")
BOTH = (OPEN_MPI, MPICH)


@contextmanager
def _written_to(number: int, name: str, file: IO[bytes]) -> Iterator[None]:
    """Both the stream of this process and what its children inherit."""
    before, kept = getattr(sys, name), os.dup(number)
    os.dup2(file.fileno(), number)
    setattr(sys, name, open(os.dup(number), "w", encoding="utf-8", buffering=1))  # noqa: SIM115, PTH123
    try:
        yield
    finally:
        getattr(sys, name).close()
        setattr(sys, name, before)
        os.dup2(kept, number)
        os.close(kept)


@cache
def workshop() -> Path:
    """A folder for programs and for netloom's cache, gone when the tests are done."""
    folder = Path(tempfile.mkdtemp(prefix="netloom-mpi-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def _linked() -> str:
    """A folder in which MPICH's library has its usual name."""
    folder = workshop() / "mpich"
    folder.mkdir()
    for path in Path("/usr/lib").glob("*/libmpich.so.12"):
        (folder / "libmpi.so.12").symlink_to(path)
    return str(folder)


@cache
def missing(library: Library) -> str:
    """Why a library cannot be tested; "" if it can."""
    return "" if library.is_here else f"{library.title} with its compiler, or mpi4py, is not installed"


def said(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Lines of faults, without those of mpirun."""
    return [line for line in done.stderr.splitlines() if line.startswith("error: ")]


def facts(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The JSON of a job, whose lines mpirun may end with a carriage return."""
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def matrix(folder: Path) -> dict[tuple[int, int], tuple[int, int]]:
    """Messages and bytes by source and target, from `matrix.csv`."""
    head, *lines = (folder / "matrix.csv").read_text().splitlines()
    assert head == "src,dst,messages,bytes"
    rows = [tuple(map(int, line.split(","))) for line in lines]
    return {(a, b): (messages, total) for a, b, messages, total in rows}


def summed(*parts: Mapping[tuple[int, int], tuple[int, int]]) -> dict[tuple[int, int], tuple[int, int]]:
    """Sum of several."""
    made: dict[tuple[int, int], tuple[int, int]] = {}
    for part in parts:
        for pair, (messages, total) in part.items():
            before = made.get(pair, (0, 0))
            made[pair] = before[0] + messages, before[1] + total
    return made
