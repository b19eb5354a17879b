"""`netloom compare-models`: three rungs, the same bytes, and a reason where times differ."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from netloom import evaluate

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


DRAGONFLY = 'dragonfly(a=4,p=1,h=2,g=9,endpoint_bandwidth="{} GB/s")'


def said_of(netloom: Run, nic: float, *variant: str) -> list[str]:
    """Lines on adaptive variants; links have 12.5 GB/s."""
    asked = ("compare-models", "-n", DRAGONFLY.format(nic), "-t", 'shift(k=4,bytes="1 MiB")', *variant, *PURE, "--json")
    code, out, err = netloom(*asked)
    assert code == 0, err
    return [line for line in json.loads(out)["says"] if line.startswith("adaptive-")]


def times_more(line: str) -> float:
    found = re.search(r"put ([\d.]+) times as many bytes", line)
    assert found, line
    return float(found[1])


def test_adaptive_variants_mean_two_things(netloom: Run) -> None:
    """Link loads spread over all candidates, packets divert where queues form: the slower the NICs, the fewer."""
    (usual,), (slow,) = (said_of(netloom, nic, "-v", "adaptive-hybrid(fresh_paths=8)") for nic in (12.5, 1.25))
    assert usual.startswith("adaptive-hybrid: link loads, and flows with them, split") and "no NIC" in usual
    assert times_more(slow) > times_more(usual) > 1.1
    asked = {"network": DRAGONFLY.format(1.25), "workload": 'shift(k=4,bytes="1 MiB")'}
    asked["variant"] = "adaptive-hybrid(fresh_paths=8)"
    on_links = [
        evaluate(asked | more, name)["mean_bytes"]
        for more, name in (({}, "loads"), ({"calibration": "pure"}, "packet"))
    ]
    assert times_more(slow) == round(on_links[0] / on_links[1], 2)


def test_what_is_said_of_a_variant_is_of_its_kind(netloom: Run) -> None:
    (direct,) = said_of(netloom, 12.5, "-v", "adaptive-direct")
    assert "whose next buffer has most room" in direct and "no link's bytes differ by more than" in direct
    (whole,) = said_of(netloom, 12.5, "-v", "adaptive-global")
    assert "the buffers of all its links" in whole
    assert said_of(netloom, 12.5, "-v", "static-indirect") == said_of(netloom, 12.5) == []
