"""The command line. Sub-commands load when they are called: `netloom --help` imports neither NumPy nor the core."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..base.interrupt import handled, leave

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    # NumPy's linear algebra, which netloom does not use, starts a thread per processor when it is loaded, and sends
    # itself SIGINT where none is to be had.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        # Loading is interrupted too: nothing else is imported before this.
        with handled():
            from .app import main as run

            run(args)
    except KeyboardInterrupt:
        leave()
