"""Whether trees that came from a file lead nowhere but into themselves: compiled code follows them without a look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..base.arrays import Vector


def trees_are_sound(fitted: object, features: int) -> bool:
    """True if every node's children come after it in its tree, and every feature is one of `features`."""
    if getattr(fitted, "n_features_in_", features) != features:
        return False
    return all(_sound(*tree, features) for tree in _trees(fitted))


def _trees(fitted: object) -> Iterator[tuple[Vector[np.int64], Vector[np.int64], Vector[np.int64], Vector[np.bool_]]]:
    """Left and right children, features, and which nodes are leaves, tree by tree."""
    for one in np.ravel(getattr(fitted, "estimators_", [])):
        tree = one.tree_
        leaves = tree.children_left == tree.children_right
        yield tree.children_left, tree.children_right, tree.feature, leaves & (tree.children_left == -1)
    for stage in getattr(fitted, "_predictors", []):
        for one in stage:
            nodes = one.nodes
            yield (
                nodes["left"].astype(np.int64), nodes["right"].astype(np.int64), nodes["feature_idx"].astype(np.int64),
                nodes["is_leaf"].astype(bool),
            )  # fmt: skip


def _sound(
    left: Vector[np.int64], right: Vector[np.int64], feature: Vector[np.int64], leaf: Vector[np.bool_], features: int
) -> bool:
    at = np.arange(len(left))[~leaf]
    inner = [side[~leaf] for side in (left, right)]
    return (
        len(left) > 0
        and all(bool(np.all((side > at) & (side < len(left)))) for side in inner)
        and bool(np.all((feature[~leaf] >= 0) & (feature[~leaf] < features)))
    )
