"""The base point is the scenario as written: what it says, what its machine says, the defaults; else a note tells."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest

import netloom
from netloom.whatif import Choice, Settings, WhatIf, whatif
from netloom.whatif.varied import plain

pytest.importorskip("sklearn")

#: Two ranks, and 1 MB from each to the other at 12.5 GB/s: 80 us, and 1 us of latency.
ONE: dict[str, Any] = {
    "network": 'complete(2,bandwidth="100 Gbps",endpoint_bandwidth="100 Gbps",latency="1 us",endpoint_latency="0 ns")',
    "workload": "shift(k=1,bytes=1000000)", "calibration": "pure", "switch_latency": "0 ns",
}  # fmt: skip
TREE: dict[str, Any] = {
    "network": 'fat_tree(radix=8,levels=3,bandwidth="100 Gbps")', "workload": "alltoall:pairwise",
    "size_bytes": "64 KiB", "calibration": "pure", "ranks": 32,
}  # fmt: skip
MACHINE: dict[str, Any] = {
    "machine": "generic-hdr", "workload": "allreduce:ring", "size_bytes": "1 MiB", "nodes": 4, "ranks_per_node": 1,
}  # fmt: skip
OF_TREE = {name: value for name, value in TREE.items() if name not in ("ranks", "calibration")}
LINKS = "link_bandwidth=50..400 Gbps"


def asked(scenario: dict[str, Any], *vary: str, evaluator: str = "time", **more: Any) -> WhatIf:
    return whatif(scenario, list(vary), evaluator, how=Settings(samples=16), **more)


def bases(found: WhatIf) -> dict[str, Any]:
    return {one.name: one.base for one in found.varied}


#: Where each stands: of the machine, of its calibration, of the table of inputs, of a call, of another parameter.
STANDS: dict[str, tuple[dict[str, Any], str, object]] = {
    "the wire of a machine": (MACHINE, "router_delay=50..500 ns log", 90e-9),
    "the same by its own name": (MACHINE, "wire.switch_latency_s=50..500 ns log", 90e-9),
    "a call of a machine": (MACHINE, LINKS, 25e9),
    "what follows in a call": (MACHINE, "injection_bandwidth=50..400 Gbps", 25e9),
    "a default of a call": ({**OF_TREE, "network": "torus(4,4)"}, LINKS, 12.5e9),
    "what follows a default": ({**OF_TREE, "network": "torus(4,4)"}, "injection_latency=50..400 ns", 100e-9),
    "a default of an input": (ONE, "repetitions=1..10", 1),
    "software of the calibration": (OF_TREE | {"calibration": "pure"}, "flops_per_s=50..400 Gflops", 1e11),
    "ranks that fill a network": (OF_TREE, "ranks=4..16", 64),
    "nodes that fill a network": (OF_TREE, "nodes=4..16", 64),
    "ranks of a node": ({**OF_TREE, "nodes": 4, "cores": 2}, "ranks_per_node=1..2", 2),
    "ranks on an endpoint": ({**OF_TREE, "node": "node(sockets=1,cores=4)"}, "cores=1..4", 4),
    "a choice by default": (TREE, "placement=random(seed=2)|linear", "linear"),
    "a choice in other words": (TREE, "size_bytes=1 KiB|65536", 65536),
    "a call in other words": (TREE, 'network=torus(4,8)|fat_tree( radix=8, levels=3, bandwidth="100 Gbps" )',
                              'fat_tree( radix=8, levels=3, bandwidth="100 Gbps" )'),
    "what auto stands for": (TREE, "routing=minimal|d-mod-k", "d-mod-k"),
    "none of the choices": ({**TREE, "placement": "random(seed=3)"}, "placement=linear|random(seed=2)",
                            "random(seed=3)"),
    "a choice that was left out": (TREE, "library=openmpi|mpich", "none given"),
}  # fmt: skip


@pytest.mark.parametrize("name", STANDS)
def test_the_base_is_the_scenario_as_written(name: str) -> None:
    scenario, vary, base = STANDS[name]
    found = asked(scenario, vary)
    assert found.varied[0].base == (base if not isinstance(base, float) else pytest.approx(base, rel=1e-12))
    assert found.base == pytest.approx(netloom.evaluate(scenario, "time")["time_s"], rel=1e-12)


def test_together_they_are_still_the_scenario() -> None:
    vary = ["router_delay=50..500 ns log", LINKS, "injection_bandwidth=50..400 Gbps", "placement=random(seed=2)|linear"]
    found = asked(MACHINE, *vary)
    assert found.base == pytest.approx(netloom.evaluate(MACHINE, "time")["time_s"], rel=1e-12)
    assert not found.notes


def test_repetitions_have_their_best_value_as_written() -> None:
    found = asked(ONE, "repetitions=1..10", LINKS)
    assert found.base == pytest.approx(81e-6)
    assert any("repetitions has its best value as written (1)" in said for said in found.explain())


def test_the_order_of_choices_changes_nothing() -> None:
    vary = ["linear|random(seed=2)", "random(seed=2)|linear"]
    first, second = (asked(TREE, f"placement={one}", "size_bytes=1 KiB..1 MiB log") for one in vary)
    assert first.base == second.base == pytest.approx(netloom.evaluate(TREE, "time")["time_s"], rel=1e-12)
    assert first.explain() == second.explain() and first.indices == second.indices
    assert any("placement has its best value as written (linear)" in said for said in first.explain())


def test_numbers_among_choices_go_by_size() -> None:
    one, other = (Choice("a", "a", choices) for choices in ([10, 9, "b", "a"], ["a", 9, "b", 10]))
    assert [one.at(place) for place in (0.1, 0.3, 0.6, 0.9)] == [other.at(place) for place in (0.1, 0.3, 0.6, 0.9)]
    assert [one.place(value) for value in (9, 10, "a", "b")] == [0.125, 0.375, 0.625, 0.875]


def test_what_is_left_out_stays_left_out() -> None:
    """A run at the base point has nothing in its place."""
    (one,) = asked(TREE, "library=openmpi|mpich").varied
    assert plain(one.base) is None and one.text(one.base) == "none given"


def test_a_default_outside_of_its_range_is_told() -> None:
    found = asked({**OF_TREE, "calibration": "pure", "network": "torus(2,2)"}, "router_delay=50..500 ns")
    assert (
        found.notes[0]
        == "router_delay is 0 s at the base point, outside of its range: nobody gave it, and so a run has it."
    )
    # What is written is known to who wrote it.
    written = {**OF_TREE, "calibration": "pure", "network": "torus(2,2)", "switch_latency": "10 ns"}
    assert not any("base point" in note for note in asked(written, "router_delay=50..500 ns").notes)


def test_what_nobody_knows_is_told_with_its_reason() -> None:
    bare = {name: value for name, value in TREE.items() if name != "workload"}
    found = asked(bare, "workload=alltoall:bruck|alltoall:pairwise")
    assert "workload is alltoall:bruck at the base point, the first choice: the scenario names none." in found.notes
    bare = {name: value for name, value in TREE.items() if name not in ("network", "calibration")}
    found = asked(bare, "machine=generic-hdr|generic-ndr")
    assert "machine is generic-hdr at the base point, the first choice: the scenario names none." in found.notes
    dragonfly = {**OF_TREE, "network": "dragonfly(a=4,h=2,p=2)", "ranks": 8}
    found = asked(dragonfly, "network.g=3..7")
    assert any("the middle of its range: the scenario gives no number for it" in note for note in found.notes)


@pytest.mark.parametrize("vary", ["ranks=4..16", "nodes=4..16"])
@pytest.mark.parametrize("more", [{}, {"ranks": 8}])
def test_other_numbers_of_ranks_are_other_work(vary: str, more: dict[str, int]) -> None:
    if more and vary[0] == "n":
        more = {"nodes": 8}
    name, most = vary.partition("=")[0], next(iter(more.values()), 64)
    found = asked(OF_TREE | more, vary, LINKS)
    made, text = found.to_dict(), found.explain()
    assert made["ranks_differ"] == {name: {"least": 4, "most": max(16, most)}}
    note = f"Ranks differ, 4 to {max(16, most)}, as `{name}` is varied: other values of it are other work."
    assert note in text and note in found.notes
    assert not any(f"the best {name}" in said or f"{name} has its best" in said for said in text)
    assert bases(found)[name] == most


def test_what_is_left_out_goes_to_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("netloom.whatif.runs"), "WORTH_S", 0.0)
    vary = ["library=openmpi|mpich", "size_bytes=1..8 KiB"]
    found = [whatif(TREE, vary, how=Settings(samples=16, workers=workers)) for workers in (1, 2)]
    assert json.dumps(found[0].to_dict()) == json.dumps(found[1].to_dict())
    assert bases(found[0]) == {"library": "none given", "size_bytes": 65536}
