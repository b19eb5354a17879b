"""One parameter of an input: `node.nics`, `network.taper`, `wire.duplex`, in Python, studies and commands alike."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from netloom import Scenario, evaluate
from netloom.base.errors import NetloomError
from netloom.cli import main

JOB = {"workload": "allreduce:ring", "size_bytes": "1 MiB"}


def time_s(*network: str, **inputs: object) -> float:
    return evaluate(Scenario(*network, **JOB, **inputs), "time")["time_s"]


@pytest.mark.parametrize(
    ("network", "name", "value", "whole"),
    [
        ("torus(4,4)", "network.p", 2, {"network": "torus(4,4,p=2)"}),
        ("dragonfly(4,2,1,5)", "network.p", 1, {"network": "dragonfly(4,1,1,5)"}),
        ("torus(4,4,latency=0)", "network.latency", "1 us", {"network": 'torus(4,4,latency="1 us")'}),
        ("torus(4,4)", "wire.duplex", "half", {"duplex": "half"}),
        ("torus(4,4)", "software.flops_per_s", "1 Gflops", {"flops_per_s": "1 Gflops"}),
        ("torus(4,4)", "wire.switch_latency_s", "1 us", {"switch_latency": "1 us"}),
    ],
)
def test_a_parameter_is_one_of_the_whole_call(network: str, name: str, value: object, whole: dict[str, str]) -> None:
    scenario = Scenario(network, **JOB, **{name: value})
    said = Scenario(**({"network": network} | whole), **JOB)
    assert evaluate(scenario, "time")["time_s"] == evaluate(said, "time")["time_s"]


def test_a_parameter_of_a_workload_and_of_an_order() -> None:
    moved = Scenario("ring(8)", workload="shift(k=1)", **{"workload.k": 3})
    assert moved["workload"] == "shift(k=3)"
    assert evaluate(moved, "hops")["max_hops"] == 3
    assert Scenario("ring(8)", order="random(seed=1)", **{"order.seed": 7})["order"] == "random(seed=7)"


def test_a_whole_value_leaves_nothing_of_its_parameters() -> None:
    scenario = Scenario("torus(4,4)", **{"network.p": 2})
    assert scenario["network"] == "torus(4,4,p=2)"
    assert scenario.but(network="ring(4)")["network"] == "ring(4)"
    assert scenario.only("network") == scenario and scenario.only("ranks")["network"] is None


def test_a_scenario_with_parameters_survives_its_files() -> None:
    scenario = Scenario("torus(4,4)", **JOB, **{"network.p": 2, "wire.duplex": "half", "node.nics": 1})
    assert Scenario.from_toml(scenario.to_toml()) == scenario
    assert Scenario.from_json(scenario.to_json()) == scenario


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({"network.taper": 2}, 'has no parameter "taper"'),
        ({"network.p": 0}, "torus.p must be"),
        ({"node.nics": 2}, "give node too, as a call"),
        ({"wire.duplexx": "half"}, 'did you mean "duplex"?'),
        ({"wire.cross_traffic": 2}, "a number in 0..1"),
        ({"wire.duplex": "half", "duplex": "half"}, "is given twice"),
        ({"ranks.n": 2}, "is no input of a scenario"),
        ({"nodes.nics": 2}, "is no input of a scenario"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(inputs: dict[str, object], says: str) -> None:
    with pytest.raises(NetloomError) as caught:
        evaluate(Scenario("torus(4,4)", **JOB, **inputs), "time")
    assert says in str(caught.value)
    assert len(caught.value.faults) == 1


def test_a_parameter_is_an_axis_of_a_study(tmp_path: Path, capsys) -> None:
    path = tmp_path / "study.toml"
    axes = 'workload = "allreduce:ring"\nsize_bytes = 1048576\n"network.p" = [1, 2]\nwire.duplex = ["full", "half"]\n'
    head = '[[experiment]]\nname = "e"\nevaluate = "time"\n[experiment.axes]\nnetwork = "torus(4,4)"\n'
    path.write_text(f'title = "parameters"\n{head}{axes}')
    with pytest.raises(SystemExit) as left:
        main(["run", str(path), "-q", "-o", str(tmp_path / "out")])
    assert left.value.code == 0
    with (tmp_path / "out" / "tables" / "e.csv").open() as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == 4
    for row in rows:
        alone = time_s("torus(4,4)", **{"network.p": int(row["network.p"]), "duplex": row["wire.duplex"]})
        assert float(row["time_s"]) == alone
    assert len({row["time_s"] for row in rows}) > 2
    path.write_text(f'title = "parameters"\n{head}{axes.replace("network.p", "network.q")}')
    with pytest.raises(SystemExit) as left:
        main(["run", str(path), "-q", "-o", str(tmp_path / "no")])
    assert left.value.code == 2 and 'has no parameter "q"' in capsys.readouterr().err
    assert not (tmp_path / "no").exists()


def test_the_command_sets_a_parameter(capsys) -> None:
    with pytest.raises(SystemExit) as left:
        main(
            ["simulate", "-n", "torus(4,4)", "-c", "allreduce:ring", "--size", "1MiB", "--set", "network.p=2", "--json"]
        )
    assert left.value.code == 0
    assert json.loads(capsys.readouterr().out)["time_s"] == time_s("torus(4,4,p=2)")
    for wrong in ("network", "network.p", "ranks.n=2", "network.p=", "network.p=1,2"):
        with pytest.raises(SystemExit) as left:
            main(["hops", "-n", "torus(4,4)", "-c", "allreduce:ring", "--set", wrong])
        assert left.value.code == 2
