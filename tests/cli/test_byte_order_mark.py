"""A byte order mark before any text that is read, as editors of Windows write it, is no part of the text."""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from netloom.cost import cost_model

Run = Callable[..., tuple[int, str, str]]

OSU = "# OSU MPI Latency Test v7.3\n# Size          Latency (us)\n" + "".join(
    f"{size} {1.0 + size / 10_000}\n" for size in (0, 1, 64, 4096, 65536, 1 << 20)
)
STUDY = """
title = "Two orders"
[[experiment]]
name = "orders"
evaluate = "hops"
[experiment.axes]
network = "torus(4,4)"
ranks = 8
workload = "allreduce:ring"
order = ["ascending", "draw"]
"""
STEPS = 'ranks = 4\n[[step]]\nworkload = "allreduce:ring"\nsize = "1 KiB"\n'
JOBS = '[[job]]\nname = "a"\nranks = 4\nworkload = "allreduce:ring"\n'
SCENARIO = 'network = "torus(4,4)"\nranks = 8\nworkload = "allreduce:ring"\n'
HWLOC = '<?xml version="1.0" encoding="UTF-8"?>\n<topology version="2.0"><object type="Machine" os_index="0">' + (
    '<object type="Package" os_index="0"><object type="NUMANode" os_index="0"/><object type="Core" os_index="0">'
    '<object type="PU" os_index="0"/></object></object></object></topology>\n'
)
#: File, its text, and the words of a command that reads it.
CASES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "measurements": ("osu.txt", OSU, ("calibrate", "osu.txt", "--latency", "1 us", "--bandwidth", "100 Gbps")),
    "study": ("s.toml", STUDY, ("run", "s.toml", "--check", "-q")),
    "steps": ("w.toml", STEPS, ("simulate", "-n", "ring(4)", "--traffic", "w.toml")),
    "jobs": ("j.toml", JOBS, ("loads", "-n", "ring(4)", "--jobs", "j.toml")),
    "scenario": ("x.toml", SCENARIO, ("evaluate", "x.toml", "-e", "hops")),
    "scenario in JSON": (
        "x.json",
        '{"network": "torus(4,4)", "ranks": 8, "workload": "allreduce:ring"}',
        ("evaluate", "x.json", "-e", "hops"),
    ),
    "traffic": ("t.csv", "src,dst,bytes\n0,1,8\n1,0,8\n", ("hops", "-n", "ring(4)", "--traffic", "t.csv")),
    "matrix": (
        "t.mtx",
        "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 8\n",
        ("hops", "-n", "ring(4)", "--traffic", "t.mtx"),
    ),
    "rank file": ("m.txt", "2\n0\n1\n3\n", ("hops", "-n", "ring(4)", "-c", "allreduce:ring", "--mapping", "m.txt")),
    "node": ("n.xml", HWLOC, ("node", "n.xml")),
    "graph": ("g.txt", "4 2\n0 1\n1 2\n2 3\n3 0\n", ("describe", "g.txt", "--from", "graph-golf")),
    "Slurm": ("topology.conf", "SwitchName=s0 Nodes=n[0-3]\n", ("describe", "topology.conf")),
}


def asked(netloom: Run, words: tuple[str, ...]) -> tuple[int, str]:
    code, out, err = netloom(*words)
    # Times of estimates differ from run to run.
    return code, "\n".join(line for line in out.splitlines() if "of one core" not in line) + ("" if code == 0 else err)


@pytest.mark.parametrize("case", CASES)
def test_the_mark_changes_nothing(netloom: Run, case: str) -> None:
    name, text, words = CASES[case]
    Path(name).write_bytes(text.encode())
    plain = asked(netloom, words)
    Path(name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert asked(netloom, words) == plain
    assert plain[0] == 0, plain


@pytest.mark.parametrize("format", ["graphml", "node-link", "simgrid", "slurm-yaml", "booksim", "ibnetdiscover"])
def test_networks_in_every_format(netloom: Run, format: str) -> None:
    made = "ring(4)" if format == "booksim" else "fat_tree(radix=4,levels=2)"
    assert netloom("convert", made, "net", "--to", format)[0] == 0
    words = ("describe", "net", "--from", format)
    plain = asked(netloom, words)
    Path("net").write_bytes(b"\xef\xbb\xbf" + Path("net").read_bytes())
    assert asked(netloom, words) == plain and plain[0] == 0, plain


def test_prices_and_standard_input(netloom: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (files("netloom.cost") / "models" / "jain-2016.toml").read_bytes()
    read = []
    for mark in (b"", b"\xef\xbb\xbf"):
        Path("prices.toml").write_bytes(mark + text)
        read.append(cost_model("prices.toml"))
    assert read[0] == read[1]
    for said in (SCENARIO, '{"network": "torus(4,4)", "ranks": 8, "workload": "allreduce:ring"}'):
        found = []
        for mark in ("", "\ufeff"):
            monkeypatch.setattr("sys.stdin", io.StringIO(mark + said))
            found.append(netloom("evaluate", "-", "-e", "hops"))
        assert found[0] == found[1] and found[0][0] == 0
