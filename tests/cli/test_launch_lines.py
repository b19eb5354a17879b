"""Rank files and their command lines start every rank where it was placed, or are refused in one line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from netloom.mapping.commands import paired
from netloom.mapping.rank_files import named_as

Run = Callable[..., tuple[int, str, str]]
TREE = "SwitchName=a Nodes=cn[001-004]\nSwitchName=b Nodes=cn[005-008]\nSwitchName=t Switches=a,b\n"
#: The second switch first: the order of endpoints is not that of names.
TURNED = "SwitchName=b Nodes=cn[005-008]\nSwitchName=a Nodes=cn[001-004]\nSwitchName=t Switches=a,b\n"
SHIFT = ("-t", 'shift(k=16,bytes="64 KiB")')
ONE_LINE = "-n", "net.conf", "-t", "shift(k=1)", "--optimise", "none", "--cores"


def placed(netloom: Run, *given: str) -> tuple[int, str, str]:
    """Output and the command line."""
    code, out, err = netloom("map", *given)
    lines = [line.removeprefix("run: ") for line in err.splitlines() if line.startswith("run: ")]
    return code, out, lines[0] if code == 0 and lines else err


@pytest.mark.parametrize("format", ["map-cpu", "mask-cpu"])
def test_a_list_of_cores_does_not_drop_the_hosts(netloom: Run, format: str) -> None:
    Path("net.conf").write_text(TREE)
    job = ("-n", "net.conf", "--cores", "4", *SHIFT, "--emit", format)
    for optimise in (
        (),
        ("--optimise", "enumeration"),
        ("--optimise", "none", "--order", "mixed-radix(0,1,levels=[8,4])"),
    ):
        code, out, err = placed(netloom, *job, *optimise)
        assert (code, out) == (2, "") and err.count("error: NL-F018") == 1 and "names no hosts" in err, err
        assert "slurm-arbitrary" in err
    code, _, line = placed(netloom, *job, "--optimise", "none")
    assert code == 0
    assert line.startswith("srun -N 8 --nodelist='cn[001-008]' -n 32 --distribution=block:block,NoPack --cpu-bind="), (
        line
    )


def test_a_file_of_hosts_beside_it_says_which_they_are(netloom: Run) -> None:
    Path("net.conf").write_text(TREE)
    job = ("-n", "net.conf", "--cores", "4", *SHIFT, "-o", "maps")
    code, _, line = placed(netloom, *job, "--emit", "slurm-arbitrary,map-cpu")
    assert code == 0, line
    assert "SLURM_HOSTFILE=maps/slurm-arbitrary.txt srun -n 32 --distribution=arbitrary --cpu-bind=map_cpu:0,1" in line
    assert paired(["slurm", "map-cpu(slots=4)"]) == ["slurm", "map-cpu(slots=4, hosts=elsewhere)"]
    assert paired(["hostfile", "map-cpu"]) == ["hostfile", "map-cpu"]


@pytest.mark.parametrize("format", ["slurm-distribution", "pe-list", "likwid-pin", "map-cpu"])
def test_slurm_goes_through_hosts_in_the_order_of_their_names(netloom: Run, format: str) -> None:
    Path("net.conf").write_text(TURNED)
    code, out, err = placed(netloom, *ONE_LINE, "2", "--ranks", "16", "--emit", format)
    assert (code, out) == (2, "") and "NL-F018" in err and "in the order of their names" in " ".join(err.split()), err
    some = ("--ranks", "6", "--placement", 'hosts("cn[001,003,006]")')
    code, _, line = placed(netloom, *ONE_LINE, "2", *some, "--emit", format)
    assert code == 0, line
    if "srun" in line:
        assert line.startswith("srun -N 3 --nodelist='cn[001,003,006]' -n 6 ")


def test_files_that_can_say_another_order_do(netloom: Run) -> None:
    Path("net.conf").write_text(TURNED)
    code, out, line = placed(netloom, *ONE_LINE, "2", "--ranks", "16", "--emit", "flux")
    assert (code, out) == (0, "[[4,4,2,1],[0,4,2,1]]\n")
    said = (
        "flux run -N 8 --exclusive --requires='host:cn[001-008]' -n 16 --taskmap='manual:[[4,4,2,1],[0,4,2,1]]' ./app"
    )
    assert line == said
    code, out, line = placed(netloom, *ONE_LINE, "2", "--ranks", "16", "--emit", "cray")
    assert code == 0 and out.startswith("# MPICH_RANK_REORDER_METHOD=3; hosts in this order: cn[001-008]\n8,9\n10,11\n")


@pytest.mark.parametrize(
    ("hosts", "format", "word"),
    [
        ("0001112223", "slurm-distribution", "plane=3"),
        ("0001112223", "cray", "plane=3"),
        ("0001112233", "slurm-distribution", "block:block,NoPack"),
        ("0001112233", "cray", "block:block,NoPack"),
        ("0123012301", "slurm-distribution", "cyclic:block"),
        ("0112223330", "slurm-distribution", ""),
        ("0011122233", "cray", ""),
    ],
)
def test_uneven_ranks_are_started_as_placed(netloom: Run, hosts: str, format: str, word: str) -> None:
    Path("net.conf").write_text(TREE)
    Path("map.csv").write_text("rank,endpoint\n" + "".join(f"{rank},{host}\n" for rank, host in enumerate(hosts)))
    job = (*ONE_LINE, "3", "--ranks", "10", "--mapping", "map.csv")
    code, out, line = placed(netloom, *job, "--emit", format)
    if not word:
        assert (code, out) == (2, "") and "NL-F018" in line, line
        return
    assert code == 0 and f"srun -N 4 --nodelist='cn[001-004]' -n 10 --distribution={word} ./app" in line, line
    if format == "cray":
        Path("MPICH_RANK_ORDER").write_text(out)
        again = placed(netloom, *job[:-1], "MPICH_RANK_ORDER", "--emit", "plain")
        assert again[:2] == (0, "".join(f"{host}\n" for host in hosts))


def test_a_rank_order_without_hosts_is_read_with_those_of_the_job(netloom: Run) -> None:
    Path("net.conf").write_text(TREE)
    Path("order").write_text("0,4,1,5\n2,6,3,7\n")
    job = (*ONE_LINE, "2", "--mapping", "order", "--emit", "plain")
    code, _, err = placed(netloom, *job)
    assert code == 2 and 'cray(hosts="cn[001-004]")' in err
    code, out, err = placed(netloom, *job, "--mapping-format", 'cray(hosts="cn[001-004]")')
    assert (code, out.split()) == (0, list("01230123")) or (code, out.split()) == (0, list("02130213")), err


@pytest.mark.parametrize(
    ("node", "fits"),
    [
        ("node(sockets=2,cores=4)", True),
        ("node(sockets=2,caches=2,cores=2)", True),
        ("node(cores=4)", True),
        ("node(sockets=2,cores=2)", False),
        ("node(sockets=4,cores=2)", False),
        ("node(gpus=8)", False),
    ],
)
def test_cpus_of_a_node_of_another_shape_are_refused(netloom: Run, node: str, fits: bool) -> None:
    cores = "".join(f'<object type="Core" cpuset="{1 << core:#x}"/>' for core in range(4))
    upper = "".join(f'<object type="Core" cpuset="{1 << core:#x}"/>' for core in range(4, 8))
    packages = (
        f'<object type="Package" cpuset="0xf">{cores}</object><object type="Package" cpuset="0xf0">{upper}</object>'
    )
    machine = f'<object type="Machine" cpuset="0xff" complete_cpuset="0xff" allowed_cpuset="0xff">{packages}</object>'
    Path("node.xml").write_text(f'<topology version="2.0">{machine}</topology>')
    job = ("-n", "star(1)", "--node", node, "-t", "shift(k=1)", "--optimise", "none", "--cpus", "node.xml")
    code, out, err = netloom("map", *job, "--emit", "map-cpu")
    if fits:
        assert code == 0 and out.startswith("--cpu-bind=map_cpu:0,1,2,3"), err
    else:
        assert (code, out) == (2, "") and f"--cpus must be a file of {node}, got node(sockets=2,cores=4)" in err, err


def test_torchrun_has_a_line_and_wants_gpus(netloom: Run) -> None:
    job = ("-n", "star(2)", "-t", "shift(k=2)", "--optimise", "none", "--emit", "torchrun")
    code, _, line = placed(netloom, *job, "--node", "node(gpus=2)")
    assert code == 0 and line == (
        "while read -r host rank gpus; do ssh -n $host env $gpus torchrun --nnodes=2 --nproc-per-node=2 $rank "
        "--master-addr=node0001 app.py & done < FILE; wait"
    )
    code, out, err = placed(netloom, *job, "--node", "node(cores=2)")
    assert (code, out) == (2, "") and "NL-F018" in err and "torchrun numbers GPUs" in err


def test_an_empty_emit_is_refused(netloom: Run) -> None:
    code, out, err = netloom("map", "-n", "star(2)", "-t", "shift(k=1)", "--optimise", "none", "--emit", "")
    assert (code, out) == (2, "") and "--emit" in err and err.count("error:") == 1


def test_hosts_of_a_placement_keep_their_names(netloom: Run) -> None:
    job = ("-n", "torus(4,4)", "-t", "shift(k=1)", "--optimise", "none", "--emit", "hostfile", "--placement")
    assert placed(netloom, *job, 'hosts("n[5-7]")')[1] == "n5:1\nn6:1\nn7:1\n"
    assert placed(netloom, *job, 'hosts("node[0001-0003]",first=1)')[1] == "node0001:1\nnode0002:1\nnode0003:1\n"
    # Counted from 0, node0001 is endpoint 1, which rank files call node0002.
    code, out, err = placed(netloom, *job, 'hosts("node[0001-0003]")')
    assert (code, out) == (2, "") and "NL-A007" in err and "first=1" in err
    # A pattern of the format's own stays.
    assert named_as(['hostfile("x{0}")', "plain"], 'hosts("node[0001-0003]")', 1) == ['hostfile("x{0}")', "plain"]
    assert named_as(["csv"], 'hosts("n[08-10]")', 1) == ['csv(host_pattern="n{00}")']


def test_a_deployment_fits_the_platform(netloom: Run) -> None:
    code, out, err = netloom(
        "map", "-n", "torus(2,2)", "-t", "shift(k=1)", "--optimise", "none", "--emit", "deployment"
    )
    assert code == 0, err
    assert netloom("convert", "torus(2,2)", "platform.xml", "--to", "simgrid")[0] == 0
    hosts = set(re.findall(r'<host id="([^"]+)"', Path("platform.xml").read_text()))
    assert set(re.findall(r'<actor host="([^"]+)"', out)) == hosts and len(hosts) == 4


@pytest.mark.parametrize(
    ("given", "option"),
    [(("--emit", "rankfil"), "--emit"), (("--mapping", "m.csv", "--mapping-format", "rankfil"), "--mapping-format")],
)
def test_an_unknown_format_is_named_by_its_own_option(netloom: Run, given: tuple[str, ...], option: str) -> None:
    Path("m.csv").write_text("rank,endpoint\n0,0\n1,1\n")
    code, _, err = netloom("map", "-n", "ring(4)", "--ranks", "2", "-t", "shift(k=1)", *given)
    assert code == 2 and f'NL-A002 {option}: no format is called "rankfil"' in err
