"""`netloom map` without an optimiser: every method proposes a mapping, evaluators decide."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from netloom import NetloomError
from netloom.evaluate import contest, least
from netloom.evaluate.ask import bound_job
from netloom.evaluate.mapped import measured
from netloom.evaluate.rungs import of_mappings
from netloom.scenario import Scenario, search

Run = Callable[..., tuple[int, str, str]]
#: Rows of eight ranks on nodes of four: squares send less.
NODES = ("-n", "torus(4,2)", "-t", "stencil(4,8,bytes=1000)", "--cores", "4", "--swaps", "2000", "-q")


def decided(netloom: Run, *arguments: str) -> dict[str, Any]:
    code, out, err = netloom("map", *arguments, "--json")
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def test_the_best_by_the_finest_rung_is_taken(netloom: Run) -> None:
    found = decided(netloom, *NODES)
    chosen = [one for one in found["candidates"] if one["chosen"]]
    assert len(chosen) == 1 and found["rung"] == "packet"
    rated = [one["packet_s"] for one in found["candidates"] if one["packet_s"] is not None]
    assert chosen[0]["packet_s"] == min(rated) < found["candidates"][0]["packet_s"]
    assert found["candidates"][0]["method"] == "as given"
    assert found["before"]["inter_node_bytes"] == 80_000
    assert found["bounds"]["inter_node_bytes"] <= found["after"]["inter_node_bytes"]
    assert sorted(found["mapping"]) == sorted(rank // 4 for rank in range(32))
    # Every method is named once, as a candidate or with the reason why it is none.
    named = [one["method"] for one in found["candidates"][1:]] + [one["method"] for one in found["skipped"]]
    assert sorted(named) == sorted(method.name for method in contest.METHODS)


def test_the_same_bytes_twice(netloom: Run) -> None:
    assert netloom("map", *NODES) == netloom("map", *NODES)


def test_the_gains_are_those_of_the_rungs(netloom: Run) -> None:
    found = decided(netloom, *NODES)
    for rung, key in ((at.name, at.decides) for at in of_mappings() if not at.needs):
        assert found["gains"][rung] == pytest.approx(1 - found["after"][key] / found["before"][key])
    assert "flows" in found["sure"] and "packets" in found["sure"]


def test_people_read_why_and_how_sure(netloom: Run) -> None:
    code, out, err = netloom("map", *NODES)
    assert (code, err) == (0, "")
    summary, _, table = out.partition("\n\n")
    names = [line.split("  ")[0] for line in summary.splitlines()]
    assert names == [
        *("time", "time of packets", "worst link", "bytes between nodes", "bytes times hops"),
        *("method", "why", "how sure"),
    ]
    assert "no mapping is below" in summary
    assert [line for line in table.splitlines() if " * " in line] and "as given" in table


#: A matching in each step: quick mappings put more on the network than those that are near.
FREE = ("-n", "random_shortcut(256,degree=9,seed=1)", "--ranks", "128", "-c", "allreduce:recursive-doubling", "--size",
        "64 KiB", "--free", "-q")  # fmt: skip


def test_another_mapping_can_be_taken(netloom: Run) -> None:
    first = decided(netloom, *FREE)
    rated = {one["method"]: one for one in first["candidates"]}
    other, best = rated["loads, few hops"], next(one for one in rated.values() if one["chosen"])
    assert other["hop_bytes"] < 0.9 * best["hop_bytes"] and best["time_s"] < other["time_s"] < 1.15 * best["time_s"]
    assert first["less_traffic"] == "loads, few hops"
    taken = decided(netloom, *FREE, "--take", "loads, few hops")
    assert taken["after"] == {key: other[key] for key in taken["after"]} and taken["mapping"] != first["mapping"]
    assert taken["sure"].startswith("taken as asked") and taken["less_traffic"] is None
    # The best one is what is taken anyway.
    assert decided(netloom, *FREE, "--take", best["method"]) == first
    said = netloom("map", *FREE)[1]
    assert "'loads, few hops' has" in said and "fewer bytes times hops" in said


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--take", "loads"), 'did you mean "loads, few hops"?'),
        (("--take", "xyz"), "known: as given; groups; boxes; bisection by nodes; "),
        (("--take", "boxes"), "'boxes' gave no mapping of its own: the network has no coordinates"),
        (("--take", "loads of steps", "--optimise", "two-opt"), "leave --optimise and --objective out"),
    ],
)
def test_what_cannot_be_taken_is_said(netloom: Run, more: tuple[str, ...], says: str) -> None:
    code, out, err = netloom("map", *FREE, *more)
    assert (code, out) == (2, "") and says in err


def test_where_nothing_is_better_the_start_is_kept(netloom: Run) -> None:
    found = decided(netloom, "-n", "star(4)", "-c", "alltoall:pairwise", "-q")
    assert found["mapping"] == [0, 1, 2, 3] and found["why"] == ""
    assert found["sure"].endswith("the start is kept")


def test_a_budget_is_kept_and_what_it_left_out_is_said(netloom: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    job = ("-n", "torus(4,4,4)", "-t", 'stencil(8,8,bytes="64 KiB")', "--seconds", "0.2", "-q")
    found = decided(netloom, *job)
    assert found["after"]["max_link_s"] <= found["before"]["max_link_s"]
    monkeypatch.setattr(search, "TIMED_MESSAGES", 100)
    code, out, err = netloom("map", "-n", "torus(4,4)", "-c", "alltoall:pairwise", "--swaps", "100", "--json", "-q")
    assert code == 0
    assert json.loads(out)["rung"] == "loads" and "240 messages take too long to simulate" in err


def test_what_ends_without_a_mapping_in_its_share_is_left_out_and_said(
    netloom: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table of the paths between 2,048 switches takes many times the share of a method."""
    paths = [method for method in contest.METHODS if method.name in ("loads of steps", "loads, few hops")]
    monkeypatch.setattr(contest, "METHODS", paths)
    job = ("map", "-n", "torus(8,8,8,4)", "-t", "stencil(4,8,8,8)", "--seconds", "1", "--json", "-q")
    code, out, err = netloom(*job)
    assert code == 0, err
    found = json.loads(out)
    reasons = {one["method"]: one["reason"] for one in found["skipped"]}
    # On a busy machine the first one may take what both had.
    for method in (name for name, reason in reasons.items() if reason != "no time was left"):
        assert "NL-O009" in reasons[method], reasons
        assert method in err.partition("1 s are too few for ")[2]
    assert found["after"]["max_link_s"] <= found["before"]["max_link_s"]


