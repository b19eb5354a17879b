"""Fields of the lists of jobs and nodes: those that manuals define are used, labels, or in one note."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from netloom import _core
from netloom.base.errors import NetloomError
from netloom.evaluate.node_selection import ranked_choices
from netloom.jobs import PlacedJob, read_jobs
from netloom.jobs.fields import JSON, SCONTROL, SINFO, SQUEUE
from netloom.jobs.tables import HEAD, KEYS
from netloom.jobs.unused import notes, of_states

TOPOLOGY = "SwitchName=a Nodes=n[0-3]\nSwitchName=b Nodes=n[4-7]\nSwitchName=t Switches=a,b\n"
NETWORK = _core.Network.read(TOPOLOGY.encode(), "t.conf", "slurm(uplinks=1)")


def placed(job: PlacedJob) -> tuple[object, ...]:
    return job.name, job.endpoints.tolist(), job.ranks, job.ranks_on_endpoints().tolist(), job.sends


def read(text: str) -> list[tuple[object, ...]]:
    return [placed(job) for job in read_jobs(text, NETWORK, holding=True)]


#: squeue(1): letters of --format, then fields of --format's long form, by their headers.
MANUAL_SQUEUE = """
ACCOUNT TRES_PER_NODE MIN_CPUS MIN_TMP_DISK END_TIME FEATURES GROUP OVER_SUBSCRIBE JOBID NAME COMMENT TIME_LIMIT
MIN_MEMORY REQ_NODES COMMAND PRIORITY QOS REASON ST USER RESERVATION WCKEY EXC_NODES NICE S:C:T EXEC_HOST CPUS NODES
DEPENDENCY ARRAY_JOB_ID SOCKETS_PER_NODE CORES_PER_SOCKET THREADS_PER_CORE ARRAY_TASK_ID TIME_LEFT TIME NODELIST
CONTIGUOUS PARTITION NODELIST(REASON) START_TIME STATE SUBMIT_TIME LICENSES CORE_SPEC SCHEDNODES WORK_DIR TASKS
CPUS_PER_TASK NTASKS_PER_NODE NTASKS_PER_SOCKET NTASKS_PER_CORE NTASKS_PER_BOARD HET_JOB_ID HET_JOB_OFFSET
"""
BASE = {"JOBID": "7", "NAME": "x", "STATE": "RUNNING", "NODES": "2", "NODELIST": "n[0,4]"}
#: For each used column a row in which it decides.
DECIDES = {
    "JOBID": {"JOBID": "8"},
    "NAME": {"NAME": "y"},
    "STATE": {"STATE": "SUSPENDED"},
    "NODELIST": {"NODELIST": "n[1,4]"},
    "CPUS": {"CPUS": "8"},
    "TASKS": {"TASKS": "3"},
    "CPUS_PER_TASK": {"CPUS": "8", "CPUS_PER_TASK": "2"},
}


def squeue(row: dict[str, str]) -> str:
    return f"{'|'.join(row)}\n{'|'.join(row.values())}\n"


def test_columns_of_squeue() -> None:
    assert not set(MANUAL_SQUEUE.split()) - set(SQUEUE)
    base = read(squeue(BASE))
    for column, fate in SQUEUE.items():
        if fate != "used":
            text = squeue(BASE | {column: "3"})
            assert read(text) == base, column
            told = [f"in jobs and not used: column {column} (1)"] if fate == "noted" else []
            assert notes(text) == told
    for column, change in DECIDES.items():
        without = {key: value for key, value in (BASE | change).items() if key not in change or key != column}
        before = read(squeue(BASE | without)) if column not in BASE else base
        assert SQUEUE[column] == "used" and read(squeue(BASE | change)) != before, column
    assert notes(squeue(BASE | {"COLOUR": "red"})) == ["in jobs and not used: column COLOUR (1)"]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (BASE | {"NODES": "3"}, "a list of 3 nodes"),
        (BASE | {"STATE": "WALKING"}, "a job's state as STATE or ST"),
        (BASE | {"TASKS": "many"}, "TASKS"),
        (BASE | {"TASKS": "5", "NTASKS_PER_NODE": "2"}, "at most 4 ranks"),
    ],
)
def test_columns_that_contradict_are_refused(row: dict[str, str], words: str) -> None:
    with pytest.raises(NetloomError, match=words):
        read(squeue(row))


def test_a_row_longer_than_its_header_is_refused() -> None:
    with pytest.raises(NetloomError, match="fields as in the header"):
        read("JOBID|STATE|NODELIST\n7|RUNNING|n0|n1\n")


def jobs(**more: object) -> str:
    row = {"job_id": 7, "name": "x", "job_state": ["RUNNING"], "nodes": "n[0,4]", **more}
    return json.dumps({"jobs": [row]}, indent=1)


def number(value: int) -> dict[str, object]:
    return {"set": True, "infinite": False, "number": value}


#: Keys of a job that data_parser v0.0.40 prints, those that say something of places.
MANUAL_JSON = """
job_id name job_state nodes node_count cpus tasks cpus_per_task tasks_per_node tasks_per_core tasks_per_socket
tasks_per_board job_resources account partition required_nodes excluded_nodes sockets_per_node threads_per_core
cores_per_socket max_cpus max_nodes core_spec thread_spec contiguous shared gres_detail tres_per_node het_job_id
het_job_offset array_job_id minimum_switches user_name time_limit
"""


def test_keys_of_squeue_json() -> None:
    assert not set(MANUAL_JSON.split()) - set(JSON)
    base = read(jobs())
    for key, fate in JSON.items():
        if fate != "used":
            text = jobs(**{key: number(3)})
            assert read(text) == base, key
            assert notes(text) == ([f"in jobs and not used: key {key} (1)"] if fate == "noted" else []), key
            # Set to nothing it says nothing.
            assert notes(jobs(**{key: {"set": False, "infinite": True, "number": 3}})) == []
    assert notes(jobs(colour="red")) == ["in jobs and not used: key colour (1)"]
    cores = {"nodes": {"allocation": [{"name": "n0", "cpus": {"count": 1}}, {"name": "n4", "cpus": {"count": 2}}]}}
    for change in (
        {"job_id": 8},
        {"name": "y"},
        {"job_state": ["SUSPENDED"]},
        {"nodes": "n[1,4]"},
        {"cpus": number(8)},
        {"tasks": number(3)},
        {"tasks": number(3), "job_resources": cores},
    ):
        assert read(jobs(**change)) != base, change
    # Two tasks run where the job has two CPUs.
    assert read(jobs(tasks=number(3), job_resources=cores))[0][3] == [1, 2]
    assert read(jobs(tasks=number(3)))[0][3] == [2, 1]
    assert read(jobs(cpus=number(8), cpus_per_task=number(4)))[0][2] == 2
    with pytest.raises(NetloomError, match="a list of 3 nodes"):
        read(jobs(node_count=number(3)))


RECORD = """JobId=7 JobName=x
   UserId=ann(1) GroupId=hpc(1) MCS_label=N/A
   Priority=1 Nice=0 Account=a QOS=normal
   JobState=RUNNING Reason=None Dependency=(null)
   NodeList=n[0,4]
   NumNodes=2 NumCPUs=4 NumTasks=3 CPUs/Task=1 ReqB:S:C:T=0:0:*:*
   Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=*
   Nodes=n0 CPU_IDs=0 Mem=1 GRES=
   Nodes=n4 CPU_IDs=0-2 Mem=1 GRES=
   MinCPUsNode=1 MinMemoryCPU=1G MinTmpDiskNode=0
   OverSubscribe=OK Contiguous=0 Licenses=(null) Network=(null)
   Command=/home/ann/run.sh mode=fast
   WorkDir=/home/ann
