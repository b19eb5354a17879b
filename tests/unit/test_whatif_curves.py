"""Knees of curves that turn: a best value inside the range, a worst one, and what is flat."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from netloom.whatif import Knee, Settings, WhatIf, whatif
from netloom.whatif.knees import NOTHING

pytest.importorskip("sklearn")


def asked(function: Callable[..., float], *vary: str, **more: Any) -> WhatIf:
    return whatif(function, list(vary), how=Settings(samples=64), **more)


def alone(function: Callable[[float], float], vary: str) -> tuple[Knee, list[str], dict[str, Any]]:
    """The knee of one range, the sentences, and the knee as JSON has it."""
    found = asked(lambda p: function(p["x"]), vary)
    made: Any = found.to_dict()
    return found.knees[0], found.explain(), made["knees"][0]


def test_a_best_value_inside_is_named_with_what_is_lost_on_both_sides() -> None:
    """100 / x + x has its least, 20, at 10: 101 at both ends of 1..100."""
    knee, said, made = alone(lambda x: 100 / x + x, "x=1..100 log")
    assert knee.value is None and knee.bend is None and not knee.flat and knee.best_inside is not None
    assert knee.best_inside.value == pytest.approx(10, rel=0.02) and knee.best_inside.result == pytest.approx(20)
    assert knee.best_inside.low_times == knee.best_inside.high_times == pytest.approx(101 / 20, rel=1e-3)
    assert made["best_inside"]["value"] == knee.best_inside.value and made["worst_inside"] is None
    assert "X is best at 10 (result 20), inside its range: 5.05 times worse at 1, 5.05 times worse at 100." in said
    assert not any("gives nothing" in line for line in said)


def test_runs_come_nearer_to_the_best() -> None:
    """Nowhere near a point of the first curve."""
    knee, _, _ = alone(lambda x: 1 + (x - 0.47) ** 2, "x=0..1")
    assert knee.best_inside is not None and abs(knee.best_inside.value - 0.47) < 1 / 32  # type: ignore[operator]


def test_pieces_of_a_broadcast_have_an_optimum() -> None:
    """Few pieces wait for each other, many pay their latency: by hand 21, and both ends are worse."""
    scenario = {
        "network": 'complete(1,p=16,bandwidth="100 Gbps",latency="1 us")', "calibration": "pure",
        "workload": "broadcast:chain(segments=8)", "size_bytes": "1 MiB",
    }  # fmt: skip
    found = whatif(scenario, "workload.segments=1..1024 log")
    (knee,) = found.knees
    assert knee.value is None and knee.best_inside is not None and 16 <= int(knee.best_inside.value) <= 32
    assert knee.best_inside.result < 212e-6 and knee.best_inside.low_times > 6 and knee.best_inside.high_times > 1.02
    text = " ".join(found.explain())
    assert "workload.segments is best at" in text and "times worse at 1," in text and "below" not in text
    # The base has fewer pieces than the best: more of them gain, though the low end is the better one.
    assert "doubling it from 8 to 16 gives 1.26 times" in text


def test_what_decides_does_not_give_nothing() -> None:
    """Both ends and the middle are the same, and the curve rises between them."""
    vary = "x=-3.14159..3.14159", "y=-3.14159..3.14159"
    found = asked(lambda p: 20 + math.sin(p["x"]) + 7 * math.sin(p["y"]) ** 2, *vary)
    assert found.ranked[0] == "y" and not any("Y gives nothing" in said for said in found.explain())
    one = next(knee for knee in found.knees if knee.name == "y")
    made: Any = found.to_dict()
    assert not one.flat and made["knees"][1]["flat"] is False and one.worst_inside is not None
    assert one.worst_inside.low_times == pytest.approx(27 / 20, rel=0.01)
    assert any("Y is worst at" in said and "1.35 times better at" in said for said in found.explain())


def test_only_less_than_two_per_cent_is_flat() -> None:
    for share, flat in ((0.015, True), (0.025, False)):
        knee, said, _ = alone(lambda x, share=share: 1 + share * math.sin(x) ** 2, "x=0..3.2")  # type: ignore[misc]
        assert knee.flat is flat and any("gives nothing anywhere" in line for line in said) is flat


def test_beyond_a_knee_nothing_is_lost() -> None:
    """Falls to 10 at x = 4 and rises by 1.5 % after it: a knee. By 30 %: none."""
    for rise, known in ((0.0025, True), (0.05, False)):
        knee, _, _ = alone(lambda x, rise=rise: max(40 / x, 10 * (1 + rise * (x - 4))), "x=1..10")  # type: ignore[misc]
        assert (knee.value is not None) is known and (knee.best_inside is None) is known
        if known:
            at = [one for value, one in zip(knee.curve.values, knee.curve.results, strict=True) if value >= knee.value]  # type: ignore[operator]
            assert max(at) < (1 + NOTHING) * min(at)


def test_a_bump_before_the_knee_is_told() -> None:
    """1 but for a bump: above it nothing is gained, and up to there nothing either."""
    knee, said, _ = alone(lambda x: 1 + 2 * math.exp(-((x - 2) ** 2)), "x=0..10")
    assert knee.value is not None and not knee.flat and knee.worst_inside is not None
    assert any("gives nothing" in line and "it is worst at" in line and "anywhere" not in line for line in said)


def test_the_greatest_can_lie_inside() -> None:
    found = asked(lambda p: 10 - (p["x"] - 3) ** 2, "x=1..5.5", best="greatest")
    assert found.knees[0].best_inside is not None
    assert found.knees[0].best_inside.value == pytest.approx(3, abs=0.05)


def test_a_best_value_that_moves_is_told() -> None:
    """a / x + x y: the best x is the square root of a / y."""
    found = asked(lambda p: 100 / p["x"] + p["x"] * p["y"], "x=1..100 log", "y=0.25..4")
    assert any("with the best of the others it is best at 2" in said for said in found.explain())


def test_a_parameter_that_counts_elsewhere_says_so() -> None:
    """With the other one as written it changes nothing."""
    found = asked(lambda p: 5 + p["x"] * (p["way"] == "b") * 3, "way=a|b", "x=0..5")
    assert any(said == "X gives nothing anywhere in its range (less than 2 %), with the others as written."
               or said.startswith("X gives nothing anywhere in its range (less than 2 %), with the others as written;")
               for said in found.explain())  # fmt: skip
