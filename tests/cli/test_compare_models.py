"""`netloom compare-models`: three rungs, the same bytes, and a reason where times differ."""

from __future__ import annotations

import json
from collections.abc import Callable

Run = Callable[..., tuple[int, str, str]]
#: Link loads know no software.
PURE = ("--calibration", "pure")


def test_rungs_agree_where_nothing_collides(netloom: Run) -> None:
    tree = ("-n", "fat_tree(radix=8,levels=2)", "-t", "shift(k=5,bytes=1000000)", *PURE)
    code, out, err = netloom("compare-models", *tree, "--json")
    assert code == 0, err
    found = json.loads(out)
    rungs = {rung["rung"]: rung for rung in found["rungs"]}
    assert list(rungs) == ["loads", "time", "packet"]
    assert all(rung["apart"] < 1e-9 and 0.98 < rung["of_packets"] < 1.01 for rung in rungs.values())
    assert any("flows can be trusted" in line for line in found["says"])
    assert any("link loads can be trusted" in line for line in found["says"])


def test_a_difference_has_a_reason(netloom: Run) -> None:
    ring = ("compare-models", "-n", "torus(8,8)", "-c", "allreduce:ring", *PURE)
    code, out, err = netloom(*ring, "--size", "1MiB", "-q")
    assert code == 0 and out.splitlines()[0].split()[0] == "model"
    assert "times as long as flows: a flow takes all paths of its routing at once" in err
    code, out, _ = netloom(*ring, "--repetitions", "3", "--json")
    rungs = {rung["rung"]: rung for rung in json.loads(out)["rungs"]}
    assert code == 0 and rungs["time"]["apart"] < 1e-9 < rungs["packet"]["apart"]


def test_what_one_rung_refuses_the_others_answer(netloom: Run) -> None:
    asked = ("-n", "star(4)", "-c", "allreduce:ring", "--calibration", "simgrid-smpi", "--json")
    code, out, _ = netloom("compare-models", *asked)
    found = json.loads(out)
    assert code == 0 and found["rungs"][1]["time_s"] > 0
    assert found["rungs"][2]["time_s"] is None and "flow model" in found["rungs"][2]["refused"]
    code, _, err = netloom("compare-models", "-n", "star(4)", "-c", "allreduce:rings")
    assert code == 2 and "allreduce:ring" in err
