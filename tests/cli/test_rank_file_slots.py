"""Slots of rank files are those of the job; where nothing tells those of a host apart, any will do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import netloom as package

Run = Callable[..., tuple[int, str, str]]
PLAIN = ("-t", "shift(k=1)", "--optimise", "none")
TORUS = ("-n", "torus(2,3)", "--cores", "2", *PLAIN)
NODE = ("-n", "fat_tree(4)", "--node", "node(sockets=2,cores=2)", *PLAIN)
RANDOM = ("-n", "torus(4,3)", "--cores", "5", *PLAIN, "--order", "random(seed=2)")


@pytest.mark.parametrize(
    ("job", "format", "says"),
    [
        (TORUS, "rankfile(slots=1)", "rankfile.slots must be 2, the ranks that a host has room for, got 1"),
        (TORUS, "rankfile(slots=64)", "a host with more cores needs no other number"),
        (TORUS, 'hostfile("n{1}",slots=4)', "hostfile.slots must be 2"),
        (TORUS, "simgrid-deployment(slots=1)", "simgrid-deployment.slots must be 2"),
        (TORUS, "map-cpu(slots=64)", "map-cpu.slots must be 2"),
        (TORUS, "csv(slots=64)", "csv.slots must be 2"),
        (TORUS, "csv(cores=4)", "csv.cores must be 2"),
        (TORUS, "plain(cores=1)", "plain.cores must be 2"),
        (NODE, "rankfile(slots=2)", "rankfile.slots must be 4"),
        (("-n", "torus(2,3)", *PLAIN), "plain(cores=2)", "plain.cores must be 1"),
    ],
)
def test_slots_that_contradict_the_job_never_renumber_hosts(
    netloom: Run, job: tuple[str, ...], format: str, says: str
) -> None:
    code, out, err = netloom("map", *job, "--emit", format)
    assert (code, out) == (2, "") and err.startswith("error: NL-A007 ") and says in err, err


@pytest.mark.parametrize("format", ["rankfile", "hostfile", "csv", "map-cpu"])
def test_the_number_of_the_job_may_be_said(netloom: Run, format: str) -> None:
    said = netloom("map", *TORUS, "--emit", f"{format}(slots=2)")
    assert said == netloom("map", *TORUS, "--emit", format) and said[0] == 0


def test_slots_of_a_file_that_is_read_are_those_of_the_job_too(netloom: Run) -> None:
    Path("ranks").write_text("rank 0=node0001 slot=0\nrank 1=node0001 slot=3\n")
    code, _, err = netloom("map", *TORUS, "--mapping", "ranks", "--mapping-format", "rankfile(slots=4)")
    assert code == 2 and "rankfile.slots must be 2" in err
    with pytest.raises(package.NetloomError, match=r"rankfile\.slots must be 2"):
        package.read("ranks", "mapping", network="torus(2,3)", cores=2, format="rankfile(slots=4)")
    with pytest.raises(package.NetloomError, match=r"rankfile\.slots must be 2"):
        package.write([0, 1], "ranks", network="torus(2,3)", cores=2, format="rankfile(slots=4)")


def test_endpoints_of_one_host_are_joined(netloom: Run) -> None:
    code, out, err = netloom("map", "-n", "torus(2,2,p=2)", *PLAIN, "--emit", "rankfile(slots=2)")
    assert code == 0 and out.splitlines()[:3] == [
        "rank 0=node0001 slot=0", "rank 1=node0001 slot=1", "rank 2=node0002 slot=0",
    ]  # fmt: skip
    assert "note: rankfile.slots" not in err
    code, _, err = netloom("map", "-n", "torus(2,3)", *PLAIN, "--emit", "rankfile(slots=2)")
    assert code == 0 and "note: rankfile.slots: 2 endpoints of several switches are one host" in err


def test_the_nics_of_a_node_are_one_host(netloom: Run) -> None:
    job = ("-n", "torus(2,2,p=2)", "--node", "node(sockets=2,cores=2,nics=2)", *PLAIN)
    code, out, err = netloom("map", *job, "--emit", "rankfile")
    assert code == 0 and out.splitlines()[3:5] == ["rank 3=node0001 slot=3", "rank 4=node0002 slot=0"], err
    Path("ranks").write_text(out)
    assert netloom("map", *job, "--mapping", "ranks", "--emit", "rankfile(slots=4)")[:2] == (0, out)
    assert "rankfile.slots must be 4" in netloom("map", *job, "--emit", "rankfile(slots=2)")[2]
    job = ("-n", "star(4)", "--node", "node(gpus=2,nics=2)", *PLAIN)
    lines = "node0001 --node-rank=0 CUDA_VISIBLE_DEVICES=0,1\nnode0002 --node-rank=1 CUDA_VISIBLE_DEVICES=0,1\n"
    assert netloom("map", *job, "--emit", "torchrun")[:2] == (0, lines)


@pytest.mark.parametrize(
    "format", ["slurm-arbitrary", "hostfile", "flux-taskmap", "simgrid-deployment", "plain", "vcoordfile"]
)
def test_a_file_of_hosts_takes_cores_that_nothing_tells_apart(netloom: Run, format: str) -> None:
    code, out, err = netloom("map", *RANDOM, "--emit", format)
    assert code == 0 and out, err
    if format == "plain":
        mapped = package.evaluate(
            {"network": "torus(4,3)", "cores": 5, "workload": "shift(k=1)", "order": "random(seed=2)"}, "hops"
        )
        Path("ranks").write_text(out)
        again = {"network": "torus(4,3)", "cores": 5, "workload": "shift(k=1)", "mapping": "ranks"}
        assert package.evaluate(again, "hops")["total_hops"] == mapped["total_hops"]
    if format != "vcoordfile" and format != "plain":
        node = ("-n", "torus(4,3)", "--node", "node(sockets=2,cores=2)", *PLAIN, "--order", "random(seed=2)")
        code, out, err = netloom("map", *node, "--emit", format)
        assert (code, out) == (2, "") and f"error: NL-F018 --emit {format}: rank " in err, err


def test_flux_is_refused_where_its_shell_starts_other_counts(netloom: Run) -> None:
    job = ("-n", "star(4)", "--cores", "4", "-t", "shift(k=1)", "--optimise", "none", "--emit", "flux-taskmap")
    code, out, err = netloom("map", *job, "--ranks", "10")
    assert (code, out) == (2, "") and "node0002 has 4 rank(s) and Flux starts 3 there" in err and "rankfile" in err
    assert netloom("map", *job, "--ranks", "12")[:2] == (0, "[[0,3,4,1]]\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "NL-F004 a.txt: the file is empty"),
        (
            "rank,host\n0,node0001\n",
            'must name the columns rank and endpoint, with commas between them, got "rank,host"',
        ),
        ("rank;endpoint\n0;0\n", 'got "rank;endpoint"'),
        (
            "rank 0=node0001 slot=0\nrank 1=node0001 slot=0\n",
            "NL-M002 a.txt:2:1: slot 0 of node0001 already has rank 0, from line 1",
        ),
        ("rank,endpoint,slot\n0,0,0\n1,0,0\n", "NL-M002 a.txt:3:1: slot 0 of endpoint 0 already has rank 0"),
        (
            "# MPICH_RANK_REORDER_METHOD=3; hosts in this order: node[0001-0002]\n3\n0-2\n",
            'a.txt:2:1 ranks of the line must be 2, as srun starts on node0001, got "1"',
        ),
    ],
)
def test_a_bad_mapping_file_is_told_in_one_line(netloom: Run, text: str, says: str) -> None:
    Path("a.txt").write_text(text)
    code, out, err = netloom("map", *TORUS, "--mapping", "a.txt")
    assert (code, out) == (2, "") and err.count("error:") == 1 and says in err, err


@pytest.mark.parametrize("cores", ["2", "4"])
def test_the_ends_of_lines_do_not_count_in_a_rank_order(netloom: Run, cores: str) -> None:
    header = "# MPICH_RANK_REORDER_METHOD=3; hosts in this order: node[0001-0002]\n"
    Path("ranks").write_text(header + "3,0,1,2\n")
    job = ("-n", "torus(2,3)", "--cores", cores, *PLAIN, "--mapping", "ranks")
    assert netloom("map", *job, "--emit", "plain")[:2] == (0, "0\n1\n1\n0\n")


def test_a_comment_at_the_end_of_a_line_hides_no_format(netloom: Run) -> None:
    Path("ranks").write_text("node0003:2 # two\n#c\nnode0001\n")
    assert netloom("map", *TORUS, "--mapping", "ranks", "--emit", "plain")[:2] == (0, "2\n2\n0\n")
