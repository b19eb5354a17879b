"""Background flows: link loads and simulated time mean the same by them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import netloom
from netloom.base.errors import NetloomError

CASES = {
    "ring": {"network": "ring(6,p=2)", "routing": "minimal"},
    "torus": {"network": "torus(4,4)", "routing": "minimal"},
    "tree": {"network": "fat_tree(radix=4,levels=3,top=full)"},
    "damaged": {"network": "torus(4,4)", "fail": "switch:15", "routing": "minimal"},
    "nodes": {"network": "torus(3,3,p=2)", "node": "node(sockets=2,cores=2,nics=2)", "cores": 2},
    "adaptive": {"network": "torus(4,4)", "variant": "adaptive-direct", "routing": "minimal"},
}
FLOWS = [
    {"src": 2, "dst": 9, "bytes": 3 << 20},
    {"src": 9, "dst": 4, "bytes": "1 MiB"},
    {"src": 5, "dst": 5, "bytes": 9},
]
SHIFT = "shift(k=3,bytes='8 MiB')"


def bytes_in_time(scenario: dict[str, Any]) -> np.ndarray:
    """Bytes that simulated time moved over every link; without the headers that calibrations of software count."""
    found = netloom.evaluate({**scenario, "calibration": "pure"}, "time", trace=True)
    moved = np.zeros_like(netloom.evaluate(scenario, "loads", arrays=True).link_bytes)
    bins = found["trace"]["link_bins"]
    inside = bins["links"] < len(moved)
    moved[bins["links"][inside]] = bins["bytes"].sum(axis=1)[inside]
    return moved


@pytest.mark.parametrize("case", CASES)
def test_both_rungs_move_the_same_bytes(case: str) -> None:
    """The flows are over before the job is, so that simulated time has moved all of their bytes."""
    scenario = {**CASES[case], "workload": SHIFT, "background": FLOWS}
    loads = netloom.evaluate(scenario, "loads", arrays=True)
    assert bytes_in_time(scenario) == pytest.approx(loads.link_bytes, rel=1e-6, abs=16)
    alone = netloom.evaluate({**scenario, "background": []}, "loads", arrays=True)
    assert loads.link_bytes.sum() > alone.link_bytes.sum()
    assert [job["name"] for job in loads.jobs] == ["job", "background"]
    assert loads.jobs[1]["bytes_sent"] == 4 << 20


def test_load_over_bandwidth_is_the_time_of_a_shared_link() -> None:
    """One message and one flow over one link: the link is never idle until both are over."""
    net = netloom.network("mesh(2,p=2,bandwidth='8 Gbps',latency=0)")
    one = netloom.workload("shift(k=2,bytes=1000000)", 4)
    scenario = {"network": net, "workload": one, "background": [{"src": 0, "dst": 2, "bytes": 500_000}]}
    loads = netloom.evaluate(scenario, "loads")
    bound = loads.classes["all"]["max_s"]
    assert bound == pytest.approx(2.5e-3)
    wires = {**scenario, "calibration": "pure"}
    assert netloom.evaluate(wires, "time")["time_s"] == pytest.approx(bound, rel=1e-9)
    assert loads.jobs[0]["slowdown"] == pytest.approx(1.25)


@pytest.mark.parametrize(
    ("flow", "word"),
    [
        ({"src": 0, "dst": 1}, "background[0].bytes"),
        ({"src": 0, "dst": 1, "bytes": 0.5}, "background[0].bytes"),
        ({"src": 0, "dst": 1, "bytes": 9, "start_s": 1.0}, "background[0].start_s"),
        ({"src": 0, "dst": 1, "bytes": 9, "cap_bytes_per_s": 1.0}, "background[0].cap_bytes_per_s"),
        ({"src": 0, "dst": 99, "bytes": 9}, "background[0]: endpoint"),
        ({"src": 0, "dst": 1, "bytes": -1}, "background[0]: bytes"),
        ({"src": 0}, "background[0]"),
    ],
    ids=str,
)
def test_loads_refuse_what_has_no_bytes(flow: dict[str, Any], word: str) -> None:
    with pytest.raises(NetloomError) as caught:
        netloom.evaluate({"network": "ring(4)", "workload": "spread", "background": [flow]}, "loads")
    assert word in str(caught.value)


def test_hops_have_no_background() -> None:
    with pytest.raises(NetloomError, match="background"):
        netloom.evaluate({"network": "ring(4)", "workload": "spread", "background": [{"src": 0, "dst": 1}]}, "hops")
