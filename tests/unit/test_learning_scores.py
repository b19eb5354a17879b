"""Scores and features, each by its definition, with loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from netloom.learning import kendall_tau_b, r2, rcc
from netloom.learning.scores import interval

FEW = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=25)


def by_definition(x: list[int], y: list[int]) -> float:
    """Jain 2016, section 4.2.2."""
    right = pairs = 0
    for i in range(len(x)):
        for j in range(i):
            pairs += 1
            right += (x[i] >= x[j] and y[i] >= y[j]) or (x[i] < x[j] and y[i] < y[j])
    return right / pairs


@settings(max_examples=200, deadline=None)
@given(FEW)
def test_rcc_is_the_share_of_pairs_in_order(rows: list[tuple[int, int]]) -> None:
    x, y = [a for a, _ in rows], [b for _, b in rows]
    assert rcc(np.array(x, float), np.array(y, float)) == pytest.approx(by_definition(x, y), abs=1e-15)


@settings(max_examples=200, deadline=None)
@given(FEW)
def test_tau_b_is_that_of_scipy(rows: list[tuple[int, int]]) -> None:
    x, y = (np.array(column, float) for column in zip(*rows, strict=True))
    found = kendall_tau_b(x, y)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(float(stats.kendalltau(x, y).statistic), abs=1e-12)


@pytest.mark.parametrize(("wrong", "score"), [(2, 0.9947), (16, 0.9577), (34, 0.9101), (38, 0.8995)])
def test_rcc_of_twenty_eight_samples(wrong: int, score: float) -> None:
    """Bubbles so many pairs into the wrong order (Jain 2016, section 4.3: 378 pairs)."""
    order = list(range(28))
    left = wrong
    for end in range(28):
        for at in range(27 - end):
            if left and order[at] < order[at + 1]:
                order[at], order[at + 1] = order[at + 1], order[at]
                left -= 1
    assert left == 0
    assert rcc(np.arange(28.0), np.array(order, float)) == pytest.approx(score, abs=5e-5)


def test_r2_is_one_less_the_errors_over_the_spread() -> None:
    x = np.array([1.0, 2.0, 4.0])
    assert r2(x, x) == 1.0
    assert r2(x, np.full(3, x.mean())) == pytest.approx(0.0, abs=1e-15)
    assert r2(x, np.array([1.0, 2.0, 3.0])) == pytest.approx(1 - 1 / (np.sum((x - x.mean()) ** 2)))
    assert math.isnan(r2(np.ones(3), x))


def test_an_interval_holds_the_score_and_is_narrower_with_more_rows() -> None:
    draws = np.random.default_rng(3)
    widths = []
    for rows in (20, 300):
        x = draws.random(rows)
        y = x + 0.2 * draws.random(rows)
        found = interval("rcc", x, y, 1)
        assert found is not None and found[0] <= rcc(x, y) <= found[1]
        assert found == interval("rcc", x, y, 1)
        widths.append(found[1] - found[0])
    assert widths[1] < widths[0]
    assert interval("rcc", x[:2], y[:2], 1) is None
