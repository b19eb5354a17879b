"""Nodes whose GPUs are joined by links of their own, and nodes whose units differ, from the file to the time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
SHIFT = ("-n", "star(2)", "-t", "shift(k=1,bytes=1000000000)", "--ranks", "2")
#: The time of links alone.
WIRES = ("--calibration", "pure", "--json")


def topology(*sockets: list[dict[int, int]]) -> str:
    """NCCL's XML of GPUs on sockets, each with the NVLinks that it has to others."""
    text, number = "", 0
    for gpus in sockets:
        text += "<cpu>"
        for links in gpus:
            inside = "".join(
                f'<nvlink target="0000:{other + 1:02}:00.0" count="{count}" tclass="0x030200"/>'
                for other, count in links.items()
            )
            speed = 'link_speed="16.0 GT/s PCIe" link_width="16"'
            text += f'<pci busid="0000:{number + 1:02}:00.0" {speed}><gpu dev="{number}" sm="80">{inside}</gpu></pci>'
            number += 1
        text += "</cpu>"
    return f'<system version="1">{text}</system>'


@pytest.mark.parametrize("model", ["flow", "packet"])
def test_a_gigabyte_over_the_links_of_a_pair(netloom: Run, model: str) -> None:
    mesh = [{other: 4 for other in range(4) if other != own} for own in range(4)]
    Path("mesh.xml").write_text(topology(mesh[:2], mesh[2:]))
    code, out, err = netloom("node", "mesh.xml")
    assert (code, out) == (
        0,
        'node(sockets=2,gpus=2,gpu_bandwidth="256 Gbps",links="0-1,0-2,0-3,1-2,1-3,2-3:640 Gbps")\n',
    ), err
    code, answer, err = netloom("simulate", *SHIFT, "--node", out.strip(), "--model", model, *WIRES)
    # Four NVLinks of 20 GB/s, not the twelve that a GPU has.
    assert json.loads(answer)["time_s"] == pytest.approx(12.5e-3), err


def test_pairs_keep_their_sockets(netloom: Run) -> None:
    Path("pairs.xml").write_text(topology([{1: 4}, {0: 4}], [{3: 2}, {2: 2}]))
    _, node, err = netloom("node", "pairs.xml")
    assert node == 'node(sockets=2,gpus=2,gpu_bandwidth="256 Gbps",links="0-1:640 Gbps; 2-3:320 Gbps")\n'
    assert "NVLinks join GPUs directly" in err and "other pairs take PCI" in err
    # GPUs 0 and 2 have no link: over PCI.
    Path("flows.csv").write_text("src,dst,bytes\n0,2,1000000000\n")
    answer = netloom("simulate", "-n", "star(2)", "-t", "flows.csv", "--ranks", "4", "--node", node.strip(), *WIRES)
    assert json.loads(answer[1])["time_s"] == pytest.approx(1 / 32), answer[2]
    assert netloom("node", "pairs.xml", "--keep", "gpus")[1].startswith('node(gpus=4,gpu_bandwidth="256 Gbps",links=')


def test_the_hint_for_gpus_that_differ_works(netloom: Run) -> None:
    Path("slow.xml").write_text(topology([{}, {}], [{}]).replace('link_width="16"', 'link_width="8"', 1))
    code, out, err = netloom("node", "slow.xml")
    assert (code, out) == (2, "") and "GPUs differ: one has links of 16 GB/s, another of 32" in err
    node = err[err.index("hint: ") + len("hint: ") :].split(" has the slowest")[0]
    assert node == 'node(sockets=2,gpus=[2,1],gpu_bandwidth="128 Gbps")'
    assert netloom("loads", *SHIFT, "--node", node)[0] == 0


def test_three_gpus_and_one(netloom: Run) -> None:
    Path("odd.xml").write_text(topology([{}, {}, {}], [{}]))
    code, out, err = netloom("node", "odd.xml", "--json")
    found = json.loads(out)
    assert (code, found["node"]) == (0, 'node(sockets=2,gpus=[3,1],gpu_bandwidth="256 Gbps")'), err
    assert (found["seats"], found["levels"]) == (4, {"sockets": 2, "numa": 1, "caches": 1, "gpus": [3, 1]})
    code, out, err = netloom("loads", *SHIFT, "--node", found["node"])
    assert code == 0, err


def machine(*sockets: int, allowed: str = "0xfff") -> str:
    """XML of hwloc 2 with so many cores on each socket."""
    cpu, packages = 0, ""
    for number, cores in enumerate(sockets):
        own = "".join(f'<object type="Core" cpuset="0x{1 << (cpu + core):x}"/>' for core in range(cores))
        packages += f'<object type="Package" nodeset="0x{1 << number:x}">{own}</object>'
        cpu += cores
    whole = f'cpuset="0xfff" complete_cpuset="0xfff" allowed_cpuset="{allowed}"'
    return f'<topology version="2.0"><object type="Machine" {whole}>{packages}</object></topology>'


