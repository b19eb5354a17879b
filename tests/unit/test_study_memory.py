"""Runs whose memory fits one by one, not together: they follow one another, and none is lost."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from netloom.study import execute
from netloom.study.backends.threads import Threads
from netloom.study.run import run_study
from netloom.study.sealed import Record
from netloom.study.work import MEMORY, Ticket, failed

STUDY = """
title = "Large runs"
[[experiment]]
name = "large"
evaluate = "packet"
[experiment.axes]
network = "torus(4,4)"
workload = "allreduce:ring"
size_bytes = ["1 KiB", "2 KiB", "4 KiB", "8 KiB", "16 KiB", "32 KiB", "64 KiB", "128 KiB"]
"""


class Tight(Threads):
    """Four workers with the memory of `fit` runs; the run of `never` fits nowhere."""

    fit, never = 1, ""
    at_once = tries = most = 0

    def _compute(self, one: Ticket) -> Record:
        with lock:
            Tight.tries += 1
            if Tight.at_once >= self.fit or str(one.calls["size_bytes"]) == self.never:
                return failed(one, MEMORY, "a run needs more", "fewer jobs")
            Tight.at_once += 1
            Tight.most = max(Tight.most, Tight.at_once)
        time.sleep(0.01)
        try:
            return super()._compute(one)
        finally:
            with lock:
                Tight.at_once -= 1


lock = threading.Lock()


@pytest.mark.parametrize("fit", [1, 2, 3])
@pytest.mark.parametrize("never", ["", "65536"])
def test_a_run_that_fits_alone_is_computed(
    fit: int, never: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tight, "fit", fit)
    monkeypatch.setattr(Tight, "never", never)
    monkeypatch.setattr(Tight, "tries", 0)
    monkeypatch.setattr(Tight, "most", 0)
    monkeypatch.setattr(execute, "backend", lambda _on, calls, _jobs: Tight(calls, 4))
    (tmp_path / "s.toml").write_text(STUDY)
    run_study(tmp_path / "s.toml", tmp_path / "out", figures=False, jobs=4)
    rows = (tmp_path / "out" / "tables" / "large.csv").read_text().splitlines()[1:]
    assert len(rows) == 8 - bool(never) and not any("64 KiB" in row for row in rows if never)
    assert Tight.most <= fit
    # Eight that run, and for each at most those that were beside it and one that waits.
    assert Tight.tries <= 40
