"""`netloom map --jobs FILE --nodes N`: which free nodes a new job should get."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import netloom as package
from netloom.cli.node_selection import OF_A_SEARCH
from netloom.cli.searching import Searching
from netloom.jobs import read_jobs

Run = Callable[..., tuple[int, str, str]]
LEAVES = ("n[0-3]", "n[4-7]", "n[8-11]")
TREE = "".join(f"SwitchName=l{i} Nodes={n}\n" for i, n in enumerate(LEAVES)) + "SwitchName=top Switches=l[0-2]\n"
#: Two nodes of l0 and one of l1 are busy, and talk to each other over the top.
SQUEUE = "JOBID|NAME|STATE|NODES|CPUS|NODELIST\n7|wrf|RUNNING|3|3|n[0-1,4]\n8|late|PENDING|4|4|\n"
JOB = ("-n", "tree.conf", "--from", "slurm(uplinks=1)", "--jobs", "squeue.txt", "-t", 'stencil(4,bytes="1 MiB")')


@pytest.fixture(autouse=True)
def site(netloom: Run) -> None:
    Path("tree.conf").write_text(TREE)
    Path("squeue.txt").write_text(SQUEUE)


def choices(netloom: Run, *more: str) -> list[dict[str, Any]]:
    code, out, err = netloom("map", *JOB, *more, "--json")
    assert code == 0, err
    found: list[dict[str, Any]] = json.loads(out)["choices"]
    return found


def test_a_free_switch_is_the_best_choice(netloom: Run) -> None:
    found = choices(netloom, "--nodes", "4", "--others", 'shift(k=1,bytes="1 MiB")')
    best = found[0]
    assert (best["nodes"], best["switches"], best["harm"], best["position"]) == ("n[8-11]", 1, 1.0, 1)
    assert best["alone_s"] == best["beside_s"]
    for one in found:
        assert not {0, 1, 4} & set(one["endpoints"]) and len(set(one["endpoints"])) == 4
        assert one["beside_s"] >= one["alone_s"]
    assert [one["score"] for one in found] == sorted(one["score"] for one in found)


def test_what_is_suffered_and_done_is_what_loads_say(netloom: Run) -> None:
    """On n2, n3, n5, n6 the job shares the links of both leaves with the running one."""
    others = 'shift(k=1,bytes="1 MiB")'
    found = choices(netloom, "--nodes", "4", "--others", others)
    shared = next(one for one in found if one["nodes"] == "n[2-3,5-6]")
    net = package.network("tree.conf", "slurm(uplinks=1)")
    wrf = {"name": "wrf", "mapping": [0, 1, 4], "workload": others}
    new = {"name": "new", "mapping": list(shared["endpoints"]), "workload": JOB[-1]}
    both = package.loads(net, jobs=[wrf, new])
    assert shared["harm"] == pytest.approx(both.jobs[0]["slowdown"]) and shared["harm"] > 1
    assert shared["harmed"].endswith("wrf")
    assert shared["beside_s"] == pytest.approx(both.classes["all"]["max_bytes"] / 12.5e9)


def test_people_get_a_table_and_the_option(netloom: Run) -> None:
    code, out, err = netloom("map", *JOB, "--nodes", "4")
    assert code == 0 and out.splitlines()[0].split()[:3] == ["nodes", "switches", "alone"]
    assert (
        "run: sbatch --nodes=4 --nodelist='n[8-11]' job.sh" in err
        and "note: jobs that do not say what they send" in err
    )


def test_ranks_fill_nodes_in_the_order_of_their_names(netloom: Run) -> None:
    """As Slurm does with what --nodelist names, however the nodes were found and wherever the file lists them."""
    switches = "".join(f"SwitchName=l{i} Nodes={n}\n" for i, n in enumerate(reversed(LEAVES)))
    Path("tree.conf").write_text(switches + "SwitchName=top Switches=l[0-2]\n")
    names = package.network("tree.conf", "slurm(uplinks=1)").endpoint_names
    for one in choices(netloom, "--nodes", "4"):
        numbers = [int(names[end].removeprefix("n")) for end in one["endpoints"]]
        assert numbers == sorted(numbers), one["placement"]


def test_all_nodes_are_free_where_no_job_runs(netloom: Run) -> None:
    Path("squeue.txt").write_text(SQUEUE.splitlines()[0] + "\n8|late|PENDING|4|4|\n")
    assert choices(netloom, "--nodes", "4")[0]["nodes"] == "n[0-3]"
    with pytest.raises(package.NetloomError, match="NL-J006"):
        read_jobs("squeue.txt", "ring(12)")


@pytest.mark.parametrize(
    ("jobs", "shown"),
    [
        (SQUEUE, True),
        # Waits for nodes; ends, and sends no more; says itself what it sends.
        ("JOBID|NAME|STATE|NODES|CPUS|NODELIST\n8|late|PENDING|4|4|\n", False),
        ("JOBID|ST|NODELIST\n1|CG|n[8-11]\n", False),
        ('[[job]]\nnode_list = "n[0-1]"\nworkload = "shift(k=1)"\n', False),
    ],
)
def test_what_others_send_is_told_where_it_is_assumed(netloom: Run, jobs: str, shown: bool) -> None:
    Path("squeue.txt").write_text(jobs)
    code, _, err = netloom("map", *JOB, "--nodes", "4")
    assert code == 0 and ("note: jobs that do not say what they send" in err) == shown, err
    assert "loads are of one round of each" in err


def test_nodes_without_names_are_numbered_as_in_the_list(netloom: Run) -> None:
    Path("jobs.txt").write_text("climate n[1-2]\n")
    given = ("-n", "ring(4)", "--jobs", "jobs.txt", "--nodes", "2", "-t", "shift(k=1)", "--first-node", "1", "--json")
    code, out, err = netloom("map", *given)
    assert code == 0, err
    (found,) = json.loads(out)["choices"]
    assert (found["nodes"], found["endpoints"]) == ("3-4", [2, 3])


def test_the_same_bytes_twice(netloom: Run) -> None:
    assert netloom("map", *JOB, "--nodes", "5", "--seed", "3") == netloom("map", *JOB, "--nodes", "5", "--seed", "3")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--nodes", "10"], "nodes must be an integer in 1..9, the number of free endpoints"),
        (["--nodes", "0"], "--nodes must be"),
        ([], "--nodes: is missing"),
        (["--nodes", "2", "--placement", "linear"], "--placement: is chosen here"),
        (["--nodes", "2", "--emit", "rankfile"], "--emit: orders ranks on nodes that are known"),
        (["--nodes", "2", "--others", "gossip"], "others: nothing is called"),
    ],
)
def test_bad_wishes_are_one_line(netloom: Run, given: list[str], says: str) -> None:
    code, out, err = netloom("map", *JOB, *given)
    assert (code, out) == (2, "") and says in err.splitlines()[0], err


def test_nodes_of_jobs_that_end_or_begin_are_not_free(netloom: Run) -> None:
    Path("squeue.txt").write_text("JOBID|ST|NODELIST\n1|CG|n[8-11]\n2|CF|n[4-5]\n3|S|n0\n")
    for one in choices(netloom, "--nodes", "4"):
        assert set(one["endpoints"]) <= {1, 2, 3, 6, 7}, one
    # Nothing but a job that ends: nobody sends.
    Path("squeue.txt").write_text("JOBID|ST|NODELIST\n1|CG|n[8-11]\n")
    assert {one["harmed"] for one in choices(netloom, "--nodes", "4")} == {""}
    code, _, err = netloom("map", *JOB, "--nodes", "9")
    assert code == 2 and "--nodes must be an integer in 1..8" in err


def test_every_option_of_a_search_is_refused_but_its_seed() -> None:
    """A new one is in the list, so that none is silently without effect."""
    assert {field.name for field in fields(Searching)} - {"seed"} <= set(OF_A_SEARCH)
