"""What times depend on: machines, and the calibrations that they name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .codes import CODES

if TYPE_CHECKING:
    from .machine import Machine, Measured
    from .presets import load, names, search_in

# Every command names machines, few have one.
_HOMES = {
    "Machine": ".machine",
    "Measured": ".machine",
    "load": ".presets",
    "names": ".presets",
    "search_in": ".presets",
}

__all__ = ["CODES", "Machine", "Measured", "load", "names", "search_in"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name], __name__), name)
    globals()[name] = value
    return value
