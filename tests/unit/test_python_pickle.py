"""What Python holds of netloom goes to another process and comes back equal: pickle, multiprocessing, copies."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

import netloom
from netloom import _core
from netloom.compare import compare

JOB = {"workload": "allreduce:ring", "ranks": 16, "size_bytes": 1000}
TWO = [{"name": "a", "nodes": 8, "workload": "allreduce:ring"}, {"name": "b", "nodes": 8, "workload": "uniform"}]


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("row", netloom.catalogue("topologies"), ids=lambda row: str(row["name"]))
def test_networks_of_every_family(row: dict[str, Any]) -> None:
    network = netloom.network(row["example"])
    made = again(network)
    assert made == network and hash(made) == hash(network)
    assert made.default_routing == network.default_routing and made.grid == network.grid


def with_tables() -> _core.Network:
    net = netloom.ring(6)
    columns = np.arange(6, dtype=np.uint32)
    up = np.full((6, 6), 2**32 - 1, dtype=np.uint32)
    ends = {(int(a), int(b)): link for link, (a, b) in enumerate(zip(net.tails, net.heads, strict=True))}
    for column in range(6):
        for switch in range(6):
            if switch != column:
                up[column, switch] = ends[switch, (switch + 1) % 6]
    return net.with_next_links("up", columns, up)


NETWORKS: dict[str, Callable[[], _core.Network]] = {
    "cables out of service": lambda: netloom.torus(4, 4).without("link:0-1"),
    "a switch out of service": lambda: netloom.torus(4, 4).without("switch:5\nlinks:2,seed=3"),
    "slots": lambda: netloom.torus(4, 4).with_slots(3, _core.Node("node(cores=2)")),
    "no structure": lambda: netloom.dragonfly(a=4, p=2, h=2, g=9).without_structure(),
    "hosts of GPUs": lambda: netloom.network("rail_cluster(nodes=4,gpus=4)"),
    "parts": lambda: netloom.network("rail_cluster(nodes=4,gpus=2)").without("switch:0"),
    "forwarding tables": with_tables,
}


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_with_all_that_they_can_have(name: str) -> None:
    network = NETWORKS[name]()
    made = again(network)
    assert made == network
    assert made.failed == network.failed and made.seats == network.seats and made.label == network.label
    left, right = made.hosts, network.hosts
    assert (left is None) == (right is None)
    if left is not None and right is not None:
        assert {key: np.asarray(value).tolist() for key, value in left.items()} == {
            key: np.asarray(value).tolist() for key, value in right.items()
        }


def test_tables_route_as_before() -> None:
    made = again(with_tables())
    assert made.routing('tables("up")').paths(0, 5)[0]["switches"] == [0, 1, 2, 3, 4, 5]


def test_names_and_notes_of_a_file() -> None:
    text = "SwitchName=s0 Nodes=n[0-3] LinkSpeed=100\nSwitchName=s1 Nodes=n[4-7]\nSwitchName=top Switches=s[0-1]\n"
    network = _core.Network.read(text.encode(), "topology.conf", None)
    made = again(network)
    assert made == network
    assert made.notes == network.notes and made.endpoint_names == network.endpoint_names
    assert made.switch_names == network.switch_names == ["s0", "s1", "top"]


def test_a_routing() -> None:
    routing = netloom.torus(4, 4).routing("dimension-ordered")
    made = again(routing)
    assert made.label == routing.label and made.paths(0, 10) == routing.paths(0, 10)


WORKLOADS: dict[str, Callable[[], Any]] = {
    "cyclic schedule": lambda: netloom.workload("allreduce:ring", 8, size_bytes=1001),
    "listed schedule": lambda: netloom.workload("broadcast:binomial", 9, root=4, size_bytes=77),
    "pattern": lambda: netloom.workload("stencil(4,4)", 16),
    "timed flows": lambda: _core.Traffic.read(b"src,dst,bytes,time\n0,1,10,0.5\n1,0,20,0\n0,1,3,0\n", "t.csv"),
    "application": lambda: netloom.application("cg(class=S)", 4),
    "programs": lambda: netloom.programs([[("send", 1, 8), ("compute", 2.5)], [("receive", 0, 8), ("sleep", 1e-6)]]),
    "steps": lambda: netloom.steps({"ranks": 4, "step": [{"workload": "allreduce:ring", "size": "1 KiB"}]}),
    "stream of a pattern": lambda: _core.stream("uniform(messages=99,seed=3)", 8),
    "stream of a schedule": lambda: _core.Sends.of_schedule(_core.Schedule.build("alltoall:pairwise", 5)),
    "stream of traffic": lambda: _core.Sends.of_traffic(_core.Traffic.pattern("shift(k=1)", 5)),
    "node": lambda: _core.Node('node(sockets=2,cores=4,nics=2,socket_bandwidth="10 GB/s")'),
    "node on a network": lambda: _core.Node("node(cores=4,nics=2)").on(netloom.ring(6)),
}


@pytest.mark.parametrize("name", WORKLOADS)
def test_workloads_and_nodes(name: str) -> None:
    value = WORKLOADS[name]()
    made = again(value)
    assert made == value and hash(made) == hash(value)
    assert made != netloom.ring(3)


def test_workloads_that_differ_are_not_equal() -> None:
    assert netloom.workload("allreduce:ring", 8) != netloom.workload("allreduce:ring", 9)
    assert netloom.workload("shift(k=1)", 8) != netloom.workload("shift(k=2)", 8)
    assert _core.stream("uniform", 8) != _core.stream("uniform", 9)


ASKED: dict[str, tuple[netloom.Scenario, dict[str, Any]]] = {
    "metrics": (netloom.Scenario("torus(4,4)"), {}),
    "hops": (netloom.Scenario("torus(4,4)", **JOB), {"trace": True, "steps": True}),
    "loads": (netloom.Scenario("torus(4,4)", **JOB), {"histogram": True, "slices": True, "contentions": True}),
    "time": (netloom.Scenario("torus(4,4)", **JOB), {"trace": True, "critical_path": True}),
    "packet": (netloom.Scenario("torus(4,4)", **JOB), {"trace": True, "details": True, "histogram": True}),
    "throughput": (
        netloom.Scenario("torus(4,4)", workload="uniform"),
        {"loads": "0.1", "cycles": 200, "warm_up": 50, "drain": 200, "saturation": False, "occupancy": 4},
    ),
    "verify": (netloom.Scenario(collective="allreduce:ring", ranks=4), {}),
    "cost": (netloom.Scenario("torus(4,4)"), {}),
}


@pytest.mark.parametrize("name", ASKED)
def test_answers_of_every_evaluator(name: str) -> None:
    scenario, options = ASKED[name]
    answer: Any = netloom.evaluate(scenario, name, **options)
    made = again(answer)
    assert type(made) is type(answer) and made == answer and repr(made) == repr(answer)
    assert made.to_dict() == answer.to_dict() and made.explain() == answer.explain()
    assert again(scenario) == scenario


@pytest.mark.parametrize("name", ["loads", "time"])
def test_answers_about_several_jobs(name: str) -> None:
    answer: Any = netloom.evaluate(netloom.Scenario("torus(4,4)", jobs=TWO), name)
    made = again(answer)
    assert made == answer and made.explain() == answer.explain()


def test_answers_that_differ_are_not_equal() -> None:
    one = netloom.hops("torus(4,4)", **JOB)
    other = netloom.hops("torus(4,4)", **{**JOB, "ranks": 8})
    assert one != other and one != one.record and one == netloom.hops("torus(4,4)", **JOB)
    assert copy.copy(one) == one == copy.deepcopy(one)


def test_mappings_timings_and_comparisons() -> None:
    found = netloom.map_ranks("torus(4,4)", workload="stencil(4,4)", objective="hops", optimiser="two-opt(swaps=50)")
    made = again(found)
    assert made == found and made.mapping.dtype == np.uint32 and repr(made) == repr(found)
    assert made != netloom.map_ranks(
        "torus(4,4)", workload="stencil(4,4)", objective="hops", optimiser="two-opt(swaps=50)", order="random"
    )
    timing = netloom.time_collective("ring(4)", "allgather", sizes="1KiB:2KiB")
    assert again(timing) == timing

    rows = compare(["ring(4)"], ["allreduce:ring"], spread=False)
    assert again(rows) == rows


def test_jobs() -> None:
    job = netloom.Job(name="a", nodes=4, workload="uniform")
    assert again(job) == job
    (placed,) = netloom.read('[[job]]\nname = "a"\nnodes = 4\nworkload = "uniform"\n', "jobs", network=netloom.ring(8))
    assert again(placed) == placed and hash(again(placed)) == hash(placed)
    assert netloom.Job(name="a", nodes=4, workload="uniform") != netloom.Job(name="a", nodes=5, workload="uniform")


def test_another_process() -> None:
    network = netloom.torus(4, 4).without("link:0-1")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        made = pool.submit(netloom.loads, network, workload="allreduce:ring", ranks=16).result()
    assert made == netloom.loads(network, workload="allreduce:ring", ranks=16)


def test_damaged_and_foreign_bytes_are_refused_with_a_line() -> None:
    reduced: Any = netloom.ring(4).__reduce__()
    restored, (kind, data) = reduced
    assert restored(kind, data) == netloom.ring(4)
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 1
    for bad in (bytes(flipped), data[:-1], b"", b"\x80\x04N.", data + b"x"):
        with pytest.raises(netloom.NetloomError, match="NL-A007 pickle must be the bytes that netloom"):
            _core.restored(kind, bad)
    with pytest.raises(netloom.NetloomError, match="those of a Network"):
        _core.restored("Traffic", data)
    with pytest.raises(netloom.NetloomError, match="one of Network, Node"):
        _core.restored("anything", data)
