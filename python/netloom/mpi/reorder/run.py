"""A program that gets another MPI_COMM_WORLD."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...base import interrupt
from ...base.errors import Fault, NetloomError
from ..compiled import cache
from ..installed import behind
from ..recorder.build import built
from ..recorder.launch import environment, program, run
from .given import written


def run_reordered(command: Sequence[str], new_ranks: Sequence[int], mpicc: str | None = None) -> int:
    """The exit code of a program whose ranks are these; 2 if it was not started since they do not fit.

    Raises
    ------
    NetloomError
        Before anything is started: NL-I001 to NL-I004, NL-I009, NL-X003.
    """
    library = built(behind(program(command), mpicc))
    # The order is taken away first.
    with interrupt.held():
        # Next to the library, which all nodes must reach as well.
        try:
            handle, path = tempfile.mkstemp(".order", "", cache())
            with os.fdopen(handle, "wb") as file:
                file.write(written(new_ranks))
        except OSError as error:
            raise NetloomError([Fault("NL-X003", str(cache()), f"cannot be written: {error.strerror}")]) from None
        try:
            return run(command, environment(library, NETLOOM_REORDER=path))
        finally:
            Path(path).unlink(missing_ok=True)
