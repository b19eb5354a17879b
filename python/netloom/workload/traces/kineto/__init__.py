"""Profiles of PyTorch: `torch.profiler`'s `export_chrome_trace`, one file a rank."""

from __future__ import annotations

from .reader import KINETO

__all__ = ["KINETO"]
