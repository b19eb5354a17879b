"""What a person who waits for a study is told: which runs are under way, for how long, and when all is done."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from netloom.cli.run import Watcher
from netloom.scenario import Workshop
from netloom.study import execute, prepare, standing
from netloom.study.journal import Journal
from netloom.study.sealed import Record
from netloom.study.standing import Forecast, Standing, UnderWay
from netloom.study.work import Ticket, compute

STUDY = """
title = "Waiting"
[[experiment]]
name = "hops"
evaluate = "hops"
[experiment.axes]
network = ["ring(8)", "ring(16)", "ring(32)"]
workload = "allreduce:ring"
"""


class Slow:
    """Two workers that end nothing until they are told to."""

    room, cores, widest, retries, place = 4, 2, 2, 0, ""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop, self.held = workshop, True
        self.given: list[tuple[Ticket, Future[Record]]] = []

    def submit(self, one: Ticket) -> Future[Record]:
        future: Future[Record] = Future()
        self.given.append((one, future))
        if not self.held:
            self.go_on()
        return future

    def go_on(self) -> None:
        self.held = False
        for one, future in self.given:
            if not future.done():
                future.set_result(compute(one, self.workshop, lambda *_: None))

    def tend(self) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...


class Clock:
    """Time that stands still until it is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(standing.time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    with monkeypatch.context() as patch:
        yield Clock(patch)


def test_before_the_first_run_ends_those_under_way_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(execute, "BEAT", 0.0)
    (tmp_path / "s.toml").write_text(STUDY)
    plan = prepare(tmp_path / "s.toml")
    workers = Slow(Workshop(plan.calls))
    monkeypatch.setattr(execute, "backend", lambda *_: workers)
    told: list[Standing] = []

    def report(now: Standing) -> None:
        told.append(replace(now, under_way=list(now.under_way)))
        if len(told) == 3:
            workers.go_on()

    with Journal(tmp_path / "out", plan.loaded.digest, plan.version) as journal:
        execute.execute(plan, journal, report=report)
    waited = told[:3]
    assert [now.done for now in waited] == [0, 0, 0] and all(now.total == 3 for now in told)
    for now in waited:
        assert [run.name for run in now.under_way] == ["hops network=ring(32)", "hops network=ring(16)"]
        assert now.left_s is None or now.guessed, "nothing was measured"
    assert waited[0].under_way == waited[2].under_way, "since the same time"
    assert told[-1].done == 3 and list(told[-1].under_way) == [] and not told[-1].guessed


def test_the_end_is_foretold_from_costs_and_then_from_runs(clock: Clock) -> None:
    seen = Forecast(ahead=100.0, longest=30.0, begin=0.0)
    assert seen.left(cores=2) == 50.0 and seen.left(cores=10) == 30.0 and seen.left(cores=0) == 100.0
    clock.now = 20.0
    assert seen.left(cores=2) == 30.0
    clock.now = 60.0
    assert seen.left(cores=2) is None, "it should have ended"
    seen.ended(40.0)
    assert seen.left(cores=2) == 90.0, "60 s for 40 % of it"
    clock.now = 70.0
    assert seen.left(cores=2) == 80.0


def test_lines_of_a_log_name_what_takes_long(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    watcher = Watcher(lambda *_: None, quiet=False)
    runs = [UnderWay("a network=ring(8)", 0.0), UnderWay("a network=ring(9)", 0.0), UnderWay("b", 0.0)]
    now = Standing(0, 20, under_way=runs[:2], left_s=40.0, guessed=True)
    for second in range(35):
        clock.now = float(second)
        watcher(replace(now, left_s=40.0 - second))
    clock.now = 35.0
    watcher(replace(now, done=2, experiment="a", under_way=runs, left_s=20.0, guessed=False, spent_s=60.0))
    assert capsys.readouterr().err.splitlines() == [
        "0 of 20 runs, about 40.0 s left (a guess: no such runs were measured here yet), "
        "2 under way: a network=ring(8); a network=ring(9)",
        "0 of 20 runs, about 30.0 s left (a guess: no such runs were measured here yet), "
        "2 under way: a network=ring(8) (10.0 s); a network=ring(9) (10.0 s)",
        "0 of 20 runs, about 10.0 s left (a guess: no such runs were measured here yet), "
        "2 under way: a network=ring(8) (30.0 s); a network=ring(9) (30.0 s)",
        "2 of 20 runs (a), 60.0 s of cores, about 20.0 s left",
    ]


def test_of_many_runs_the_longest_are_named(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    clock.now = 100.0
    runs = [UnderWay(f"r{at}", 90.0 - at) for at in range(5)]
    Watcher(lambda *_: None, quiet=False)(Standing(0, 9, under_way=runs))
    assert capsys.readouterr().err == "0 of 9 runs, 5 under way: r4 (14.0 s); r3 (13.0 s); ...\n"
