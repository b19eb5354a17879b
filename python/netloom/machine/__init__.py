"""What times depend on: machines, and the calibrations that they name."""

from __future__ import annotations

from .codes import CODES
from .machine import Machine, Measured
from .presets import load, names, search_in

__all__ = ["CODES", "Machine", "Measured", "load", "names", "search_in"]
