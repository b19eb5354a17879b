"""Which network to build: candidates of every family, priced from a catalogue, timed for a mix of workloads."""

from __future__ import annotations

from .answer import Design, Settings
from .asked import design
from .catalogue import Catalogue, catalogue, shipped_text
from .families import FAMILIES

__all__ = ["FAMILIES", "Catalogue", "Design", "Settings", "catalogue", "design", "shipped_text"]
