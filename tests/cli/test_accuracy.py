"""The error next to the time: of a machine that was measured, beyond what was measured, of no machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from netloom.machine.validated import words

SWITCH = 'network = \'complete(1,p=64,endpoint_bandwidth="200 Gbps",endpoint_latency="100 ns")\'\n'
VALIDATED = """
[validated]
median = 0.12
p90 = 0.3
measurements = 40
nodes = [4, 16]
ranks_per_node = [1, 1]
bytes = [64, 1048576]
collectives = ["allreduce"]
"""


@pytest.mark.parametrize(
    ("nodes", "size", "more", "kind"),
    [
        (8, "64 KiB", (), "validated"),
        (32, "64 KiB", (), "extrapolated"),
        (8, "2 MiB", (), "extrapolated"),
        (8, "64 KiB", ("--set", "software.call_overhead_s=1e-6"), "none"),
    ],
)
def test_the_error_stands_next_to_the_time(netloom, tmp_path: Path, nodes: int, size: str, more, kind: str) -> None:
    (tmp_path / "m.toml").write_text(SWITCH + "[software]\nmessage_latency = [[0, 2e-6, 0.0]]\n" + VALIDATED)
    code, out, _ = netloom(
        "simulate", "--machine", str(tmp_path / "m.toml"), "--nodes", str(nodes), "-c", "allreduce:ring",
        "--size", size, *more, "--json",
    )  # fmt: skip
    assert code == 0
    found = json.loads(out)
    assert found["error"]["kind"] == kind
    assert words(found["error"])
    # Each of the steps has the latency of software once.
    added = 2 * (nodes - 1) * 2e-6 + (1e-6 if more else 0.0)
    assert found["time_s"] - found["wires_s"] == pytest.approx(added, rel=1e-6)


def test_without_a_machine_nothing_is_known(netloom) -> None:
    code, out, _ = netloom("simulate", "-n", "torus(4,4)", "-c", "allreduce:ring")
    assert code == 0
    assert "never measured: no machine is named" in out


def test_the_error_of_default_costs_is_said_of_those_alone(netloom) -> None:
    asked = ("simulate", "-n", "torus(4,4)", "-c", "allreduce:ring")
    assert "such costs missed three others" in netloom(*asked)[1]
    for own in (("--calibration", "pure"), ("--set", "software.call_overhead_s=1e-3"), ("--switch-latency", "1 us")):
        assert "such costs" not in netloom(*asked, *own)[1]
    rails = ("simulate", "-n", "rail_cluster(nodes=2)", "-c", "allreduce:ring")
    assert "missed NCCL on two others" in netloom(*rails)[1]
    assert "missed NCCL" not in netloom(*rails, "--calibration", "gpu-rdma")[1]
