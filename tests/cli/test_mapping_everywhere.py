"""A mapping from a file: every format, on every command, with one rank and several on an endpoint."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import netloom as package
from netloom.mapping.rank_files import emitted

Run = Callable[..., tuple[int, str, str]]
FORMATS = ("rankfile", "slurm-arbitrary", "hostfile", "cray", "csv", "plain")
COMMANDS = ("hops", "loads", "simulate", "map", "collectives")
MACHINE = """SwitchName=s1 Nodes=cn[081-084]
SwitchName=s2 Nodes=cn[085-088]
SwitchName=s3 Nodes=cn[089-240]
SwitchName=top Switches=s[1-3]
"""
#: Endpoint of every rank: one on each, and two on each.
PLACES = {1: [9, 4, 5, 0, 8, 1, 3, 2], 2: [5, 1, 1, 5, 0, 4, 0, 4]}
ASKED: dict[str, tuple[str, ...]] = {
    "hops": ("-t", "shift(k=3,bytes=1000)"),
    "loads": ("-t", "shift(k=3,bytes=1000)"),
    "simulate": ("-t", "shift(k=3,bytes=1000)"),
    "map": ("-t", "shift(k=3,bytes=1000)", "--optimise", "none"),
    "collectives": ("-c", "broadcast", "--algorithms", "broadcast:binomial", "--sizes", "1KiB:1KiB"),
}
NUMBERS = {
    "hops": "total_hops",
    "loads": "classes",
    "simulate": "time_s",
    "map": "mapping",
    "collectives": "collectives",
}


def files(folder: Path, network: str, cores: int, format: str) -> None:
    """A file of the format, and the same mapping as a table of endpoints."""
    net = package.network(network)
    places = PLACES[cores]
    seats: dict[int, int] = {}
    slots = []
    for endpoint in places:
        slots.append(endpoint * cores + seats.setdefault(endpoint, 0))
        seats[endpoint] += 1
    slotted = net.with_slots(cores) if cores > 1 else net
    (folder / "ranks").write_bytes(emitted(format, slotted, package.base.arrays.ndarray(slots), cores))
    rows = "".join(f"{rank},{endpoint}\n" for rank, endpoint in enumerate(places))
    (folder / "same.csv").write_text(f"rank,endpoint\n{rows}")


@pytest.mark.parametrize("network", ["machine.conf", "torus(4,4)"])
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("format", FORMATS)
def test_every_command_takes_every_format(
    netloom: Run, tmp_path: Path, format: str, command: str, cores: int, network: str
) -> None:
    (tmp_path / "machine.conf").write_text(MACHINE)
    files(tmp_path, str(tmp_path / network) if network.endswith(".conf") else network, cores, format)
    answers: list[Any] = []
    for name in ("ranks", "same.csv"):
        asked = (command, "-n", network, "--cores", str(cores), "--mapping", name, *ASKED[command], "--json")
        code, out, err = netloom(*asked)
        assert code == 0, err
        answers.append(json.loads(out))
    key = NUMBERS[command]
    assert answers[0][key] == answers[1][key]
    if command == "map":
        assert answers[0]["mapping"] == PLACES[cores]


@pytest.mark.parametrize("format", FORMATS)
def test_what_map_writes_comes_back(netloom: Run, tmp_path: Path, format: str) -> None:
    """Two ranks on a host: the file names the host twice, not two hosts."""
    job = ("-n", "torus(4,4)", "--cores", "2", "--ranks", "16", "-t", "stencil(4,4)")
    code, _, err = netloom("map", *job, "--optimise", "none", "--emit", format, "-o", "made")
    assert code == 0, err
    (written,) = (tmp_path / "made").iterdir()
    there = (
        "hops",
        "-n",
        "torus(4,4)",
        "--cores",
        "2",
        "-t",
        "stencil(4,4)",
        "--mapping",
        f"made/{written.name}",
        "--json",
    )
    assert json.loads(netloom(*there)[1])["total_hops"] == json.loads(netloom("hops", *job, "--json")[1])["total_hops"]


def test_python_and_studies_read_the_same_file(netloom: Run, tmp_path: Path) -> None:
    (tmp_path / "machine.conf").write_text(MACHINE)
    files(tmp_path, str(tmp_path / "machine.conf"), 2, "hostfile")
    job = {"network": "machine.conf", "cores": 2, "workload": "shift(k=3,bytes=1000)"}
    listed = package.evaluate({**job, "mapping": PLACES[2]}, "time")["time_s"]
    assert package.evaluate({**job, "mapping": "ranks"}, "time")["time_s"] == listed
    (tmp_path / "study.toml").write_text(
        'title = "one"\n[[experiment]]\nname = "one"\nevaluate = "time"\n'
        '[experiment.axes]\nnetwork = ["machine.conf"]\n'
        'cores = [2]\nmapping = ["ranks"]\nworkload = ["shift(k=3,bytes=1000)"]\n'
    )
    code, _, err = netloom("run", "study.toml", "-o", "out")
    assert code == 0, err
    assert any(str(listed) in table.read_text() for table in (tmp_path / "out").rglob("*.csv"))


@pytest.mark.parametrize("format", FORMATS)
def test_a_list_of_jobs_reads_the_same_file(netloom: Run, tmp_path: Path, format: str) -> None:
    (tmp_path / "machine.conf").write_text(MACHINE)
    files(tmp_path, str(tmp_path / "machine.conf"), 2, format)
    (tmp_path / "jobs.toml").write_text('[[job]]\nworkload = "shift(k=3,bytes=1000)"\nmapping = "ranks"\ncores = 2\n')
    code, out, err = netloom("loads", "-n", "machine.conf", "--jobs", "jobs.toml", "--json")
    assert code == 0, err
    alone = netloom("loads", "-n", "machine.conf", "--cores", "2", "--mapping", "same.csv", *ASKED["loads"], "--json")
    assert json.loads(out)["classes"] == json.loads(alone[1])["classes"]


@pytest.mark.parametrize(
    ("text", "word"),
    [("rank,endpoint\n0,3\n1,3\n2,3\n", "below 2"), ("rank,endpoint\n0,99\n", "0..15"), ("7\n7\n7\n", "below 2")],
)
def test_more_ranks_than_cores_are_refused(netloom: Run, tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / "bad").write_text(text)
    code, out, err = netloom("hops", "-n", "torus(4,4)", "--cores", "2", "-t", "shift(k=1)", "--mapping", "bad")
    assert code == 2 and out == "" and word in err and err.startswith("error: NL-F009 bad")
