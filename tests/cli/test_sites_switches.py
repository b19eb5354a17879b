"""Switches of a site by name: listed, failed by what the list says, taken as parts of a network."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from netloom import _core
from netloom.compare import compare
from netloom.network.listing import quoted, switches

Run = Callable[..., tuple[int, str, str]]
NAMES = ["MF0;rack1:MQM8700/U1", "SwitchIB Mellanox Technologies", 'say "top"', "back\\slash", "a#1", "top-1", "7", "ö"]
ISLANDS = "SwitchName=a Nodes=a[0-3]\nSwitchName=b Nodes=b[0-4]\n"


def named(names: list[str]) -> str:
    """A ring of switches with these names and an endpoint each, as node-link JSON."""
    nodes: list[dict[str, Any]] = [{"id": name, "kind": "switch"} for name in names]
    nodes += [{"id": f"h{i}", "kind": "host"} for i in range(len(names))]
    edges = [{"source": name, "target": names[(i + 1) % len(names)]} for i, name in enumerate(names)]
    edges += [{"source": f"h{i}", "target": name} for i, name in enumerate(names)]
    return json.dumps({"directed": False, "multigraph": True, "graph": {}, "nodes": nodes, "edges": edges})


def listed(run: Run, *args: str) -> list[dict[str, Any]]:
    code, out, err = run("describe", *args, "--switches", "--json")
    assert code == 0, err
    made: list[dict[str, Any]] = json.loads(out)["switch_list"]
    return made


@pytest.mark.parametrize("at", range(len(NAMES)))
def test_what_the_list_says_is_taken_by_fail(netloom: Run, at: int) -> None:
    Path("g.json").write_text(named(NAMES))
    one = listed(netloom, "g.json")[at]
    assert (one["name"], one["number"], one["cables"], one["endpoints"]) == (NAMES[at], at, 2, 1)
    for failure in (one["fail"], f"switch:{at}" if at != 7 and NAMES[at] != "7" else one["fail"]):
        code, out, err = netloom("describe", "g.json", "--json", "--no-cost", "--no-bisection", "--fail", failure)
        gone = [NAMES[7 if failure == "switch:7" and at != 6 else at]]
        assert code == 0 and json.loads(out)["out_of_service"]["switches"] == gone, err
    left = listed(netloom, "g.json", "--fail", one["fail"])
    assert [switch["number"] for switch in left] == [n for n in range(len(NAMES)) if n != at]


def test_two_such_names_in_one_failure(netloom: Run) -> None:
    Path("g.json").write_text(named(NAMES))
    both = f"{'; '.join(f'switch:{quoted(name)}' for name in NAMES[:3])}; link:{quoted(NAMES[4])}-{quoted(NAMES[5])}"
    code, out, err = netloom("describe", "g.json", "--json", "--no-cost", "--no-bisection", "--fail", both)
    assert code == 0, err
    gone = json.loads(out)["out_of_service"]
    # Four cables at the three switches, which follow each other, and the one that is named.
    assert (gone["switches"], gone["cables"]) == (NAMES[:3], 5)


def test_a_name_without_quotes_is_taken_too_and_a_wrong_one_gets_a_hint(netloom: Run) -> None:
    Path("g.json").write_text(named(NAMES))
    assert netloom("describe", "g.json", "--no-cost", "--no-bisection", "--fail", f"switch:{NAMES[0]}")[0] == 0
    code, _, err = netloom("describe", "g.json", "--fail", "switch:MF0;rack2:MQM8700/U1")
    assert code == 2 and "MF0;rack1:MQM8700/U1" in err, err
    code, _, err = netloom("describe", "g.json", "--fail", "switch:spine42")
    assert code == 2 and "--switches" in err, err


def test_the_table_has_what_differs(netloom: Run) -> None:
    code, out, err = netloom("describe", "k_ary_n_tree(2,2)", "--switches", "--no-cost")
    assert code == 0, err
    lines = out.splitlines()
    assert lines[0].split() == ["number", "name", "level", "cables", "endpoints"]
    assert lines[1].split() == ["0", "0", "0", "2", "2"]
    assert "--no-cost has no effect" in err and "--fail switch:0" in err
    fabric = Path(__file__).parents[1] / "data" / "fabric" / "two_leaves.ibnetdiscover"
    rows = {one["name"]: one for one in listed(netloom, str(fabric))}
    spine = {"guid": "0x0000000000200003", "level": 1, "ports": 8, "cables": 2, "endpoints": 0}
    assert {key: rows["spine1"][key] for key in spine} == spine
    facts = ("describe", str(fabric), "--json", "--no-cost", "--no-bisection")
    code, out, err = netloom(*facts, "--fail", "switch:0x200003")
    assert code == 0 and json.loads(out)["out_of_service"]["switches"] == ["spine1"], err


def test_a_list_answers_one_question(netloom: Run) -> None:
    for more in (["--report", "a.html"], ["--expect", "k_ary_n_tree(2,2)"]):
        code, _, err = netloom("describe", "k_ary_n_tree(2,2)", "--switches", *more)
        assert code == 2 and err.startswith(f"error: NL-X010 {more[0]}"), err


def test_switches_of_a_network_in_parts_are_listed(netloom: Run) -> None:
    """Distances are refused there; the list says which part a switch is in."""
    Path("islands.conf").write_text(ISLANDS)
    assert [(one["name"], one["part"]) for one in listed(netloom, "islands.conf")] == [("a", 0), ("b", 1)]
    assert [one["name"] for one in listed(netloom, "islands.conf", "--part", "b3")] == ["b"]


BLOCKS = {
    "blocks.conf": "BlockName=one Nodes=n[1-3]\nBlockName=gone\nBlockName=two Nodes=n[4-6]\nBlockSizes=3\n",
    "blocks.yaml": "- topology: p\n  block:\n    block_sizes: [3]\n    blocks:\n    - block: one\n      nodes: n[1-3]\n"
    '    - block: gone\n      nodes: ""\n    - block: two\n      nodes: n[4-6]\n',
}


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_whose_nodes_are_still_to_come_is_no_switch(netloom: Run, name: str) -> None:
    Path(name).write_text(BLOCKS[name])
    ends = {one["name"]: one["endpoints"] for one in listed(netloom, name) if one["endpoints"]}
    assert ends == {"one": 3, "two": 3}
    code, _, err = netloom("describe", name, "--no-cost", "--no-bisection")
    assert code == 0 and 'without nodes, and so without a switch: "gone"' in err, err


@pytest.mark.parametrize(("part", "endpoints"), [("0", 4), ("b", 5), ("b4", 5)])
def test_a_part_is_converted(netloom: Run, part: str, endpoints: int) -> None:
    Path("islands.conf").write_text(ISLANDS)
    code, _, err = netloom("convert", "islands.conf", "one.json", "--part", part)
    assert code == 0 and f"1 switch, {endpoints} endpoints" in err, err
    assert _core.Network.read(Path("one.json").read_bytes(), "one.json").endpoints == endpoints
    code, _, err = netloom("convert", "islands.conf", "two.json", "--part", "7")
    assert code == 2 and err.startswith("error: NL-N004 --part must be the number of a part, 0 to 1"), err


def test_a_part_is_compared(netloom: Run) -> None:
    """It is of networks in several parts; another network stays whole."""
    Path("islands.conf").write_text(ISLANDS)
    code, out, err = netloom("compare", "islands.conf", "ring(4)", "--part", "b", "--json")
    assert code == 0, err
    assert [row["endpoints"] for row in json.loads(out)] == [5, 4]
    assert [row["endpoints"] for row in compare(["islands.conf", "ring(4)"], part="1")] == [5, 4]
    code, _, err = netloom("compare", "islands.conf", "ring(4)")
    assert code == 2 and "--part 0" in err, err
    code, _, err = netloom("compare", "ring(4)", "ring(5)", "--part", "1")
    assert code == 2 and err.startswith("error: NL-N004 --part"), err
    code, out, err = netloom("compare", "islands.conf", "ring(5)", "--part", "b", "-c", "allreduce:ring", "--json")
    assert code == 0, err
    assert [len(row["workloads"]) for row in json.loads(out)] == [1, 1]


def test_names_are_quoted_as_failures_take_them() -> None:
    assert [quoted(name) for name in ("leaf1", "a b", 'x"y\\', "")] == ["leaf1", '"a b"', '"x\\"y\\\\"', '""']
    assert switches(_core.Network.build("ring(3)"))[2]["fail"] == "switch:2"
