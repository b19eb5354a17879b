"""Winner or tie, and which bounds are told."""

from __future__ import annotations

from netloom.base.winner import MARGIN, called, leaders, tells, ties


def test_who_is_within_the_margin_ties() -> None:
    times = {"a": 1.004, "b": 1.0, "c": 1.0 + 2 * MARGIN}
    assert leaders(times) == ["b", "a"] and leaders({"a": 2.0, "b": 1.0}) == ["b"] and leaders({}) == []
    assert ties(times.values()) == [True, True, False]
    assert leaders({"a": 0.0, "b": 0.0, "c": 1.0}) == ["a", "b"]


def test_words() -> None:
    assert called(["x"], "fastest") == "x is the fastest"
    assert called(["x", "y", "z"], "fastest") == "x, y and z tie as the fastest (within 2 %)"


def test_a_bound_far_below_what_was_found_is_not_told() -> None:
    assert tells(50.0, 50.0) and tells(30.0, 50.0)
    assert not tells(1.0, 50.0) and not tells(0.0, 50.0) and not tells(None, 50.0) and not tells(0.0, 0.0)
