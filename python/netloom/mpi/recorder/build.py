"""The library in front of MPI, built with the user's compiler and kept for each MPI library."""

from __future__ import annotations

from pathlib import Path

from ..compiled import FLAGS, compiled, kept, plain, put, without_mpi
from ..installed import Installed
from .generate import declared, sources

_HERE = Path(__file__).parent
#: Folders of C: what records, and what reorders.
FOLDERS = (_HERE / "c", _HERE.parent / "reorder" / "c")
_GATE = ("gate.c", "stubs.c")


def built(mpi: Installed, anew: bool = False) -> Path:
    """The folder with `gate.so` and the hooks for a library; made if it is not there.

    Raises
    ------
    NetloomError
        NL-I003 if the compiler fails, NL-I004 for a cache that is not safe, NL-X003 if it cannot be written.
    """
    made = sources(declared(mpi.header))
    given = {path.name: path.read_text() for folder in FOLDERS for path in sorted(folder.glob("*.[ch]"))}

    def make(folder: Path) -> None:
        put(folder, made)
        _compile(mpi, folder)

    return kept("recorder", mpi, made | given, make, anew)


def _compile(mpi: Installed, folder: Path) -> None:
    folders = [FOLDERS[0], folder]
    where = [f"-I{path}" for path in folders]
    files = [*FOLDERS[0].glob("*.c"), *FOLDERS[1].glob("*.c"), *folder.glob("*.c")]
    hooks = sorted(path for path in files if path.name not in _GATE)
    gate = [str(FOLDERS[0] / "gate.c"), str(folder / "stubs.c")]
    # The gate is linked against no MPI library: it is loaded into every process that the launcher starts.
    compiled([plain(mpi), *FLAGS, *where, "-shared", "-o", str(folder / "gate.so"), *gate, "-ldl", "-lpthread"])
    # Objects of Open MPI have addresses, which come from the library; MPICH's are numbers, and any like it will do.
    library = folder / f"hooks-{mpi.family}.so"
    if mpi.family == "openmpi":
        compiled([mpi.compiler, *FLAGS, *where, "-shared", "-o", str(library), *map(str, hooks), "-lpthread"])
    else:
        without_mpi(mpi, library, hooks, folders)
