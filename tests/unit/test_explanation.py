"""Where the time of a recorded run is lost, and runs with one thing changed: closed forms, sums, independent runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import netloom
from netloom.evaluate import bound_of, evaluator
from netloom.explanation import Explained, explain, words
from netloom.machine.calibration import load
from netloom.scenario import Calls, Scenario, Workshop

#: Bytes/s of links; latency of a message between two endpoints of a star, s.
SPEED, LATENCY = 12.5e9, 4e-7
SPANS = ("total_s", "start_s", "end_s")
MIXED = Path(__file__).parent.parent / "data" / "smpi_trace" / "mixed_4.txt"


def explained(net: str, tries: bool = True, **inputs: Any) -> Explained:
    scenario = Scenario(netloom.network(net), **inputs)
    found = netloom.evaluate(scenario, "time", trace=True)
    bound = bound_of(evaluator("time"), scenario, Workshop(Calls(Path())), lambda done, total: None)
    if tries:
        return explain(bound, found, lambda done, total: None)
    made = Explained(bound, found)
    _, made.free = made.reruns.unshared(made.trace)
    return made


def run_of(made: Explained) -> dict[str, float]:
    rows = made.tables()["lost"]
    return {row["part"]: row["seconds"] for row in rows if row["where"] == "run"}


@pytest.fixture
def goal(tmp_path: Path) -> Callable[..., str]:
    def write(*ranks: str) -> str:
        path = tmp_path / "run.goal"
        bodies = (f"rank {number} {{\n{body}\n}}\n" for number, body in enumerate(ranks))
        path.write_text(f"num_ranks {len(ranks)}\n{''.join(bodies)}")
        return str(path)

    return write


def test_a_late_partner_a_message_and_an_end(goal: Callable[..., str]) -> None:
    """The sender computes 5 µs; 100 kB move; the receiver computes 1 µs more."""
    trace = goal(
        "a: calc 5000\nb: send 100000b to 1 tag 3\nb requires a",
        "a: recv 100000b from 0 tag 3\nb: calc 1000\nb requires a",
    )
    moved = 100000 / SPEED
    found = run_of(explained("star(2)", False, workload=trace, calibration="pure"))
    expected = {
        "computing": 6e-6, "late partners": 5e-6, "software": 0.0, "latency": 2 * LATENCY, "bandwidth": 2 * moved,
        "contention": 0.0, "imbalance": 1e-6,
    }  # fmt: skip
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-18)


def test_two_flows_on_one_link(goal: Callable[..., str]) -> None:
    """Each takes its time alone twice, and the link into their receiver is what they share."""
    trace = goal(
        "a: send 1000000b to 2 tag 1",
        "a: send 1000000b to 2 tag 2",
        "a: recv 1000000b from 0 tag 1\nb: recv 1000000b from 1 tag 2",
    )
    made = explained("star(3)", False, workload=trace, calibration="pure")
    alone, found = 1000000 / SPEED, run_of(made)
    assert found["bandwidth"] == pytest.approx(3 * alone)
    assert found["contention"] == pytest.approx(3 * alone)
    assert made.time_s == pytest.approx(LATENCY + 2 * alone)
    (link,) = made.tables()["links"]
    assert (link["to"], link["class"], link["delayed_messages"]) == ("endpoint 2", "ejection", 2)
    assert link["contention_s"] == pytest.approx(3 * alone) and link["share"] == pytest.approx(1)


def test_an_imbalance_of_known_size(goal: Callable[..., str]) -> None:
    trace = goal(*("a: calc 10000" for _ in range(3)), "a: calc 50000")
    made = explained("star(4)", workload=trace)
    assert run_of(made) == pytest.approx({"computing": 80e-6, "imbalance": 120e-6} | dict.fromkeys(
        ("late partners", "software", "latency", "bandwidth", "contention"), 0.0
    ))  # fmt: skip
    row = next(one for one in made.changes if one.change == "perfect balance")
    assert row.time_s == pytest.approx(20e-6)
    assert words.answer(made).startswith("Imbalance of computing limits this run most: with perfect balance it would")


def test_software_is_told_from_latency(goal: Callable[..., str]) -> None:
    """An eager message: the receiver waits for software's latency, for the route, and for the bytes."""
    trace = goal("a: send 1000b to 1 tag 3", "a: recv 1000b from 0 tag 3")
    software = {"message_latency": [[0, 2e-6, 0.0]], "sender_returns_below_bytes": 4096}
    software["starts_early_below_bytes"] = 4096
    found = run_of(explained("star(2)", False, workload=trace, calibration="pure", software=software))
    assert found["software"] == pytest.approx(2e-6)
    assert found["latency"] == pytest.approx(LATENCY)
    assert found["bandwidth"] == pytest.approx(1000 / SPEED)
    assert found["imbalance"] == pytest.approx(2e-6 + LATENCY + 1000 / SPEED)


