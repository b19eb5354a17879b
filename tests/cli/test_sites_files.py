"""Files of sites: InfiniBand descriptions, planes, Slurm files with names that Slurm does not take, host files."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from .ibnetdiscover import Printed

Run = Callable[..., tuple[int, str, str]]
FACTS = ("--json", "--no-cost", "--no-bisection")


def fabric(switches: list[str], hosts: list[tuple[str, list[int]]]) -> str:
    """What ibnetdiscover prints: switches in a row, each joined to the next, and hosts with a port on some of them."""
    made = Printed()
    row = [made.node("S", i, name) for i, name in enumerate(switches)]
    if any(len(on) == 1 for _, on in hosts):
        for a, b in pairwise(row):
            made.join(a, b)
    for number, (name, on) in enumerate(hosts):
        key = made.node("H", 100 + number, name)
        for switch in on:
            made.join(row[switch], key)
    return made.text()


MAP = ("map", "-n", "f.ibnet", "-t", "shift(k=1)", "--optimise", "none", "--emit", "hostfile", "-q")
UNSET = ["localhost HCA-1", "MT4123 ConnectX6 Mellanox Technologies", "mlx5_0", "(none) HCA-1"]


@pytest.mark.parametrize("description", UNSET)
def test_descriptions_that_nobody_set_are_hosts_by_their_guid(netloom: Run, description: str) -> None:
    text = fabric(["leaf"], [(description, [0]), (description, [0]), ("cn3 HCA-1", [0])])
    Path("f.ibnet").write_text(text)
    code, out, err = netloom(*MAP)
    assert code == 0, err
    hosts = [line.partition(":")[0] for line in out.splitlines()]
    assert sorted(hosts) == ["H-0000000000300640", "H-0000000000300650", "cn3"]
    assert "note: 2 adapters have " in err and "each is a host called by its GUID" in err, err


def test_adapters_that_differ_behind_the_hosts_name_are_one_host(netloom: Run) -> None:
    Path("f.ibnet").write_text(fabric(["leaf"], [("cn1 HCA-1", [0]), ("cn1 HCA-2", [0]), ("cn2 HCA-1", [0])]))
    code, out, err = netloom(*MAP)
    assert code == 0, err
    assert out == "cn1:2\ncn2:1\n" and "hosts have 1 to 2 ports" in err


def planes(run: Run) -> None:
    """Three hosts with a port in each of two planes of two switches; planes meet at hosts alone."""
    hosts = [(f"cn{i} HCA-1", [0, 1]) for i in range(3)]
    Path("planes.ibnet").write_text(fabric(["plane A", "plane B"], hosts))


def test_a_plane_is_taken_by_number_switch_and_host(netloom: Run) -> None:
    planes(netloom)
    code, _, err = netloom("describe", "planes.ibnet", *FACTS)
    assert code == 2 and "in 2 parts" in err and "--part 0" in err, err
    for part in ("0", "plane A", "1", "plane B", "cn1:1"):
        code, out, err = netloom("describe", "planes.ibnet", *FACTS, "--part", part)
        assert code == 0 and json.loads(out)["endpoints"] == 3, err
    code, out, err = netloom("simulate", "-n", "planes.ibnet", "--part", "plane B", "-t", "shift(k=1)", "--json", "-q")
    assert code == 0 and json.loads(out)["messages"] == 3, err


def test_rails_without_spines_are_parts(netloom: Run) -> None:
    hosts = [(f"g{i}", [0, 1, 2, 3]) for i in range(5)]
    Path("rails.ibnet").write_text(fabric(["rail0", "rail1", "rail2", "rail3"], hosts))
    code, _out, err = netloom("loads", "-n", "rails.ibnet", "--part", "rail2", "-t", "shift(k=1)", "--json")
    assert code == 0, err
    code, _, err = netloom("loads", "-n", "rails.ibnet", "--part", "rail7", "-t", "shift(k=1)")
    assert code == 2 and "NL-N004 --part" in err, err


NAMES = ["MF0;rack1:MQM8700/U1", "MF0:rack1;MQM8700/U1", "MF0_rack1_MQM8700_U1", "7", "leaf-1"]


@pytest.mark.parametrize(("name", "format"), [("t.conf", "slurm"), ("t.yaml", "slurm-yaml")])
def test_slurm_files_have_names_that_slurm_takes_and_a_table(netloom: Run, name: str, format: str) -> None:
    """Two names that become alike stay different; nodes keep theirs."""
    Path("f.ibnet").write_text(fabric([*NAMES], [(f"n{i}", [i]) for i in range(len(NAMES))]))
    code, _, err = netloom("convert", "f.ibnet", name, "--to", f"{format}(shape=block)")
    assert code == 0, err
    text = Path(name).read_text()
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert comments[0] == "# Names of switches that Slurm does not take:"
    table = dict(reversed(line.removeprefix("# ").split(" is ", 1)) for line in comments[1:])
    assert set(table) == set(NAMES[:2])
    body = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    assert ";" not in body and "/" not in body
    for short in (*table.values(), "MF0_rack1_MQM8700_U1", "s7", "leaf-1"):
        assert body.count(short) >= 1, short
    assert len({*table.values(), "MF0_rack1_MQM8700_U1"}) == 3
    code, out, err = netloom("describe", name, "--switches", "--json")
    assert code == 0 and table[NAMES[0]] in {one["name"] for one in json.loads(out)["switch_list"]}, err


def test_a_node_that_slurm_does_not_take_is_refused(netloom: Run) -> None:
    Path("f.ibnet").write_text(fabric(["leaf", "leaf2"], [("n;1", [0]), ("n2", [1])]))
    code, _, err = netloom("convert", "f.ibnet", "t.conf", "--to", "slurm(shape=block)")
    assert code == 2 and "Slurm knows it by that name" in err and "host_pattern" not in err, err


YAML = """- topology: one
  cluster_default: true
  tree:
    switches:
      - switch: s1
        {leaf}: n[1-4]
