"""Tidy tables with units and provenance, written whole or not at all."""

from .table import Column, Table
from .write import parquet_available, write_table

__all__ = ["Column", "Table", "parquet_available", "write_table"]
