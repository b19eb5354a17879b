"""Streams of GPUs: kernels with calls of a communication library in them, as tasks of ranks."""

from __future__ import annotations

from .kernels import Call, Compute, Kernel, RankKernels
from .matching import Groups, matched
from .tasks import recorded_streams

__all__ = ["Call", "Compute", "Groups", "Kernel", "RankKernels", "matched", "recorded_streams"]
