"""Failures as a user meets them: every switch can be taken out, trees stay trees, and hints lead to good answers."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

import netloom
from netloom.cli.app import main

FAMILIES = (
    "k_ary_n_tree(k=3,n=2)",
    "fat_tree(radix=4,levels=3)",
    "thin_tree(down=4,up=2,levels=2)",
    "xgft(m=[3,4],w=[1,2],parallel=[1,2])",
    "dragonfly_plus(leaves=2,spines=2,h=1,g=3,p=2)",
    "rail_cluster(nodes=4,gpus=2,pod=2)",
    "torus(3,3)",
)


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(list(args))
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.mark.parametrize("call", FAMILIES)
def test_every_switch_can_fail(call: str) -> None:
    """The numbers are those of the network without the switch, built by hand."""
    whole = netloom.network(call)
    for switch in range(whole.switches):
        rest = whole.without(f"switch:{switch}")
        left = [s for s in range(whole.switches) if s != switch]
        new = {s: at for at, s in enumerate(left)}
        links = zip(whole.tails.tolist(), whole.heads.tolist(), strict=True)
        edges = [(new[a], new[b]) for a, b in links if a < b and switch not in (a, b)]
        homes = [new[s] for s in whole.endpoint_switch.tolist() if s != switch]
        by_hand = netloom.Network.from_edges("rest", len(left), np.array(edges), np.array(homes), 1e9, 0.0)
        expected, found = by_hand.metrics(), rest.metrics()
        for key in ("switches", "endpoints", "switch_links", "degree_min", "diameter", "aspl", "endpoint_aspl"):
            assert found[key] == expected[key], (switch, key)
        assert rest.endpoint_bisection(None)["cables"][1] >= 1


def test_what_failed_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("describe", "k_ary_n_tree(k=3,n=2)", "--fail", "switch:1", "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["out_of_service"] == {"switches": ["1"], "endpoints": ["3", "4", "5"], "cables": 3}
    assert (facts["switches"], facts["endpoints"], facts["degree_min"]) == (5, 6, 2)
    # What failed was paid for.
    whole = netloom.evaluate({"network": "k_ary_n_tree(k=3,n=2)"}, "cost")
    assert facts["cost"]["total_usd"] == whole["total_usd"]
    assert run("describe", "k_ary_n_tree(k=3,n=2)", "--fail", "switch:1") == 0
    assert re.search(r"out of service +3 cables, 1 switches \(1\), 3 endpoints \(3, 4, 5\)", capsys.readouterr().out)


def test_a_network_in_pieces_has_its_sizes_and_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("describe", "star(4)", "--fail", "switch:4") == 0
    said = capsys.readouterr()
    assert re.search(r"switches +4\n", said.out) and "diameter" not in said.out
    assert "6 pairs of switches cannot reach each other" in said.err


TREE = "k_ary_n_tree(k=8,n=2)"
#: Without time of software, so that times are those of links.
SHIFT: dict[str, Any] = {"workload": 'shift(k=32,bytes="1 MB")', "calibration": "pure"}


def test_a_dead_spine_costs_at_most_twice_the_time() -> None:
    whole = netloom.simulate(TREE, **SHIFT)
    assert whole["routing"] == "d-mod-k"
    for spine in range(8, 16):
        hurt = netloom.simulate(TREE, fail=f"switch:{spine}", **SHIFT)
        assert hurt["routing"] == "d-mod-k"
        assert 1.9 < hurt["time_s"] / whole["time_s"] < 2.1


def test_what_the_hint_of_a_refusal_says_works_well(capsys: pytest.CaptureFixture[str]) -> None:
    """More paths than the limit on a damaged tree: what the hint names takes about twice the time of the whole."""
    asked = ("simulate", "-n", TREE, "-t", str(SHIFT["workload"]), "--fail", "switch:8")
    assert run(*asked, "-r", "minimal(limit=2)") == 2
    hint = capsys.readouterr().err.partition("hint:")[2]
    whole = netloom.simulate(TREE, **SHIFT)["time_s"]
    named = re.findall(r"`([a-z-]+(?:\([^)]*\))?)`", hint)
    tried = [routing for routing in named if routing not in ("limit", "dimension-ordered")]
    assert tried == ["single-minimal(tie=destination)", "d-mod-k"]
    for routing in tried:
        assert netloom.simulate(TREE, fail="switch:8", routing=routing, **SHIFT)["time_s"] < 3.1 * whole


def test_a_tree_from_a_file_is_routed_as_the_tree() -> None:
    """Level by level, one path per destination, with a dead spine as well."""
    data = netloom.network(TREE).write("ibnetdiscover")
    read = netloom.Network.read(data, "tree", "ibnetdiscover")
    assert read.levels is not None
    assert read.default_routing == "d-mod-k" == read.without("switch:" + read.switch_names[-1]).default_routing


@pytest.mark.parametrize("variant", ["hashed", "sprayed", "adaptive-direct", "adaptive-escape"])
def test_a_variant_without_a_choice_is_named(variant: str) -> None:
    asked = {"network": TREE, "variant": variant, "workload": SHIFT["workload"]}
    names = ["time"] if variant == "hashed" else ["time", "loads"]
    for name in names:
        assert netloom.evaluate(asked, name).without_effect["variant"].startswith(variant), name
    packets = netloom.evaluate({**asked, "workload": 'shift(k=32,bytes="2 kB")'}, "packet")
    assert ("variant" in packets.without_effect) == (variant != "adaptive-escape")
    # Where there is a choice nothing is said, but that flows are sprayed anyway.
    several = netloom.evaluate({**asked, "routing": "minimal"}, "time")
    assert ("variant" in several.without_effect) == (variant == "sprayed")


def test_throughput_names_it_too() -> None:
    asked = {"network": "k_ary_n_tree(k=2,n=2)", "workload": "uniform", "variant": "adaptive-direct"}
    found = netloom.evaluate(asked, "throughput", loads="0.1", saturation=False)
    assert found.without_effect["variant"].startswith("adaptive-direct")
