"""The journal of a study: the same bytes whichever run ends first."""

from __future__ import annotations

from pathlib import Path

from netloom.study.journal import Journal
from netloom.study.run import run_study

STUDY = """
title = "Order"
[[experiment]]
name = "hops"
evaluate = "hops"
[experiment.axes]
network = ["torus(4,4)", "ring(16)", "hypercube(4)"]
ranks = [4, 8, 16]
placement = ["linear", "random(seed=1)", "random(seed=2)"]
workload = ["alltoall:pairwise", "broadcast:binomial"]
"""


def test_two_runs_of_a_study_leave_the_same_journal(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    journals = []
    for jobs in (1, 4):
        run_study(tmp_path / "study.toml", tmp_path / f"out{jobs}", jobs=jobs, figures=False)
        journals.append((tmp_path / f"out{jobs}" / "runs.jsonl").read_bytes())
    assert journals[0] == journals[1] and journals[0].count(b"\n") == 1 + 54


def test_records_in_another_order_are_settled_and_none_is_lost(tmp_path: Path) -> None:
    with Journal(tmp_path, "digest", "version") as journal:
        for key in ("c", "a", "b", "z", "y"):
            journal.add({"key": key, "status": "done"})
        journal.settle(["a", "b", "c"])
    lines = (tmp_path / "runs.jsonl").read_bytes().splitlines()
    assert [line[8:9] for line in lines[1:]] == [b"a", b"b", b"c", b"y", b"z"]
    with Journal(tmp_path, "digest", "version") as journal:
        assert set(journal.done) == {"a", "b", "c", "y", "z"}
        journal.add({"key": "x", "status": "done"})
    assert (tmp_path / "runs.jsonl").read_bytes().count(b"\n") == 7
    assert [path.name for path in tmp_path.iterdir()] == ["runs.jsonl"]
