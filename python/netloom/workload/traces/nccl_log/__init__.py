"""Logs of NCCL and RCCL (`NCCL_DEBUG=INFO`): what was called, and how the library laid it out."""

from __future__ import annotations

from .facts import facts
from .reader import NCCL_LOG

__all__ = ["NCCL_LOG", "facts"]
