"""`netloom throughput`: the curve, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from netloom import Scenario, evaluate

Run = Callable[..., tuple[int, str, str]]
QUICK = ("--warm-up", "500", "--cycles", "2000")
TREE = ("-n", "k_ary_n_tree(4,2)", "-t", "uniform(self=true)", "--routing", "minimal")


def test_a_curve_has_the_keys_that_scripts_read(netloom: Run) -> None:
    code, out, err = netloom("throughput", *TREE, "--loads", "0.1,0.3", *QUICK, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert {"points", "saturation", "latency_unit", "zero_load_latency"} <= set(found)
    assert found["latency_unit"] == "cycles"
    assert [point["offered"] for point in found["points"]] == [0.1, 0.3]
    for point in found["points"]:
        assert abs(point["accepted"] - point["offered"]) < 0.03
        assert found["zero_load_latency"] * 0.9 < point["latency_mean"] < point["latency_p99"]
    assert 0.3 < found["saturation"] < 1


def test_the_doors_agree(netloom: Run) -> None:
    switch = "input-queued(model=booksim,channels=2,buffer_flits=8,packet_flits=2)"
    options = {"loads": "0.2", "switch": switch, "warm_up": 500, "cycles": 2000, "saturation": False}
    scenario = Scenario("k_ary_n_tree(4,2)", workload="uniform(self=true)", routing="minimal")
    asked = evaluate(scenario, "throughput", **options)
    told = netloom(
        *("throughput", *TREE, "--loads", "0.2", "--switch", switch, *QUICK, "--no-saturation", "--json"),
    )
    assert told[0] == 0, told[2]
    assert json.loads(told[1])["points"] == asked.tables["points"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--loads", "1.5"), "1.5"),
        (("--loads", "-0.1"), "-0.1"),
        (("--loads", "0.1,x"), '"x"'),
        (("--switch", "input-queued(channels=0)"), "channels"),
        (("--switch", "input-queued(buffer_packets=0)"), "buffer_packets"),
        (("--switch", "input-queued(model=booksim,packet_phits=16)"), "packet_phits"),
        (("--switch", "input-queue"), "input-queued"),
        (("--switch", "input-queued(model=booksim)", "-v", "adaptive-direct"), "draws its paths"),
        (("--protocol", "windows"), "batches"),
        (("--cycles", "0"), "cycles"),
        (("--cycles", "x"), "cycles"),
        (("--links", "-1"), "links"),
        (("--occupancy", "5000"), "occupancy"),
        (("--stop-after", "0"), "--stop-after"),
        (("--source", "on-off(burst=0.5)"), "burst"),
        (("--source", "onoff"), "on-off"),
    ],
)
def test_bad_input_is_one_line(netloom: Run, given: tuple[str, ...], words: str) -> None:
    code, _, err = netloom("throughput", *TREE, *given)
    assert code == 2 and words in err, err
    assert "Traceback" not in err and "panicked" not in err


def test_a_routing_that_needs_more_channels_is_refused(netloom: Run) -> None:
    torus = ("-n", "torus(4,4)", "-t", "uniform", "--routing", "dimension-ordered")
    code, _, err = netloom("throughput", *torus, "--switch", "input-queued(channels=1)")
    assert code == 2 and "needs 2 virtual channels" in err, err
    ring = ("-n", "ring(6)", "-t", "uniform", "--routing", "dimension-ordered(vc=one)")
    code, _, err = netloom("throughput", *ring)
    assert code == 2 and "wait for each other forever" in err, err


def test_json_has_every_table_and_the_text_stays_short(netloom: Run) -> None:
    asked = ("throughput", *TREE, "--loads", "0.1,0.3", *QUICK, "--no-saturation")
    found = json.loads(netloom(*asked, "--json")[1])
    assert {"histogram", "by_hops", "links", "features"} <= set(found)
    assert len(found["features"]) == 2 and len(found["features"][0]) == 1 + 19
    code, plain, err = netloom(*asked)
    assert code == 0 and len(plain.splitlines()) < 12, err
    code, more, err = netloom(*asked, "--links", "3")
    assert code == 0 and more.startswith(plain.rstrip("\n")), err
    assert len(more.splitlines()) == len(plain.splitlines()) + 2 + 1 + 3


def test_a_time_limit_is_said(netloom: Run) -> None:
    long = ("--warm-up", "0", "--cycles", "4000000000", "--loads", "0,0.9", "--no-saturation")
    code, out, err = netloom("throughput", *TREE, *long, "--stop-after", "0.5", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert [point["offered"] for point in found["points"]] == [0.0] and found["not_measured"] == 1
    assert found["says"][0] == "stopped in time: 1 loads have no point"
    code, _, err = netloom("throughput", *TREE, *long[:5], "0.9", "--no-saturation", "--stop-after", "0.3")
    assert code == 0, err


def test_pictures_are_written(netloom: Run, tmp_path: Path) -> None:
    names = {option: tmp_path / f"{option}.png" for option in ("plot", "plot-latency", "plot-links", "plot-occupancy")}
    given = [word for option, file in names.items() for word in (f"--{option}", str(file))]
    code, out, err = netloom("throughput", *TREE, "--loads", "0.1,0.3", *QUICK, "--no-saturation", *given, "--json")
    assert code == 0, err
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in names.values())
    # All links and the time of all switches are drawn; tables keep their length.
    assert len(json.loads(out)["links"]) == 2 * 16 and json.loads(out)["occupancy"] == []


def test_occupancy_is_a_table_where_it_is_asked_for(netloom: Run) -> None:
    code, out, err = netloom(
        "throughput", *TREE, "--loads", "0.3", *QUICK, "--no-saturation", "--json", "--occupancy", "8"
    )
    assert code == 0, err
    rows = json.loads(out)["occupancy"]
    assert rows[0]["from_cycles"] == 0 and rows[-1]["to_cycles"] == json.loads(out)["points"][0]["window"]
    assert {row["first_switch"] for row in rows} == set(range(8))