def test_tasks_are_shown_as_waited_for(goal: Callable[..., str]) -> None:
    trace = goal(
        "a: calc 5000\nb: send 100000b to 1 tag 1\nc: calc 7000 cpu 1\nb requires a",
        "a: recv 100000b from 0 tag 1\nb: calc 3000\nb requires a",
    )
    made = explained("star(2)", workload=trace, calibration="pure")
    assert made.called & {"join", "task"}
    assert run_of(made)["own tasks"] == pytest.approx(5e-6)
    assert any("not recorded" in line for line in words.notes(made))
    assert "tasks" in made.left_out["perfect balance"]


RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "collective": ("torus(4,4)", {"workload": "allreduce:ring", "size_bytes": 65536}),
    "uneven": ("torus(4,4)", {"workload": "alltoall:bruck", "size_bytes": 1000, "ranks": 13}),
    "traffic": ("torus(4,4)", {"workload": "uniform(seed=1)"}),
    "application": ("torus(4,4)", {"workload": "is(class=S)", "repetitions": 2}),
    "trace": ("star(4)", {"workload": str(MIXED)}),
    "smpi": ("star(4)", {"workload": str(MIXED), "calibration": "simgrid-smpi"}),
    "node": ("star(2)", {"workload": str(MIXED), "node": "node(sockets=2,cores=2)", "ranks": 4}),
    "communicators": ("torus(4,4)", {"workload": "communicators(alltoall,4)"}),
    "jobs": (
        "torus(4,4)",
        {"jobs": [{"name": "a", "nodes": 4, "workload": "alltoall:pairwise", "size_bytes": 9999, "start": 1e-5},
                  {"name": "b", "nodes": 8, "workload": "allreduce:ring", "size_bytes": 99999}]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_the_parts_sum_to_the_whole(name: str) -> None:
    """Over parts, calls and phases: ranks times the end of the last one; no part is negative."""
    net, inputs = RUNS[name]
    made = explained(net, False, **inputs)
    ranks = sum(count for _, count in made.jobs)
    whole, tables = ranks * made.time_s, made.tables()
    assert sum(run_of(made).values()) == pytest.approx(whole, rel=1e-9)
    assert min(row["seconds"] for row in tables["lost"]) >= 0
    for kind in ("calls", "phases"):
        assert sum(row["total_s"] for row in tables[kind]) == pytest.approx(whole, rel=1e-9)
        for row in tables[kind]:
            parts = sum(took for key, took in row.items() if key.endswith("_s") and key not in SPANS)
            assert parts == pytest.approx(row["total_s"], rel=1e-9, abs=1e-15)
    assert all(row["total_s"] == pytest.approx(made.time_s, rel=1e-9) for row in tables["ranks"])
    if name == "communicators":
        assert len(tables["communicators"]) == 4
        assert sum(row["total_s"] for row in tables["communicators"]) == pytest.approx(whole, rel=1e-9)


def test_the_critical_path_and_the_parts_agree_on_one_chain(goal: Callable[..., str]) -> None:
    """Of two ranks the receiver's waits are the path."""
    trace = goal(
        "a: calc 5000\nb: send 100000b to 1 tag 3\nb requires a",
        "a: recv 100000b from 0 tag 3\nb: calc 1000\nb requires a",
    )
    made = explained("star(2)", False, workload=trace)
    path, rank = made.found["critical_path"]["shares_s"], made.tables()["ranks"]
    receiver = next(row for row in rank if row["rank"] == 1)
    for kind in ("latency", "bandwidth", "contention", "software"):
        assert receiver[f"{kind}_s"] == pytest.approx(path[kind], abs=1e-15)


def unshared(net: str) -> netloom.Network:
    """By another way: through NetworkX."""
    pytest.importorskip("networkx")
    graph = netloom.network(net).to_networkx()
    for _, _, edge in graph.edges(data=True):
        edge["per"] = "flow"
    return netloom.Network.from_networkx(graph)


@pytest.mark.parametrize("net", ["torus(4,4)", "torus(3,5)", "hypercube(4)", "fat_tree(4)"])
@pytest.mark.parametrize("calibration", ["pure", "mpi-rdma", "simgrid-smpi"])
def test_no_contention_is_that_of_links_that_nobody_shares(net: str, calibration: str) -> None:
    """Single shortest paths, or all of them, whichever way the network is written."""
    same: dict[str, Any] = {
        "workload": "uniform(seed=1,bytes=100000)",
        "calibration": calibration,
        "routing": "minimal",
    }
    made = explained(net, False, switch_latency="50 ns", **same)
    assert made.free is not None
    time_s, _ = made.reruns.unshared(made.trace)
    assert time_s == pytest.approx(netloom.simulate(unshared(net), switch_latency="50 ns", **same).time_s, rel=1e-9)


@pytest.mark.parametrize("net", ["dragonfly(a=4,p=2,h=2,g=9)", "fat_tree(radix=8,levels=2)", "torus(4,4)"])
def test_alone_is_what_a_message_takes_alone(net: str) -> None:
    made = explained(net, False, workload="uniform(seed=3,bytes=300000)")
    messages, ranks = made.trace["messages"], sum(count for _, count in made.jobs)
    assert made.knows_contention and run_of(made)["contention"] > 0
    for at in range(0, len(messages["src"]), 17):
        flow = [np.array([int(messages[name][at])]) for name in ("src", "dst")]
        size = np.array([int(messages["bytes"][at])])
        one = netloom.Traffic.from_flows("one", ranks, *flow, np.array([1]), size)
        alone = netloom.simulate(net, workload=one, trace=True)["trace"]["messages"]
        assert made._alone[0][at] == pytest.approx(float(alone["finish_s"][0] - alone["flow_s"][0]), rel=1e-9)


def test_each_row_is_what_simulate_says(tmp_path: Path) -> None:
    ranks = ["compute 1e6", "compute 3e6", "compute 2e6", "compute 5e5"]
    lines = [
        f"{rank} {line}\n"
        for rank, first in enumerate(ranks)
        for line in ("init", first, "alltoall 200000 200000", "allreduce 4000 0", "finalize")
    ]
    (tmp_path / "t.trace").write_text("".join(lines))
    path = str(tmp_path / "t.trace")
    net, same = "torus(2,2)", {"workload": path}
    made = explained(net, **same)
    found = {one.change: one for one in made.changes}
    costs = load("mpi-rdma").settings

    def time_s(network: Any = net, **more: Any) -> float:
        return netloom.simulate(network, **{**same, **more}).time_s

    assert made.time_s == time_s()
    halved = {
        name: [[row[0], *(cell / 2 for cell in row[1:])] for row in costs[name]]  # type: ignore[union-attr,index]
        for name in ("message_latency", "inside_latency")
    }
    expected = {
        "twice the bandwidth": time_s(wire={"bandwidth_factors": [[0, 2 * 0.96]]}),
        "half the latency": time_s(wire={"latency_factors": [[0, 0.5]]}, software=halved),
        "no contention": time_s(unshared(net)),
        "no software cost": time_s(
            calibration="pure",
            wire={"bandwidth_factors": 0.96, "sharing": "equal"},
            software={"sender_returns_below_bytes": 8192, "starts_early_below_bytes": 8192},
        ),
        "perfect balance": time_s(workload=f'trace("{path}",compute="0=1.625; 1={1.625 / 3!r}; 2=0.8125; 3=3.25")'),
        "better placement": time_s(mapping=netloom.map_ranks(net, **same, optimiser="best(swaps=2000)").mapping),
    }
    for change, seconds in expected.items():
        assert found[change].time_s == pytest.approx(seconds, rel=1e-9), change
        assert found[change].ratio == found[change].time_s / made.time_s
    for collective in ("alltoall", "allreduce"):
        row = found[f"another algorithm of {collective}"]
        algorithm = row.means.partition(", the fastest")[0]
        assert row.time_s == pytest.approx(time_s(algorithms=algorithm), rel=1e-12)
    # The rank that computes longest, and nothing that takes time after it.
    assert found["ideal network"].time_s == pytest.approx(3e6 / 100e9, rel=1e-9)
    assert [one.time_s for one in made.changes] == sorted(one.time_s for one in made.changes)
    assert len(found) == 9 and not made.left_out


def test_a_factor_that_was_given_stays(goal: Callable[..., str]) -> None:
    """Balance of a trace that is scaled already."""
    path = goal("a: calc 10000", "a: calc 10000", "a: calc 10000")
    made = explained("star(3)", workload=f'trace("{path}",compute="0=4; 1-2=1")')
    row = next(one for one in made.changes if one.change == "perfect balance")
    assert made.time_s == pytest.approx(40e-6) and row.time_s == pytest.approx(20e-6)


@pytest.mark.parametrize(
    ("net", "inputs", "change", "why"),
    [
        ("torus(4,4)", {"workload": "uniform(seed=1)"}, "perfect balance", "only the computing of one trace"),
        ("torus(4,4)", {"workload": "uniform(seed=1)"}, "another algorithm", "no collective"),
        ("torus(4,4)", {"workload": "is(class=S)"}, "another algorithm", "sizes of calls"),
        ("torus(4,4)", {"workload": "uniform", "variant": "static-indirect"}, "no contention", "variant"),
        ("rail_cluster(nodes=1)", {"workload": "allreduce:ring", "size_bytes": 99999}, "no contention", "share a host"),
        (*RUNS["jobs"], "better placement", "several"),
    ],
)
def test_what_cannot_be_tried_says_why(net: str, inputs: dict[str, Any], change: str, why: str) -> None:
    made = explained(net, **inputs)
    assert why in made.left_out[change]
    if "host" in why:
        assert any("at least what is said" in line for line in words.notes(made))


def test_gains_that_overlap_are_said_to(goal: Callable[..., str]) -> None:
    """Three flows on one link: two thirds are contention, and twice the bandwidth takes half of it all."""
    sends = [f"a: send 100000000b to 3 tag {rank}" for rank in range(3)]
    made = explained(
        "star(4)",
        workload=goal(*sends, "\n".join(f"r{rank}: recv 100000000b from {rank} tag {rank}" for rank in range(3))),
        calibration="pure",
    )
    ratios = {one.change: one.ratio for one in made.changes}
    assert ratios["no contention"] == pytest.approx(1 / 3, rel=1e-3)
    assert ratios["twice the bandwidth"] == pytest.approx(1 / 2, rel=1e-3)
    assert any("sum to 117% of the run: they overlap" in line for line in words.notes(made))
    assert words.answer(made).startswith("Contention limits this run most: with no contention it would take")


def test_a_run_that_nothing_shortens_says_so(goal: Callable[..., str]) -> None:
    made = explained("star(2)", workload=goal("a: calc 10000", "a: calc 10000"))
    assert words.answer(made).startswith("No change that was tried shortens the run by more than 2 %")
    assert np.isclose(made.changes[0].ratio, 1)
