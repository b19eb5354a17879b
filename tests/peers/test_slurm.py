"""A study under a real Slurm: as a job array and through dask-jobqueue, with the bytes of a run on this machine."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import slurm

REASON = slurm.missing()
pytestmark = pytest.mark.skipif(REASON is not None, reason=str(REASON))
STUDY = """
title = "Places"
[[experiment]]
name = "hops"
evaluate = "hops"
[experiment.axes]
network = ["torus(4,4)", "ring(16)", "hypercube(4)"]
ranks = [4, 8, 16]
workload = ["alltoall:pairwise", "allreduce:ring"]
[[experiment.chart]]
title = "Hops"
kind = "bar"
x = "network"
y = "total_hops"
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The commands of netloom are found by the jobs as they are here."""
    with slurm.cluster(tmp_path_factory.mktemp("slurm")) as found:
        yield found | {"PATH": f"{sysconfig.get_path('scripts')}:{found['PATH']}"}


def netloom(environment: dict[str, str], folder: Path, *words: str) -> None:
    """Jobs of Slurm leave their logs in the folder."""
    command = [sys.executable, "-m", "netloom", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, cwd=folder)
    assert done.returncode == 0, done.stderr


def results(folder: Path) -> dict[str, bytes]:
    """All that a study leaves but the parts of an array."""
    files = (path for path in folder.rglob("*") if path.is_file() and "shards" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> tuple[Path, dict[str, bytes]]:
    """The study, and what a run without Slurm leaves."""
    folder = tmp_path_factory.mktemp("study")
    study = folder / "places.toml"
    study.write_text(STUDY)
    netloom(environment, folder, "run", str(study), "-o", str(folder / "out"), "--no-figures", "-q")
    found = results(folder / "out")
    assert "report.html" in found and "runs.jsonl" in found
    return study, found


def test_a_job_array_and_merge(
    tmp_path: Path, environment: dict[str, str], here: tuple[Path, dict[str, bytes]]
) -> None:
    study, expected = here
    out = tmp_path / "out"
    netloom(environment, tmp_path, "run", str(study), "-o", str(out), "--shards", "4", "--emit", "slurm-array")
    slurm.submit(out / "shards" / "array.sbatch", environment)
    netloom(environment, tmp_path, "merge", str(out), "--no-figures")
    assert results(out) == expected


def test_workers_through_dask_jobqueue(
    tmp_path: Path, environment: dict[str, str], here: tuple[Path, dict[str, bytes]]
) -> None:
    pytest.importorskip("dask_jobqueue")
    study, expected = here
    place = 'slurm(partition=test,walltime="0:10:00",memory="500MB")'
    netloom(
        environment,
        tmp_path,
        "run",
        str(study),
        "-o",
        str(tmp_path / "out"),
        "--no-figures",
        "-q",
        "--on",
        place,
        "-j",
        "2",
    )
    assert results(tmp_path / "out") == expected


@pytest.mark.parametrize("wrong", ["partition=absent", 'memory="900GB"'])
def test_jobs_that_slurm_refuses_are_refused_before_the_study(
    tmp_path: Path, environment: dict[str, str], here: tuple[Path, dict[str, bytes]], wrong: str
) -> None:
    pytest.importorskip("dask_jobqueue")
    command = [sys.executable, "-m", "netloom", "run", str(here[0]), "-o", str(tmp_path / "out"), "-q"]
    done = subprocess.run(
        [*command, "--on", f"slurm({wrong})"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
    )
    assert done.returncode == 2 and "NL-S018 --on slurm" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
