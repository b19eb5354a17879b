"""The Pareto front of two measures of which less is better."""

from __future__ import annotations

from collections.abc import Sequence


def unbeaten(x: Sequence[float], y: Sequence[float]) -> list[int]:
    """Points that no other is at most equal to in both and below in one, by ascending x. O(n log n).

    >>> unbeaten([1, 2, 3, 3], [5, 4, 4, 1])
    [0, 1, 3]
    >>> unbeaten([2, 2, 1], [3, 3, 4])
    [2, 0, 1]
    """
    order = sorted(range(len(x)), key=lambda i: (x[i], y[i], i))
    best: list[int] = []
    for i in order:
        same = bool(best) and (x[best[-1]], y[best[-1]]) == (x[i], y[i])
        if not best or y[i] < y[best[-1]] or same:
            best.append(i)
    return best