- topology: two
  block:
    blocks:
      - block: b1
- topology: three
  ring:
    rings:
      - ring: r1
        nodes: n[1-2
"""


@pytest.mark.parametrize(
    ("topology", "leaf", "words"),
    [
        ("one", "nods", "did you mean nodes?"),
        ("two", "nodes", "write - block: b1 with nodes: n[1-32]"),
        ("three", "nodes", "list must be a host list"),
    ],
)
def test_hints_for_yaml_are_in_yaml(netloom: Run, topology: str, leaf: str, words: str) -> None:
    Path("t.yaml").write_text(YAML.format(leaf=leaf))
    code, _, err = netloom("describe", "t.yaml", "--from", f"slurm-yaml(topology={topology})")
    assert code == 2 and words in err, err
    assert not any(key in err for key in ("BlockName=", "RingName=", "SwitchName=")), err


TREE = "SwitchName=a Nodes=n[1-4]\nSwitchName=b Nodes=n[5-8]\nSwitchName=t Switches=a,b\n"
RUN = ("hops", "-n", "tree.conf", "--from", "slurm(uplinks=1)", "--cores", "2", "-c", "allreduce:ring", "--json")


def between(run: Run, text: str, *more: str) -> int:
    """Bytes between nodes of a ring of one byte in each of its steps, on the ranks of a file."""
    Path("tree.conf").write_text(TREE)
    Path("ranks.txt").write_text(text)
    code, out, err = run(*RUN, "--mapping", "ranks.txt", *more)
    assert code == 0, err
    return int(json.loads(out)["inter_node_bytes"])


def test_host_files_of_open_mpi_are_read(netloom: Run) -> None:
    two = between(netloom, "n1 slots=2 max_slots=2\nn5 slots=2\n")
    assert between(netloom, "n1 slots=2 # first\n\nn5 max-slots=2\n") == two
    assert between(netloom, "n1.site.org slots=2\nn5.site.org slots=2\n") == two
    assert between(netloom, "n1:2\nn5:2\n") == two
    assert between(netloom, "rank 0=n1 slot=0\nrank 1=n1 slot=1\nrank 2=n5 slot=0\nrank 3=n5.site.org slot=1\n") == two


def test_relative_hosts_need_their_list(netloom: Run) -> None:
    text = "rank 0=+n0 slot=0\nrank 1=+n0 slot=1\nrank 2=+n1 slot=0\nrank 3=+n1 slot=1\n"
    named = text.replace("+n0", "n1").replace("+n1", "n5")
    assert between(netloom, text, "--mapping-format", 'rankfile(hosts="n[1,5]")') == between(netloom, named)
    code, _, err = netloom(*RUN, "--mapping", "ranks.txt")
    Path("ranks.txt").write_text(text)
    code, _, err = netloom(*RUN, "--mapping", "ranks.txt")
    assert code == 2 and "--mapping-format 'rankfile(hosts=" in err, err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("n1 slots=3\n", "slot of n1 must be below 2"),
        ("n1 slots=2 max_slots=1\n", "must be at most max_slots=1"),
        ("n1 slots=auto\n", "slots must be an integer in 1..1048576"),
        ("+n0 slots=2\n", "write the hosts of this run, each by its name"),
        ("n1.x slots=1\nn9.x slots=1\n", 'must be a host of the network, got "n9.x"'),
    ],
)
def test_a_host_file_that_does_not_fit_is_refused(netloom: Run, text: str, words: str) -> None:
    Path("tree.conf").write_text(TREE)
    Path("ranks.txt").write_text(text)
    code, _, err = netloom(*RUN, "--mapping", "ranks.txt", "--mapping-format", "ompi-hostfile")
    assert code == 2 and words in err, err


def test_a_written_host_file_is_read_again(netloom: Run) -> None:
    Path("tree.conf").write_text(TREE)
    line = ("map", "-n", "tree.conf", "--cores", "2", "-c", "allreduce:ring", "--ranks", "8", "--optimise", "none")
    code, out, err = netloom(*line, "-q", "--emit", "ompi-hostfile")
    assert code == 0, err
    assert out == "n1 slots=2\nn2 slots=2\nn3 slots=2\nn4 slots=2\n"
    assert between(netloom, out) == between(netloom, "".join(f"n{i // 2 + 1}:1\n" for i in range(8)))
