"""A node from hwloc's XML, a synthetic string, counts and the running host."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
XML = Path(__file__).parents[1] / "data" / "hwloc" / "two_sockets.xml"


@pytest.mark.parametrize(
    ("source", "node"),
    [
        (str(XML), "node(sockets=2,numa=4,caches=2,cores=8)"),
        ("package:2 numa:4 l3:2 core:8 pu:1", "node(sockets=2,numa=4,caches=2,cores=8)"),
        ("16,2,4,2,8", "node(sockets=2,numa=4,caches=2,cores=8)"),
        ("16,2,2,8", "node(sockets=2,numa=2,cores=8)"),
        ("package:1 core:4 pu:2", "node(cores=4)"),
        (
            "Package:1 [NUMANode(memory=25276510208)] L3Cache:1(size=33554432) L2Cache:2(size=1048576) "
            "L1dCache:1(size=49152) L1iCache:1(size=32768) Core:1 PU:1",
            "node(cores=2)",
        ),
    ],
)
def test_every_source_gives_the_call(netloom: Run, source: str, node: str) -> None:
    code, out, err = netloom("node", source)
    assert (code, out) == (0, node + "\n"), err
    code, out, err = netloom("loads", "-n", "torus(4,4)", "-t", "shift(k=1)", "--ranks", "16", "--node", node, "--json")
    assert code == 0, err


def test_levels_are_merged(netloom: Run) -> None:
    code, out, _ = netloom("node", str(XML), "--keep", "numa", "--json")
    found = json.loads(out)
    assert (code, found["node"], found["seats"]) == (0, "node(numa=8,cores=16)", 128)
    code, out, _ = netloom("node", "16,2,2,8", "--json")
    assert (json.loads(out)["nodes"], json.loads(out)["seats"]) == (16, 32)


def test_options_may_be_repeated(netloom: Run) -> None:
    code, out, err = netloom("node", "16,2,16", "--insert", "numa=4", "--insert", "caches=2")
    assert (code, out) == (0, "node(sockets=2,numa=4,caches=2,cores=2)\n"), err
    code, out, err = netloom("node", "16,2,2,2,8", "--keep", "sockets", "--keep", "caches")
    assert (code, out) == (0, "node(sockets=2,caches=4,cores=8)\n"), err


STRINGS = [
    "package:4 core:8 pu:1",
    "numa:4 package:2 core:4 pu:1",
    "package:2 l3:2 l2:4 core:1 pu:2",
    "package:1 die:2 l3:2 l2:4 core:1 pu:2",
    "package:2 group:2 numa:2 l3:1 core:4 pu:1",
    "package:1 l3:1 l2:4 core:2 pu:2",
    "[numa] package:2 l3:2 core:4 pu:1",
    "package:2 l3:2 l2:2 [numa] core:4 pu:2",
    "package:2 core:4 [numa] pu:1",
    "l3:1 package:2 core:4 pu:1",
    "package:2 core:8 l1d:1 l1i:1 pu:2",
]


@pytest.mark.skipif(shutil.which("lstopo") is None, reason="needs lstopo")
@pytest.mark.parametrize("text", STRINGS)
def test_a_string_its_file_and_the_string_of_that_are_one_node(netloom: Run, text: str) -> None:
    subprocess.run(["lstopo", "-i", text, "--of", "xml", "-f", "made.xml"], check=True, capture_output=True)
    made = subprocess.run(["lstopo", "-i", text, "--of", "synthetic", "-"], check=True, capture_output=True, text=True)
    found = [json.loads(netloom("node", source, "--json")[1]) for source in (text, "made.xml", made.stdout.strip())]
    assert found[0]["node"] == found[1]["node"] == found[2]["node"]
    counted = subprocess.run(["hwloc-calc", "-i", "made.xml", "-N", "core", "all"], capture_output=True, text=True)
    assert [one["seats"] for one in found] == [int(counted.stdout)] * 3


def test_the_running_host(netloom: Run) -> None:
    if shutil.which("lstopo") is None:
        code, _, err = netloom("node", "host")
        assert code == 2 and err.startswith("error: NL-X015 host")
        return
    code, out, err = netloom("node", "host", "--json")
    assert code == 0, err
    assert json.loads(out)["seats"] >= 1


def test_without_lstopo(netloom: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    code, out, err = netloom("node", "host")
    assert (code, out) == (2, "") and err.startswith("error: NL-X015 host: lstopo cannot be run"), err


BOMB = (
    "<!DOCTYPE t [" + "".join(f'<!ENTITY a{i + 1} "&a{i};&a{i};">' for i in range(64)) + "]><topology>&a64;</topology>"
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (BOMB, "NL-F013"),
        ("<topology>" + "<object type='Group'>" * 100_000, "NL-F005"),
        (XML.read_text()[:9000], "NL-F003"),
        (XML.read_text().replace('<topology version="2.0"', '<topology version="3.0"'), "NL-F013"),
        ("<machine/>", "NL-F003"),
    ],
)
def test_bad_files_are_one_line(netloom: Run, text: str, code: str) -> None:
    Path("m.xml").write_text(text)
    left, out, err = netloom("node", "m.xml")
    assert (left, out) == (2, "") and err.startswith(f"error: {code} m.xml") and err.count("\nerror:") == 0, err[:300]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("16,0,2",), "NL-F009"),
        (("16",), "NL-F003"),
        (("core:4 package:2",), "NL-F013"),
        (("none.xml",), "NL-X001"),
        (("16,2,8", "--keep", "racks"), "NL-A007"),
    ],
)
def test_bad_levels_are_one_line(netloom: Run, arguments: tuple[str, ...], code: str) -> None:
    left, out, err = netloom("node", *arguments)
    assert (left, out) == (2, "") and err.startswith(f"error: {code} "), err


NODES = (
    "NodeName=cn001 CoresPerSocket=64 Sockets=2 ThreadsPerCore=2 Gres=gpu:a100:4(S:0-1)\n\n"
    "NodeName=cn002 CoresPerSocket=64 Sockets=2 ThreadsPerCore=2 Gres=gpu:a100:4(S:0-1)\n\n"
    "NodeName=fat1 CoresPerSocket=24 Sockets=4 ThreadsPerCore=1\n"
)
TOPO = (
    '<system version="1"><cpu numaid="0"><pci busid="0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16">'
    '<gpu dev="0" sm="90" rank="0"><nvlink target="1" count="18" tclass="0x068000"/></gpu></pci>'
    '<pci busid="2" class="0x020700"><nic><net name="mlx5_0" dev="0" speed="400000"/></nic></pci></cpu></system>'
)


def test_what_slurm_says_of_nodes(netloom: Run) -> None:
    Path("nodes.txt").write_text(NODES)
    code, out, err = netloom("node", "nodes.txt")
    assert (code, out) == (2, "") and "2 have 2 sockets of 64 cores (2 threads each) and 4 GPUs" in err
    assert "--nodes 'cn[001-002]' or 'fat1'" in err
    code, out, err = netloom("node", "nodes.txt", "--nodes", "cn[001-002]", "--json")
    assert (json.loads(out)["node"], json.loads(out)["nodes"]) == ("node(sockets=2,cores=64)", 2), err


def test_what_nccl_says_of_gpus(netloom: Run) -> None:
    Path("topo.xml").write_text(TOPO)
    code, out, err = netloom("node", "topo.xml")
    assert (code, out) == (0, 'node(gpus=1,gpu_bandwidth="2966.4 Gbps")\n'), err
    assert "NICs of 400 Gb/s" in err


def test_a_level_is_inserted(netloom: Run) -> None:
    assert netloom("node", "16,2,16", "--insert", "numa=2,caches=2")[1] == "node(sockets=2,numa=2,caches=2,cores=4)\n"
    for wish, says in (
        ("caches=3", "groups whose number divides the 16 cores"),
        ("sockets=2", "LEVEL=COUNT"),
        ("cores=2", "LEVEL=COUNT"),
    ):
        code, out, err = netloom("node", "16,2,16", "--insert", wish)
        assert (code, out) == (2, "") and says in err and "--insert" in err, err


def test_a_hundred_megabytes_of_nesting(netloom: Run) -> None:
    Path("deep.xml").write_text("<topology>" + "<object>" * (100 << 17))
    code, out, err = netloom("node", "deep.xml")
    assert (code, out) == (2, "") and len(err) < 1000, err[:300]
