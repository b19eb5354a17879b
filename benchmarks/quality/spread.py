"""Least, median and greatest of one number over the seeds."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import NamedTuple


class Spread(NamedTuple):
    low: float
    median: float
    high: float

    @staticmethod
    def of(values: Iterable[float]) -> Spread:
        numbers = sorted(values)
        return Spread(numbers[0], statistics.median(numbers), numbers[-1])

    def __str__(self) -> str:
        return " / ".join(f"{value:,.0f}" for value in self)
