"""Quantiles and correlations, against closed forms and SciPy."""

from __future__ import annotations

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from netloom.base.statistics import Correlation, correlation, quantile, uncorrelated

#: Few distinct numbers, so that many are tied, and any.
NUMBERS = st.one_of(
    st.integers(0, 4).map(float), st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda x: round(x, 3))
)
PAIRS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=40)


def test_a_rising_line_has_one_in_all_three() -> None:
    assert correlation([1, 2, 3], [2, 4, 6]) == Correlation(1.0, 1.0, 1.0)
    assert correlation([1, 2, 3], [6, 4, 2]) == Correlation(-1.0, -1.0, -1.0)


def test_ranks_rise_where_numbers_bend() -> None:
    found = correlation([1, 2, 3, 4], [1, 10, 100, 1000])
    assert found is not None
    assert (found.spearman, found.kendall) == (1.0, 1.0)
    # Products and squares of the differences from the means, 2.5 and 277.75.
    assert found.pearson == pytest.approx(1543.5 / (5 * 701520.75) ** 0.5)


def test_a_made_table_near_the_one_of_a_paper() -> None:
    # Two columns of a program and its collective; the coefficients by hand.
    found = correlation([1, 2, 3, 4, 5], [1, 2, 3, 5, 4])
    assert found is not None
    assert found.pearson == pytest.approx(0.9) and found.spearman == pytest.approx(0.9)
    assert found.kendall == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ([1, 2], [2, 4], "fewer than 3 rows"),
        ([1, 1, 1], [1, 2, 3], "the first column is constant"),
        ([1, 2, 3], [4, 4, 4], "the second column is constant"),
        ([1, 2, float("nan")], [1, 2, 3], "a value is not a finite number"),
        ([1, 2, 3], [1, 2, float("inf")], "a value is not a finite number"),
    ],
)
def test_no_correlation_has_a_reason(one: list[float], other: list[float], why: str) -> None:
    assert uncorrelated(one, other) == why
    assert correlation(one, other) is None


def test_huge_and_tiny_numbers_neither_overflow_nor_vanish() -> None:
    for size in (1e307, 1e-300):
        found = correlation([size, 2 * size, 3 * size], [2.0, 4.0, 6.0])
        assert found is not None and list(vars(found).values()) == pytest.approx([1.0, 1.0, 1.0])


@given(PAIRS)
def test_coefficients_are_those_of_scipy(pairs: list[tuple[float, float]]) -> None:
    one, other = [x for x, _ in pairs], [y for _, y in pairs]
    found = correlation(one, other)
    if found is None:
        assert len(set(one)) == 1 or len(set(other)) == 1
        return
    assert found.pearson == pytest.approx(scipy.stats.pearsonr(one, other).statistic, abs=1e-6)
    assert found.spearman == pytest.approx(scipy.stats.spearmanr(one, other).statistic, abs=1e-9)
    assert found.kendall == pytest.approx(scipy.stats.kendalltau(one, other).statistic, abs=1e-9)


def test_quantiles_are_linear_between_order_statistics() -> None:
    values = [float(n) for n in range(11)]
    assert [quantile(values, share) for share in (0.0, 0.1, 0.25, 0.9, 1.0)] == [0.0, 1.0, 2.5, 9.0, 10.0]
    assert quantile([7.0], 0.9) == 7.0
