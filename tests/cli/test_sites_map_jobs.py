"""`netloom map --jobs` as a Slurm user runs it: nodes that may be had, segments, hosts with several ports."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import netloom as package

from .ibnetdiscover import Printed

Run = Callable[..., tuple[int, str, str]]
LEAVES = ("n[1-8]", "n[9-16]", "n[17-24]", "n[25-32]")
TREE = "".join(f"SwitchName=l{i} Nodes={n}\n" for i, n in enumerate(LEAVES)) + "SwitchName=top Switches=l[0-3]\n"
SQUEUE = "JOBID|NAME|STATE|NODES|NODELIST\n7|wrf|RUNNING|6|n[1-6]\n8|md|RUNNING|4|n[9-10,17-18]\n9|late|PENDING|2|\n"
SINFO = """PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
compute*     up   infinite     10  alloc n[1-6,9-10,17-18]
compute*     up   infinite      2 drain* n[7-8]
compute*     up   infinite      1   down n19
compute*     up   infinite     11   idle n[11-16,20-24]
gpu          up   infinite      8  idle~ n[25-32]
debug      down   infinite      1   idle n16
"""
JOB = ("-n", "tree.conf", "--from", "slurm(uplinks=1)", "--jobs", "squeue.txt", "-c", "allreduce:ring", "--size", "1MB")
ALLOWED = ("--states", "sinfo.txt")


@pytest.fixture(autouse=True)
def site(netloom: Run) -> None:
    Path("tree.conf").write_text(TREE)
    Path("squeue.txt").write_text(SQUEUE)
    Path("sinfo.txt").write_text(SINFO)


def choices(netloom: Run, *more: str, job: tuple[str, ...] = JOB) -> list[dict[str, Any]]:
    code, out, err = netloom("map", *job, *more, "--json")
    assert code == 0, err
    found: list[dict[str, Any]] = json.loads(out)["choices"]
    return found


def used(found: list[dict[str, Any]]) -> set[int]:
    """Numbers of all nodes of all choices, as their names count."""
    return {endpoint + 1 for one in found for endpoint in one["endpoints"]}


def test_the_size_is_the_new_jobs(netloom: Run) -> None:
    """16 ranks on 4 nodes: 15/16 of a megabyte twice over a link of 100 Gb/s."""
    best = choices(netloom, "--nodes", "4", "--cores", "4")[0]
    assert best["alone_s"] == pytest.approx(2 * 15 / 16 * 1e6 / 12.5e9)
    code, _, err = netloom("map", *JOB[:-4], "--nodes", "4", "-t", "shift(k=1)", "--size", "1MB")
    assert code == 2 and err.startswith("error: NL-H003 --size: has no effect"), err
    code, _, err = netloom("map", *JOB[:-2], "--nodes", "4")
    assert code == 0 and "no size was given: the new job's collective is one of 1 B" in err, err


def test_a_root_is_the_new_jobs(netloom: Run) -> None:
    job = (*JOB[:6], "-c", "broadcast:binomial", "--size", "1MB")
    assert choices(netloom, "--nodes", "4", "--root", "3", job=job)
    code, _, err = netloom("map", *job, "--nodes", "4", "--root", "4")
    assert code == 2 and "root must be a rank in 0..3 (inclusive), got 4" in err, err


@pytest.mark.parametrize(
    ("option", "code"),
    [
        ("--free", 2),
        ("--take x", 2),
        ("--objective hops", 2),
        ("--cpus node.xml", 2),
        ("--repetitions 2", 2),
        ("--algorithm alltoall:bruck", 0),
        ("--first-node 3", 0),
    ],
)
def test_an_option_without_effect_is_named(netloom: Run, option: str, code: int) -> None:
    left, _, err = netloom("map", *JOB, "--nodes", "4", *option.split())
    assert left == code and option.split()[0] in err, err
    assert code == 2 or f"note: {option.split()[0]} has no effect" in err


def test_ranks_of_running_jobs_are_those_of_their_list(netloom: Run) -> None:
    """64 tasks on a node of a running job do not count against the new job's 4, and are not cut to them."""
    rows = "7|wrf|RUNNING|6|384|384|n[1-6]\n8|md|RUNNING|4|256|256|n[9-10,17-18]\n"
    Path("squeue.txt").write_text(f"JOBID|NAME|STATE|NODES|CPUS|TASKS|NODELIST\n{rows}")
    others = 'shift(k=1,bytes="1 MB")'
    net = package.network("tree.conf", "slurm(uplinks=1)")
    found = choices(netloom, "--nodes", "4", "--cores", "4", "--others", others)
    shared = next(one for one in found if one["harmed"].endswith("md"))
    md = {"name": "md", "mapping": [end for end in (8, 9, 16, 17) for _ in range(64)], "workload": others}
    new = {"name": "new", "mapping": [end for end in shared["endpoints"] for _ in range(4)]}
    both = package.loads(net, jobs=[md, new | {"workload": "allreduce:ring", "size_bytes": 1000000}])
    assert shared["harm"] == pytest.approx(both.jobs[0]["slowdown"])


