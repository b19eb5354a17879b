"""Logs that a simulation with a fault made: the fault is named, and a healthy log gives none."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from netloom import NetloomError
from netloom.expectation import Against, Expectation, expect
from netloom.machine import load
from netloom.measured import Measurement, write_csv
from netloom.validation import Predictor

#: Eight nodes of four GPUs, and sixteen with four NICs each.
RAILS = "rail_cluster(nodes=8,gpus=4,pod=4)"
TREE = 'xgft(m=[4,16],w=[1,4],bandwidth="200 Gbps",endpoint_bandwidth="200 Gbps",latency="100 ns")'
REST = """
[wire]
sharing = "equal"
[software]
sender_returns_below_bytes = 8192
starts_early_below_bytes = 8192
message_latency = [[0, 3e-6, 0.0], [8191, 5e-6, 0.0]]
combine_s_per_byte = 1e-11
call_overhead_s = 5e-6
[validated]
median = 0.05
p90 = 0.12
measurements = 100
nodes = [2, 16]
ranks_per_node = [1, 4]
bytes = [4, 1073741824]
collectives = ["allreduce", "allgather", "alltoall"]
"""
MACHINES = {
    "rails": f"network = '{RAILS}'\n{REST}",
    "tree": f"network = '{TREE}'\nnode = 'node(sockets=2,cores=2,nics=4)'\n{REST}",
}
CURVES = {
    "rails": ("allreduce:ring(channels=4,local=4)", "alltoall:linear"),
    "tree": ("allreduce:ring", "alltoall:linear"),
}
SIZES = [64, 4096, 65536, 1 << 20, 1 << 24, 1 << 27]
LATENCY = "software.message_latency"
#: Fault, machine, and the inputs that plant it.
PLANTED: list[tuple[str, str, Mapping[str, object]]] = [
    ("nic-gone", "rails", {"fail": "link:8-40"}),
    ("nic-gone", "rails", {"network.rails": 2}),
    ("nic-gone", "tree", {"node.nics": 2}),
    ("half-link-rate", "rails", {"network.nic_bandwidth": "200 Gbps", "network.spine_bandwidth": "400 Gbps"}),
    ("half-link-rate", "tree", {"network.endpoint_bandwidth": "100 Gbps"}),
    ("congested-spine", "rails", {"network.spine_bandwidth": "100 Gbps"}),
    ("congested-spine", "tree", {"network.bandwidth": "50 Gbps"}),
    ("host-memory", "rails", {LATENCY: [[0, 3e-6, 2 / 12e9], [8191, 5e-6, 2 / 12e9]]}),
    ("host-memory", "tree", {LATENCY: [[0, 3e-6, 2 / 10e9], [8191, 5e-6, 2 / 10e9]]}),
    ("slow-node", "rails", {LATENCY: [[0, 1.2e-5, 0.0], [8191, 2e-5, 0.0]], "software.call_overhead_s": 2e-5}),
    ("slow-node", "tree", {"background": [{"src": 0, "dst": 63}, {"src": 63, "dst": 0}]}),
    (
        "other-protocol",
        "tree",
        {
            "software.sender_returns_below_bytes": 1024,
            "software.starts_early_below_bytes": 1024,
            LATENCY: [[0, 3e-6, 0.0], [1023, 9e-6, 0.0]],
        },
    ),
]


def machine(name: str, folder: Path) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(MACHINES[name])
    return path


def log(of: str | Path, curves: tuple[str, ...], folder: Path, inputs: Mapping[str, object], nodes: int = 8) -> Path:
    """What the machine measures, with 3 % of noise."""
    rows = [
        Measurement(call.partition(":")[0], call.partition(":")[2], "", nodes, 4, size, 1.0, "x")
        for call in curves
        for size in SIZES
    ]
    made = Predictor(of, inputs)
    made.prepare(rows)
    assert not made.dropped
    noise = random.Random(5)
    write_csv(
        folder / "log.csv",
        [replace(row, time_s=at * noise.gauss(1.0, 0.03)) for row, at in zip(rows, made.times_s(), strict=True)],
    )
    return folder / "log.csv"


def is_first(found: Expectation, fault: str) -> bool:
    """Named first, or told to be like the first."""
    return fault == found.findings[0].what or fault in found.findings[0].equal


@pytest.mark.parametrize(
    ("fault", "name", "inputs"),
    PLANTED,
    ids=[f"{fault}-{name}-{next(iter(inputs))}" for fault, name, inputs in PLANTED],
)
def test_a_planted_fault_is_named(fault: str, name: str, inputs: Mapping[str, object], tmp_path: Path) -> None:
    sound = machine(name, tmp_path)
    found = expect(log(sound, CURVES[name], tmp_path, inputs), Against(sound))
    assert is_first(found, fault), [(one.what, one.says, one.explains, one.equal) for one in found.findings]
    assert found.findings[0].explains > 0.4
    assert [one.explains for one in found.findings] == sorted((one.explains for one in found.findings), reverse=True)


@pytest.mark.parametrize(
    ("name", "inputs", "fault"),
    [
        ("marenostrum5-acc", {"network.endpoint_bandwidth": "100 Gbps"}, "half-link-rate"),
        ("lumi-g", {"network.bandwidth": "25 Gbps", "network.endpoint_bandwidth": "200 Gbps"}, "congested-spine"),
    ],
)
def test_a_fault_of_a_shipped_machine(name: str, inputs: Mapping[str, object], fault: str, tmp_path: Path) -> None:
    found = expect(log(name, ("alltoall:linear",), tmp_path, inputs, nodes=16), Against(name))
    assert is_first(found, fault), [(one.what, one.says, one.explains, one.equal) for one in found.findings]
    assert {one.band.kind for one in found.rows} == {"none" if load(name).validated is None else "extrapolated"}


@pytest.mark.parametrize("name", ["rails", "tree", "lumi-g", "marenostrum5-acc"])
def test_a_healthy_log_gives_no_findings(name: str, tmp_path: Path) -> None:
    sound = machine(name, tmp_path) if name in MACHINES else name
    found = expect(log(sound, CURVES.get(name, CURVES["tree"]), tmp_path, {}), Against(sound))
    assert not found.findings
    assert all(one.healthy for one in found.rows)
    assert all(one.bound_s <= one.expected_s for one in found.rows)


def test_another_algorithm_than_the_log_says(tmp_path: Path) -> None:
    sound = machine("tree", tmp_path)
    path = log(sound, ("alltoall:bruck",), tmp_path, {})
    path.write_text(path.read_text().replace("bruck", "linear"))
    first = expect(path, Against(sound)).findings[0]
    assert (first.what, first.place, first.equal) == ("other-algorithm", "alltoall:linear", ())
    assert "bruck" in first.says


PROTOCOLS = """ll_latency = [[0, 2e-6, 0.0]]
ll_flow_cap = 2e10
ll128_latency = [[0, 3e-6, 0.0]]
ll128_flow_cap = 4e10
simple_latency = [[0, 6e-6, 0.0]]
simple_flow_cap = 4.8e10
"""


@pytest.mark.parametrize(
    ("inputs", "ran", "fault", "says"),
    [
        ({}, "ll", "other-protocol", "allreduce ran with ll"),
        ({"software.simple_latency": [[0, 6e-6, 2 / 12e9]]}, "simple", "host-memory", "at 12 GB/s"),
    ],
)
def test_a_library_of_gpus_has_protocols(
    inputs: Mapping[str, object], ran: str, fault: str, says: str, tmp_path: Path
) -> None:
    sound = machine("rails", tmp_path)
    sound.write_text(sound.read_text().replace("[software]\n", f"[software]\n{PROTOCOLS}"))
    path = log(sound, (f"allreduce:ring(channels=4,local=4,protocol={ran})",), tmp_path, inputs)
    path.write_text(path.read_text().replace(f"protocol={ran}", "protocol=simple"))
    found = expect(path, Against(sound))
    assert is_first(found, fault) and says in next(one.says for one in found.findings if one.what == fault)


def test_an_algorithm_that_is_not_named_is_assumed(tmp_path: Path) -> None:
    """The quickest of those that libraries have; over channels where nodes have several GPUs."""
    sound = machine("rails", tmp_path)
    path = log(sound, ("allreduce:ring(channels=4,local=4)",), tmp_path, {})
    path.write_text(path.read_text().replace('"ring(channels=4,local=4)"', "default"))
    found = expect(path, Against(sound))
    assert found.rows[0].algorithm == "chained-trees(chain=4,segments=1,channels=4,local=4)"
    assert found.rows[-1].algorithm == "ring(channels=4,local=4)"
    assert found.rows[-1].healthy and found.rows[-1].band.kind == "extrapolated"
    assert any("does not say which algorithm" in note for note in found.notes)


def test_a_few_rows_outside_of_the_error_are_no_fault(tmp_path: Path) -> None:
    """Nine tenths of the measurements of a sound machine are within it."""
    sound = machine("tree", tmp_path)
    path = log(sound, CURVES["tree"], tmp_path, {})
    lines = path.read_text().splitlines()
    cells = lines[4].split(",")
    lines[4] = ",".join([*cells[:-1], str(2 * float(cells[-1]))])
    path.write_text("\n".join(lines) + "\n")
    found = expect(path, Against(sound))
    assert [one.healthy for one in found.rows].count(False) == 1
    assert not found.findings
    assert any("no more than on a sound machine" in note for note in found.notes)


def test_quicker_than_the_wires_allow(tmp_path: Path) -> None:
    sound = machine("tree", tmp_path)
    path = log(sound, ("alltoall:linear",), tmp_path, {})
    rows = [line.split(",") for line in path.read_text().splitlines()]
    path.write_text(
        "\n".join(",".join([*row[:-1], f"{float(row[-1]) / 4}" if at else row[-1]]) for at, row in enumerate(rows))
        + "\n"
    )
    found = expect(path, Against(sound))
    assert found.rows[-1].healthy is None and "quicker than the wires allow" in found.rows[-1].why


def test_a_machine_without_costs_of_software_says_nothing_of_small_sizes(tmp_path: Path) -> None:
    plain = tmp_path / "plain.toml"
    plain.write_text(f"network = '{TREE}'\n")
    rows = [Measurement("allreduce", "ring", "", 8, 1, size, 1e-2, "x") for size in (64, 1 << 24)]
    write_csv(tmp_path / "log.csv", rows)
    found = expect(tmp_path / "log.csv", Against(plain))
    assert [one.healthy for one in found.rows] == [None, False]
    assert "no costs of software" in found.rows[0].why
    assert found.rows[1].band.kind == "none"


def test_a_machine_that_was_changed_keeps_no_error(tmp_path: Path) -> None:
    sound = machine("tree", tmp_path)
    path = log(sound, ("allreduce:ring",), tmp_path, {})
    found = expect(path, Against(sound, {"software.call_overhead_s": 6e-6}))
    assert {one.band.kind for one in found.rows} == {"extrapolated"}
    assert found.rows[0].band.share > load(sound).validated.p90  # type: ignore[union-attr]


def test_times_need_a_machine(tmp_path: Path) -> None:
    path = log(machine("tree", tmp_path), ("allreduce:ring",), tmp_path, {})
    with pytest.raises(NetloomError, match="NL-X010"):
        expect(path)
    path.write_text(path.read_text().replace(",8,4,", ",600,4,"))
    with pytest.raises(NetloomError, match="NL-V001"):
        expect(path, Against(tmp_path / "tree.toml"))
