"""What squeue prints in its other forms: blank columns, the date and the cut states of `-l`, shared nodes."""

from __future__ import annotations

import pytest

from netloom import _core
from netloom.base.errors import NetloomError
from netloom.jobs import read_jobs

TOPOLOGY = "SwitchName=leaf1 Nodes=gpu[001-004]\nSwitchName=leaf2 Nodes=gpu[005-008]\nSwitchName=top Switches=leaf[1-2]"
NETWORK = _core.Network.read(TOPOLOGY.encode(), "top.conf", "slurm")


def taken(text: str) -> list[tuple[str, list[int]]]:
    return [(job.name, job.endpoints.tolist()) for job in read_jobs(text, NETWORK)]


def refused(text: str, *mentions: str) -> None:
    with pytest.raises(NetloomError) as caught:
        read_jobs(text, NETWORK)
    for words in mentions:
        assert words in str(caught.value), caught.value


def test_no_running_job_is_dropped_for_a_blank_column() -> None:
    full = "JOBID COMMENT NODELIST\n4711 x gpu[001-003]\n4712 hi gpu[004-006]\n"
    assert taken(full) == [("4711", [0, 1, 2]), ("4712", [3, 4, 5])]
    refused(full.replace(" x ", " "), "jobs:2", "3 fields", "got 2", "a blank column")
    state = "JOBID STATE COMMENT NODELIST\n1 RUNNING gpu001\n2 RUNNING x gpu002\n"
    refused(state, "jobs:2", "4 fields", "got 3")
    # Between bars a blank one has its place, and of a job that waits the nodes are blank.
    assert taken("JOBID|COMMENT|NODELIST\n4711||gpu001\n4712|hi|\n") == [("4711", [0])]
    assert taken(state.replace("1 RUNNING gpu001", "1 PENDING x")) == [("2", [1])]


LONG = """\
Sun Nov 22 17:00:00 2026
             JOBID PARTITION     NAME     USER    STATE       TIME TIME_LIMI  NODES NODELIST(REASON)
                41     batch     wrf1      ann  RUNNING       5:01   1:00:00      2 gpu[001-002]
                42     batch     wrf2      ann COMPLETI       5:01   1:00:00      2 gpu[003-004]
                43     batch     wrf3      bob SUSPENDE       5:01   1:00:00      2 gpu[005-006]
                44     batch     wrf4      bob REQUEUE_       0:00   1:00:00      2 (Resources)
"""


def test_the_long_form_begins_with_a_date_and_cuts_states() -> None:
    assert taken(LONG) == [("41 wrf1", [0, 1])]
    assert taken(LONG.replace("Nov 22", "Nov  2").replace(" RUNNING", " RUNNI")) == [("41 wrf1", [0, 1])]
    # Two letters may be a part of anything.
    refused(LONG.replace("SUSPENDE", "SU"), "jobs:5", "a job's state")
    refused(LONG.replace("SUSPENDE", "SUSPECTS"), "jobs:5", "a job's state")


def test_nodes_that_two_jobs_share_need_their_cores() -> None:
    table = "JOBID NAME NODELIST\n1 a gpu[001-002]\n2 b gpu[002-003]\n"
    refused(table, "NL-M018", 'endpoint 1 (gpu002) belongs to job "1 a" too', "scontrol show job -d")
    # A list that somebody wrote is wrong.
    refused("a gpu[001-002]\nb gpu[002-003]\n", "NL-M018", "give each job different endpoints")


def test_one_rank_is_no_plural() -> None:
    refused(
        "JOBID NAME TASKS NTASKS_PER_NODE NODELIST\n1 a 2 1 gpu001\n", "at most 1 rank: 1 endpoint of 1 core, got 2"
    )


@pytest.mark.parametrize(
    ("state", "sends"),
    [("R", True), ("CF", True), ("CONFIGURING", True), ("CONFIGUR", True), ("CG", False), ("COMPLETI", False),
     ("S", False), ("SUSPENDED", False), ("ST", False), ("PD", None), ("COMPLETED", None), ("F", None)],
)  # fmt: skip
def test_a_job_has_its_nodes_from_configuring_until_it_has_completed(state: str, sends: bool | None) -> None:
    text = f"JOBID ST NODELIST\n1 R gpu008\n2 {state} gpu[001-003]\n"
    held = {job.name: (job.endpoints.tolist(), job.sends) for job in read_jobs(text, NETWORK, holding=True)}
    assert held == {"1": ([7], True)} | ({} if sends is None else {"2": ([0, 1, 2], sends)})
    assert [name for name, _ in taken(text)] == ["1", "2"][: 2 if sends else 1]


@pytest.mark.parametrize(
    ("states", "sends"),
    [(["RUNNING"], True), (["RUNNING", "CONFIGURING"], True), (["COMPLETED", "COMPLETING"], False),
     (["SUSPENDED"], False), (["PENDING"], None), (["COMPLETED"], None)],
)  # fmt: skip
def test_flags_of_a_state_count(states: list[str], sends: bool | None) -> None:
    import json

    jobs = [{"job_id": 1, "job_state": ["RUNNING"], "nodes": "gpu008"}, {"job_id": 2, "job_state": states}]
    jobs[1]["nodes"] = "gpu[001-002]"
    held = {job.name: job.sends for job in read_jobs(json.dumps({"jobs": jobs}) + "\n", NETWORK, holding=True)}
    assert held == {"1": True} | ({} if sends is None else {"2": sends})


def test_a_suspended_job_shares_its_nodes_with_one_that_runs() -> None:
    text = "JOBID ST NODELIST\n1 S gpu[001-004]\n2 R gpu[001-002]\n"
    assert taken(text) == [("2", [0, 1])]
    assert [job.name for job in read_jobs(text, NETWORK, holding=True)] == ["2", "1"]
    refused("JOBID ST NODELIST\n1 S gpu[001-004]\n", "NL-J006")
    with pytest.raises(NetloomError, match="gpu099"):
        read_jobs("JOBID ST NODELIST\n1 S gpu099\n2 R gpu001\n", NETWORK, holding=True)
