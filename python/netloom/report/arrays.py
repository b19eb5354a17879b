"""Columns of numbers for the page's scripts."""

from __future__ import annotations

import base64

import numpy as np
from numpy.typing import ArrayLike


def packed(values: ArrayLike, dtype: str) -> str:
    """Base64 of a little-endian array."""
    return base64.b64encode(np.asarray(values).astype(f"<{dtype}").tobytes()).decode("ascii")
