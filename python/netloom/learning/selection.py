"""Features that matter: by extreme quantiles (Jain 2016, section 4.5.1), and by permutation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .learners import Fitted, Method
from .parts import split_again

if TYPE_CHECKING:
    from ..base.arrays import Matrix, Vector

#: Of the thesis: splits, share that trains, quantiles, threshold of importance.
SPLITS, TRAIN, QUANTILES, THRESHOLD = 50, 0.7, (0.1, 0.9), 0.1
#: How often a column is shuffled for its permutation importance.
SHUFFLES = 10


def by_quantiles(
    values: Matrix[np.float64], observed: Vector[np.float64], seed: int, splits: int = SPLITS
) -> tuple[list[int], dict[float, list[float]]]:
    """Features whose mean importance in a model of either quantile is above the threshold, and all mean importances.

    Gradient boosting with the quantile loss is fitted on 70 % of the rows of each split; importances of a model sum
    to 1.
    """
    method = Method("gradient-boosting", "quantile", seed=seed)
    sums = {quantile: np.zeros(values.shape[1]) for quantile in QUANTILES}
    for train, _ in split_again(len(observed), TRAIN, seed, splits):
        for quantile in QUANTILES:
            made = replace(method, quantile=quantile).made()
            made.fit(values[train], observed[train])
            sums[quantile] += impurity(made, values.shape[1])
    means = {quantile: total / splits for quantile, total in sums.items()}
    kept = [at for at in range(values.shape[1]) if any(mean[at] > THRESHOLD for mean in means.values())]
    return kept, {quantile: [float(one) for one in mean] for quantile, mean in means.items()}


def impurity(made: Fitted, features: int) -> Vector[np.float64]:
    """Share of each feature in what splits gained, of linear models the absolute weights. Sums to 1, or is 0."""
    kept = getattr(made, "feature_importances_", None)
    if kept is None and hasattr(made, "steps"):
        weights = np.abs(np.asarray(made.steps[-1][1].coef_, dtype=float))
        kept = weights / weights.sum() if weights.sum() > 0 else weights
    if kept is not None:
        return np.asarray(kept, dtype=float)
    # A learner that keeps none: isotonic regression has one feature.
    return np.ones(1) if features == 1 else np.full(features, np.nan)


def permutation(
    made: Fitted, values: Matrix[np.float64], observed: Vector[np.float64], seed: int
) -> Vector[np.float64]:
    """How much the mean absolute error grows when a column is shuffled, over the mean deviation; mean of ten."""
    draws = np.random.Generator(np.random.PCG64(seed))
    scale = float(np.mean(np.abs(observed - observed.mean()))) or 1.0
    error = float(np.mean(np.abs(made.predict(values) - observed)))
    grown = np.zeros(values.shape[1])
    for at in range(values.shape[1]):
        for _ in range(SHUFFLES):
            shuffled = values.copy()
            shuffled[:, at] = shuffled[draws.permutation(len(values)), at]
            grown[at] += float(np.mean(np.abs(made.predict(shuffled) - observed))) - error
    found: Vector[np.float64] = grown / SHUFFLES / scale
    return found
