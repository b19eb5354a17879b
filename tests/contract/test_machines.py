"""Every shipped machine says where its values come from, and predicts times that no wire and no memory could forbid."""

from __future__ import annotations

import pytest

import netloom
from netloom import Scenario, evaluate, machine
from netloom.machine.machine import KINDS
from netloom.machine.presets import shipped

NAMES = shipped()
#: Least share of the wire's rate that a message between nodes reaches: of LUMI-G's host buffers 0.28 was measured.
LEAST_SHARE = {"lumi-g": 0.25}
#: Most bytes per second inside a node: NVLink 5 has twice the rate of NVLink 4.
MOST_INSIDE = {"gb200-nvl72": 720e9, "gb200-superpod": 720e9}
#: Nodes of which a broadcast over all is a matter of seconds.
CHEAP = 10_000
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


def one_message(name: str, nodes: int, size_bytes: int, **more: object) -> float:
    """Seconds of a message from the first of two ranks to the other."""
    ranks = {"nodes": nodes, "ranks_per_node": 2 // nodes}
    asked = Scenario(machine=name, workload="broadcast:linear", size_bytes=size_bytes, **ranks, **more)
    return float(evaluate(asked, "time")["time_s"])


def test_the_machines_that_scripts_name_are_there() -> None:
    asked = "lumi-c lumi-g leonardo marenostrum5-acc marenostrum5-gpp frontier alps perlmutter summit fugaku"
    asked += " dgx-h100 gb200-nvl72 aws-p5 azure-ndv5-h100 cloud-h100-roce generic-hdr generic-ndr generic-25g"
    assert set(asked.split()) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_machine_says_what_it_is_and_where_each_value_comes_from(name: str) -> None:
    made = machine.load(name)
    assert made.name == name and made.title and made.summary and made.source and made.date
    needed = ("nodes", "network", "wire.sharing", "software.message_latency", "software.inside_latency")
    assert set(needed) <= set(made.values)
    assert all(known.kind in KINDS and known.source and known.date for known in made.values.values())
    vague = [key for key, known in made.values.items() if "recalled" in known.source or "memory of" in known.source]
    assert not vague, "a source is something that others can read"


@pytest.mark.parametrize("name", NAMES)
def test_a_machine_builds_in_parts_and_whole(name: str) -> None:
    job = {"workload": "allreduce:recursive-doubling", "size_bytes": KIB, "ranks_per_node": 2}
    two, four = (evaluate(Scenario(machine=name, nodes=nodes, **job), "time") for nodes in (2, 4))
    assert (two["jobs"][0]["ranks"], four["jobs"][0]["ranks"]) == (4, 8)
    assert 0 < two["time_s"] < four["time_s"]
    nodes = machine.load(name).nodes
    assert nodes is not None and nodes <= evaluate(Scenario(machine=name), "metrics")["endpoints"]
    whole = {"workload": "broadcast:binomial", "size_bytes": 8, "ranks_per_node": 1}
    if nodes <= CHEAP:
        assert evaluate(Scenario(machine=name, nodes=nodes, **whole), "loads")["inter_node_bytes"] == 8 * (nodes - 1)
    with pytest.raises(netloom.NetloomError, match="at most"):
        evaluate(Scenario(machine=name, nodes=nodes + 1, **whole), "loads")


@pytest.mark.parametrize("name", [name for name in NAMES if "library" in machine.load(name).values])
def test_the_library_of_a_machine_chooses_an_algorithm(name: str) -> None:
    asked = Scenario(machine=name, nodes=4, ranks_per_node=4, workload="allreduce", size_bytes="1 MiB")
    assert 0 < evaluate(asked, "time")["time_s"] < 1e-2


@pytest.mark.parametrize("name", NAMES)
def test_no_message_between_nodes_is_free(name: str) -> None:
    assert 0.5e-6 <= one_message(name, 2, 8) <= 20e-6
    # The wires alone give the rate of the slowest link, which is the NIC's.
    share = one_message(name, 2, GIB, calibration="pure") / one_message(name, 2, GIB)
    assert LEAST_SHARE.get(name, 0.3) <= share <= 1.0


@pytest.mark.parametrize("name", NAMES)
def test_no_message_inside_a_node_is_free(name: str) -> None:
    assert 0.1e-6 <= one_message(name, 1, 8) <= 10e-6
    assert 5e9 <= 64 * MIB / one_message(name, 1, 64 * MIB) <= MOST_INSIDE.get(name, 450e9)
