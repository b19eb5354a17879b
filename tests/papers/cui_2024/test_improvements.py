"""Section 4.5.2: what 'improved by' may mean."""

from __future__ import annotations

import pytest

from .improvements import CLAIMS, MEASURES, OWN, fits, higher_speed, kept


@pytest.mark.parametrize(("less", "speed"), [(0, 0), (20, 25), (50, 100), (75, 300), (-100, -50)])
def test_x15_half_the_time_is_twice_the_speed(less: float, speed: float) -> None:
    assert higher_speed(less) == speed


def test_x15_the_printed_numbers_are_those_of_k20_to_k23() -> None:
    printed = [kept()[OWN][claim][1] for claim in CLAIMS]
    assert printed == [51, 80, 29, 42, 60, 72, 21, 34]


def test_x15_what_is_near_enough_is_counted() -> None:
    numbers = [(50.0, 51.0, 15.0), (50.0, 80.0, 15.0), (20.0, 30.0, 15.0)]
    assert fits(numbers, "less time") == (2, 3, pytest.approx(41 / 3))
    assert fits(numbers, "higher speed") == (1, 3, pytest.approx((49 + 20 + 5) / 3))


def test_x15_neither_measure_gives_all_printed_numbers_under_any_reading() -> None:
    for numbers in kept().values():
        for name in MEASURES:
            held, count, _ = fits(numbers.values(), name)
            assert held < count, name
