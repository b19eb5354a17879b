"""Traces of larger runs from those of small ones, for codes whose ranks follow a grid."""

from __future__ import annotations

from .growth import Sizes
from .search import Extrapolated, extrapolate

__all__ = ["Extrapolated", "Sizes", "extrapolate"]
