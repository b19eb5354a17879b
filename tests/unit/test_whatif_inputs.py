"""What `--vary` takes, and how it is called: lists, quotes and calls as `--set` has them; bases outside; names."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

import netloom
from netloom import NetloomError
from netloom.cli.options import parameter
from netloom.scenario.axes import AXES
from netloom.whatif import ALIASES, Range, Settings, whatif
from netloom.whatif.indices import OUTSIDE, indices
from netloom.whatif.parse import choice
from netloom.whatif.phrases import called
from netloom.whatif.varied import Listed

pytest.importorskip("sklearn")
pytest.importorskip("scipy")

TREE = {
    "network": 'xgft([8,8],[1,4],bandwidth="200 Gbps",endpoint_bandwidth="100 Gbps",latency="50 ns")',
    "workload": "alltoall:pairwise", "size_bytes": "64 KiB", "switch_latency": "100 ns", "calibration": "pure",
}  # fmt: skip


@pytest.mark.parametrize(
    "text", ["[1,4]", "[1, 4]", "[[1,2],[3]]", "true", "false", '"a b"', '"a|b"', "7", "1.5", "-3", "minimal", "a(b=1)",
             'f(g(1),x="y")', '["a","b"]'],
)  # fmt: skip
def test_a_choice_is_what_set_takes(text: str) -> None:
    found, (_, wanted) = choice(text), parameter(f"network.w={text}")
    value = found.values if isinstance(found, Listed) else found
    assert value == wanted and type(value) is type(wanted)


def test_a_taper_is_varied() -> None:
    found = whatif(TREE, "network.w=[1, 4]|[1,2]")
    (curve,) = found.curves
    assert curve.values == ["[1,4]", "[1,2]"]
    for text, result in zip(curve.values, curve.results, strict=True):
        exact = netloom.evaluate({**TREE, "network.w": json.loads(str(text))}, "time")["time_s"]
        assert result == pytest.approx(exact, rel=1e-12)
    # As written: the base is one of the choices, and no third value.
    assert curve.varied.base == "[1,4]" and any("network.w: [1,4] is best" in said for said in found.explain())
    made: Any = found.to_dict()
    assert made["curves"][0]["values"] == ["[1,4]", "[1,2]"] and json.dumps(made)


def test_a_list_goes_to_another_process() -> None:
    again = pickle.loads(pickle.dumps(Listed([1, [2, "a"]])))
    assert again == '[1,[2,"a"]]' and again.values == [1, [2, "a"]]


def test_the_same_value_written_twice_is_refused() -> None:
    with pytest.raises(NetloomError) as error:
        whatif(TREE, "network.w=[1, 4]|[1,4]")
    assert 'the choice "[1,4]" stands there twice' in str(error.value)


@pytest.mark.parametrize("delay", ["0 ns", "10 ns", "2 us"])
@pytest.mark.parametrize("scale", ["", " log"])
def test_a_base_may_lie_outside_of_its_range(delay: str, scale: str) -> None:
    """Also at 0, which has no logarithm."""
    vary = [f"router_delay=50..500 ns{scale}", "link_bandwidth=100..200 Gbps"]
    found = whatif({**TREE, "switch_latency": delay}, vary, how=Settings(samples=16))
    assert found.explain() and found.to_dict() and found.curves[0].at(found.varied[0].base) == found.base


def test_bases_below_0_have_a_place() -> None:
    found = whatif(lambda p: p["x"] ** 2 + p["y"], ["x=1..10 log", "y=1..2 log"], how=Settings(samples=16))
    assert found.explain()
    one = Range("x", "x", 1.0, 10.0, log=True)
    assert one.place(-5.0) == one.place(0) < one.place(1e-300) < one.place(1.0) == 0


def test_names_are_words() -> None:
    """A suffix that is a unit goes, but nothing ends in the middle of one."""
    assert called("flops_per_s") == "flops per second" and called("flops_per_s_") != "flops per"
    ends = {"per", "of", "in", "and", "with"}
    for name in [*ALIASES, *(axis.name for axis in AXES)]:
        assert called(name).split()[-1] not in ends and "_" not in called(name), name
    found = whatif(TREE, "flops_per_s=1..100 Gflops")
    assert "Flops per second has no effect (index 0)." in found.explain()


SIXTEEN = {"machine": "lumi-g", "workload": "alltoall:pairwise", "size_bytes": "64 KiB", "nodes": 16,
           "ranks_per_node": 1}  # fmt: skip


def test_a_share_that_cannot_be_is_not_sure() -> None:
    """Of 16 rows the total index of the size came out as 1.3, its interval wholly above 1."""
    vary = ["router_delay=50..400 ns", "message_size=1 KiB..1 MiB log"]
    found = whatif(SIXTEEN, vary, how=Settings(samples=16))
    size, text, made = found.indices["message_size"], found.explain(), found.to_dict()
    assert size.outside > 0.3 and size.total == size.high == 1 and size.low <= 1 - 0.3
    assert text[0].startswith("Message size may decide") and "not sure" in text[0]
    assert "is too small" in text[1] and "--samples 64" in text[1]
    assert not any("lie apart" in said or "hardly matters" in said for said in text)
    sure: Any = made["decision"]["sure"]  # type: ignore[index]
    assert sure["apart"] is False and sure["sample_too_small"] is True
    # The remedy works.
    more = whatif(SIXTEEN, vary, how=Settings(samples=64))
    assert more.explain()[0].startswith("Message size decides") and more.indices["message_size"].outside <= OUTSIDE


def test_every_share_lies_between_0_and_1() -> None:
    """Of few rows of a function whose results are far apart."""
    import numpy as np

    rng = np.random.default_rng(7)
    for _ in range(20):
        for one in indices(np.exp(rng.normal(0, 3, (16, 5))), 1):
            assert 0 <= one.low <= one.total <= one.high <= 1 and 0 <= one.first_low <= one.first <= one.first_high <= 1
            assert one.outside >= 0
