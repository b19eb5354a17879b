"""The command line. Sub-commands load when they are called: `netloom --help` imports neither NumPy nor the core."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.interrupt import handled, leave

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    try:
        # Loading is interrupted too: nothing else is imported before this.
        with handled():
            from .app import main as run

            run(args)
    except KeyboardInterrupt:
        leave()
