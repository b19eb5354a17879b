"""Formats of lists of jobs: rows of the registry, recognised, and TOML read as it was written."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import netloom
from netloom.jobs.formats import FORMATS, find, recognise

SAMPLES = {
    "jobs-toml": '[[job]]\nname = "a"\nnodes = 4\n',
    "squeue-json": '{"jobs": [{"job_id": 7, "name": "a", "nodes": "n[0-3]", "job_state": ["RUNNING"]}]}\n',
    "scontrol": "JobId=7 JobName=a\n   JobState=RUNNING NodeList=n[0-3] NumNodes=4 NumCPUs=4 NumTasks=4\n",
    "squeue": "JOBID NAME STATE NODES CPUS NODELIST\n7 a RUNNING 4 4 n[0-3]\n",
    "tracer": "NA\n1\na.goal NA 4 1\n",
    "jobs-list": "a n[0-3]\n",
}


def test_every_format_is_listed() -> None:
    listed = {row["name"]: row for row in netloom.catalogue("formats")}
    assert set(SAMPLES) == {row.name for row in FORMATS} <= set(listed)
    assert len(listed) == len(netloom.catalogue("formats"))
    page = (Path(__file__).parents[2] / "docs/reference/formats.md").read_text()
    for name in SAMPLES:
        row = listed[name]
        assert row["summary"] and row["source"] and row["restrictions"] and row["example"] == name
        assert f"| `{name}` |" in page


@pytest.mark.parametrize("name", SAMPLES)
def test_a_format_is_recognised_and_read(name: str) -> None:
    assert recognise(SAMPLES[name], "jobs").name == name
    for said in (None, name, *find(name, "x").aliases):
        (job,) = netloom.read(SAMPLES[name], "jobs", network="torus(4,4)", format=said)
        assert list(job.endpoints) == [0, 1, 2, 3] and "a" in job.name


def test_unknown_formats_are_refused() -> None:
    for call, words in (
        (lambda: netloom.read(SAMPLES["squeue"], "jobs", network="torus(4,4)", format="sqeue"), "squeue"),
        (lambda: netloom.write([{"nodes": 4}], "x", format="squeue"), "jobs-toml"),
    ):
        with pytest.raises(netloom.NetloomError) as caught:
            call()
        assert caught.value.faults[0].code == "NL-A007" and words in str(caught.value)
    with pytest.raises(netloom.NetloomError) as caught:
        netloom.write([netloom.Job(workload=netloom.workload("broadcast:binomial", 8), nodes=2)], "x")
    assert "job 1.workload" in str(caught.value)


def test_jobs_are_read_as_they_were_written(tmp_path: Path) -> None:
    draw = random.Random(5)
    words = ('a "quoted" \\ name', "é\t1", "stencil(4,2)", "broadcast:binomial", "plain")
    path = tmp_path / "jobs.toml"
    for _ in range(100):
        jobs = []
        for number in range(draw.randint(1, 3)):
            keys: dict[str, Any] = {"name": f"{draw.choice(words)} {number}", "workload": draw.choice(words[2:])}
            keys |= draw.choice(
                ({"nodes": 2}, {"share": "25%"}, {"ranks": 3}, {"node_list": [4 * number, 4 * number + 1]})
            )
            size = {"size_bytes": "1 MiB"} if ":" in keys["workload"] else {}
            keys |= draw.choice(({}, {"start": "1 ms"}, {"start": 0.25}, {"repetitions": 3}, size))
            jobs.append(netloom.Job(**keys))
        netloom.write(jobs, path)
        again = netloom.read(path, "jobs", network="torus(4,4)")
        direct = netloom.jobs.place_rows(jobs, netloom.network("torus(4,4)"))
        assert [job.to_row() for job in again] == [job.to_row() for job in direct]
