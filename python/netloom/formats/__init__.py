"""Files by what they hold: one `read`, one `write`, over the registry of formats (`netloom list formats`)."""

from __future__ import annotations

from .reading import HOLDS, Holds, read
from .writing import write

__all__ = ["HOLDS", "Holds", "read", "write"]
