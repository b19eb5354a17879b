"""Rows and classes that rooms above add to the names of the package, made when they are asked for.

The package itself fills the tables (`netloom/__init__.py`): it is loaded before any of its modules and lies above all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .._core import Programs
    from .records import Row

#: By kind, what gives its rows.
OWN_ROWS: dict[str, Callable[[], Iterable[Row]]] = {}
#: By kind and name, what gives a class of this package that stands on rooms above the plug-ins.
OWN_CLASSES: dict[str, dict[str, Callable[[], type]]] = {}
#: By name, what makes the programs of a call text on n ranks; files in it start in a folder.
OWN_PROGRAMS: dict[str, Callable[[str, int, Path], Programs]] = {}
