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