def test_only_nodes_that_take_jobs_are_chosen(netloom: Run) -> None:
    assert used(choices(netloom, "--nodes", "4", *ALLOWED, "--partition", "compute")) <= {
        *range(11, 17),
        *range(20, 25),
    }
    gpu = choices(netloom, "--nodes", "4", *ALLOWED, "--partition", "gpu")
    assert used(gpu) <= set(range(25, 33))
    everywhere = used(choices(netloom, "--nodes", "4", *ALLOWED))
    assert everywhere <= {*range(11, 17), *range(20, 33)} and everywhere & set(range(25, 33))


def test_people_are_told_why_nodes_are_left_out(netloom: Run) -> None:
    code, _, err = netloom("map", *JOB, "--nodes", "4", *ALLOWED, "--partition", "compute")
    assert code == 0, err
    assert "note: 13 nodes of sinfo.txt take no job: 10 alloc, 1 down, 2 drain+not_responding" in err
    assert "run: sbatch --nodes=4 --nodelist='n[11-14]' --partition=compute job.sh" in err


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--partition", "debug"), "NL-J002 --partition must be one that is up, got debug"),
        (("--partition", "cmpute"), 'did you mean "compute"?'),
        (("--partition", "gpu", "--nodes", "9"), "NL-J004 --nodes must be an integer in 1..8"),
        (("--segment", "3"), "NL-A007 --segment must be a number that divides the 4 nodes, got 3"),
        (("--partition", "compute", "--nodes", "16", "--segment", "8"), "1..11, the number of free endpoints"),
    ],
)
def test_what_cannot_be_had_is_said(netloom: Run, more: tuple[str, ...], words: str) -> None:
    code, _, err = netloom("map", *JOB, "--nodes", "4", *ALLOWED, *more)
    assert code == 2 and words in err, err


def test_a_partition_needs_states(netloom: Run) -> None:
    code, _, err = netloom("map", *JOB, "--nodes", "4", "--partition", "gpu")
    assert code == 2 and err.startswith("error: NL-A007 --partition must be used with states"), err


