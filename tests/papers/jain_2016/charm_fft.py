"""Section 8.2.3 of Jain 2016: how much of a grid of 300^3 a cutoff in wave space leaves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..findings import Found
from ..measured import finding

TITLE = "What a cutoff leaves of a Fourier transform"
EDGE, CUTOFF = 300, 6400
RUNS = 1


def measure() -> Iterator[Found]:
    """E4-28: planes, pencils and points within a cutoff of G^2 = 6,400, G in grid indices."""
    square = np.arange(-EDGE // 2, EDGE // 2) ** 2
    pencils = square[:, None] + square[None, :]
    points = sum(int((pencils + plane <= CUTOFF).sum()) for plane in square)
    kept = {
        "points": points / EDGE**3,
        "pencils": float((pencils <= CUTOFF).mean()),
        "planes": float((square <= CUTOFF).mean()),
    }
    cases = [(name, f"{100 * share:.1f} % stay", abs(share - 0.5) <= 0.05) for name, share in kept.items()]
    yield finding("E4-28", "half of the points, within 5", cases[:1])
    yield finding("E4-28 others", "half, within 5 points", cases[1:])
