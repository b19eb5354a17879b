"""Hosts by name: the placement `hosts`, on every command that places."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import netloom as package

Run = Callable[..., tuple[int, str, str]]
TREE = "SwitchName=l0 Nodes=cn[081-084]\nSwitchName=l1 Nodes=cn[085-088]\nSwitchName=top Switches=l[0-1]\n"


def test_hosts_are_taken_in_the_order_of_the_list(netloom: Run) -> None:
    Path("tree.conf").write_text(TREE)
    job = ("-n", "tree.conf", "-c", "allreduce:ring", "--ranks", "3", "--placement", 'hosts("cn[087-088,081]")')
    code, out, err = netloom("map", *job, "--optimise", "none", "--emit", "rankfile")
    assert code == 0, err
    assert [line.split("=")[1].split()[0] for line in out.splitlines()[:3]] == ["cn087", "cn088", "cn081"]
    for command in ("hops", "loads", "simulate"):
        assert netloom(command, *job)[0] == 0
    assert list(package.place("torus(4,4)", 2, 'hosts("n[5-7]",first=1)')) == [4, 5]


def test_the_hosts_of_the_list_are_filled_unless_ranks_are_given(netloom: Run) -> None:
    Path("tree.conf").write_text(TREE)
    job = ("-n", "tree.conf", "-c", "allreduce:ring", "--placement", 'hosts("cn[087-088,081]")')
    for more, ranks in ((), 3), (("--cores", "4"), 12), (("--cores", "4", "--ranks", "5"), 5):
        code, out, err = netloom("map", *job, *more, "--optimise", "none", "--emit", "rankfile")
        assert code == 0 and out.count("rank ") == ranks, err
    code, _, err = netloom("map", *job, "--ranks", "4")
    assert code == 2 and "at least 4 hosts, got 3" in err and "more of them on a host (cores)" in err


def test_a_file_of_hosts_and_the_cores_of_each_make_one_command(netloom: Run) -> None:
    Path("tree.conf").write_text(TREE)
    job = ("map", "-n", "tree.conf", "--cores", "2", "-c", "allreduce:ring", "--optimise", "none", "-o", "maps")
    code, _, err = netloom(*job, "--emit", "hostfile,hydra-bind,rankfile")
    lines = [line for line in err.splitlines() if line.startswith("run: ")]
    assert code == 0 and lines == [
        "run: mpiexec.hydra -f maps/hostfile.txt -n 16 -bind-to user:0,1 ./app",
        "run: mpirun -np 16 --map-by rankfile:file=maps/rankfile.txt ./app",
    ]
    code, _, err = netloom(*job, "--emit", "slurm-arbitrary,map-cpu,mask-cpu")
    assert err.count("run: SLURM_HOSTFILE=maps/slurm-arbitrary.txt srun -n 16 --distribution=arbitrary --cpu-bind") == 2
    code, _, err = netloom(*job, "--emit", "hydra-bind")
    hosts = ",".join(f"cn0{number}:2" for number in range(81, 89))
    assert f"run: mpiexec.hydra -hosts {hosts} -n 16 -bind-to user:0,1 ./app" in err
    code, _, err = netloom(*job, "--emit", "intel-pin")
    assert "mpiexec.hydra -f HOSTS -n 16 ./app  # HOSTS: a file of --emit 'hostfile(bind=elsewhere)'" in err


def test_beside_other_jobs() -> None:
    jobs = [{"name": "a", "nodes": 2, "placement": 'hosts("n[3,9]")'}, {"name": "b", "nodes": 3}]
    found = package.loads("ring(16)", jobs=jobs, workload="shift(k=1)")
    assert [job["name"] for job in found.jobs] == ["a", "b"]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ('hosts("n[1-2]")', "at least 3 hosts"),
        ('hosts("n[1,1,2]")', "each once"),
        ('hosts("n[14-16]")', "n16"),
        ('hosts("n[1-")', "host list"),
        ('hosts("n[1-4],m5")', 'nodes called "n"'),
        ("hosts()", "hosts"),
    ],
)
def test_bad_lists_are_one_line(netloom: Run, call: str, says: str) -> None:
    code, out, err = netloom("hops", "-n", "torus(4,4)", "-c", "allreduce:ring", "--ranks", "3", "--placement", call)
    assert (code, out) == (2, "") and says in err and err.count("error:") == 1, err
    assert json.dumps(err)
