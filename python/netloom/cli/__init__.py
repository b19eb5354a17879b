"""The command line. Sub-commands load when they are called: `netloom --help` imports neither NumPy nor the core."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    try:
        # Imported here, so that Ctrl-C during loading is handled too.
        from .app import main as run

        run(args)
    except KeyboardInterrupt:
        sys.exit(130)