def test_sockets_with_other_numbers_of_cores(netloom: Run) -> None:
    Path("odd.xml").write_text(machine(6, 4))
    code, out, err = netloom("node", "odd.xml")
    assert (code, out) == (0, "node(sockets=2,cores=[6,4])\n"), err
    assert netloom("node", "odd.xml", "--keep", "cores")[1] == "node(cores=10)\n"
    assert netloom("node", "odd.xml", "--insert", "caches=2")[1] == "node(sockets=2,caches=2,cores=[3,3,2,2])\n"
    code, _, err = netloom("node", "odd.xml", "--insert", "caches=4")
    assert code == 2 and "groups whose number divides the [6,4] cores" in err
    flags = ("-n", "ring(4)", "-t", "shift(k=1,bytes=1000)", "--node", "node(sockets=2,cores=[6,4])")
    for command in ("loads", "simulate", "hops"):
        code, _, err = netloom(command, *flags, "--ranks", "40")
        assert code == 0, err
    code, _, err = netloom("loads", *flags, "--ranks", "41")
    assert code == 2 and "at most 40 ranks" in err


def test_a_cgroup_leaves_its_cores(netloom: Run) -> None:
    Path("few.xml").write_text(machine(6, 6, allowed="0x0cf"))
    code, out, err = netloom("node", "few.xml")
    assert (code, out) == (0, "node(sockets=2,cores=[4,2])\n"), err
    assert "note: CPU 4 and 5 more is offline or not allowed; 6 cores have no other CPU, and are left out" in err


def test_rank_files_for_sockets_that_differ(netloom: Run) -> None:
    Path("few.xml").write_text(machine(6, 6, allowed="0x0cf"))
    given = (
        "map",
        "-n",
        "ring(2)",
        "-t",
        "shift(k=1)",
        "--ranks",
        "12",
        "--optimise",
        "none",
        "-o",
        "ranks",
        "--cpus",
        "few.xml",
    )
    code, _, err = netloom(*given, "--emit", "map-cpu", "--node", "node(sockets=2,cores=[4,2])")
    assert code == 0 and "0,1,2,3,6,7" in next(Path("ranks").iterdir()).read_text(), err
    code, _, err = netloom(*given, "--emit", "map-cpu", "--node", "node(sockets=2,cores=3)")
    assert code == 2 and "give --node 'node(sockets=2,cores=[4,2])'" in err


def test_reserved_cores_get_no_ranks(netloom: Run) -> None:
    Path("nodes.txt").write_text(
        "NodeName=c1 CoresPerSocket=16\n   CPUEfctv=31 CPUTot=32\n   Sockets=2 CoreSpecCount=1\n   State=IDLE\n"
    )
    code, out, err = netloom("node", "nodes.txt")
    assert (code, out) == (0, "node(sockets=2,cores=[16,15])\n")
    assert "note: 1 of the 32 cores of a node are reserved (CoreSpecCount)" in err
    Path("slurm.conf").write_text("ClusterName=c\nNodeName=c[1-9] Sockets=2 CoresPerSocket=8 CpuBind=core\n")
    code, out, err = netloom("node", "slurm.conf", "--nodes", "c[1-4]", "--json")
    assert (json.loads(out)["node"], json.loads(out)["nodes"]) == ("node(sockets=2,cores=8)", 4), err
    assert "in the Slurm file and not used: CpuBind (1)" in json.loads(out)["notes"]


@pytest.mark.parametrize(
    ("node", "says"),
    [
        ('node(gpus=4,links="0-4:1 Gbps")', "node.links must be links between two of the seats 0 to 3, got 0-4"),
        ('node(gpus=4,links="0:1 Gbps")', "node.links must be pairs of seats and the bandwidth each way"),
        ('node(gpus=4,links="0-1:1 Gbit")', "NL-A008 node.links"),
        ("node(sockets=2,cores=[1,2,3])", "node.cores must be one number, or 2: one for each of the units around"),
    ],
)
def test_bad_links_are_one_line(netloom: Run, node: str, says: str) -> None:
    code, out, err = netloom("loads", *SHIFT, "--node", node)
    assert (code, out) == (2, "") and says in err and "Traceback" not in err, err


def test_an_optimiser_puts_partners_on_a_link(netloom: Run) -> None:
    """Ranks 0 and 1 exchange a megabyte; only seats 1 and 2 have a fast link."""
    Path("pair.csv").write_text("src,dst,bytes\n0,1,1000000\n1,0,1000000\n2,3,1000\n")
    node = 'node(gpus=4,gpu_bandwidth="8 Gbps",links="1-2:800 Gbps")'
    for objective in ("step-load", "time"):
        given = ("-n", "star(2)", "-t", "pair.csv", "--ranks", "4", "--node", node, "--objective", objective)
        code, out, err = netloom("map", *given, "--json")
        assert code == 0, err
        assert sorted(json.loads(out)["seats"][:2]) == [1, 2], out
