"""Why a run takes its time: where it is lost, from its record, and what would change it, from further runs."""

from __future__ import annotations

from .changes import TIMES, Change, Explained, explain

__all__ = ["TIMES", "Change", "Explained", "explain"]
