"""Programs under `mpirun` of Debian's Open MPI and MPICH, with more processes than cores."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

#: Name of the library, and what starts its processes.
LIBRARIES = {"Open MPI": "mpirun.openmpi", "MPICH": "mpirun.mpich"}
NETLOOM = [sys.executable, "-m", "netloom"]
_OPEN_MPI = ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
#: Debian's name of MPICH's library, where the wheel of mpi4py looks for the one of MPICH's ABI.
_MPICH = [Path(f"/usr/lib/{kind}-linux-gnu/libmpich.so.12") for kind in ("x86_64", "aarch64")]


def missing(library: str) -> str:
    """Why it cannot be used here; "" if it can."""
    if shutil.which(LIBRARIES[library]) is None:
        return f"{LIBRARIES[library]} is not installed"
    if library == "MPICH" and not any(path.exists() for path in _MPICH):
        return "there is no libmpich.so.12"
    return "" if find_spec("mpi4py") else "mpi4py is not installed"


def environment(library: str, folder: Path) -> dict[str, str]:
    """Variables with which mpi4py loads the library; processes of all jobs share compiled modules."""
    made = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    made.pop("PYTHONDONTWRITEBYTECODE", None)
    made["PYTHONPYCACHEPREFIX"] = str(folder.parent / "compiled")
    if library == "Open MPI":
        return made | {"MPI4PY_MPIABI": "openmpi"}
    link = folder / "mpich" / "libmpi.so.12"
    if not link.is_symlink():
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(next(path for path in _MPICH if path.exists()))
    path = ":".join(filter(None, (str(link.parent), os.environ.get("LD_LIBRARY_PATH"))))
    return made | {"MPI4PY_MPIABI": "mpich", "LD_LIBRARY_PATH": path}


def run(library: str, processes: int, words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """The end of a job."""
    options = _OPEN_MPI if library == "Open MPI" else []
    start = [LIBRARIES[library], *options, "-n", str(processes)]
    return subprocess.run(
        [*start, *words], capture_output=True, text=True, timeout=240, env=environment(library, folder), check=False,
        cwd=folder,
    )  # fmt: skip


def said(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Lines of faults, without those of mpirun."""
    return [line for line in done.stderr.splitlines() if line.startswith("error: ")]


def facts(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The JSON of a job, whose lines mpirun may end with a carriage return."""
    made: dict[str, Any] = json.loads(done.stdout)
    return made
