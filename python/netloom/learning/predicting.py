"""What a model says of samples that it has not seen, and of which it says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..base.errors import Fault, NetloomError
from .codes import OUTSIDE
from .learners import one_thread

if TYPE_CHECKING:
    from ..base.arrays import Matrix, Vector
    from .model_file import Model


@dataclass(frozen=True)
class Predicted:
    """For each row; NaN where it is refused.

    Attributes
    ----------
    values, low, high
        The prediction, and an interval that holds a sample like the training rows with the model's level.
    refused
        Reasons by number of the row.
    beyond
        How far each row lies outside of the training rows, in widths of the range of the worst feature; 0: inside.
    """

    values: Vector[np.float64]
    low: Vector[np.float64]
    high: Vector[np.float64]
    refused: Mapping[int, str]
    beyond: Vector[np.float64]


def predict(model: Model, values: Matrix[np.float64], extrapolate: bool = False) -> Predicted:
    """Predicts each row whose features lie within the ranges of the training rows.

    Parameters
    ----------
    values
        Shape (rows, features), in the order of `model.features`.
    extrapolate
        Also the others, with an interval that is wider by as many times as they lie beyond the range, plus one. Trees
        know nothing there: they answer as at the border.
    """
    low, high = (np.array(side) for side in zip(*model.ranges, strict=True))
    width = np.where(high > low, high - low, np.maximum(np.abs(high), 1.0))
    outside = np.maximum(np.maximum(low - values, values - high), 0.0) / width
    beyond: Vector[np.float64] = outside.max(axis=1, initial=0.0)
    refused = {}
    if not extrapolate:
        for row in np.flatnonzero(beyond > 0):
            at = int(np.argmax(outside[row]))
            least, most = model.ranges[at]
            refused[int(row)] = f"{model.features[at]} is {values[row, at]:g}, outside of {least:g} to {most:g}"
    predicted = np.full(len(values), np.nan)
    kept = np.array([row not in refused for row in range(len(values))], dtype=bool)
    if kept.any():
        with one_thread():
            predicted[kept] = model.fitted.predict(values[kept])
    half = model.error * (1.0 + beyond) * (np.abs(predicted) if model.relative else 1.0)
    return Predicted(predicted, predicted - half, predicted + half, refused, beyond)


def require_origin(model: Model, origin: Mapping[str, str], place: str, extrapolate: bool) -> list[str]:
    """Notes of where samples are from another machine or workload than those that were learned from.

    Raises
    ------
    NetloomError
        `NL-Q007` for such samples without `extrapolate`.
    """
    notes = []
    for name, value in origin.items():
        learned = model.origin.get(name)
        if learned is None or learned == value:
            continue
        sentence = f"{name} is {value[:80]}, and the model was learned on {learned[:80]}"
        if not extrapolate:
            hint = "learn on samples of both with --mixed, or take wider intervals with --extrapolate"
            raise NetloomError([Fault(OUTSIDE, place, sentence, "", hint)])
        notes.append(f"{sentence}: scores and intervals are not known to hold here")
    return notes