def test_segments_are_each_on_one_switch(netloom: Run) -> None:
    for one in choices(netloom, "--nodes", "6", "--segment", "3", *ALLOWED, "--partition", "compute"):
        per_switch = {switch: sum(end // 8 == switch for end in one["endpoints"]) for switch in range(4)}
        assert all(count % 3 == 0 for count in per_switch.values()), one
    code, _, err = netloom("map", *JOB, "--nodes", "8", "--segment", "4", *ALLOWED, "--partition", "compute")
    assert code == 0 and "--partition=compute --segment=4 job.sh" in err, err
    code, _, err = netloom("map", *JOB, "--nodes", "10", "--segment", "5", *ALLOWED, "--partition", "compute")
    assert code == 0, err
    code, _, err = netloom("map", *JOB, "--nodes", "7", "--segment", "7", *ALLOWED, "--partition", "compute")
    assert code == 2 and "the free nodes of each switch hold 0 of 7 together" in err, err


STATES = """NodeName=n25 Arch=x86_64 CoresPerSocket=32
   State=IDLE+DRAIN ThreadsPerCore=1
   Partitions=gpu
   Reason=State=IDLE was wished [root@2026-01-01]
NodeName=n26 Arch=x86_64 CoresPerSocket=32
   State=IDLE ThreadsPerCore=1
   Partitions=gpu,all
NodeName=n27 CoresPerSocket=32
   State=DOWN*+CLOUD ThreadsPerCore=1
   Partitions=gpu
NodeName=n28 CoresPerSocket=32
   State=IDLE+CLOUD+POWERED_DOWN ThreadsPerCore=1
   Partitions=gpu
"""


def test_records_of_scontrol_say_the_same(netloom: Run) -> None:
    """Nodes that are powered down get power when a job needs it; a reason may look like a state."""
    Path("sinfo.txt").write_text(STATES)
    [only] = choices(netloom, "--nodes", "2", *ALLOWED, "--partition", "gpu")
    assert only["nodes"] == "n[26,28]"
    Path("sinfo.txt").write_text(
        " ".join(line.strip() for line in STATES.splitlines()).replace(" NodeName", "\nNodeName")
    )
    assert choices(netloom, "--nodes", "2", *ALLOWED, "--partition", "gpu") == [only]


def test_json_says_the_same(netloom: Run) -> None:
    def row(nodes: list[str], state: list[str], partition: str, up: str = "UP") -> dict[str, object]:
        inside = {"name": partition, "partition": {"state": [up]}}
        return {"node": {"state": state}, "nodes": {"nodes": nodes}, "partition": inside}

    rows = [row(["n25", "n26"], ["IDLE"], "gpu"), row(["n27"], ["IDLE", "DRAIN"], "gpu")]
    rows.append(row(["n28"], ["IDLE"], "old", "DOWN"))
    Path("sinfo.txt").write_text(json.dumps({"sinfo": rows}))
    assert used(choices(netloom, "--nodes", "2", *ALLOWED)) == {25, 26}
    code, _, err = netloom("map", *JOB, "--nodes", "2", *ALLOWED, "--partition", "old")
    assert code == 2 and "--partition must be one that is up, got old" in err, err
    Path("sinfo.txt").write_text(json.dumps({"nodes": [{"name": f"n{i}", "state": ["IDLE"]} for i in (30, 31)]}))
    assert used(choices(netloom, "--nodes", "2", *ALLOWED)) == {30, 31}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("NODELIST STATE\nn[1-4] idl\n", 'did you mean "IDLE"?'),
        ("PARTITION NODES(A/I/O/T) NODELIST\ngpu 2/4/0/6 n[25-30]\n", "there is no column STATE"),
        ("n25 1 gpu idle\n", "must be a line below a header with NODELIST, got n25 1 gpu idle"),
        ('{"a": 1}', "names no node"),
    ],
)
def test_what_is_no_list_of_states_is_refused(netloom: Run, text: str, words: str) -> None:
    Path("sinfo.txt").write_text(text)
    code, _, err = netloom("map", *JOB, "--nodes", "2", *ALLOWED)
    assert code == 2 and words in err and "sinfo.txt" in err, err


def test_reasons_may_hold_blanks_and_full_names_stand_for_short_ones(netloom: Run) -> None:
    head = "# of Monday\nCLUSTER: big\nNODELIST NODES PARTITION STATE REASON\n"
    rows = "n25.site.org 1 gpu* idle none\nn26 1 gpu* drained bad memory dimm\nn27.site.org 1 gpu* idle none\n"
    rows += "login1 1 gpu* idle none\n"
    Path("sinfo.txt").write_text(head + rows)
    [only] = choices(netloom, "--nodes", "2", *ALLOWED, "--partition", "gpu")
    assert only["nodes"] == "n[25,27]"
    code, _, err = netloom("map", *JOB, "--nodes", "2", *ALLOWED)
    assert code == 0 and "note: not in the network, and so left out: login1" in err, err


def test_a_report_is_written(netloom: Run) -> None:
    code, _, err = netloom("map", *JOB, "--nodes", "4", *ALLOWED, "--report", "page.html")
    assert code == 0 and "wrote page.html" in err, err
    text = Path("page.html").read_text()
    assert "n[11-14]" in text and "10 alloc" in text


