"""`netloom map`: what a mapping is worth before and after, whichever objective decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import netloom as package
from netloom.scenario import search

Run = Callable[..., tuple[int, str, str]]
WORTH = {"time_s", "inter_node_bytes", "max_link_s", "hop_bytes"}
NODES = ("-n", "torus(4,2)", "-t", "stencil(4,8,bytes=1000)", "--cores", "4")


def mapped(netloom: Run, *arguments: str) -> tuple[dict[str, Any], str]:
    code, out, err = netloom("map", *arguments, "--json")
    assert code == 0, err
    return json.loads(out), err


def worth(mapping: list[int]) -> dict[str, float]:
    """The same numbers from the commands' evaluators, asked one by one."""
    job: dict[str, Any] = {"workload": "stencil(4,8,bytes=1000)", "mapping": mapping, "cores": 4}
    net = package.network(NODES[1])
    loads = package.loads(net, **job)
    return {
        "time_s": package.simulate(net, **job)["time_s"],
        "inter_node_bytes": loads["bytes_sent"],
        # All links of this network are alike, those of endpoints too.
        "max_link_s": max(loads.link_bytes) / 12.5e9,
        "hop_bytes": package.hops(net, **job)["hop_bytes"],
    }


@pytest.mark.parametrize("objective", ["auto", "time", "inter-node", "hop-bytes", "hops", "max-link-load"])
def test_before_and_after_are_what_the_evaluators_say(netloom: Run, objective: str) -> None:
    found, _ = mapped(netloom, *NODES, "--optimise", "auto", "--swaps", "3000", "--objective", objective)
    assert set(found["before"]) == set(found["after"]) == WORTH
    assert found["before"] == worth([rank // 4 for rank in range(32)])
    assert found["after"] == worth(found["mapping"])
    # The value that the search reports is one of them.
    as_value = {"time": lambda w: round(w["time_s"] * 1e12), "inter-node": lambda w: w["inter_node_bytes"]}
    as_value |= {"hop-bytes": lambda w: w["hop_bytes"]}
    if (of := as_value.get(found["decided_by"])) is not None:
        assert (found["start_value"], found["value"]) == (of(found["before"]), of(found["after"]))
    assert found["value"] <= found["start_value"]
    assert found["decided_by"] == ("time" if objective == "auto" else objective)


def test_without_an_objective_time_decides_and_is_shown(netloom: Run) -> None:
    code, out, err = netloom("map", *NODES, "--optimise", "auto", "--swaps", "3000")
    assert code == 0 and err == ""
    names = [line.split("  ")[0] for line in out.splitlines()]
    assert names == ["time", "worst link", "bytes between nodes", "method"]
    assert all(" before, " in line for line in out.splitlines() if line.startswith(("time", "worst", "bytes")))


def test_blocks_of_a_stencil_fit_on_nodes(netloom: Run) -> None:
    found, _ = mapped(netloom, *NODES, "--objective", "inter-node", "--free")
    # Of a node's 16 messages 10 leave half a row of eight, and 8 leave a square.
    assert (found["start_value"], found["value"]) == (80_000, 64_000)
    assert found["bound"] <= found["value"] == found["after"]["inter_node_bytes"]


@pytest.mark.parametrize("optimiser", ["auto", "two-opt", "two-opt(move=reversal)", "anneal", "guided"])
def test_the_least_maximum_is_found(netloom: Run, optimiser: str) -> None:
    job = ("-n", "torus(5)", "-c", "alltoall:bruck", "--size", "60", "--objective", "max-link-load")
    assert mapped(netloom, *job, "--optimise", optimiser)[0]["value"] == 240


def test_what_takes_too_long_to_simulate_is_said_in_one_line(netloom: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "TIMED_MESSAGES", 100)
    job = ("-n", "torus(4,4)", "-c", "alltoall:pairwise", "--size", "100", "--swaps", "1000", "--optimise", "auto")
    found, said = mapped(netloom, *job)
    assert found["decided_by"] == "max-link-load"
    assert found["before"]["time_s"] is None and found["after"]["time_s"] is None
    assert found["before"]["inter_node_bytes"] == 16 * 15 * 100
    assert said.splitlines() == [
        "note: 240 messages take too long to simulate: max-link-load decided",
        "note: no time: 240 messages take too long to simulate",
    ]
    # Who asks for time by its name gets it.
    assert mapped(netloom, *job, "--objective", "time", "--swaps", "5")[0]["decided_by"] == "time"


def test_no_method_changes_nothing(netloom: Run) -> None:
    found, _ = mapped(netloom, *NODES, "--optimise", "none")
    assert found["before"] == found["after"] and found["mapping"] == [rank // 4 for rank in range(32)]


def test_what_the_search_leaves_out_is_said(netloom: Run) -> None:
    inside = ("--node", 'node(sockets=2,cores=4,socket_bandwidth="100 Gbps")')
    says = "note: max-link-load counts links between switches, not those inside nodes"
    for objective in ("max-link-load", "step-load", "inter-node", "hop-bytes", "auto"):
        given = ("-n", "torus(4,4)", *inside, "-t", "stencil(8,16)", "--objective", objective, "--swaps", "200", "-q")
        code, _, err = netloom("map", *given)
        assert code == 0 and (says in err) == (objective == "max-link-load"), objective
    assert netloom("map", "-n", "torus(4,4)", "-t", "stencil(4,4)", "--objective", "max-link-load", "-q")[2] == ""


def test_the_numbers_before_and_after_know_the_seats(netloom: Run) -> None:
    node = 'node(sockets=2,cores=4,socket_bandwidth="10 Gbps",core_bandwidth="100 Gbps")'
    job = ("-n", "star(2)", "--node", node, "--ranks", "8", "-t", "shift(k=4,bytes=1000000)", "--swaps", "2000")
    found, _ = mapped(netloom, *job, "--calibration", "pure")
    assert found["before"]["time_s"] == pytest.approx(3.2e-3) and found["after"]["time_s"] == pytest.approx(8e-5)
    assert found["before"]["max_link_s"] == pytest.approx(3.2e-3) and found["after"]["max_link_s"] == pytest.approx(
        8e-5
    )
    assert set(found["mapping"]) == {0} and sorted(found["seats"]) == list(range(8))
    plain, _ = mapped(netloom, "-n", "star(8)", "-t", "shift(k=4,bytes=1000)")
    assert plain["seats"] is None


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--node", "node(cores=8)", "--ranks", "129"], "NL-J004 --ranks must be at most 128 ranks"),
        (["--node", "node(cores=8)", "--cores", "9"], "NL-A007 --cores must be at most the 8 seats"),
        (["--node", "node(cores=9,nics=3)"], "NL-A007 node.nics must be a divisor of the network's 16 endpoints"),
        (["--node", "node(cores=8,nics=3)"], "NL-A007 node.nics must be a divisor of its 8 seats"),
        (["-n", "rail_cluster(gpus=8,rails=3,nodes=4)"], "NL-T013 rail_cluster.rails must be a divisor of gpus = 8"),
    ],
)
def test_nodes_that_cannot_be_are_refused(netloom: Run, given: list[str], says: str) -> None:
    code, out, err = netloom("map", "-n", "torus(4,4)", "-t", "shift(k=1)", *given)
    lines = [line for line in err.splitlines() if not line.startswith("  hint:")]
    assert (code, out, len(lines)) == (2, "", 1) and lines[0].startswith(f"error: {says}")


CURVE = ("-n", "torus(4,4)", "-t", "stencil(4,4)", "--order", "random(seed=1)", "--objective", "hops")


def test_one_search_has_the_best_value_at_each_power_of_ten(netloom: Run) -> None:
    found, _ = mapped(netloom, *CURVE, "--optimise", "two-opt(swaps=1000,seed=2)")
    curve = [(row["evaluations"], row["value"]) for row in found["curve"]]
    assert [count for count, _ in curve] == [0, 1, 10, 100, 1000]
    assert curve[0][1] == found["start_value"] and curve[-1][1] == found["value"]
    for swaps, value in curve[1:-1]:
        # A search that ends there is the beginning of the longer one.
        short, _ = mapped(netloom, *CURVE, "--optimise", f"two-opt(swaps={swaps},seed=2)")
        assert short["value"] == value and short["curve"] == found["curve"][: len(short["curve"])]
    assert curve[-1][1] < curve[0][1]


def test_seconds_of_the_search_need_the_option(netloom: Run) -> None:
    plain = netloom("map", *CURVE, "--optimise", "two-opt(swaps=1000,seed=2)")
    _, more, _ = netloom("map", *CURVE, "--optimise", "two-opt(swaps=1000,seed=2)", "--details")
    assert more.startswith(plain[1]) and "search  " in more and "mappings tried" in more and "1,000" in more
    json_ = (*CURVE, "--optimise", "two-opt(swaps=1000,seed=2)")
    assert mapped(netloom, *json_)[0] == mapped(netloom, *json_)[0]
    found, _ = mapped(netloom, *json_, "--details")
    assert found["search_s"] > 0 and "search_s" not in mapped(netloom, *json_)[0]
    code, out, err = netloom("map", *CURVE, "--optimise", "two-opt(swaps=100)", "--details", "--emit", "csv")
    assert code == 0 and "search" not in out and "search: " in err and "after 100 mappings" in err
    _, contest, _ = netloom("map", "-n", "ring(8)", "-t", "stencil(2,4)", "--details")
    assert "search  " in contest and "mappings tried" not in contest
    code, _, err = netloom("map", *CURVE[:-2], "--optimise", "none", "--details")
    assert code == 2 and "nothing is searched for" in err