"""
MANUAL_SCONTROL = [pair.partition("=")[0] for line in RECORD.splitlines() for pair in line.split() if "=" in pair]


def test_keys_of_scontrol() -> None:
    assert not set(MANUAL_SCONTROL) - set(SCONTROL) - {"mode"}
    [base] = read(RECORD)
    assert base == ("7 x", [0, 4], 3, [1, 2], True) and notes(RECORD) == []
    for key, fate in SCONTROL.items():
        if fate != "used":
            text = f"{RECORD}   {key}=3\n"
            assert read(text) == [base], key
            assert notes(text) == ([f"in jobs and not used: key {key} (1)"] if fate == "noted" else []), key
    for old, new in (
        ("JobId=7", "JobId=8"),
        ("JobName=x", "JobName=y"),
        ("JobState=RUNNING", "JobState=SUSPENDED"),
        ("NumTasks=3", "NumTasks=4"),
        ("CPU_IDs=0-2", "CPU_IDs=0"),
        ("C=0:0:*:*", "C=2:0:*:*"),
    ):
        changed = (
            RECORD.replace("NumTasks=3", "NumTasks=2").replace("CPU_IDs=0 ", "CPU_IDs=0-3 ")
            if ":*:*" in old
            else RECORD
        )
        assert read(changed.replace(old, new)) != [base], old
    told = notes(RECORD.replace("S:C=0:0:*:*", "S:C=0:0:2:1"))
    assert told == ["in jobs and not used: tasks per socket (1), tasks per core (1)"]
    assert notes(f"{RECORD}   Colour=red\n") == ["in jobs and not used: key Colour (1)"]


MANUAL_SINFO = """
AVAIL ACTIVE_FEATURES AVAIL_FEATURES CPUS CPU_LOAD FREE_MEM GROUPS GRES JOB_SIZE MEMORY NODELIST HOSTNAMES NODES
NODES(A/I) NODES(A/I/O/T) CPUS(A/I/O/T) PARTITION OVERSUBS PREEMPT_MODE PRIO_TIER REASON ROOT S:C:T SOCKETS CORES
THREADS STATE TIMELIMIT TIMESTAMP TMP_DISK USER VERSION WEIGHT
"""


def test_columns_of_sinfo(tmp_path: Path) -> None:
    assert not set(MANUAL_SINFO.split()) - set(SINFO)
    base = {"NODELIST": "n[0-5]", "PARTITION": "p", "AVAIL": "up", "STATE": "idle"}

    def free(*rows: dict[str, str], partition: str = "p") -> tuple[set[int], list[str]]:
        text = "|".join(rows[0]) + "\n" + "".join("|".join(row.values()) + "\n" for row in rows)
        path = tmp_path / "sinfo.txt"
        path.write_text(text)
        from netloom.evaluate.node_selection import Allowed

        found, _ = Allowed(path, partition).nodes(NETWORK, 0)
        return set() if found is None else set(found.tolist()), of_states(text, "sinfo.txt")

    there = free(base)
    assert there == (set(range(6)), [])
    for column, fate in SINFO.items():
        if fate != "used":
            found, told = free(base | {column: "3"})
            assert found == there[0], column
            assert told == ([f"in sinfo.txt and not used: column {column} (1)"] if fate == "noted" else []), column
    other = {**base, "NODELIST": "n[6-7]"}
    assert free(base, other)[0] == set(range(8))
    assert free(base, {**other, "STATE": "drained"})[0] == set(range(6))
    assert free(base, {**other, "PARTITION": "q"})[0] == set(range(6))
    assert free(base, {**other, "PARTITION": "q"}, partition="q")[0] == {6, 7}
    assert free(base, {**other, "AVAIL": "down"})[0] == set(range(6))
    assert free(base | {"COLOUR": "red"})[1] == ["in sinfo.txt and not used: column COLOUR (1)"]


def test_what_is_not_used_is_told_where_nodes_are_chosen(tmp_path: Path) -> None:
    path = tmp_path / "sinfo.txt"
    path.write_text("NODELIST|STATE|COLOUR\nn[0-7]|idle|red\n")
    from netloom.evaluate.node_selection import Allowed

    text = "JOBID|NODELIST\n1|n0\n"
    found = ranked_choices(NETWORK, nodes=2, workload="shift(k=1)", jobs=text, allowed=Allowed(path))
    assert any("column COLOUR (1)" in told for told in found[1])


VALUES: dict[str, Any] = {
    "name": "z",
    "nodes": 3,
    "share": "50%",
    "node_list": "n[2,5]",
    "ranks": 3,
    "mapping": None,
    "mapping_format": None,
    "cores": 2,
    "placement": "random(seed=1)",
    "order": "random(seed=2)",
    "workload": "allreduce:ring",
    "size_bytes": 64,
    "root": 1,
    "routing": "minimal",
    "variant": "hashed",
    "start": 1.0,
    "repetitions": 2,
}


def test_keys_of_own_tables_are_used_or_refused() -> None:
    """Each changes what is read; a key that is none is refused with the nearest one."""

    def toml(**keys: object) -> str:
        rows = {"name": "x", "nodes": 2, "workload": "broadcast:binomial"} | keys
        if {"share", "node_list", "mapping"} & set(keys):
            del rows["nodes"]
        return "[[job]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in rows.items())

    def all_of(text: str) -> list[object]:
        job = read_jobs(text, NETWORK)[0]
        rest = (job.workload, job.variant, job.routing, job.root, job.size_bytes, job.start_s, job.repetitions)
        return [*placed(job), *rest, job.endpoint_of_rank().tolist()]

    assert set(VALUES) == set(KEYS)
    base = all_of(toml(cores=2, ranks=4))
    for key, value in VALUES.items():
        if value is not None and key not in ("cores", "nodes", "ranks", "node_list"):
            extra = {"cores": 2, "ranks": 4} if key not in ("share",) else {}
            assert all_of(toml(**extra, **{key: value})) != base, key
    for keys in ({"cores": 2}, {"nodes": 3}, {"ranks": 3, "cores": 2}, {"node_list": "n[2,5]"}):
        assert all_of(toml(**keys)) != all_of(toml()), keys
    for key in HEAD:
        assert key in KEYS or key == "free"
    with pytest.raises(NetloomError, match="did you mean"):
        read_jobs(toml(rank=3), NETWORK)


@pytest.mark.parametrize("line", ["a", "a n0 n1", "a n0 # b\nc"])
def test_lines_have_a_name_and_a_list(line: str) -> None:
    read: Callable[[str], object] = lambda text: read_jobs(text, NETWORK)  # noqa: E731
    with pytest.raises(NetloomError, match="NL-J001"):
        read(f"{line}\n")
