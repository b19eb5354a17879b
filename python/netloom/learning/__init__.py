"""What slows a mapping: learned from features of samples (Jain 2016, chapter 4), scored on rows that nothing saw."""

from __future__ import annotations

from .learned import Asked, Learned, learn
from .learners import LEARNERS, Method
from .model_file import Model, read_model, write_model
from .nineteen import HYBRIDS, NINETEEN
from .parts import Shares
from .predicting import Predicted, predict, require_origin
from .samples import Raw, Samples, read_table, samples
from .scores import SCORES, kendall_tau_b, r2, rcc

__all__ = [
    "HYBRIDS",
    "LEARNERS",
    "NINETEEN",
    "SCORES",
    "Asked",
    "Learned",
    "Method",
    "Model",
    "Predicted",
    "Raw",
    "Samples",
    "Shares",
    "kendall_tau_b",
    "learn",
    "predict",
    "r2",
    "rcc",
    "read_model",
    "read_table",
    "require_origin",
    "samples",
    "write_model",
]
