"""OTF2, the traces of Score-P."""

from __future__ import annotations

from .archive import OTF2

__all__ = ["OTF2"]
