"""Studies of sections 3.2 and 8.1 that run for minutes to hours: what they would refuse shows here."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import netloom
from netloom.study import prepare
from netloom.workload import stream

EXAMPLES = Path(__file__).parents[3] / "examples"
STUDIES = (
    *("linkload", "linkload-full", "linkload-full-m2m"),
    *("linkload-full-spread", "linkload-full-workloads", "linkload-full-adaptive"),
)


@cache
def machine(text: str) -> netloom.Network:
    return netloom.network(text)


@pytest.mark.parametrize("study", STUDIES)
def test_patterns_have_as_many_ranks_as_their_jobs(study: str) -> None:
    """Tables 3.3 and 3.4: grids of processes fill their jobs, and the jobs of a workload fill the machine."""
    seen = set()
    for _, run in prepare(EXAMPLES / f"{study}.toml").runs():
        calls = run.calls
        case = (calls["network"], calls["jobs"], calls["workload"], calls["ranks"])
        if case in seen:
            continue
        seen.add(case)
        network, jobs, workload, ranks = map(str, case)
        net = machine(network)
        cores = net.endpoints * 24
        if not jobs:
            stream(workload, cores if ranks == "all" else int(ranks))
            continue
        listed = netloom.read(jobs, "jobs", network=net, cores=24, placement="linear")
        for job in listed:
            assert job.workload
            stream(job.workload, job.ranks)
        assert sum(job.ranks for job in listed) == cores
    assert seen
