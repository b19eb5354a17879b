"""Faults that may explain a slow machine, one row each."""

from __future__ import annotations

from .rows import FAULTS, Hypothesis

__all__ = ["FAULTS", "Hypothesis"]
