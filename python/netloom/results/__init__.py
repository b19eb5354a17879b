"""Tidy tables with units and provenance, written whole or not at all."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .table import Column, Table

if TYPE_CHECKING:
    from .write import parquet_available, write_table

__all__ = ["Column", "Table", "parquet_available", "write_table"]


def __getattr__(name: str) -> object:
    # Whoever only describes columns writes none.
    if name not in ("parquet_available", "write_table"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(".write", __name__), name)
    return found
