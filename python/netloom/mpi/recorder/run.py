"""One recorded run: its folder, the library for its MPI, the program, and what it left."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from ... import __version__
from ...base import files
from ...base.errors import Fault, NetloomError
from ..installed import Installed, behind
from .build import built
from .generate import HELPERS, declared, intercepted
from .launch import environment, program, run
from .layout import ABOUT, FORM
from .summary import Record, read_record


def recorded(
    command: Sequence[str], folder: Path, depth: str, limit_bytes: int, mpicc: str | None = None, aside: bool = False
) -> tuple[int, Record | NetloomError]:
    """Runs a program; its exit code, and its record or what is wrong with that.

    Parameters
    ----------
    folder
        New or empty.
    depth
        "sums" or "order".
    limit_bytes
        Of the list of events of a rank.
    aside
        What the program prints goes to stderr.

    Raises
    ------
    NetloomError
        Before the program is started: NL-I001 to NL-I004, NL-I009, NL-X003.
    """
    mpi = behind(program(command), mpicc)
    library = built(mpi)
    _prepare(folder, mpi, command)
    settings = {"NETLOOM_RECORD": str(folder.resolve()), "NETLOOM_DEPTH": depth, "NETLOOM_LIMIT": str(limit_bytes)}
    code = run(command, environment(library, **settings), aside)
    try:
        return code, read_record(folder)
    except NetloomError as error:
        return code, error


def _prepare(folder: Path, mpi: Installed, command: Sequence[str]) -> None:
    """For the user's eyes only: what a program sends may be nobody else's business."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_used = any(folder.iterdir())
    except OSError as error:
        raise NetloomError([Fault("NL-X003", str(folder), f"cannot be written: {error.strerror}")]) from None
    if is_used:
        raise NetloomError([Fault("NL-X003", str(folder), "is not empty", "", "name another folder with -o")])
    names = [f"MPI_{one.name}" for one in intercepted(declared(mpi.header))] + [f"MPI_{name}" for name in HELPERS]
    about = {"form": FORM, "netloom": __version__, "mpi": str(mpi), "command": shlex.join(command), "functions": names}
    files.write(folder / ABOUT, json.dumps(about, indent=1).encode())
