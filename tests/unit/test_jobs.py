"""Job lists: what people write and what Slurm prints, brought to endpoints; what is wrong with them in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from netloom import _core
from netloom.base.errors import NetloomError
from netloom.jobs import PlacedJob, read_jobs

#: 20 endpoints without names: 5 groups of 4 switches.
PLAIN = _core.Network.build("dragonfly(a=4,p=1,h=1,g=5)")
TOPOLOGY = "\n".join(
    [
        *(f"SwitchName=leaf{i} Nodes=nid[{6 * i:05}-{6 * i + 5:05}]" for i in range(4)),
        "SwitchName=pod0 Switches=leaf[0-1]",
        "SwitchName=pod1 Switches=leaf[2-3]",
        "SwitchName=top Switches=pod[0-1]",
    ]
)
#: 24 endpoints called nid00000 to nid00023.
NAMED = _core.Network.read(TOPOLOGY.encode(), "topology.conf", "slurm")

SCONTROL = """\
JobId=4711 JobName=wrf nested NodeList=nid00023
   UserId=ann(1001) GroupId=met(100) MCS_label=N/A
   Priority=1054 Nice=0 Account=met QOS=normal
   JobState=RUNNING Reason=None Dependency=(null)
   RunTime=00:12:01 TimeLimit=02:00:00 TimeMin=N/A
   Partition=batch AllocNode:Sid=login1:4123
   ReqNodeList=(null) ExcNodeList=nid00003
   NodeList=nid[00006-00008,00012]
   BatchHost=nid00006
   NumNodes=4 NumCPUs=64 NumTasks=32 CPUs/Task=2 ReqB:S:C:T=0:0:*:*
   TRES=cpu=64,mem=256G,node=4,billing=64
   Socks/Node=* NtasksPerN:B:S:C=8:0:*:* CoreSpec=*
   Command=/home/ann/run NodeList=nid00001
   WorkDir=/home/ann

JobId=4712 ArrayJobId=4700 ArrayTaskId=12 JobName=post
   UserId=bob(1002) GroupId=chem(101) MCS_label=N/A
   JobState=PENDING Reason=Resources Dependency=(null)
   ReqNodeList=(null) ExcNodeList=(null)
   NodeList=(null)
   NumNodes=8-8 NumCPUs=128 NumTasks=128 CPUs/Task=1 ReqB:S:C:T=0:0:*:*

JobId=4713 JobName=cp2k
   UserId=bob(1002) GroupId=chem(101) MCS_label=N/A
   JobState=RUNNING Reason=None Dependency=(null)
   ReqNodeList=(null) ExcNodeList=(null)
   NodeList=nid[00000-
00001]
   NumNodes=2 NumCPUs=32 NumTasks=5 CPUs/Task=1 ReqB:S:C:T=0:0:*:*
"""

SHARED = """\
JobId=1 JobName=a
   JobState=RUNNING Reason=None Dependency=(null)
   NodeList=nid[00001-00002]
   NumNodes=2 NumCPUs=8 NumTasks=8 CPUs/Task=1 ReqB:S:C:T=0:0:*:*
   JOB_GRES=(null)
     Nodes=nid[00001-00002] CPU_IDs=0-3 Mem=4000 GRES=
JobId=2 JobName=b
   JobState=RUNNING Reason=None Dependency=(null)
   NodeList=nid[00002-00003]
   NumNodes=2 NumCPUs=10 NumTasks=10 CPUs/Task=1 ReqB:S:C:T=0:0:*:*
   JOB_GRES=(null)
     Nodes=nid00002 CPU_IDs=4-5,8 Mem=4000 GRES=
     Nodes=nid00003 CPU_IDs=0-6 Mem=4000 GRES=
