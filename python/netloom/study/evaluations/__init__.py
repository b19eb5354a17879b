"""Evaluations by name: an explicit list, one file each."""

from __future__ import annotations

from . import cost, hops, link_load, loads, metrics, time, verify
from .base import AxisSpec, Evaluation, Made, Option

ALL: tuple[Evaluation, ...] = (
    metrics.EVALUATION,
    hops.EVALUATION,
    link_load.EVALUATION,
    loads.EVALUATION,
    time.EVALUATION,
    verify.EVALUATION,
    cost.EVALUATION,
)

BY_NAME = {evaluation.name: evaluation for evaluation in ALL}

__all__ = ["ALL", "BY_NAME", "AxisSpec", "Evaluation", "Made", "Option"]
