"""How many threads the parallel loops of the core get."""

from __future__ import annotations

import os

#: The variable that asks for a number; threads per processor that it may ask for, and how many it may always.
VARIABLE, EACH, FEW = "RAYON_NUM_THREADS", 4, 16
_given: list[int] = []


def limit_threads(most: int | None) -> None:
    """Set how many threads there may be, before the first work; None for one per processor, or the environment's."""
    _given[:] = [] if most is None else [most]


def wanted() -> int:
    """One per processor that this process may use, or what was set or the environment asks for, up to a bound."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count() or 1
    text = os.environ.get(VARIABLE, "").strip()
    asked = _given[0] if _given else int(text[:9]) if text.isascii() and text.isdigit() else 0
    return min(asked or cores, max(FEW, EACH * cores))
