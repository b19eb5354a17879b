"""The benchmark programs run by hand and rarely: at least what they import is there, and Scotch's input is right."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from benchmarks.quality import scotch

ROOT = Path(__file__).resolve().parents[2]
#: Peers need packages that tests do without.
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "benchmarks").rglob("*.py")
    if "peers" not in path.parts and path.stem != "__init__"
)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_finds_what_it_imports(name: str) -> None:
    import_module(name)


def test_a_weighted_graph_lists_every_edge_at_both_ends() -> None:
    text = scotch.graph_text(3, np.array([[0, 2], [0, 1]]), np.array([7, 5]))
    assert text == "0\n3 4\n0 010\n2 5 1 7 2\n1 5 0\n1 7 0\n"


def test_pairs_are_merged_and_weights_keep_their_ratio() -> None:
    pairs, weights = scotch.merged(np.array([[0, 1], [1, 2], [0, 1]]), np.array([1024, 6144, 1024]))
    assert (pairs.tolist(), weights.tolist()) == ([[0, 1], [1, 2]], [1, 3])


def test_ranks_that_share_a_leaf_take_the_nearest_free_one() -> None:
    assert scotch.one_each(np.array([3, 3, 1, 1])).tolist() == [3, 2, 1, 0]
