"""`netloom enumerate`, and orders of levels wherever an order goes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import netloom as package

Run = Callable[..., tuple[int, str, str]]


def listed(netloom: Run, *arguments: str) -> list[dict]:
    code, out, err = netloom("enumerate", *arguments, "--json")
    assert code == 0, err
    rows: list[dict] = json.loads(out)["orders"]
    return rows


def test_all_orders_with_their_groups(netloom: Run) -> None:
    rows = listed(netloom, "16,2,2,8", "--communicator", "16")
    assert len(rows) == 24
    assert {"order", "ring_cost", "pairs_percent", "same_as"} <= set(rows[0])
    assert [row["order"] for row in rows if row["same_as"] == [0, 1, 2, 3]] == [
        [0, 1, 3, 2],
        [0, 2, 1, 3],
        [0, 2, 3, 1],
        [0, 3, 1, 2],
        [0, 3, 2, 1],
    ]
    for row in rows:
        assert sum(row["pairs_percent"]) == pytest.approx(100)


def test_one_order_has_its_ranks(netloom: Run) -> None:
    (row,) = listed(netloom, "16,2,2,8", "--communicator", "16", "--order", "1,0,2,3")
    assert row["order"] == [1, 0, 2, 3] and "map_cpu" not in row
    assert sorted(row["ranks"]) == list(range(512))
    # The second socket of the first node is old rank 16 and the second to be counted.
    assert (row["ranks"][16], row["ranks"][32]) == (1, 2)


def test_some_cores_of_a_node(netloom: Run) -> None:
    (row,) = listed(netloom, "2,4,2,8", "--cores", "8", "--order", "0,1,2,3")
    assert row["map_cpu"] == [0, 64, 16, 80, 32, 96, 48, 112]
    assert row["chosen_levels"] == [2, 4] and row["slurm_distribution"] is None
    code, out, err = netloom("enumerate", "2,4,2,8", "--cores", "4", "--order", "2,1,0,3")
    assert code == 0 and "srun --cpu-bind=map_cpu:0,8,16,24" in err and "0,8,16,24" in out


def test_a_choice_of_cores_is_a_mapping_of_other_commands(netloom: Run, tmp_path: Path) -> None:
    """Two steps: eight cores of each node, one per L3 of the first socket, then ranks round robin over nodes."""
    file = tmp_path / "cores.csv"
    asked = ("2,4,2,8", "--cores", "8", "--order", "2,1,0,3", "--nodes", "2", "--mapping", str(file))
    code, out, err = netloom("enumerate", *asked, "--json")
    assert code == 0, err
    chosen = json.loads(out)["chosen"]
    assert chosen["mapping"] == [0] * 8 + [1] * 8 and chosen["seats"] == 2 * [0, 8, 16, 24, 32, 40, 48, 56]
    assert chosen["levels"] == [2, 4, 2] and " --distribution=block " in chosen["srun"]
    assert file.read_text().splitlines()[:3] == ["rank,endpoint,slot", "0,0,0", "1,0,8"]
    node = ("--node", 'node(sockets=2,numa=4,caches=2,cores=8,numa_bandwidth="8 Gbps")')
    run = ("simulate", "-n", "star(2)", "-t", "shift(k=1,bytes=1000)", *node, "--calibration", "pure", "--json")
    code, out, err = netloom(*run, "--mapping", str(file))
    assert code == 0, err
    alike = package.simulate(
        "star(2)",
        workload="shift(k=1,bytes=1000)",
        mapping=chosen["mapping"],
        seats=chosen["seats"],
        node=node[1],
        calibration="pure",
    )
    assert json.loads(out)["time_s"] == alike["time_s"]
    again = package.choose_cores("2,4,2,8", 8, "2,1,0,3", nodes=2, then="0,2,1")
    assert again["mapping"] == 8 * [0, 1] and again["seats"][::2] == [0, 8, 16, 24, 32, 40, 48, 56]
    assert again["srun"] is not None and " --distribution=cyclic " in again["srun"]
    plane = package.choose_cores("2,4,2,8", 8, "2,1,0,3", nodes=2, then="2,0,1")
    assert plane["mapping"][:4] == [0, 0, 1, 1] and " --distribution=plane=2 " in str(plane["srun"])


def test_srun_of_a_choice_puts_every_rank_where_it_is() -> None:
    """The list of cores by local number of the task, and the node by the distribution."""
    for then in (None, "0,1,2", "0,2,1", "1,0,2", "1,2,0", "2,0,1", "2,1,0"):
        chosen = package.choose_cores("2,2,2", 4, "1,0,2", nodes=3, then=then)
        words = str(chosen["srun"]).split()
        cores = [int(core) for core in words[-1].rpartition(":")[2].split(",")]
        how = words[3].removeprefix("--distribution=")
        size = {"block": 4, "cyclic": 1}.get(how) or int(how.removeprefix("plane="))
        local = [0, 0, 0]
        for rank, place in enumerate(zip(chosen["mapping"], chosen["seats"], strict=True)):
            node = rank // size % 3
            assert place == (node, cores[local[node]]), (then, rank)
            local[node] += 1


def test_names_of_levels_decide_what_launchers_can_do(netloom: Run) -> None:
    usual = listed(netloom, "2,2,4", "--order", "1,0,2")[0]
    assert (usual["slurm_distribution"], usual["open_mpi_options"]) == (None, "--map-by package:span --bind-to core")
    other = listed(netloom, "2,2,4", "--order", "1,0,2", "--names", "-,node,core")[0]
    assert (other["slurm_distribution"], other["open_mpi_options"]) == ("cyclic:block", "--map-by node --bind-to core")


def test_a_sample_is_the_same_twice(netloom: Run) -> None:
    asked = ("2,2,2,2,2,2,2,2,2", "--sample", "30", "--seed", "4", "--communicator", "8")
    assert listed(netloom, *asked) == listed(netloom, *asked)
    assert len({tuple(row["order"]) for row in listed(netloom, *asked)}) == 30


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("2,2,4", "--order", "0,0,1"), "--order must be a permutation of the levels 0 to 2, each once, got 0,0,1"),
        (("2,2,4", "--order", "0,1"), "--order must be a permutation"),
        (("2,2,4", "--order", "0,1,2,3"), "--order must be a permutation"),
        (("2,2,4", "--order", "a"), "--order must be integers with commas between them, got a"),
        (("2,x,4",), "LEVELS must be integers with commas between them, got 2,x,4"),
        (("",), "LEVELS must be integers"),
        (("2,1,4",), "LEVELS must be 1 to 32 sizes of 2 or more, outermost first, got 2,1,4"),
        (("9999999,9999999",), "LEVELS: 9999999,9999999 has more than 2^26 units"),
        (("2,2,4", "--communicator", "3"), "--communicator must be a divisor of the 16 ranks, got 3"),
        (("2,2,4", "--communicator", "0"), "--communicator must be an integer >= 1, got 0"),
        (("2,2,4", "--cores", "17"), "--cores must be an integer in 1..16, got 17"),
        (("2,2,4", "--names", "node,core"), "--names must be 3 different names"),
        (("2,3,5", "--names", "core,node,socket"), "--names must be outermost first: node before core"),
        (("2,2,4", "--names", "node,sokcet,core"), "or - for a level without a name, got sokcet"),
        (("2,2,2,2,2,2,2,2,2",), "LEVELS: 9 levels have too many orders to list"),
        (("2,2,4", "--cores", "4", "--mapping", "a.csv"), "--mapping: needs one choice of cores"),
        (("2,2,4", "--order", "0,1,2", "--nodes", "2"), "--nodes: needs one choice of cores"),
        (("2,2,4", "--cores", "3", "--order", "0,1,2", "--then", "0,1"), "--then must be cores that form a hierarchy"),
        (("2,2,4", "--cores", "4", "--order", "0,1,2", "--then", "0"), "must be a permutation of the levels"),
        (("2,2,4", "--cores", "4", "--order", "0,1,2", "--then", "x"), "--then must be integers with commas"),
        (("2,2,4", "--cores", "4", "--order", "0,1,2", "--nodes", "0"), "--nodes must be an integer >= 1, got 0"),
        (("2,2,4", "--sample", "3", "--order", "0,1,2"), "--sample: does not go with --order"),
    ],
)
def test_bad_input_is_one_line(netloom: Run, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = netloom("enumerate", *arguments)
    assert (code, out) == (2, "") and message in err.splitlines()[0]


def test_an_order_of_levels_is_an_order_of_ranks() -> None:
    placed = package.place("torus(4,4)", 16, "linear", "mixed-radix(0,1,levels=[4,4])")
    # The first level counts fastest: the endpoints of a column one after another.
    assert list(placed) == [4 * (rank % 4) + rank // 4 for rank in range(16)]
    back = package.place("torus(4,4)", 16, "linear", "mixed-radix(1,0,levels=[4,4])")
    assert list(back) == list(range(16))


@pytest.mark.parametrize("order", ["0,1,2", "1,0,2", "2,0,1"])
def test_rank_r_is_on_the_core_that_the_enumeration_gives_it(order: str) -> None:
    ranks = np.array(package.enumerate_orders("4,2,2", order=order)[0]["ranks"])
    node = "node(sockets=2,cores=2)"
    found = package.place("torus(4)", 16, "linear", f"mixed-radix({order},levels=[4,2,2])", cores=4)
    assert list(found) == list(np.argsort(ranks) // 4)
    asked = {"workload": "stencil(4,4)", "node": node, "order": f"mixed-radix({order},levels=[4,2,2])"}
    assert package.hops("torus(4)", **asked)["inter_node_messages"] > 0


def test_levels_that_do_not_fit_are_refused(netloom: Run) -> None:
    asked = ("hops", "-n", "torus(4,4)", "-t", "stencil(4,4)", "--order")
    code, _, err = netloom(*asked, "mixed-radix(0,1,levels=[4,2])")
    assert code == 2 and "sizes with the product 16, one for each rank, got 4,2, whose product is 8" in err
    code, _, err = netloom(*asked, "mixed-radix(0,0,levels=[4,4])")
    assert code == 2 and "a permutation of the levels 0 to 1" in err


def test_the_search_over_orders_finds_the_best_of_all() -> None:
    asked = {"workload": "stencil(16,bytes=1000)", "node": "node(sockets=2,cores=2)"}
    levels, first = "levels=[4,2,2]", "mixed-radix(0,1,2,levels=[4,2,2])"
    hops = {
        order: package.hops("torus(4)", order=f"mixed-radix({order},{levels})", **asked)["inter_node_bytes"]
        for order in ("0,1,2", "0,2,1", "1,0,2", "1,2,0", "2,0,1", "2,1,0")
    }
    start = package.map_ranks(
        "torus(4)", optimiser=f"enumeration({levels})", objective="inter-node", order=first, **asked
    )
    assert start["start_value"] == hops["0,1,2"]
    assert start["value"] == min(hops.values()) < start["start_value"]
