"""Where the system gives no thread or no process: the calling thread works, or one line says what is missing."""

from __future__ import annotations

import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from netloom.base.errors import NetloomError
from netloom.explore.server import Server
from netloom.scenario import Scenario
from netloom.study.backends import processes
from netloom.study.backends.base import Pooled
from netloom.study.run import run_study

STUDY = """
title = "Three networks"
[[experiment]]
name = "a"
evaluate = "hops"
[experiment.axes]
network = ["torus(4,4)", "hypercube(4)", "ring(16)"]
workload = ["alltoall:bruck"]
"""


@pytest.fixture
def no_threads(monkeypatch):
    def refused(self):
        raise RuntimeError("can't start new thread")

    def until_here():
        monkeypatch.setattr(threading.Thread, "start", refused)

    return until_here


def test_runs_of_a_study_are_computed_by_the_calling_thread(tmp_path, no_threads):
    study = tmp_path / "study.toml"
    study.write_text(STUDY)
    expected = run_study(study, tmp_path / "threads", jobs=2, figures=False)
    no_threads()
    found = run_study(study, tmp_path / "none", jobs=2, figures=False)
    assert not found.problems
    assert found.outcomes["a"].table.rows == expected.outcomes["a"].table.rows


def test_what_a_run_raises_is_in_its_future(no_threads):
    def compute(one):
        raise ValueError(one)

    no_threads()
    future = Pooled(ThreadPoolExecutor(1), compute).submit("ticket")
    assert str(future.exception()) == "ticket"


def test_no_process_is_one_line(tmp_path, monkeypatch):
    def refused():
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(processes, "_Child", refused)
    study = tmp_path / "study.toml"
    study.write_text(STUDY)
    with pytest.raises(NetloomError) as caught:
        run_study(study, tmp_path / "out", jobs=2, on="processes", figures=False)
    (fault,) = caught.value.faults
    assert (fault.code, fault.place) == ("NL-S018", "--on processes")
    assert "--on threads" in fault.hint


def test_the_explorer_answers_one_after_another(tmp_path, monkeypatch):
    server = Server(Scenario("torus(4,4)"), tmp_path)
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    serving.start()

    def refused(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    try:
        # More often than there may be connections: each is let go.
        for _ in range(40):
            with urllib.request.urlopen(server.address, timeout=5) as page:
                assert page.status == 200
    finally:
        server.shutdown()
        server.server_close()
