"""What-if: indices of functions in closed form, knees computed by hand, scenarios through the same path."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest

import netloom
from netloom import NetloomError
from netloom.base.stopping import stopping
from netloom.whatif import Settings, WhatIf, whatif
from netloom.whatif.emulator import FLOOR
from netloom.whatif.knees import NOTHING

from . import whatif_functions as known

pytest.importorskip("sklearn")

UNIT = "=0..1"
THREE = [f"{name}={-math.pi}..{math.pi}" for name in "abc"]
FUNCTIONS: dict[str, tuple[Callable[..., float], list[str], dict[str, tuple[float, float]], int]] = {
    "ishigami": (known.ishigami, THREE, known.of_ishigami(), 4096),
    "g-function": (known.g_function, [f"{name}{UNIT}" for name in "abcd"], known.of_g_function(), 4096),
    "additive": (known.additive, [f"{name}{UNIT}" for name in "abc"], known.OF_ADDITIVE, 2048),
}
#: Two ranks on arms of a star.
STAR = {"network": 'star(4,bandwidth="100 Gbps",latency="1 us")', "calibration": "pure", "ranks": 2}


def asked(function: Callable[..., float], vary: list[str], **how: Any) -> WhatIf:
    return whatif(function, vary, how=Settings(**how))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_indices_are_those_in_closed_form(name: str) -> None:
    function, vary, exact, samples = FUNCTIONS[name]
    found = asked(function, vary, samples=samples, runs=100_000)
    assert found.rows == samples and found.emulator is None
    for one, (first, total) in exact.items():
        index = found.indices[one]
        assert index.first_low <= first <= index.first_high, one
        assert index.low <= total <= index.high, one
        # The interval says something, and the number is near.
        assert index.high - index.low < 0.1 and abs(index.total - total) < 0.03, one


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_emulator_finds_nearly_the_same(name: str) -> None:
    """On 150 runs, and judged on those it did not see."""
    function, vary, exact, _ = FUNCTIONS[name]
    found = asked(function, vary, runs=150 + 25 * len(vary), points=9)
    assert found.emulator is not None and len(found.points) <= 150 + 25 * len(vary)
    if not found.emulator.trusted:
        # The g-function has a corner in the middle of each parameter: that is said, and no index is given.
        assert name == "g-function" and found.emulator.r2 < FLOOR and not found.indices
        assert any("not good enough" in sentence for sentence in found.explain())
        return
    assert found.rows == 0 and any("an emulator stands in" in note for note in found.notes)
    for one, (_, total) in exact.items():
        assert abs(found.indices[one].total - total) < 0.15, one


def test_noise_gives_no_indices() -> None:
    """What no emulator can know is refused, with the number."""
    found = asked(lambda p: math.sin(1e5 * p["a"]) + math.sin(1e5 * p["b"]), ["a=0..1", "b=0..1"], runs=120)
    assert not found.indices and found.map is None and found.emulator is not None and found.emulator.r2 < FLOOR
    assert any(f"must be {FLOOR:g} or more" in note for note in found.notes)
    assert found.to_dict()["indices"] == {} and found.curves


def test_a_knee_is_where_the_hand_puts_it() -> None:
    """Time is 1 us + 1 MB over the narrower bandwidth; injection has 10 GB/s, so 2 % are left at a known value."""
    found = asked(known.message, ["link=1e9..50e9", "injection=2e9..18e9"], samples=64)
    knee = next(one for one in found.knees if one.name == "link")
    floor = 1e-6 + 1e6 / 10e9
    exact = 1e6 / ((1 + NOTHING) * floor - 1e-6)
    spacing = (50e9 - 1e9) / 16
    assert knee.upwards and isinstance(knee.value, float) and exact <= knee.value <= exact + spacing / 32
    assert knee.gain_before == pytest.approx((1e-6 + 1e-3) / floor, rel=0.03) and 1 <= knee.gain_after < 1 + NOTHING
    assert knee.bend == pytest.approx(10e9, rel=0.05)
    assert knee.slope_before == pytest.approx(-1, abs=0.02) and knee.slope_after == pytest.approx(0, abs=0.02)


def test_what_gains_to_its_end_has_no_knee() -> None:
    """And the last bit of 1/x, which gains less than 2 %, is none."""
    found = asked(lambda p: 1 / p["a"] + 0.001 * p["b"], ["a=1..10", "b=1..10"], samples=32)
    assert found.knees[0].value is None and found.knees[0].gain_after == 1
    assert found.knees[0].gain_before == pytest.approx((1 + 0.0055) / (0.1 + 0.0055), rel=1e-6)


def test_less_is_better_has_its_knee_below() -> None:
    """A latency that other time hides."""
    found = asked(lambda p: max(10.0, p["delay"]) + 0 * p["other"], ["delay=1..50", "other=1..2"], samples=32)
    knee = found.knees[0]
    assert (
        not knee.upwards
        and knee.value == pytest.approx(10.2, rel=0.02)
        and knee.gain_before == pytest.approx(50 / 10.2, rel=0.02)
    )
    assert found.without_effect == ["other"] and found.indices["other"].total == 0
    assert any("Other has no effect (index 0)." in sentence for sentence in found.explain())


def test_the_greatest_can_be_best() -> None:
    found = whatif(
        lambda p: min(p["a"], 4.0) * p["b"], ["a=1..10", "b=1..2"], best="greatest", how=Settings(samples=32)
    )
    knee = found.knees[0]
    assert knee.upwards and knee.value == pytest.approx(4 / (1 + NOTHING), rel=0.01) and knee.gain_after > 1


def test_choices_are_ranked() -> None:
    costs = {"fast": 1.0, "slow": 3.0, "middle": 2.0}
    found = asked(lambda p: costs[p["way"]] + 0.01 * p["a"], ["way=slow|fast|middle", "a=0..1"], samples=64)
    whole = 2 / 3 + 1e-4 / 12
    assert found.ranked[0] == "way" and found.indices["way"].low < 2 / 3 / whole < found.indices["way"].high
    assert any("Way: fast is best" in sentence and "better than slow" in sentence for sentence in found.explain())
    assert found.map is not None and found.map.rows == ["slow", "fast", "middle"]


def test_one_parameter_needs_no_sample() -> None:
    found = asked(lambda p: p["a"] ** 2, ["a=1..3"])
    assert found.indices["a"].total == 1 and len(found.points) < 40 and found.map is None
    assert asked(lambda p: 5.0, ["a=1..3"]).indices["a"].total == 0


def test_what_changes_nothing_says_so() -> None:
    found = asked(lambda p: 5.0, ["a=1..3", "b=1..3"], samples=16)
    assert found.without_effect == ["a", "b"] and found.explain()[0] == "Nothing that was varied changes result."


def test_one_message_takes_its_latency_and_its_bytes() -> None:
    """Four links of 1 us, two of them of endpoints, and bytes over the bandwidth: the engine through the same path."""
    vary = ["link_bandwidth=10..100 Gbps", "size_bytes=1 kB..1 MB"]
    found = whatif({**STAR, "workload": "broadcast:binomial"}, vary, how=Settings(samples=64))
    for values, result, _ in found.points:
        bandwidth, size = map(float, values)
        assert result == pytest.approx(4e-6 + size / bandwidth, rel=1e-9)
    assert found.asked.target == "time_s" and found.base is not None
    # As written: the size that a scenario has by default.
    assert found.base == pytest.approx(4e-6 + 1 / 12.5e9, rel=1e-9)


def test_where_injection_binds_links_have_a_knee() -> None:
    """All to all on a full mesh of 5 switches: 4 x size over injection, and size over a link of a pair.

    Shifts send from each rank to another, over one link, one after another: the narrower one takes the time.
    """
    mesh = 'full_mesh(5,bandwidth="200 Gbps",endpoint_bandwidth="80 Gbps",latency="0 ns",endpoint_latency="0 ns")'
    scenario = {"network": mesh, "workload": "alltoall:pairwise", "size_bytes": "1 MB", "calibration": "pure"}
    vary = ["injection_bandwidth=40..160 Gbps", "link_bandwidth=60..400 Gbps", "router_delay=1..10 ns"]
    found = whatif(scenario, vary, how=Settings(samples=128))
    # 4 rounds of 1 MB at the narrower bandwidth, and two switches in each.
    for values, result, _ in found.points:
        injection, link, delay = map(float, values)
        assert result == pytest.approx(4 * (1e6 / min(injection, link) + 2 * delay), rel=1e-6)
    link = next(one for one in found.knees if one.name == "link_bandwidth")
    assert link.value == pytest.approx(10e9 / (1 + NOTHING), rel=0.01)
    assert found.indices["injection_bandwidth"].low > found.indices["link_bandwidth"].high
    assert found.explain()[0].startswith("Injection bandwidth decides (total index 0.9")
    assert "doubling it from 10 GB/s to 20 GB/s gives 2 times" in found.explain()[0]
    assert found.indices["router_delay"].total < 0.01


def test_workers_change_no_byte() -> None:
    """Far more than is worth another process, by a rule that is set aside here."""
    from netloom.whatif import runs

    scenario = {"network": "torus(3,3)", "workload": "alltoall:pairwise", "size_bytes": "64 KiB"}
    vary = ["link_bandwidth=50..200 Gbps", "size_bytes=1 KiB..64 KiB log", "placement=linear|random(seed=1)"]
    texts = []
    before = runs.WORTH_S
    try:
        for workers, runs.WORTH_S in ((1, before), (2, 0.0)):
            found = whatif(scenario, vary, how=Settings(samples=16, workers=workers))
            texts.append(json.dumps(found.to_dict()))
    finally:
        runs.WORTH_S = before
    assert texts[0] == texts[1]


def test_what_stays_zero_has_no_knee() -> None:
    """Times of nothing: no factor can be given, and a note says so."""
    found = asked(lambda p: max(p["a"] - 1, 0.0) + p["b"] * 0, ["a=0..2", "b=0..1"], samples=32)
    assert not found.knees and found.indices["a"].total > 0.9
    assert "The curve of a has no knee: a result is not above 0." in found.notes


def test_the_seed_draws_the_sample() -> None:
    def text(seed: int) -> str:
        return json.dumps(asked(known.additive, ["a=0..1", "b=0..1", "c=0..1"], samples=16, seed=seed).to_dict())

    assert text(3) == text(3) != text(4)


def test_what_there_is_when_the_time_is_over() -> None:
    """The curves and a part of the sample; then nothing is asked any more."""
    from time import sleep

    def slow(point: Mapping[str, float]) -> float:
        sleep(0.004)
        return point["a"] + point["b"] ** 2

    with stopping(1.2):
        found = whatif(slow, ["a=0..1", "b=0..1"], how=Settings(samples=4096, runs=100_000))
    assert found.curves and found.points and (found.emulator is not None or found.ended == "time")
    assert any("no time" in note or "an emulator" in note for note in found.notes)


def test_an_interrupt_keeps_what_was_run() -> None:
    calls = 0

    def once(point: Mapping[str, float]) -> float:
        nonlocal calls
        calls += 1
        if calls == 400:
            raise KeyboardInterrupt
        return point["a"] + point["b"]

    found = whatif(once, ["a=0..1", "b=0..1"], how=Settings(samples=256))
    assert found.ended == "interrupted" and len(found.points) == 399
    assert found.rows == 64 and found.indices and found.map is None
    assert any("64 rows, not 256" in note for note in found.notes)


BAD = {
    ("link_bandwidth=400..50 Gbps",): "NL-U001 --vary link_bandwidth: 400 Gbps..50 Gbps has no room",
    ("link_bandwidth=50..50 Gbps",): "has no room",
    ("router_delay=0..5 ns log",): "has no logarithm",
    ("router_delay=-5..5 ns log",): "NL-U001 --vary router_delay",
    ("link_bandwith=50..400 Gbps",): 'did you mean "link_bandwidth"?',
    ("bandwidth=50..400 Gbps",): 'did you mean "network.bandwidth"?',
    ("network.bandwith=50..400 Gbps",): "NL-U002 --vary network.bandwith",
    ("link_bandwidth=1..2 Gbps", "network.bandwidth=1..2 Gbps"): "NL-U003 --vary network.bandwidth",
    ("link_bandwidth=50..400",): "write the unit, such as 50..400 Gbps",
    ("link_bandwidth=1..2 ns",): "must be a bandwidth such as 100 Gbps",
    ("routing=minimal",): "is one value alone",
    ("routing=minimal|",): "a choice before and after each |",
    ("routing=minimal|minimal",): 'the choice "minimal" stands there twice',
    ("routing=1..3",): "is no number, and has no range",
    ("network.p=1..2.5",): "not whole",
    ("size_bytes",): "must be KEY=A..B",
    ("search=1..2",): "is a table, not one value",
    ("wire.nothing=1..2",): "NL-U002 --vary wire.nothing",
    ("routing=minimal|nothing",): "nothing",
    (): "is missing",
}


@pytest.mark.parametrize("vary", BAD)
def test_what_is_wrong_is_said_in_one_line(vary: tuple[str, ...]) -> None:
    scenario = {"network": "torus(4,4)", "workload": "alltoall:pairwise", "size_bytes": "1 KiB"}
    with pytest.raises(NetloomError) as error:
        whatif(scenario, list(vary), how=Settings(samples=16))
    assert BAD[vary] in "\n".join(map(str, error.value.faults))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"target": "mop_per_s"}, "NL-U004 mop_per_s at link_bandwidth = "),
        ({"target": "time"}, 'did you mean "time_s"?'),
        ({"evaluator_name": "throughput"}, "no column of throughput answers by itself"),
        ({"best": "most"}, "NL-U006 --best must be least or greatest"),
        ({"how": Settings(samples=100)}, "NL-U006 --samples must be a power of two in 16..1048576, got 100"),
        ({"options": {"nothing": 1}}, "is no option of time"),
    ],
)
def test_what_cannot_be_asked(given: dict[str, Any], words: str) -> None:
    scenario = {"network": "torus(4,4)", "workload": "alltoall:pairwise", "size_bytes": "1 KiB"}
    with pytest.raises(NetloomError) as error:
        whatif(scenario, "link_bandwidth=50..400 Gbps", **given)
    assert words in str(error.value)


def test_a_run_that_fails_names_its_point() -> None:
    with pytest.raises(NetloomError) as error:
        whatif({"network": "ring(5)", "workload": "alltoall:pairwise"}, ["ranks=2..9", "link_bandwidth=1..2 Gbps"])
    assert "ranks = " in str(error.value) and "link_bandwidth = " in str(error.value)


def test_whole_numbers_stay_whole() -> None:
    # Others are varied with the ranks of the scenario, a whole number or "all".
    scenario = {"network": "ring(8)", "workload": "alltoall:pairwise", "ranks": 8}
    found = whatif(scenario, ["ranks=4..8", "link_bandwidth=1..2 Gbps"])
    assert {type(values[0]) for values, _, _ in found.points} == {int}


def test_what_follows_is_said() -> None:
    scenario = {"network": "torus(4,4)", "workload": "alltoall:pairwise", "size_bytes": "1 KiB"}
    found = whatif(scenario, "link_bandwidth=50..400 Gbps")
    assert "network.endpoint_bandwidth is not given, so it is as network.bandwidth and varies with it." in found.notes


def test_whatif_is_a_function_of_the_package() -> None:
    assert netloom.whatif is whatif
