"""`netloom compare` as a user runs it, and its numbers against the commands that give them one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import netloom
from netloom.cli.app import main
from netloom.plot.compared import radar, unbeaten

NETWORKS = ("torus(4,4)", "fat_tree(radix=4,levels=2,top=full)")
WORKLOADS = ("alltoall:bruck", "shift(k=1)")


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(list(args))
    assert isinstance(end.value.code, int)
    return end.value.code


def test_rows_are_what_the_evaluators_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run("compare", *NETWORKS, "-c", WORKLOADS[0], "-t", WORKLOADS[1], "--size", "64KiB", "--ranks", "8", "--json")
        == 0
    )
    rows = json.loads(capsys.readouterr().out)
    assert [row["network"] for row in rows] == list(NETWORKS)
    for row in rows:
        facts = netloom.describe(row["network"])
        assert {key: facts[key] for key in ("endpoints", "switches", "diameter", "aspl")}.items() <= row.items()
        assert row["bisection"] == facts["endpoint_bisection"]
        assert row["bisection_per_endpoint"] == row["bisection"]["value"] / row["endpoints"]
        assert row["usd"] == netloom.evaluate(netloom.Scenario(network=row["network"]), "cost").record["total_usd"]
        assert [each["workload"] for each in row["workloads"]] == [WORKLOADS[1], WORKLOADS[0]]
        for each in row["workloads"]:
            asked = netloom.Scenario(network=row["network"], workload=each["workload"], size_bytes="64KiB", ranks=8)
            assert each["time_s"] == netloom.evaluate(asked, "time").record["time_s"]
            assert each["max_link_s"] == netloom.evaluate(asked, "loads").record["max_s"]


def test_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    files = [tmp_path / "radar.png", tmp_path / "pareto.svg"]
    assert run("compare", *NETWORKS, *(word for file in files for word in ("--picture", str(file)))) == 0
    assert files[0].read_bytes().startswith(b"\x89PNG") and b"<svg" in files[1].read_bytes()
    assert "endpoints" in capsys.readouterr().out


def test_a_picture_says_its_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", *NETWORKS, "--picture", "pie.png") == 2
    assert "radar or pareto" in capsys.readouterr().err


def test_the_price_of_a_file_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "topology.conf"
    file.write_text("SwitchName=leaf0 Nodes=n[0-3]\nSwitchName=leaf1 Nodes=n[4-7]\nSwitchName=top Switches=leaf[0-1]\n")
    assert run("describe", str(file), "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["cost"] is None and "no lengths" in facts["price"]
    assert facts["endpoint_bisection"]["value"] == 1 and facts["endpoint_bisection"]["exact"]
    assert run("compare", str(file), "star(2,p=4)") == 0
    said = capsys.readouterr()
    assert "price unknown" in said.err and "-" in said.out.splitlines()[1]


def test_unbeaten_points_of_a_front() -> None:
    assert unbeaten([1, 2, 2], [3, 1, 2]) == [0, 1]
    assert unbeaten([1, 1], [1, 1]) == [0, 1]


def test_a_radar_needs_three_spokes() -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(netloom.NetloomError):
        radar(["a"], {"x": [1.0], "y": [1.0]})
