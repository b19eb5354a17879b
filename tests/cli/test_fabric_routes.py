"""What is wrong with forwarding tables of a fabric: lost packets, deadlocks, uneven cables, missing parts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from netloom import _core, network

Run = Callable[..., tuple[int, str, str]]
DATA = Path(__file__).parents[1] / "data" / "fabric"
FABRIC, DUMP = DATA / "two_leaves.ibnetdiscover", DATA / "two_leaves.dump"
TREE = "fat_tree(radix=8,levels=2)"
BALANCED = "single-minimal(tie=balanced)"


def made(run: Run, call: str = TREE, routing: str = BALANCED) -> str:
    """Writes `fabric.txt` and the tables `set.dump` of a network; the text of these."""
    assert run("convert", call, "fabric.txt", "--to", "ibnetdiscover")[0] == 0
    code, _, err = run("convert", call, "set.dump", "-r", routing, "--to", "opensm-lfts")
    assert code == 0, err
    return Path("set.dump").read_text()


def facts(run: Run, *more: str, fabric: str = "fabric.txt") -> dict[str, object]:
    code, out, err = run("describe", fabric, "--json", "--no-cost", "--no-bisection", *more)
    assert code == 0, err
    found: dict[str, object] = json.loads(out)
    return found


def findings(run: Run, *more: str, fabric: str = "fabric.txt") -> list[dict[str, str]]:
    found: list[dict[str, str]] = facts(run, *more, fabric=fabric)["findings"]  # type: ignore[assignment]
    return found


def blocks(text: str) -> list[str]:
    """The tables of each switch; leaves are first."""
    return [f"Unicast{part}" for part in text.split("Unicast")[1:]]


def changed(block: str, lid: int, entry: str) -> str:
    """A table with another line for a LID."""
    text, count = re.subn(rf"^0x{lid:04x} .*\n", entry, block, flags=re.MULTILINE)
    assert count == 1
    return text


# LIDs 1 to 6 are switches, of which 0 to 3 are leaves with ports 1 to 4 up and 5 to 8 down; LIDs from 7 are endpoints.
@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("", "has no entry for 0"),
        ("0x0007 255\n", "has no entry for 0"),
        ("0x0007 006\n", "sends packets to 0 out of port 6, where 1 is"),
        ("0x0007 001\n", "sends packets to 0 out of port 1 to 4, and not to its own port"),
    ],
)
def test_the_endpoints_own_switch_needs_an_entry(netloom: Run, entry: str, words: str) -> None:
    text = made(netloom)
    Path("bad.dump").write_text(changed(blocks(text)[0], 7, entry) + "".join(blocks(text)[1:]))
    [found] = findings(netloom, "--lft", "bad.dump")
    assert (found["kind"], found["where"]) == ("unroutable", "0")
    assert found["what"] == f"{words}: 15 pairs of endpoints cannot communicate"
    given = facts(netloom, "--lft", "bad.dump")["routes"]
    assert isinstance(given, dict) and (given["pairs"], given["lost_pairs"]) == (16 * 15 - 15, 15)
    routing = 'tables("bad.dump")'
    for question in (
        ("loads", "-n", "fabric.txt", "-t", "shift(k=1)", "-r", routing),
        ("convert", "fabric.txt", "repaired.dump", "-r", routing, "--to", "opensm-lfts"),
    ):
        left, out, err = netloom(*question)
        assert (left, out) == (2, "") and err.startswith("error: NL-R010 bad.dump on fabric.txt: 0, where"), err
    assert not Path("repaired.dump").exists()


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("0x0013 030\n", "sends packets to 12 out of port 30, which has no cable in service"),
        ("0x0013 000\n", "sends packets to 12 to itself (port 0)"),
        ("0x0013 005\n", "sends packets to 12 out of port 5, where 0 is"),
    ],
)
def test_an_entry_that_leads_nowhere_loses_pairs(netloom: Run, entry: str, words: str) -> None:
    text = made(netloom)
    Path("bad.dump").write_text(changed(blocks(text)[0], 0x13, entry) + "".join(blocks(text)[1:]))
    [found] = findings(netloom, "--lft", "bad.dump")
    assert found["what"] == f"{words}: 4 pairs of endpoints cannot communicate"
    left, _, err = netloom("simulate", "-n", "fabric.txt", "-c", "alltoall:bruck", "-r", 'tables("bad.dump")')
    assert left == 2 and err.startswith("error: NL-R010 ") and words.replace("to 12", "to endpoint 12") in err, err


def test_a_file_without_the_table_of_a_switch_is_incomplete(netloom: Run) -> None:
    """Lost: from 4 endpoints of the leaf to 15 others each, and from 12 others to these 4."""
    text = made(netloom)
    Path("cut.dump").write_text("".join(blocks(text)[1:]))
    incomplete, lost = findings(netloom, "--lft", "cut.dump")
    assert (incomplete["kind"], incomplete["where"]) == ("incomplete", "0")
    assert "has no whole table in cut.dump, 1 switch of 6" in incomplete["what"]
    assert lost["what"] == "has no entry for 0, 1, 2 and 13 more: 108 pairs of endpoints cannot communicate"
    assert "give the whole file" in lost["remedy"]
    Path("cut.dump").write_text(blocks(text)[0][:-20])
    assert findings(netloom, "--lft", "cut.dump")[0]["where"] == "0, 1, 2 and 3 more"


def test_deadlocks_are_looked_for_where_pairs_are_lost(netloom: Run) -> None:
    text = made(netloom, "torus(5,5)", "single-minimal")
    Path("bad.dump").write_text(changed(blocks(text)[0], 26, "") + "".join(blocks(text)[1:]))
    kinds = [one["kind"] for one in findings(netloom, "--lft", "bad.dump")]
    assert kinds[:2] == ["unroutable", "deadlock"], kinds


def test_a_remedy_is_free_of_deadlock(netloom: Run) -> None:
    """The tables that are advised have no circle, and are more even."""
    made(netloom, "torus(4,4)", "up-down(choice=single,root=5)")
    found = findings(netloom, "--lft", "set.dump")
    assert {one["kind"] for one in found} == {"balance"}
    advised = re.search(r"-r '([^']+)'", found[0]["remedy"])
    assert advised is not None and advised[1] == "up-down(choice=balanced)"
    better = made(netloom, "torus(4,4)", advised[1])
    left = findings(netloom, "--lft", "set.dump")
    assert {one["kind"] for one in left} <= {"balance"} and len(left) < len(found)
    assert better.count("\n32 lids dumped") == 16
    # What is left is that of any such tables: who has no more lanes can do nothing.
    remedy = "with one virtual lane netloom finds no tables with fewer such cables"
    assert all(one["remedy"].endswith(remedy) and "netloom convert" not in one["remedy"] for one in left)


@pytest.mark.parametrize(
    ("call", "routing", "circle"),
    [
        ("torus(4,4)", BALANCED, True),
        ("torus(5)", "single-minimal", True),
        ("torus(4,4)", "dimension-ordered", True),
        ("torus(4,4)", "up-down(choice=balanced)", False),
        (TREE, BALANCED, False),
    ],
)
def test_tables_with_a_circle_are_noted_when_they_are_written(
    netloom: Run, call: str, routing: str, circle: bool
) -> None:
    """Two lanes would free dimension order; tables have one."""
    code, _, err = netloom("convert", call, "set.dump", "-r", routing, "--to", "opensm-lfts")
    assert code == 0 and Path("set.dump").exists()
    assert ("note: packets by these tables can wait for each other in a circle" in err) == circle, err
    assert netloom("convert", call, "set.csv", "-r", routing)[2].count("note:") == 0


def test_the_note_names_tables_that_exist(netloom: Run) -> None:
    """Six leaves and six spines in a ring: by its levels, most leaves have no way up and down to each other."""
    edges = np.array([(at, 6 + (at + more) % 6) for at in range(6) for more in (0, 1)])
    ring = _core.Network.from_edges("ring", 12, edges, np.arange(6), 12.5e9, 1e-7)
    Path("fabric.txt").write_bytes(ring.write("ibnetdiscover"))
    _, _, err = netloom("convert", "fabric.txt", "set.dump", "-r", "single-minimal", "--to", "opensm-lfts")
    advised = re.search(r"the tables of -r '([^']+)' have none", err)
    assert advised is not None and advised[1] == "up-down(choice=balanced,root=0)", err
    code, _, err = netloom("convert", "fabric.txt", "set.dump", "-r", advised[1], "--to", "opensm-lfts")
    assert code == 0 and "note" not in err, err


def test_aggregation_nodes_have_entries_in_written_tables(netloom: Run) -> None:
    netloom("convert", str(FABRIC), "host.dump", "-r", BALANCED, "--to", "opensm-lfts")
    Path("fabric.txt").write_text(FABRIC.read_text().replace('"hostA"', '"Mellanox Technologies Aggregation Node"'))
    code, _, err = netloom("convert", "fabric.txt", "set.dump", "-r", BALANCED, "--to", "opensm-lfts")
    assert code == 0 and "note: no entries" not in err, err

    def lids(dump: str) -> list[str]:
        lines = Path(dump).read_text().splitlines()
        return [line.split(" ")[0] for line in lines if line.startswith("0x")]

    # Every switch has an entry for LID 2, as when it is a host's.
    assert lids("set.dump") == lids("host.dump") and "0x0002" in lids("set.dump")


def test_fabrics_without_lids_have_no_tables(netloom: Run) -> None:
    Path("fabric.txt").write_text(re.sub(r"\blid \d+", "lid 0", FABRIC.read_text()))
    code, _, err = netloom("convert", "fabric.txt", "none.dump", "-r", BALANCED, "--to", "opensm-lfts")
    assert code == 2 and "NL-F018 opensm-lfts: all LIDs of fabric.txt are 0" in err, err
    assert not Path("none.dump").exists()


def with_a_host_above(run: Run, missing: int) -> None:
    """`fabric.txt`: four leaves, two spines, an endpoint on a spine; without `missing` cables of leaf 1."""
    plan = network(TREE)
    edges = [(int(t), int(h)) for t, h in zip(plan.tails, plan.heads, strict=True) if t < h]
    for _ in range(missing):
        edges.remove((1, 4))
    ends = np.append(np.asarray(plan.endpoint_switch, dtype=np.int64), 4)
    net = _core.Network.from_edges("odd", plan.switches, np.array(edges), ends, 12.5e9, 1e-7)
    Path("fabric.txt").write_bytes(net.write("ibnetdiscover"))


def test_an_endpoint_on_a_spine_is_named_and_hides_nothing(netloom: Run) -> None:
    with_a_host_above(netloom, 0)
    [found] = findings(netloom, "--expect", TREE)
    assert found["where"] == "4[9] - 16"
    assert found["what"] == "is an endpoint on level 1, the plan has them on level 0"
    with_a_host_above(netloom, 1)
    [found] = findings(netloom)
    assert (found["kind"], found["where"]) == ("uplinks", "1")


@pytest.mark.parametrize("call", [TREE, "fat_tree(radix=4,levels=3)", "k_ary_n_tree(4,3)", "xgft(m=[4,4,3],w=[1,2,2])"])
@pytest.mark.parametrize("routing", ["d-mod-k", BALANCED, "up-down(choice=balanced)"])
def test_balanced_tables_of_regular_trees_have_no_finding(netloom: Run, call: str, routing: str) -> None:
    made(netloom, call, routing)
    assert findings(netloom, "--lft", "set.dump") == []


def test_uneven_cables_above_the_leaves_are_found(netloom: Run) -> None:
    """Every switch of the middle level sends all that goes up over its first cable."""
    call = "fat_tree(radix=4,levels=3)"
    net = network(call)
    level = np.asarray(net.levels)
    assert netloom("convert", call, "even.csv", "-r", "d-mod-k")[0] == 0
    lines = Path("even.csv").read_text().splitlines()
    for at, line in enumerate(lines[1:], 1):
        switch, endpoint, next_, _ = map(int, line.split(","))
        if level[switch] == 1 and level[next_] == 2:
            first = min(h for h in net.heads[net.offsets[switch] : net.offsets[switch + 1]] if level[h] == 2)
            lines[at] = f"{switch},{endpoint},{first},0"
    Path("uneven.csv").write_text("\n".join(lines) + "\n")
    assert findings(netloom, "--lft", "even.csv", fabric=call) == []
    found = findings(netloom, "--lft", "uneven.csv", fabric=call)
    assert {one["kind"] for one in found} == {"balance"}
    assert len(found) == int((level == 1).sum())


@pytest.mark.parametrize("given", [TREE, "fabric.txt"])
def test_who_loses_routes_when_a_cable_fails(netloom: Run, given: str) -> None:
    """Both cables between leaf 0 and spine 4, with ports 1 and 2 of the leaf: those behind them keep their numbers."""
    made(netloom, TREE, "d-mod-k")
    found = findings(netloom, "--fail", "link:0-4", "--lft", "set.dump", fabric=given)
    lost = [one for one in found if one["kind"] == "unroutable"]
    assert {one["where"] for one in lost} == {"0", "4"}
    assert all(re.search(r"out of port [12], which has no cable in service", one["what"]) for one in lost)
    code, _, err = netloom("loads", "-n", given, "--fail", "link:0-4", "-t", "shift(k=5)", "-r", 'tables("set.dump")')
    assert code == 2 and "NL-R010 set.dump" in err and "which has no cable in service, on the route from" in err, err
    # Distances are of what is in service, and routes are lost; endpoints of a failed switch are not counted.
    half = facts(netloom, "--fail", "switch:4", "--lft", "set.dump", fabric=given)
    assert half["aspl"] > 0 and half["switches"] == 5 and half["out_of_service"]["switches"] == ["4"]
    assert isinstance(half["routes"], dict)
    assert (half["routes"]["pairs"], half["routes"]["lost_pairs"]) == (48 + 96, 96)
    alone = facts(netloom, "--fail", "switch:0", "--lft", "set.dump", fabric=given)["routes"]
    assert isinstance(alone, dict) and (alone["pairs"], alone["lost_pairs"]) == (12 * 11, 0)


def test_hops_of_the_routes_as_set(netloom: Run) -> None:
    made(netloom, "torus(5)", "single-minimal")
    shortest = facts(netloom, "--lft", "set.dump")
    routes = shortest["routes"]
    assert isinstance(routes, dict)
    assert (routes["hops_mean"], routes["hops_max"]) == (shortest["endpoint_aspl"], shortest["endpoint_diameter"])
    made(netloom, "torus(5)", "up-down(choice=balanced)")
    routes = facts(netloom, "--lft", "set.dump")["routes"]
    # The cable between 2 and 3, farthest from the root, is not crossed by routes that have come down.
    assert isinstance(routes, dict) and routes["hops_mean"] > 1.5 and routes["pairs"] == 20
    code, out, _ = netloom("describe", "fabric.txt", "--lft", "set.dump", "--no-cost", "--no-bisection")
    assert code == 0 and "routes of the tables, mean (hops)" in out and "routes, longest (hops)" in out


def test_tables_are_no_network(netloom: Run) -> None:
    left, _, err = netloom("describe", str(DUMP))
    assert left == 2 and err.startswith("error: NL-F016 ") and "--lft" in err, err


def test_a_second_entry_is_named(netloom: Run) -> None:
    text = DUMP.read_text()
    line = next(line for line in text.splitlines() if "hostC" in line)
    Path("twice.dump").write_text(text.replace(line, f"{line}\n{line}", 1))
    left, _, err = netloom("describe", str(FABRIC), "--lft", "twice.dump")
    assert left == 2 and re.search(r'switch "leaf\d" has a second entry for endpoint "hostC"', err), err
