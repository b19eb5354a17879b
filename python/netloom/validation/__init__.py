"""Predictions held against measurements."""

from __future__ import annotations

from .codes import CODES
from .held import Validation, held, validate
from .predict import Predictor
from .score import Compared, Score, score

__all__ = ["CODES", "Compared", "Predictor", "Score", "Validation", "held", "score", "validate"]
