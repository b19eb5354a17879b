"""Profiles of Nsight Systems, exported as SQLite."""

from __future__ import annotations

from .reader import NSYS

__all__ = ["NSYS"]
