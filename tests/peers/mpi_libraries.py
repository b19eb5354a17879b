"""The two MPI libraries of the tests, and netloom's commands run on them as a user does."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple

import pytest

from netloom.cli.app import main

HERE = Path(__file__).parent
SECONDS = 100


class Done(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Library:
    """One MPI library as Debian packages it."""

    name: str

    @property
    def mpicc(self) -> str:
        return f"mpicc.{self.name}"

    @property
    def is_here(self) -> bool:
        return all(shutil.which(f"{tool}.{self.name}") for tool in ("mpicc", "mpirun"))

    def mpirun(self, ranks: int, *words: str) -> list[str]:
        """More ranks than cores, with the words of the launcher's own."""
        more = ["--oversubscribe"] if self.name == "openmpi" else []
        return [f"mpirun.{self.name}", *more, "-n", str(ranks), *words]

    @property
    def environment(self) -> dict[str, str]:
        # mpi4py is made for both; it asks for MPICH by a name that Debian does not use.
        return {
            **os.environ,
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
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


OPEN_MPI, MPICH = Library("openmpi"), Library("mpich")
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
    return "" if library.is_here else f"{library.name} is not installed"


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
