"""Rows inside answers, as types: dicts whose keys are known."""

from __future__ import annotations

from typing import TypedDict


class Step(TypedDict):
    """A communication step."""

    messages: int
    hops: int
    max_hops: int
    hop_bytes: int


class JobTime(TypedDict):
    """A job in simulated time: what it is, when its ranks end in seconds; NaN where that was not simulated."""

    job: str
    workload: str
    ranks: int
    start_s: float
    repetitions: int
    time_s: float
    first_s: float
    mean_s: float
    last_s: float
    mop_per_s: float | None
