"""The catalogue of bad input as a user gives it: one clear line per fault, exit code 2, nothing half-written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import netloom as package

Run = Callable[..., tuple[int, str, str]]


def refused(outcome: tuple[int, str, str], *mentions: str) -> None:
    code, out, err = outcome
    assert code == 2, (code, out, err)
    assert out == "" and err.startswith("error: NL-"), err
    assert "internal error" not in err and "Traceback" not in err and "panicked" not in err
    lines = err.splitlines()
    assert len(lines) <= 60 and all(len(line) < 1000 and line.isprintable() for line in lines), err
    for word in mentions:
        assert word in err, err


IMPOSSIBLE = {
    "torus(0)": "torus.dims",
    "torus()": "torus.dims",
    "torus(99999,99999,99999)": "NL-A009",
    "torus(4,wrap=[true,false])": "wrap",
    "hypercube(64)": "hypercube",
    "random_regular(5,degree=3)": "even",
    "random_regular(4,degree=4)": "degree",
    "random_shortcut(1024,degree=1)": "degree",
    "random_shortcut(16,degree=20,seed=1)": "degree",
    "dragonfly(a=4,h=2,g=99)": "dragonfly.g",
    "dragonfly(a=4,h=1,g=5,global_parallel=9)": "dragonfly",
    "thin_tree(down=4,up=5,levels=3)": "up",
    "fat_tree(radix=7)": "radix",
    "rail_cluster(gpus=8,rails=3)": "rail_cluster.rails",
    "rail_cluster(spine=absent)": "rail_cluster.pod",
    "rail_cluster(nodes=4,pod=8)": "rail_cluster.pod",
    "rail_cluster(oversubscription=3)": "rail_cluster.oversubscription",
    "rail_cluster(spines=3)": "rail_cluster.spines",
    "slim_fly(q=6)": "q",
    "circulant(16,16)": "jumps",
    "circulant(16,3,3)": "jumps",
    "circulant(16,4,8)": "circulant",
    "circulant(12,pow3)": "pow2",
    "xgft(m=[4,4],w=[1])": "xgft",
    "k_ary_n_tree(k=1024,n=9)": "NL-A009",
    "complete(1000000)": "NL-A009",
    "de_bruijn(2,64)": "de_bruijn",
    'torus(4,bandwidth="10 parsecs")': "NL-A008",
    'torus(4,latency="-3 ns")': "latency",
    'torus(4,bandwidth="0 Gbps")': "bandwidth",
    "ring(8,p=0)": "ring.p",
    "ring(8,n=8)": "NL-A005",
    "ring(8,9,10)": "NL-A006",
    "ring(8": "NL-A001",
    "ring(8))": "NL-A001",
    "((((": "NL-A001",
    "ring" + "(ring" * 40: "NL-A0",
    "r" * 70_000: "NL-A010",
    "ring(" + "9" * 40 + ")": "ring.n",
    "\u202ering(8)": "NL-A001",
}


@pytest.mark.parametrize("call", IMPOSSIBLE, ids=lambda call: ascii(call)[:40])
def test_impossible_networks(netloom: Run, call: str) -> None:
    refused(netloom("describe", call), IMPOSSIBLE[call])


DEEP = "[" * 100_000
BOMB = "<!DOCTYPE b [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]><graphml>&b;&b;</graphml>"
GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">{}</graph></graphml>'
PLATFORM = '<platform version="4.1"><zone id="z" routing="Floyd">{}</zone></platform>'
HOSTILE: dict[str, list[str | bytes]] = {
    "graph-golf": [
        *("", "0", "0 0", "0 -1", "a b", "0 1 2 3", "0 99999999999999999999", "0 4000000000", "0 1\n1", "0,0 1"),
        *(b"0 1\x00", b"\xff\xfe0 1", "0 1\n" + "1" * 100_000, "0 1\n\u202e1 0"),
    ],
    "graphml": [
        *("", "<", "<graphml>", "<html></html>", BOMB, "<a>" * 100_000, b"\x00\x01\x02", GRAPHML.format("")),
        *(
            GRAPHML.format(inner)
            for inner in (
                '<node id="a"/><node id="a"/>',
                '<node id="a"/><edge source="a" target="b"/>',
                '<node id="a"/><node id="b"/><edge source="a" target="a"/>',
                '<node/><edge source="a"/>',
                '<node id="a"><graph edgedefault="undirected"/></node>',
            )
        ),
        '<graphml><key id="k" for="edge" attr.name="bandwidth" attr.type="string"/><graph edgedefault="undirected">'
        '<node id="a"/><node id="b"/><edge source="a" target="b"><data key="k">-1 parsec</data></edge>'
        "</graph></graphml>",
    ],
    "node-link": [
        *("", "{", "[]", "{}", DEEP, '{"nodes": 1, "edges": []}', '{"nodes": [{"id": 0}], "edges": [{"source": 0}]}'),
        '{"nodes": [{"id": 0}, {"id": 0}], "edges": []}',
        '{"nodes": [{"id": 0}], "edges": [{"source": 0, "target": 7}]}',
        '{"nodes": [{"id": 0}, {"id": 1}], "edges": [{"source": 0, "target": 1, "bandwidth": NaN}]}',
        '{"nodes": [{"id": 0}, {"id": 1}], "edges": [{"source": 0, "target": 1, "latency": -1}]}',
    ],
    "simgrid": [
        *("", "<platform", "<platform></platform>", PLATFORM.format("")),
        *(
            PLATFORM.format(inner)
            for inner in (
                '<host id="a" speed="1Gf"/><host id="a" speed="1Gf"/>',
                '<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><route src="a" dst="b"><link_ctn id="x"/></route>',
                '<host id="a" speed="1Gf"/><route src="a" dst="c"/>',
                '<link id="l" bandwidth="fast" latency="1us"/>',
            )
        ),
        '<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-999999999999" speed="1Gf" bw="1Gbps"'
        ' lat="1us"/></platform>',
        '<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf" bw="1Gbps" lat="1us"'
        ' topology="TORUS" topo_parameters="99999,99999,99999"/></platform>',
    ],
    "slurm": [
        *("", "SwitchName=", "SwitchName=a Nodes=n[0-999999999999]", "SwitchName=a Nodes=n[0-", "x=y"),
        *(
            "SwitchName=a Switches=a",
            "SwitchName=a Switches=b",
            "SwitchName=a Nodes=n[5-1]",
            b"SwitchName=\xff Nodes=n1",
        ),
        *("SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2", "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n1"),
        "SwitchName=a Switches=b\nSwitchName=b Switches=a",
        "SwitchName=a Nodes=n[1-99][1-99][1-99][1-99][1-99][1-99]",
    ],
    "booksim": [
        *("", "router", "router 0", "router 0 router 0", "router 0 node 5", "router 0 router 1 -5", "router x node 0"),
        *("node 0 router 0\nnode 0 router 1", "router 0 node 0 router 99999999999", "router 0 node 0 1.5"),
    ],
}
FILES = [(name, i) for name, texts in HOSTILE.items() for i in range(len(texts))]


@pytest.mark.parametrize(("name", "i"), FILES, ids=[f"{name}-{i}" for name, i in FILES])
def test_hostile_network_files(netloom: Run, name: str, i: int, tmp_path: Path) -> None:
    text = HOSTILE[name][i]
    (tmp_path / "machine").write_bytes(text if isinstance(text, bytes) else text.encode())
    refused(netloom("describe", "./machine", "--from", name), "machine")
    refused(netloom("convert", "./machine", "out.graphml", "--from", name))
    assert [path.name for path in tmp_path.iterdir()] == ["machine"]


@pytest.mark.parametrize("text", ["", "\0", "hello\n", "%PDF-1.7", "PK\x03\x04"], ids=ascii)
def test_files_of_no_format(netloom: Run, text: str, tmp_path: Path) -> None:
    (tmp_path / "machine").write_text(text)
    refused(netloom("describe", "./machine"), "machine")


HEAD = "rank,endpoint\n"
MAPPINGS = {
    "csv": [
        *("", "a,b\n", HEAD, HEAD + "0,99\n", HEAD + "0,0\n0,1\n", HEAD + "0,1\n1,1\n", HEAD + "-1,0\n"),
        *(HEAD + "5000000000,0\n", HEAD + "1,0\n", HEAD + "0,1.5\n"),
    ],
    "rankfile": [
        *("", "rank", "rank 0=node0001", "rank 0=node9999 slot=0", "rank x=node0001 slot=0"),
        *("rank 0=node0001 slot=-1", "rank 0=node0001 slot=0\nrank 0=node0002 slot=0"),
    ],
    "slurm-arbitrary": ["", "node9999\n", "node0001\nnode0001\n", "\x01\n"],
    "plain": ["", "a", "0\n0\n", "99\n", "-1\n", "1e3\n"],
    "cray": ["0,1"],
    "graphml": ["<graphml/>"],
    "nothing": ["0"],
}
RANK_FILES = [(name, i) for name, texts in MAPPINGS.items() for i in range(len(texts))]


@pytest.mark.parametrize(("name", "i"), RANK_FILES, ids=[f"{name}-{i}" for name, i in RANK_FILES])
def test_bad_rank_files(netloom: Run, name: str, i: int, tmp_path: Path) -> None:
    (tmp_path / "ranks").write_text(MAPPINGS[name][i])
    job = ("-n", "ring(8)", "-c", "broadcast:binomial")
    refused(netloom("hops", *job, "--mapping", "ranks", "--mapping-format", name))


def test_disconnected_networks(netloom: Run, tmp_path: Path) -> None:
    (tmp_path / "two.edges").write_text("0 1\n2 3\n")
    refused(netloom("describe", "two.edges"), "two.edges")
    refused(netloom("hops", "-n", "two.edges", "-c", "broadcast:binomial"))
    refused(netloom("map", "-n", "two.edges", "-c", "broadcast:binomial"))


JOBS = {
    ("--ranks", "9"): "9",
    ("--ranks", "0"): "--ranks",
    ("--ranks", "1.5"): "--ranks",
    ("--ranks", "99999999999999999999"): "--ranks",
    ("--root", "8"): "root",
    ("--root", "-1"): "--root",
    ("--size", "3 parsecs"): "--size",
    ("--size", "-1"): "--size",
    ("--size", "1.5"): "--size",
    ("--size", "9 EiB"): "--size",
    ("--size", "8388608 TiB"): "--size",
    ("--placement", "random(seed=a)"): "seed",
    ("--placement", "circulant"): "circulant",
    ("--placement", "linear(first=9)"): "endpoint 9",
    ("--order", "cco(source=99)"): "source",
    ("--order", "two-opt(swaps=-1)"): "swaps",
}


@pytest.mark.parametrize("options", JOBS, ids=" ".join)
def test_bad_jobs(netloom: Run, options: tuple[str, ...]) -> None:
    network = "mesh(2,4)" if "circulant" in options else "ring(8)"
    refused(netloom("hops", "-n", network, "-c", "broadcast:binomial", *options), JOBS[options])


@pytest.mark.parametrize(
    "options",
    [
        ("--optimise", "two-opt(swaps=-1)"),
        ("--optimise", "two-opt(accept=maybe)"),
        ("--optimise", "grid"),
        ("--swaps", "1.5"),
        ("--seed", "-1"),
        ("--seconds", "nan"),
        ("--objective", "speed"),
        ("--emit", "rankfile(slots=0)", "-o", "maps"),
        ("--emit", 'rankfile("a b")', "-o", "maps"),
        ("--emit", "bgq", "-o", "maps"),
        ("--emit", "rankfile,papyrus", "-o", "maps"),
    ],
    ids=" ".join,
)
def test_bad_searches_write_nothing(netloom: Run, options: tuple[str, ...], tmp_path: Path) -> None:
    refused(netloom("map", "-n", "ring(8)", "-c", "broadcast:binomial", *options))
    assert not list(tmp_path.iterdir())


def test_unwritable_output(netloom: Run, tmp_path: Path, full: Path) -> None:
    (tmp_path / "file").write_text("kept")
    (tmp_path / "s.toml").write_text(STUDY)
    job = ("map", "-n", "ring(8)", "-c", "broadcast:binomial", "--optimise", "none", "--emit", "rankfile")
    refused(netloom("convert", "ring(8)", "file/x.graphml"), "NL-X003")
    refused(netloom("convert", "ring(8)", ".", "--to", "graphml"), "NL-X003")
    refused(netloom(*job, "-o", "file"), "NL-X003")
    refused(netloom("run", "s.toml", "-o", "file"), "NL-")
    refused(netloom("run", "s.toml", "-o", "file/below"), "NL-X003")
    refused(netloom("convert", "ring(8)", str(full), "--to", "graphml"), "NL-X003")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "s.toml"]
    assert (tmp_path / "file").read_text() == "kept"


STUDY = """title = "t"
[[experiment]]
name = "e"
evaluate = "hops"
[experiment.axes]
network = ["ring(8)"]
workload = ["broadcast:binomial"]
"""
STUDIES: dict[str, str] = {
    "": "NL-S",
    "title": "NL-S",
    "title = 1": "title",
    "[[[": "NL-S",
    "title = 't'": "experiment",
    "x = " + "[" * 10_000: "NL-S",
    STUDY + "netwrok = ['ring(8)']\n": "network",
    STUDY.replace("hops", "hpos"): "hops",
    STUDY.replace("ring(8)", "rnig(8)"): "ring",
    STUDY.replace("ring(8)", "ring(0)"): "ring.n",
    STUDY.replace("ring(8)", "ring({n})"): "n",
    STUDY.replace("broadcast:binomial", "broadcast:binomail"): "broadcast:binomial",
    STUDY.replace('["ring(8)"]', "[]"): "network",
    STUDY.replace('["ring(8)"]', "{ range = [1, 1000000000000] }"): "NL-S",
    STUDY + "ranks = [0]\n": "ranks",
    STUDY + "ranks = [1.5]\n": "ranks",
    STUDY + 'ranks = ["many"]\n': "ranks",
    STUDY + 'size_bytes = ["3 parsecs"]\n': "parsecs",
    STUDY + "a = { range = [1, 100000] }\nb = { range = [1, 100000] }\n": "NL-S",
    STUDY + "[[experiment.chart]]\ntitle = 'x'\nkind = 'pie'\nx = 'ranks'\ny = 'total_hops'\n": "kind",
    STUDY + "[[experiment.chart]]\ntitle = 'x'\nx = 'ranks'\ny = 'total_hosp'\n": "total_hops",
    STUDY + "[[experiment.claim]]\nsays = 'x'\nof = { column = 'total_hops' }\n": "expected",
    STUDY + "[experiment.emit]\nformats = ['papyrus']\n": "papyrus",
    STUDY + STUDY.partition("\n")[2]: "name",
    STUDY.replace('name = "e"', 'name = "../e"'): "name",
}


@pytest.mark.parametrize("i", range(len(STUDIES)))
def test_bad_studies(netloom: Run, i: int, tmp_path: Path) -> None:
    text, mention = list(STUDIES.items())[i]
    (tmp_path / "s.toml").write_text(text)
    refused(netloom("run", "s.toml", "--no-figures", "-q"), "s.toml", mention)
    assert [path.name for path in tmp_path.iterdir()] == ["s.toml"]


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\0", b"title = 't'\r\x0b"], ids=ascii)
def test_studies_that_are_no_text(netloom: Run, data: bytes, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_bytes(data)
    refused(netloom("run", "s.toml"), "s.toml")


def test_the_good_ones_are_good(netloom: Run, tmp_path: Path) -> None:
    """What the bad ones were made from works, so that it is the fault that is refused."""
    (tmp_path / "s.toml").write_text(STUDY)
    assert netloom("run", "s.toml", "--no-figures", "-q")[0] == 0
    code, out, _ = netloom("hops", "-n", "ring(8)", "-c", "broadcast:binomial", "--json")
    assert code == 0 and json.loads(out)["messages"] == 7
    (tmp_path / "g").write_text(GRAPHML.format('<node id="a"/><node id="b"/><edge source="a" target="b"/>'))
    assert netloom("describe", "./g", "--from", "graphml", "--json")[0] == 0


@pytest.mark.parametrize("text", ["--11", "\x1f\x1f88", "٣", "1e3", "0x10", "", "9" * 20])
def test_what_is_no_plain_integer_is_refused_by_name(netloom: Run, text: str) -> None:
    code, _, err = netloom("hops", "-n", "ring(8)", "-c", "broadcast:binomial", f"--ranks={text}")
    assert code == 2 and ("NL-A007" if text else "NL-X010") + " --ranks" in err and err.count("error:") == 1


@pytest.mark.parametrize("size", ["x", "-4", -4, 2.5, "1 parsec"])
def test_the_size_that_a_search_works_on_is_a_size(size: object) -> None:
    search = {"workload": "allreduce:ring", "size_bytes": size}
    with pytest.raises(package.NetloomError, match=r"NL-A008 search\.size_bytes"):
        package.hops("ring(8)", workload="broadcast:binomial", order="two-opt(swaps=5)", search=search)


@pytest.mark.parametrize(
    ("workload", "words"),
    [
        ("all-pairs", 'all-pairs(bytes="64 KiB")'),
        ("stencil(4,4)", 'stencil(4,4,bytes="64 KiB")'),
        ("shift(k=1,bytes=8)", "the call has the bytes"),
        ("is(class=S)", "leave it out"),
    ],
)
@pytest.mark.parametrize("command", ["loads", "simulate", "hops", "map"])
def test_a_size_that_no_workload_takes_is_refused(netloom: Run, command: str, workload: str, words: str) -> None:
    refused(netloom(command, "-n", "torus(4,4)", "-t", workload, "--size", "64 KiB"), "NL-H003 --size", words)


def test_a_size_is_refused_in_python_and_in_lists_of_jobs(netloom: Run) -> None:
    for ask in (
        lambda: package.loads("torus(4,4)", workload="all-pairs", size_bytes="64 KiB"),
        lambda: package.evaluate({"network": "torus(4,4)", "workload": "all-pairs", "size_bytes": 8}, "time"),
    ):
        with pytest.raises(package.NetloomError, match=r"NL-H003 size_bytes: has no effect") as caught:
            ask()
        assert len(caught.value.faults) == 1
    with pytest.raises(package.NetloomError, match=r"NL-A007 workload.size_bytes: is of collectives only"):
        package.workload("all-pairs", 4, size_bytes=8)
    Path("jobs.toml").write_text('[[job]]\nnodes = 4\nworkload = "all-pairs"\nsize = "1 KiB"\n')
    refused(netloom("loads", "-n", "torus(4,4)", "--jobs", "jobs.toml"), "NL-J002", "job 1.size", "of collectives only")
    # One job that takes it is enough.
    jobs = ("--job", "a=50%: all-pairs", "--job", "b: allreduce:ring", "--size", "1 KiB")
    assert netloom("loads", "-n", "torus(4,4)", *jobs)[0] == 0
