"""Winners as files that real libraries load: one module per file."""

from .files import KINDS, emit, write_files

__all__ = ["KINDS", "emit", "write_files"]
