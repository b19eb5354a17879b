"""The objective `time`: what a search reports is what a simulation of its mapping takes."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest

from netloom import NetloomError, map_ranks, place, programs, simulate
from netloom.cli.app import main
from netloom.study import run_study

NETWORK = "random_shortcut(32,degree=5,seed=2)"
MACHINE: dict[str, Any] = {"calibration": "simgrid-smpi", "duplex": "half", "switch_latency": 1e-7, "repetitions": 2}


def picoseconds(workload: Any, mapping: Any, **options: Any) -> int:
    """Rounded as the objective rounds."""
    made = simulate(NETWORK, workload=workload, mapping=mapping, **options)
    return round(float(made["time_s"]) * 1e12)


@pytest.mark.parametrize(
    "optimiser",
    [
        "two-opt(swaps=60)",
        "two-opt(swaps=60,move=reversal,accept=ties)",
        "auto(swaps=60)",
        "anneal(swaps=60,restarts=2)",
    ],
)
def test_the_value_is_the_simulated_time(optimiser: str) -> None:
    options = {"size_bytes": 100_000, **MACHINE}
    found = map_ranks(
        NETWORK, workload="allreduce:ring", ranks=16, placement="random(seed=1)", optimiser=optimiser,
        objective="time", **options,
    )  # fmt: skip
    start = place(NETWORK, 16, "random(seed=1)")
    assert found["start_value"] == picoseconds("allreduce:ring", start, **options)
    assert found["value"] == picoseconds("allreduce:ring", found["mapping"], **options)
    assert found["value"] <= found["start_value"]
    assert sorted(found["mapping"]) == sorted(start)


def test_applications_programs_and_traffic_are_timed_too() -> None:
    ring = [[("sendrecv", (r + 1) % 8, 50_000, (r + 7) % 8, 50_000), ("compute", 1e5)] for r in range(8)]
    for workload in ("is(class=S)", programs(ring), "stencil(4,2)"):
        found = map_ranks(
            NETWORK, workload=workload, ranks=8, objective="time", optimiser="two-opt(swaps=40)", free=True
        )
        assert found["value"] == picoseconds(workload, found["mapping"])


def test_a_second_search_starts_where_the_first_ended() -> None:
    first = map_ranks(NETWORK, workload="alltoall:bruck", ranks=16, size_bytes=5000)
    second = map_ranks(
        NETWORK, workload="alltoall:bruck", mapping=first["mapping"], size_bytes=5000, objective="time(filter=hops)",
        optimiser="two-opt(swaps=50)",
    )  # fmt: skip
    assert second["start_value"] == picoseconds("alltoall:bruck", first["mapping"], size_bytes=5000)


def test_what_cannot_be_timed_is_refused() -> None:
    def code(**options: Any) -> str:
        with pytest.raises(NetloomError) as raised:
            map_ranks(NETWORK, workload="alltoall:pairwise", ranks=16, optimiser="two-opt(swaps=9)", **options)
        return raised.value.faults[0].code

    assert code(objective="time", duplex="both") == "NL-A007"
    assert code(objective="time", switch_latency=float("nan")) == "NL-A008"
    assert code(objective="time", repetitions=0) == "NL-A007"
    assert code(objective="time", variant="adaptive-direct") == "NL-H003"
    assert code(objective="time(filter=bytes)") == "NL-A007"
    assert code(objective="time(margin=-1)") == "NL-A007"
    assert code(objective="time", calibration="no such") != ""


def test_the_command_prints_microseconds(capsys: pytest.CaptureFixture[str]) -> None:
    def command(latency: str) -> tuple[int, str, str]:
        arguments = [
            *("map", "-n", NETWORK, "--ranks", "8", "-c", "broadcast:binomial", "--size", "64KiB", "-q"),
            *("--optimise", "two-opt(swaps=50,accept=ties)", "--objective", "time", "--switch-latency", latency),
        ]
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        return int(ended.value.code or 0), *capsys.readouterr()

    code, shown, _ = command("100 ns")
    times = [float(word) for line in shown.splitlines() if "time" in line for word in re.findall(r"([0-9.]+) µs", line)]
    start = place(NETWORK, 8)
    wanted = picoseconds("broadcast:binomial", start, size_bytes=65536, switch_latency=1e-7)
    assert code == 0 and abs(times[0] - wanted / 1e6) < 0.05 and times[1] <= times[0]
    code, shown, said = command("100 parsecs")
    assert code == 2 and shown == "" and said.startswith("error: NL-")


STUDY = f"""
title = "Timed"
[[experiment]]
name = "timed"
evaluate = "time"
options = {{ flops_per_s = 1e9 }}
[experiment.axes]
network = "{NETWORK}"
ranks = 16
order = {{ value = "two-opt(swaps=40)", objective = "time" }}
workload = ["alltoall:bruck", "is(class=S)"]
size_bytes = 20000
switch_latency = "100 ns"
duplex = "half"
repetitions = 2
cores = [1, 2]
"""


def test_a_study_times_the_mapping_on_its_own_machine(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    finished = run_study(tmp_path / "study.toml", tmp_path / "out")
    with next((tmp_path / "out").rglob("timed.csv")).open() as lines:
        rows = list(csv.DictReader(lines))
    assert finished.problems == [] and len(rows) == 4
    for row in rows:
        assert int(row["value"]) == round(float(row["time_s"]) * 1e12) <= int(row["start_value"])


@pytest.mark.parametrize("objective", ["time", "auto"])
@pytest.mark.parametrize("routing", ["auto", "single-minimal"])
def test_ranks_of_an_endpoint_share_its_nic(objective: str, routing: str) -> None:
    options: dict[str, Any] = {"cores": 4, "ranks": 32, "size_bytes": 100_000, "routing": routing, "repetitions": 2}
    load = "allreduce:rabenseifner"
    found = map_ranks(NETWORK, workload=load, optimiser="auto(swaps=40)", objective=objective, **options)
    assert found["value"] == picoseconds(load, found["mapping"], **options) <= found["start_value"]
    assert found["start_value"] == picoseconds(load, [rank // 4 for rank in range(32)], **options)
    # A NIC for every rank would be faster.
    assert found["start_value"] > picoseconds(load, list(range(32)), **(options | {"cores": 1}))


@pytest.mark.parametrize(
    ("network", "workload", "ranks", "cores"),
    [
        ("dragonfly(a=4,p=2,h=2,g=9)", "allreduce:rabenseifner", 64, 1),
        ("fat_tree(radix=4,levels=3)", "alltoall:bruck", 32, 4),
        ("torus(4,4,4)", "stencil(8,8,bytes=10000)", 64, 1),
    ],
)
def test_no_other_objective_ends_with_less_time(network: str, workload: str, ranks: int, cores: int) -> None:
    options: dict[str, Any] = {"ranks": ranks, "cores": cores, **({"size_bytes": 1 << 16} if ":" in workload else {})}

    def time_of(objective: str) -> float:
        made = map_ranks(network, workload=workload, objective=objective, optimiser="auto(swaps=20000)", **options)
        return float(simulate(network, workload=workload, mapping=made["mapping"], **options)["time_s"])

    best = time_of("auto")
    for objective in ("hop-bytes", "max-link-load", "inter-node"):
        assert best <= time_of(objective), objective
