"""Rows that rooms above this one add to the catalogue of names, made when they are asked for.

The package itself fills the table (`netloom/__init__.py`): it is loaded before any of its modules and lies above all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .records import Row

#: By kind, what gives its rows.
OWN_ROWS: dict[str, Callable[[], Iterable[Row]]] = {}