def test_what_takes_long_needs_seconds_or_moves(netloom: Run) -> None:
    quick, thorough = (decided(netloom, *NODES[:6], "-q", *more) for more in ((), ("--swaps", "2000")))
    waits = {one["method"]: one["reason"] for one in quick["skipped"]}
    for method in (one.name for one in contest.METHODS if one.long):
        assert "--seconds" in waits[method] or "gained nothing" in waits[method]
    assert "guided search" not in {one["method"] for one in thorough["skipped"] if "--seconds" in one["reason"]}


def test_it_ends_where_no_mapping_can_be_better(netloom: Run) -> None:
    """A stencil on the torus of its shape: every link carries one message, and every endpoint what its rank sends."""
    found = decided(netloom, "-n", "torus(4,4,4)", "-t", 'stencil(4,4,4,periodic=true,bytes="1 MiB")', "--order",
                    "random(seed=1)", "--objective", "auto", "--calibration", "pure", "-q")  # fmt: skip
    assert found["after"]["max_link_s"] == pytest.approx(found["bounds"]["max_link_s"])
    assert found["after"]["time_s"] <= found["bounds"]["max_link_s"] * 1.02
    last = found["skipped"][-1]
    assert last["method"] == "guided search" and "no mapping can be much better" in last["reason"] == found["sure"]


@pytest.mark.parametrize(
    ("network", "ranks"), [("rail_cluster(nodes=2)", 16), ("star(4)", 8), ("torus(4,4,p=2)", 20), ("ring(5)", 5)]
)
@pytest.mark.parametrize("workload", ["alltoall:bruck", "allreduce:ring"])
def test_no_mapping_is_below_the_bound_of_the_worst_link(network: str, ranks: int, workload: str) -> None:
    shape = {"cores": 2} if network == "star(4)" else {}
    for seed in range(4):
        order = f"random(seed={seed})"
        asked = Scenario(network, workload=workload, size_bytes=1000, ranks=ranks, order=order, **shape)
        bound = bound_job(asked)
        link, worth = least.least_link_s(bound), measured(bound, bound.place.start, [])
        assert (link is None) == (network in ("rail_cluster(nodes=2)", "star(4)"))
        assert link is None or 0 < link <= (worth["max_link_s"] or 0) * (1 + 1e-12)


@pytest.mark.parametrize("optimiser", ["greedy", "partition", "partition(machine=curve)"])
def test_methods_in_python_end_when_their_time_is_spent(optimiser: str) -> None:
    bound = bound_job(Scenario("torus(4,4)", workload="stencil(4,4)"), lambda *_: None)
    with pytest.raises(NetloomError, match="NL-O009"):
        search.search(bound, optimiser, "hops", seconds=0.0)


def test_a_picture(netloom: Run) -> None:
    pytest.importorskip("matplotlib")
    found = decided(netloom, *NODES, "--plot", "map.png")
    assert found["files"] == ["map.png"] and Path("map.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--optimise", "best", "--objective", "hops"], "--optimise: best is decided by evaluators"),
        (["--plot", "a.png", "--optimise", "auto"], "--plot: shows the mappings of all methods"),
        (["--plot", "a.gif"], "a.gif"),
        (["--emit", "slurm-distribution", "-o", "maps"], "these hold every result of a search: rankfile,"),
        (["--seconds", "-1"], "--seconds"),
    ],
)
def test_bad_wishes_are_refused_before_the_search(
    netloom: Run, monkeypatch: pytest.MonkeyPatch, given: list[str], says: str
) -> None:
    monkeypatch.setattr(contest, "contest", lambda *_: pytest.fail("the search began"))
    code, out, err = netloom("map", *NODES, *given)
    assert (code, out) == (2, "") and says in err, err


@pytest.mark.parametrize(
    ("option", "typed", "meant"), [("--optimise", "partitio", "partition"), ("--placement", "host", "hosts")]
)
def test_hints_name_what_stands_on_other_packages_too(netloom: Run, option: str, typed: str, meant: str) -> None:
    code, out, err = netloom("map", "-n", "ring(8)", "-t", "shift(k=1)", option, typed)
    assert (code, out) == (2, "") and f'did you mean "{meant}"?' in err