def test_long_lists_of_nodes_stand_below_the_table(netloom: Run) -> None:
    """Every other node of 600 is free: a list of 300 numbers is no column."""
    Path("tree.conf").write_text(
        "SwitchName=a Nodes=m[1-300]\nSwitchName=b Nodes=m[301-600]\nSwitchName=t Switches=a,b\n"
    )
    Path("squeue.txt").write_text(
        f"JOBID|NAME|STATE|NODES|NODELIST\n1|x|RUNNING|300|m[{','.join(map(str, range(1, 601, 2)))}]\n"
    )
    code, out, err = netloom("map", *JOB, "--nodes", "290", "--size", "1kB")
    assert code == 0, err
    assert max(map(len, out.splitlines())) <= 130 and "nodes of (a)" in out
    listed = out.partition("nodes of (a)\n")[2].partition("nodes of (b)")[0]
    assert "".join(listed.split()).startswith("m[2,4,6,8,")


PORTS = ("-n", "two.ibnet", "--jobs", "squeue.txt", "-c", "allreduce:ring", "--size", "1MB")


def two_ports(hosts: int = 8) -> str:
    """What ibnetdiscover prints of hosts with a port on each of two leaves; the first four hosts share theirs."""
    made = Printed()
    leaves = [made.node("S", i, f"leaf{i}") for i in range(4)]
    spines = [made.node("S", 90 + i, f"spine{i}") for i in range(2)]
    for host in range(hosts):
        key = made.node("H", 1000 + host, f"g{host + 1:03d} HCA-1")
        for leaf in leaves[:2] if host < 4 else leaves[2:]:
            made.join(leaf, key)
    for leaf in leaves:
        for spine in spines:
            made.join(leaf, spine)
    return made.text()


def test_hosts_with_two_ports_are_nodes(netloom: Run) -> None:
    """A right list is taken, whole hosts are chosen, and a segment counts hosts."""
    Path("two.ibnet").write_text(two_ports())
    text = "JOBID|NAME|STATE|NODES|CPUS|TASKS|NODELIST\n1|cfd|RUNNING|2|16|16|g[001-002]\n2|md|RUNNING|1|8|8|g003\n"
    Path("squeue.txt").write_text(text)
    best = choices(netloom, "--nodes", "2", "--cores", "4", job=PORTS)[0]
    assert len(best["endpoints"]) == 4 and best["switches"] == 2 and best["nodes"].startswith("g[00")
    # 16 ranks: 30/16 of a megabyte over the link of the last rank of each port.
    assert best["alone_s"] == pytest.approx(2 * 15 / 16 * 1e6 / 12.5e9)
    [only] = choices(netloom, "--nodes", "4", "--segment", "2", job=PORTS)
    assert (only["nodes"], len(only["endpoints"])) == ("g[005-008]", 8)
    code, _, err = netloom("map", *PORTS, "--nodes", "6")
    assert code == 2 and "an integer in 1..5, the number of free hosts" in err, err


def test_states_of_hosts_with_several_endpoints_count_hosts(netloom: Run) -> None:
    """On a network without names a number is that of a host, from --first-node on."""
    Path("squeue.txt").write_text("JOBID|NAME|STATE|NODES|NODELIST\n1|cfd|RUNNING|3|cn[1-3]\n")
    Path("sinfo.txt").write_text(
        "NODELIST|STATE\ncn[1-3]|alloc\ncn[4-5]|idle\ncn6|drain\ncn7.site|idle\ncn8|idle\nlogin4|idle\n"
    )
    job = ("-n", "rail_cluster(nodes=8,gpus=8)", "--jobs", "squeue.txt", "-c", "allreduce:ring", "--size", "1MB")
    found = choices(netloom, "--nodes", "2", "--first-node", "1", *ALLOWED, job=job)
    assert {end // 8 for one in found for end in one["endpoints"]} == {3, 4, 6, 7}
    assert all(len(one["endpoints"]) == 16 for one in found)
    assert {one["nodes"] for one in found} <= {"4-5", "4,7", "4,8", "5,7", "5,8", "7-8"}
