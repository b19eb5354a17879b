"""Why a run takes its time: where it is lost, from its record, and what would change it, from runs that are simulated."""

from __future__ import annotations

from .changes import Change, Explained, explain

__all__ = ["Change", "Explained", "explain"]
