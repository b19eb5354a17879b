"""Logs of NCCL and RCCL (`NCCL_DEBUG=INFO`): what was called, and how the library laid it out."""

from __future__ import annotations

from dataclasses import replace

from . import reader
from .facts import facts

#: The format with what it says of rings, trees and choices.
NCCL_LOG = replace(reader.NCCL_LOG, facts=facts)

__all__ = ["NCCL_LOG", "facts"]
