"""The command line. Sub-commands load when they are called: `netloom --help` imports neither NumPy nor the core."""

from __future__ import annotations

from .app import main

__all__ = ["main"]
