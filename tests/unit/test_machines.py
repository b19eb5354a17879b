"""Machines: TOML files that give a scenario its network, node, routing and settings, each value with its source."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import netloom
from netloom import Scenario, evaluate, machine
from netloom.base.errors import NetloomError
from netloom.cli import main
from netloom.machine import presets
from netloom.machine.machine import loads

NEAR = """
title = "Near"
summary = "A torus in the next room."
source = "its plate"
network = { value = "torus(4,4)", kind = "data sheet" }
node = "node(cores=2)"
[wire]
duplex = { value = "half", kind = "measured", source = "a ping-pong", date = "2026-11" }
switch_latency_s = "100 ns"
[software]
combine_s_per_byte = 1e-9
"""
JOB = {"workload": "allreduce:ring", "size_bytes": "1 MiB"}


@pytest.fixture
def folder(tmp_path: Path):
    (tmp_path / "near.toml").write_text(NEAR)
    machine.search_in(tmp_path)
    yield tmp_path
    machine.search_in()


def faults_of(text: str):
    with pytest.raises(NetloomError) as caught:
        loads(text.encode(), "m.toml")
    return caught.value.faults


def test_a_machine_is_the_default_of_what_it_gives(folder: Path) -> None:
    own = evaluate(Scenario(machine="near", **JOB), "time")
    # A machine has no other time of software than its own, and shares links as RDMA fabrics do where it does not say.
    same = {"node": "node(cores=2)", "duplex": "half", "switch_latency": "100 ns", "calibration": "pure"}
    said = Scenario("torus(4,4)", **same, **JOB, **{"software.combine_s_per_byte": 1e-9, "wire.sharing": "equal"})
    assert own["time_s"] == evaluate(said, "time")["time_s"]
    assert own["jobs"][0]["ranks"] == 32
    # What is given replaces it, part by part.
    assert evaluate(Scenario("ring(8)", machine="near", **JOB), "time")["jobs"][0]["ranks"] == 16
    full = evaluate(Scenario(machine="near", duplex="full", **JOB), "time")["time_s"]
    assert full < own["time_s"]


def test_a_calibration_that_is_given_replaces_all_costs_of_the_machine(folder: Path) -> None:
    bound = evaluate(Scenario(machine="near", calibration="pure", **JOB), "time")
    plain = evaluate(Scenario("torus(4,4)", calibration="pure", node="node(cores=2)", **JOB), "time")
    assert bound["time_s"] == plain["time_s"]


def test_a_machine_in_a_folder_is_listed_described_and_used_by_name(folder: Path, tmp_path: Path, capsys) -> None:
    def run(*args: str) -> dict:
        with pytest.raises(SystemExit) as left:
            main([*args, "--json"])
        assert left.value.code == 0
        return json.loads(capsys.readouterr().out)

    machine.search_in()
    where = ("--machines", str(tmp_path))
    listed = {row["name"]: row["summary"] for row in run("list", "machines", *where)}
    assert listed["near"] == "A torus in the next room." and "generic-hdr" in listed
    assert "near" not in {row["name"] for row in run("list", "machines")}
    about = run("describe", "--machine", "near", "--no-cost", *where)
    assert about["switches"] == 16 and about["machine"]["values"]["wire.duplex"]["kind"] == "measured"
    assert run("hops", "--machine", "near", "-c", "allreduce:ring", *where)["messages"] > 0


def test_the_variable_names_folders_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "far.toml").write_text('network = "ring(5)"\n')
    assert "far" not in machine.names()
    monkeypatch.setenv(presets.VARIABLE, f"/nowhere:{tmp_path}")
    assert "far" in machine.names()
    assert evaluate(Scenario(machine="far"), "metrics")["switches"] == 5


def test_a_file_starts_at_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "edges.txt").write_text("0 1\n1 2\n2 0\n")
    (tmp_path / "own.toml").write_text('network = "edges.txt"\nformat = "graph-golf"\n')
    assert evaluate(Scenario(machine=str(tmp_path / "own.toml")), "metrics")["switches"] == 3


def test_a_machine_may_have_fewer_nodes_than_its_network_has_places(tmp_path: Path) -> None:
    (tmp_path / "few.toml").write_text('network = "torus(4,4)"\nnodes = 12\n')
    few = {"machine": str(tmp_path / "few.toml"), "ranks_per_node": 1, **JOB}
    assert evaluate(Scenario(**few), "time")["jobs"][0]["ranks"] == 12
    with pytest.raises(NetloomError, match="at most 12 nodes"):
        evaluate(Scenario(nodes=13, **few), "time")
    # Of another network nothing of the kind is known.
    assert evaluate(Scenario("torus(4,8)", **few), "time")["jobs"][0]["ranks"] == 32


BAD = [
    ("", "NL-L003", "the key network is missing"),
    ("network = 3.5\nnetwrk = 1", "NL-L002", 'did you mean "network"?'),
    ("network = {}", "NL-L001", "text, a number or a list"),
    ("network = { value = 'ring(4)', kind = 'guessed' }", "NL-L001", "one of measured, data sheet, assumed"),
    ("network = { value = 'ring(4)', sorce = 'x' }", "NL-L002", 'did you mean "source"?'),
    ("network = 'ring(4)'\nwire = 3", "NL-L001", "a table"),
    ("network = 'ring(4)'\n[wire]\nduplex = 'both'", "NL-A007", "m.toml: wire.duplex must be one of full, half"),
    ("network = 'ring(4)'\n[software]\ncombine = 1", "NL-A003", "combine"),
    ("network = 'ring(4)'\n[wire]\ncombine_s_per_byte = 1e-9", "NL-L002", "write software.combine_s_per_byte"),
    ("network = 'ring(4)'\n[wire]\nlatency_factors = [[0, -1]]", "NL-A007", "m.toml: wire.latency_factors[0] must be"),
    ("network = 'ring(4)'\ntitle = 3", "NL-L001", "text of at most"),
    ("network = ", "NL-L003", "is not TOML"),
    ("network = 'ring(4)'\nnodes = 0", "NL-L001", "m.toml: nodes must be an integer >= 1, got 0"),
    ("network = 'ring(4)'\nnodes = 'many'", "NL-L001", "m.toml: nodes must be an integer >= 1, got 'many'"),
]


@pytest.mark.parametrize(("text", "code", "says"), BAD, ids=[text[:30] for text, *_ in BAD])
def test_one_clear_fault(text: str, code: str, says: str) -> None:
    faults = faults_of(text)
    assert any(fault.code == code and says in str(fault) for fault in faults), list(map(str, faults))
    assert all(fault.place.startswith("m.toml") for fault in faults)


def test_what_a_machine_names_is_checked_as_the_inputs_are(tmp_path: Path) -> None:
    (tmp_path / "odd.toml").write_text('network = "toruss(4)"\nrouting = "nowhere"\n')
    with pytest.raises(NetloomError) as caught:
        evaluate(Scenario(machine=str(tmp_path / "odd.toml"), **JOB), "time")
    said = str(caught.value)
    assert 'no topology is called "toruss"' in said and 'no routing is called "nowhere"' in said


def test_an_unknown_machine_has_a_near_name() -> None:
    with pytest.raises(NetloomError) as caught:
        netloom.simulate(machine="generic-hd", **JOB)
    assert 'did you mean "generic-hdr"?' in str(caught.value)