"""


def of(text: str, network: Any = NAMED, **given: Any) -> list[PlacedJob]:
    return read_jobs(text if "\n" in text else text + "\n", network, **given)


def refused(text: str, code: str, *mentions: str, network: Any = NAMED, **given: Any) -> None:
    with pytest.raises(NetloomError) as caught:
        of(text, network, **given)
    assert code in {fault.code for fault in caught.value.faults}, caught.value
    for words in mentions:
        assert words in str(caught.value), caught.value
    assert len(str(caught.value).splitlines()) <= 40


def test_toml_sizes_places_and_defaults() -> None:
    jobs = of(
        """
        cores = 3
        placement = "random-groups(seed=2)"
        traffic = "uniform"
        routing = "minimal"

        [[job]]
        name = "listed"
        node_list = "node[3,1]"
        traffic = "stencil(3,2)"

        [[job]]
        name = "shared"
        share = "20%"

        [[job]]
        name = "half"
        share = 0.5
        cores = 2
        ranks = 19
        placement = "linear"
        variant = "adaptive-hybrid"
        routing = "valiant(samples=2)"

        [[job]]
        name = "by ranks"
        ranks = 10
        """,
        PLAIN,
    )
    assert [(j.name, len(j.endpoints), j.cores_per_node, j.ranks) for j in jobs] == [
        ("listed", 2, 3, 6),
        ("shared", 4, 3, 12),
        ("half", 10, 2, 19),
        ("by ranks", 4, 3, 10),
    ]
    assert [j.workload for j in jobs] == ["stencil(3,2)", "uniform", "uniform", "uniform"]
    assert [j.variant for j in jobs] == [None, None, "adaptive-hybrid", None]
    assert [j.routing for j in jobs] == ["minimal", "minimal", "valiant(samples=2)", "minimal"]
    assert jobs[0].endpoints.tolist() == [3, 1] and jobs[0].endpoints.dtype == np.uint32
    # A whole group: the listed job has taken two endpoints of group 0 before.
    assert len({e // 4 for e in jobs[1].endpoints.tolist()}) == 1 and jobs[1].endpoints[0] // 4 != 0
    assert np.sort(np.concatenate([j.endpoints for j in jobs])).tolist() == list(range(20))
    on = jobs[2].endpoint_of_rank()
    assert on.dtype == np.uint32 and on.tolist() == [jobs[2].endpoints[r // 2] for r in range(19)]


def test_only_free_endpoints_are_placed_on() -> None:
    text = 'free = "n[4-9]"\n[[job]]\nname = "a"\nnodes = 4\n[[job]]\nname = "b"\nnodes = 2'
    assert [j.endpoints.tolist() for j in of(text, PLAIN)] == [[4, 5, 6, 7], [8, 9]]
    assert [j.endpoints.tolist() for j in of(text, PLAIN, placement="round-robin")] == [[4, 8, 5, 9], [6, 7]]
    refused(
        text.replace("nodes = 2", "nodes = 3"), "NL-M017", 'job "b": 3 endpoints are wanted, 2 are free', network=PLAIN
    )


def test_memory_grows_with_ranks_not_with_cores() -> None:
    (job,) = of("[[job]]\nnodes = 3\ncores = 2000000000\nranks = 2", PLAIN)
    assert job.endpoint_of_rank().tolist() == [0, 0]


#: Table 3.4 of Jain 2016: percentages of UMesh, 2D Stencil, 4D Stencil, M2M and Spread.
WORKLOADS = ((20, 10, 40, 20, 10), (10, 10, 20, 40, 20), (20, 40, 10, 10, 20), (40, 10, 20, 20, 10))


@pytest.mark.parametrize("placement", ["rdn", "rdr", "rdc", "rdg", "rrn", "rrr", "linear", "blocked(2,chassis)"])
@pytest.mark.parametrize("shares", WORKLOADS, ids=["workload 1", "workload 2", "workload 3", "workload 4"])
def test_the_workloads_of_table_3_4_fill_the_machine(shares: tuple[int, ...], placement: str) -> None:
    net = _core.Network.build("dragonfly(group=[2,5],p=4,h=2,g=10)")
    text = f"cores = 24\nplacement = '{placement}'\n"
    text += "".join(f"[[job]]\nname = 'job {i}'\nshare = '{share}%'\n" for i, share in enumerate(shares))
    jobs = of(text, net)
    assert [len(job.endpoints) for job in jobs] == [share * 4 for share in shares]
    assert sum(job.ranks for job in jobs) == 400 * 24
    assert np.sort(np.concatenate([job.endpoints for job in jobs])).tolist() == list(range(400))


@pytest.mark.parametrize("share, count", [("0.29", 29), ('"29%"', 29), ("0.07", 7), ("1", 100), ('"7.9 %"', 7)])
def test_shares_are_exact_decimals(share: str, count: int) -> None:
    net = _core.Network.build("ring(100)")
    assert len(of(f'[[job]]\nname = "a"\nshare = {share}', net)[0].endpoints) == count


def test_lines_and_names() -> None:
    named = of("a nid[00004-00005]   # two\n\nb nid00000\n")
    assert [(j.name, j.endpoints.tolist(), j.ranks) for j in named] == [("a", [4, 5], 2), ("b", [0], 1)]
    assert [j.endpoints.tolist() for j in of("a nid[00004-00005]\nb nid019\n", PLAIN)] == [[4, 5], [19]]
    assert of("a n[1-20]\n", PLAIN, first_node=1)[0].endpoints.tolist() == list(range(20))
    assert of("a n[1-20]\n", PLAIN, first_node=1, cores=24)[0].ranks == 480
    refused("a n20", "NL-J003", "0..19", "the nearest is n19", network=PLAIN)
    refused("a n0", "NL-J003", "1..20", "the nearest is n1", network=PLAIN, first_node=1)
    refused("a n1\nb m2", "NL-J003", 'called "n" and a number', network=PLAIN)
    refused("a login", "NL-J003", network=PLAIN)
    refused("a nid00024", "NL-J003", 'did you mean "nid000')
    refused("a nid1", "NL-J003", "jobs:1", 'did you mean "nid000')
    refused("a nid[00001", "NL-F015", "bracket is not closed")
    refused("a n[0-999999999]", "NL-F015", "more than")


def test_scontrol_takes_what_runs() -> None:
    jobs = of(SCONTROL)
    assert [(j.name, j.endpoints.tolist(), j.cores_per_node, j.ranks) for j in jobs] == [
        ("4711 wrf nested NodeList=nid00023", [6, 7, 8, 12], 8, 32),
        ("4713 cp2k", [0, 1], 3, 5),
    ]
    assert jobs[1].endpoint_of_rank().tolist() == [0, 0, 0, 1, 1]
    # One line for each record.
    lines = "\n".join(" ".join(record.split()) for record in SCONTROL.replace("-\n0", "-0").split("\n\n"))
    assert [j.endpoints.tolist() for j in of(lines)] == [[6, 7, 8, 12], [0, 1]]
    # 30 tasks, at most 8 on a node: 8 on two nodes, 7 on two.
    fewer = of(SCONTROL.replace("NumTasks=32", "NumTasks=30"))[0]
    assert (fewer.cores_per_node, fewer.ranks_on_endpoints().tolist()) == (8, [8, 8, 7, 7])
    refused(SCONTROL.replace("NumNodes=4", "NumNodes=5"), "NL-J002", "a list of 5 nodes, got 4")
    refused(SCONTROL.replace("NumTasks=32", "NumTasks=33"), "NL-J004", "4711", "at most 32 ranks", "got 33")
    refused(SCONTROL.replace("NumTasks=5", "NumTasks=33"), "NL-J004", "4713", "at most 32 ranks", "got 33")
    refused(SCONTROL.replace("NumTasks=5", "NumTasks=five"), "NL-J002", "NumTasks", "five")
    refused(SCONTROL, "NL-J004", "at most 4 ranks on an endpoint, got 8", cores=4)
    refused(SCONTROL.replace("RUNNING", "COMPLETED"), "NL-J006", "no job in it runs", "squeue")


def test_jobs_share_an_endpoint_with_other_cores_only() -> None:
    jobs = of(SHARED)
    assert [(j.endpoints.tolist(), j.cores_per_node, j.ranks) for j in jobs] == [([1, 2], 4, 8), ([2, 3], 7, 10)]
    # As many tasks on a node as the job has cores of it.
    assert [j.ranks_on_endpoints().tolist() for j in jobs] == [[4, 4], [3, 7]]
    refused(SHARED, "NL-J004", '"2 b"', "at most 6 ranks on an endpoint, got 7", cores=6)
    refused(SHARED.replace("4-5,8", "2-3,8"), "NL-M018", "2 b", 'nid00002 belongs to job "1 a" too')
    undetailed = "\n".join(line for line in SHARED.splitlines() if "CPU_IDs" not in line)
    refused(undetailed, "NL-M018", 'job "2 b": endpoint 2 (nid00002) belongs to job "1 a" too')
    refused(SHARED.replace("CPU_IDs=4-5,8", "CPU_IDs=?"), "NL-M018", "nid00002")


def test_squeue_tables() -> None:
    bars = "JOBID|NAME|STATE|NODES|CPUS|NODELIST\n8|my job|RUNNING|3|48|nid[00002-00004]\n9|x|PENDING|2|32|\n"
    assert [(j.name, j.endpoints.tolist(), j.cores_per_node) for j in of(bars)] == [("8 my job", [2, 3, 4], 16)]
    default = """\
             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
                12     batch      wrf      ann  R       5:01      2 nid[00001-00002]
                13     batch      big      bob PD       0:00     16 (ReqNodeNotAvail, UnavailableNodes:nid00020)
                10     batch    solve      bob  R    1:05:01      1 nid00009
    """
    jobs = of(default, cores=24)
    assert [(j.name, j.endpoints.tolist(), j.ranks) for j in jobs] == [("12 wrf", [1, 2], 48), ("10 solve", [9], 24)]
    tasks = "JOBID  NAME  TASKS  NODELIST\n1      a     7      nid[00000-00001]\n"
    assert [(j.cores_per_node, j.ranks) for j in of(tasks)] == [(4, 7)]
    refused(bars.replace("nid[00002-00004]", "nid[00002-000"), "NL-F015", "jobs:2")
    refused(bars.replace("nid[00002-00004]", "nid00002,nid0000"), "NL-J003")
    refused(bars.replace("|3|", "|4|"), "NL-J002", "a list of 4 nodes, got 3")
    refused(bars.replace("|48|", "|many|"), "NL-J002", "CPUS", "many")
    refused("JOBID NAME ST NODELIST\n1 two words R nid00001\n", "NL-J001", "4 fields", "squeue -t R,CF,CG,S")
    refused(default.replace("solve", "so ve"), "NL-J001", "jobs:4", "a name may hold blanks")
    refused("JOBID NAME ST\n1 a R\n", "NL-J001", "NODELIST")
    refused("1 batch wrf ann R 1:00 1 nid00001\n", "NL-J001", "a name and a node list", "header")


def test_uneven_tasks_of_a_table() -> None:
    table = "JOBID|NAME|STATE|NODES|CPUS|TASKS|NODELIST\n1|a|RUNNING|4|12|10|nid[00004-00007]\n"
    (job,) = of(table)
    assert job.ranks_on_endpoints().tolist() == [3, 3, 2, 2]
    assert (
        job.endpoint_of_rank().tolist() == [4, 4, 4, 5, 5, 5, 6, 6, 7, 7] and job.endpoint_of_rank().dtype == np.uint32
    )
    # Without the tasks, one for each CPU; a list that is not Slurm's fills endpoints one after the other.
    (cpus,) = of(table.replace("TASKS|", "").replace("|10|", "|").replace("|12|", "|11|"))
    assert cpus.ranks_on_endpoints().tolist() == [3, 3, 3, 2]
    (own,) = of("[[job]]\nnodes = 4\nranks = 10")
    assert own.ranks_on_endpoints().tolist() == [3, 3, 3, 1]
    (most,) = of("JOBID NAME TASKS NTASKS_PER_NODE NODELIST\n1 a 7 4 nid[00000-00001]\n")
    assert most.ranks_on_endpoints().tolist() == [4, 3]
    refused("JOBID NAME TASKS NTASKS_PER_NODE NODELIST\n1 a 9 4 nid[00000-00001]\n", "NL-J004", "at most 8 ranks")


def test_squeue_json() -> None:
    def number(value: int, known: bool = True) -> dict[str, Any]:
        return {"set": known, "infinite": False, "number": value}

    new = {"job_id": 5, "name": "wrf", "job_state": ["RUNNING"], "nodes": "nid[00003-00004]"}
    new |= {"node_count": number(2), "cpus": number(16), "tasks": number(8), "cpus_per_task": number(0, known=False)}
    old = {"job_id": 6, "name": "cp2k", "job_state": "RUNNING", "nodes": "nid00007", "node_count": 1, "cpus": 4}
    waits = {"job_id": 7, "name": "w", "job_state": ["PENDING"], "nodes": "", "node_count": number(4)}
    text = json.dumps({"meta": {}, "jobs": [new, old, waits], "errors": []}, indent=1)
    jobs = of(text)
    assert [(j.name, j.endpoints.tolist(), j.cores_per_node, j.ranks) for j in jobs] == [
        ("5 wrf", [3, 4], 4, 8),
        ("6 cp2k", [7], 4, 4),
    ]
    uneven = json.dumps({"jobs": [new | {"tasks": number(7), "tasks_per_node": number(5)}]}, indent=1)
    assert of(uneven)[0].ranks_on_endpoints().tolist() == [4, 3]
    refused(uneven.replace("7", "11"), "NL-J004", "at most 10 ranks")
    refused(text.replace('"nid00007"', '"nid00004"'), "NL-M018", 'job "6 cp2k": endpoint 4 (nid00004)', 'job "5 wrf"')
    refused(text.replace('"nid00007"', "[7]"), "NL-J002", "nodes")
    refused('{"jobs": 3}\n', "NL-J001", "no list named jobs")
    refused('{"jobs": [[]]}\n', "NL-J001", "an object")
    refused("[" * 100_000, "NL-J001", "is no JSON")
    refused('{"jobs": [' + "9" * 5000 + "]}\n", "NL-J001")


@pytest.mark.parametrize(
    "text, code, mention",
    [
        ("[[job]]\nname = 'a'", "NL-J002", "exactly one of nodes, share, node_list"),
        ("[[job]]\nnodes = 1\nshare = 0.1", "NL-J002", "exactly one of"),
        ("[[job]]\nnods = 1", "NL-J002", 'did you mean "nodes"'),
        ("[[job]]\nnodes = '1'", "NL-J002", "job 1.nodes must be an integer"),
        ("[[job]]\nnodes = true", "NL-J002", "an integer"),
        ("[[job]]\nnodes = 0", "NL-J002", "1.."),
        ("[[job]]\nshare = 0.01", "NL-J002", "at least one of 20 endpoints"),
        ("[[job]]\nshare = 1.5", "NL-J002", "a share"),
        ("[[job]]\nshare = nan", "NL-J002", "a share"),
        ("[[job]]\nshare = '1e999999999%'", "NL-J002", "a share"),
        ("[[job]]\nnodes = 1\ntraffic = 'uniform('", "NL-A001", "job 1.workload"),
        ("[[job]]\nnodes = 1\nplacement = 'randm'", "NL-A002", 'did you mean "random"'),
        ("[[job]]\nnodes = 1\nrouting = 'minmal'", "NL-A002", 'job 1.routing: routing: no routing is called "minmal"'),
        ("[[job]]\nnodes = 1\nrouting = 'minimal('", "NL-A001", "job 1.routing"),
        ("[[job]]\nnodes = 1\nrouting = 'valiant(samples=0)'", "NL-A007", "job 1.routing: valiant.samples"),
        ("[[job]]\nnodes = 1\nrouting = 3", "NL-J002", "job 1.routing must be text"),
        ("routing = ''\n[[job]]\nnodes = 1", "NL-J002", "jobs.routing"),
        ("[[job]]\nnodes = 21", "NL-M017", "21 endpoints are wanted, 20 are free"),
        ("[[job]]\nnodes = 4\nranks = 9\ncores = 2", "NL-J004", "at most 8 ranks: 4 endpoints of 2 cores, got 9"),
        ("cores = 2\n[[job]]\nnodes = 4\ncores = 3", "NL-J004", "at most 2 ranks on an endpoint, got 3"),
        ("[[job]]\nnodes = 4\ncores = 2147483647", "NL-J004", "together"),
        ("[[job]]\nname='a'\nnodes = 1\n[[job]]\nname='a'\nnodes = 1", "NL-J005", "job 1 too"),
        ("[[job]]\nnode_list='n[1-3]'\n[[job]]\nnode_list=[5, 3]", "NL-M018", 'endpoint 3 belongs to job "job 1" too'),
        ("[[job]]\nnode_list = [4, 4]", "NL-M018", "twice"),
        ("[[job]]\nnode_list = [20]", "NL-M001", "0..20"),
        ("[[job]]\nnode_list = [-1]", "NL-J002", "numbers of endpoints"),
        ("[[job]]\nnode_list = []", "NL-J002", "at least one node"),
        ("free = 'n[0-20]'\n[[job]]\nnodes = 1", "NL-J003", "jobs.free"),
        ("free = [0, 0]\n[[job]]\nnodes = 1", "NL-M015", "twice"),
        ("[[job]]\nnodes = 1\n[job]", "NL-J001", "is not TOML"),
        ("[[job]]\nnodes = " + "9" * 5000, "NL-J001", "at most 200 characters"),
        ("job = 3\n[[jobs]]", "NL-J001", "a name and a node list"),
        ("\x00\x01 \n", "NL-J001", "a name and a node list"),
        ("# nothing\n", "NL-J001", "there is no job"),
    ],
)
def test_bad_lists_are_refused_in_words(text: str, code: str, mention: str) -> None:
    refused(text, code, mention, network=PLAIN)


def test_all_that_is_wrong_is_said_at_once_and_no_more_than_twenty() -> None:
    with pytest.raises(NetloomError) as caught:
        of("[[job]]\nnods = 1\ncores = -1\n[[job]]\nnodes = 'x'", PLAIN)
    assert len(caught.value.faults) == 3
    with pytest.raises(NetloomError) as caught:
        of("\n".join(f"a{i} m{i}" for i in range(50)), NAMED)
    assert len(caught.value.faults) == 20


def test_files_and_arguments(tmp_path: Path) -> None:
    path = tmp_path / "jobs.toml"
    path.write_text('[[job]]\nname = "a"\nnodes = 2\n')
    assert read_jobs(str(path), "ring(8)")[0].endpoints.tolist() == [0, 1]
    assert read_jobs(path, "ring(8)", placement="random(seed=1)")[0].endpoints.tolist() != [0, 1]
    (tmp_path / "slurm.txt").write_bytes(b"\xff\xfe\n")
    bad: list[tuple[str, Callable[[], object]]] = [
        ("NL-X001", lambda: read_jobs("no-such-file", "ring(8)")),
        ("NL-J001", lambda: read_jobs(tmp_path / "slurm.txt", "ring(8)")),
        ("NL-A007", lambda: read_jobs(path, "ring(8)", format="yaml")),
        ("NL-A007", lambda: read_jobs(path, "ring(8)", cores=0)),
        ("NL-A007", lambda: read_jobs(7, "ring(8)")),  # type: ignore[arg-type]
    ]
    for code, use in bad:
        with pytest.raises(NetloomError) as caught:
            use()
        assert caught.value.faults[0].code == code


def test_no_list_does_without_endpoints_or_a_fault() -> None:
    """Whatever the names are, the answer is one endpoint for each of them, or words."""
    words = [
        "n1",
        "n",
        "",
        "7",
        "n07",
        "n1x",
        "m1",
        "n-1",
        "n１",
        "n1_0",
        "n+1",
        "n" + "9" * 30,
        "r1n02",
        "x" * 3000,
        "é2",
    ]
    for network in (PLAIN, NAMED):
        for first in words:
            for second in words:
                text = f"[[job]]\nnode_list = {json.dumps(f'{first},{second}', ensure_ascii=False)}\n"
                try:
                    (job,) = of(text, network)
                except NetloomError as error:
                    assert error.faults and len(str(error)) < 2000
                else:
                    assert network is PLAIN and job.endpoints.tolist() == [
                        int("".join(c for c in w if c.isdigit())) for w in (first, second)
                    ]
