"""Where the runs of a study are computed changes nothing: threads, processes, Dask, parts that are merged."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from netloom import NetloomError, plugin
from netloom.study.backends import check
from netloom.study.run import run_study
from netloom.study.shards import Shard, merge, run_shard, write_array

if TYPE_CHECKING:
    from collections.abc import Callable

STUDY = """
title = "Places"
plugins = ["own.py"]
[[experiment]]
name = "hops"
evaluate = "hops"
[experiment.axes]
network = ["torus(4,4)", "ring(16)"]
ranks = [4, 16]
workload = ["alltoall:pairwise", "fragile", "nearest-ring"]
[[experiment.chart]]
title = "Hops"
kind = "bar"
x = "network"
y = "total_hops"
"""
#: A pattern whose process is killed, the first times that it is asked on 16 ranks.
OWN = """
import multiprocessing, os, pathlib, signal
from netloom import plugin

class Fragile(plugin.Pattern):
    "One message; deadly at times."
    name = "fragile"
    example = "fragile"
    def flows(self, ranks):
        here = pathlib.Path(__file__).parent
        tried = here / f"tried-{ranks}"
        if ranks == 16 and multiprocessing.parent_process() is not None:
            tried.touch()
            with tried.open("a") as file:
                file.write("x")
            if tried.stat().st_size <= int((here / "times").read_text()):
                os.kill(os.getpid(), signal.SIGKILL)
        return [(0, 1, 1, 1)]

plugin.register(Fragile)
"""


def study(folder: Path, times: int = 0) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "own.py").write_text(OWN)
    plugin.trust(folder)
    (folder / "times").write_text(str(times))
    (folder / "study.toml").write_text(STUDY)
    return folder / "study.toml"


def content(folder: Path) -> dict[str, bytes]:
    found = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name: data for name, data in found.items() if not name.startswith("shards")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What threads make of the study."""
    folder = tmp_path_factory.mktemp("whole")
    run_study(study(folder), folder / "out", figures=False)
    return content(folder / "out")


@pytest.mark.parametrize("on", ["processes", "dask"])
def test_same_bytes(on: str, tmp_path: Path, whole: dict[str, bytes]) -> None:
    run_study(study(tmp_path), tmp_path / "out", jobs=2, on=on, figures=False)
    assert content(tmp_path / "out") == whole


@pytest.mark.parametrize("on", ["processes(retries=3)", "dask(retries=3)"])
def test_a_worker_that_dies_takes_its_run_only_and_it_is_tried_again(
    on: str, tmp_path: Path, whole: dict[str, bytes]
) -> None:
    finished = run_study(study(tmp_path, times=2), tmp_path / "out", jobs=2, on=on, figures=False)
    assert finished.problems == [] and content(tmp_path / "out") == whole
    assert (tmp_path / "tried-16").stat().st_size >= 3


def test_a_run_that_always_kills_its_worker_is_listed_and_tried_by_the_next_command(
    tmp_path: Path, whole: dict[str, bytes]
) -> None:
    file = study(tmp_path, times=1000)
    finished = run_study(file, tmp_path / "out", jobs=2, on="processes(retries=1)", figures=False)
    assert len(finished.outcomes["hops"].table.rows) == 10
    (problem,) = finished.problems
    assert "NL-S021" in problem and "lost 2 times: its process ended with signal SIGKILL" in problem
    (tmp_path / "times").write_text("0")
    assert run_study(file, tmp_path / "out", jobs=2, on="processes", figures=False).problems == []
    assert content(tmp_path / "out") == whole


def test_parts_make_the_whole(tmp_path: Path, whole: dict[str, bytes]) -> None:
    file, out = study(tmp_path), tmp_path / "out"
    script = write_array(file, out, 3)[0].read_text()
    assert "#SBATCH --array=1-3" in script and '--shard "$SLURM_ARRAY_TASK_ID/3"' in script
    for number in (1, 3):
        assert run_shard(file, out, Shard(number, 3)) == []
    with pytest.raises(NetloomError, match=r"(?s)NL-S022 2-of-3.*lacks 4 of its 4 runs.*--shard 2/3"):
        merge(out)
    assert not (out / "runs.jsonl").exists()
    run_shard(file, out, Shard(2, 3), jobs=2, on="processes")
    damaged = out / "shards" / "1-of-3" / "runs.jsonl"
    kept = damaged.read_bytes()
    damaged.write_bytes(kept[: len(kept) // 2])
    with pytest.raises(NetloomError, match=r"NL-S022 1-of-3.*lacks [1-4] of its 4 runs"):
        merge(out)
    run_shard(file, out, Shard(1, 3))
    assert damaged.read_bytes() == kept
    merge(out, figures=False)
    assert content(out) == whole


def test_parts_have_every_run_once(tmp_path: Path) -> None:
    from netloom.study import prepare

    plan = prepare(study(tmp_path))
    everything = sorted(run.key for _, run in plan.runs())
    for count in (1, 2, 5, 12):
        assert sorted(key for number in range(1, count + 1) for key in Shard(number, count).keys(plan)) == everything


def test_an_edited_study_is_not_merged(tmp_path: Path) -> None:
    file, out = study(tmp_path), tmp_path / "out"
    write_array(file, out, 2)
    file.write_text(STUDY.replace("ranks = [4, 16]", "ranks = [4]"))
    with pytest.raises(NetloomError, match="was edited"):
        merge(out)
    (out / "shards" / "study.json").write_text(json.dumps({"study": 3}))
    with pytest.raises(NetloomError, match="NL-S022"):
        merge(out)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: check("thread"), 'did you mean "threads"'),
        (lambda: check("http://x:1"), "NL-S017"),
        (lambda: check("tls://x:1/../y"), "NL-S017"),
        (lambda: check("processes(4)"), "arguments by name"),
        (lambda: check("processes(retries=1000)"), "0..100"),
        (lambda: check('slurm(walltime="soon")'), "4:00:00"),
        (lambda: check("slurm(queue=a)"), "partition"),
        (lambda: Shard.parse("0/3"), "NL-A007"),
        (lambda: Shard.parse("4/3"), "NL-A007"),
        (lambda: Shard.parse("1/" + "9" * 5000), "NL-A007"),
        (lambda: Shard.parse("a"), "NL-A007"),
    ],
)
def test_refused(call: Callable[[], object], told: str) -> None:
    with pytest.raises(NetloomError, match=re.escape(told)) as caught:
        call()
    assert all(len(str(fault)) < 400 for fault in caught.value.faults)
