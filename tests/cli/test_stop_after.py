"""`--stop-after` ends every command in time, with what is known so far."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import sleep

import click
import pytest

from netloom.base.stopping import Stopped, _under_way, require_time, stopping
from netloom.cli.app import cli

Run = Callable[..., tuple[int, str, str]]

#: Commands whose work is done before anybody could stop it.
QUICK = {
    "size",
    "node",
    "enumerate",
    "merge",
    "index",
    "convert",
    "extrapolate",
    "list",
    "completion",
    "man",
    "explain",
    "gained",
}
#: Those that are as long as the MPI program that they start, or are a part of.
PROGRAMS = {"record", "reorder", "verify-mapping", "run-schedule", "bench-orders"}
#: The one that goes on until it is left.
SERVES = {"explore"}

LONG = ("-n", "torus(64,64)", "-c", "alltoall:pairwise", "-q")
#: Its network alone takes a second.
SLOW = (*LONG, "-n", "random_regular(16384,degree=16,seed=1)")
#: Questions of seconds, of which nothing is known after a tenth of one.
NOTHING = {
    "hops": SLOW,
    "loads": SLOW,
    "verify": ("allreduce:ring", "--ranks", "16384", "-q"),
    "compare": ("torus(64,64)", "torus(32,32)", "-c", "alltoall:pairwise", "-q"),
    "compare-models": SLOW,
    "collectives": ("-n", "torus(32,32)", "-c", "alltoall", "--algorithms", "alltoall:pairwise", "-q"),
    "describe": ("random_regular(60000,degree=16,seed=1)", "-q"),
}


def test_every_command_that_can_take_long_has_it() -> None:
    ctx = click.Context(cli)
    commands = {name: cli.get_command(ctx, name) for name in cli.list_commands(ctx)}
    have = {
        name
        for name, one in commands.items()
        if one is not None and any("--stop-after" in param.opts for param in one.params)
    }
    assert have == set(commands) - QUICK - PROGRAMS - SERVES


@pytest.mark.parametrize("command", NOTHING)
def test_nothing_is_known_yet(netloom: Run, command: str) -> None:
    code, out, err = netloom(command, *NOTHING[command], "--stop-after", "0.1")
    assert (code, out) == (2, "")
    fault = err[err.index("error: ") :]
    assert fault.startswith("error: NL-E004 --stop-after: nothing is known after 0.1 s\n  hint: ")
    assert len(fault.splitlines()) == 2


def test_a_time_that_is_over_before_the_work_begins(netloom: Run) -> None:
    code, out, err = netloom("hops", "-n", "ring(4)", "-c", "alltoall:bruck", "--stop-after", "1e-6", "-q")
    assert (code, out) == (2, "") and "NL-E004 --stop-after: nothing is known after 1e-06 s" in err


@pytest.mark.parametrize("seconds", ["0", "-1", "soon", "nan"])
def test_a_time_is_a_number_above_zero(netloom: Run, seconds: str) -> None:
    code, out, err = netloom("hops", "-n", "ring(4)", "-c", "alltoall:bruck", "--stop-after", seconds)
    assert (code, out) == (2, "") and "NL-A007 --stop-after must be a number > 0" in err


@pytest.fixture
def stops(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """Time is over in a function's next call after some."""

    def made(path: str, calls: int) -> None:
        place, _, name = path.rpartition(".")
        module, done = import_module(place), list[str]()
        before = getattr(module, name)

        def function(*args: object, **more: object) -> object:
            done.append(name)
            if len(done) > calls:
                _under_way[-1].stop()
            return before(*args, **more)

        monkeypatch.setattr(module, name, function)

    return made


LIMIT = ("-q", "--json", "--stop-after", "600")


def test_verify_gives_the_roots_that_it_has_proved(netloom: Run, stops: Callable[[str, int], None]) -> None:
    stops("netloom.cli.verify._made", 4)
    code, out, err = netloom("verify", "broadcast:binomial", "--ranks", "8", "--root", "all", *LIMIT)
    found = json.loads(out)
    assert code == 2 and found["proved"] is False and found["stopped_s"] == 600.0 and not found["refuted"]
    # The schedule of the first root is made three times: it is counted, proved, and turned.
    assert 0 < len(found["roots"]) < 8
    assert f"note: stopped after 600 s: {len(found['roots'])} of 8 roots were examined" in err


def test_verify_gives_the_numbers_of_ranks_that_it_has_proved(netloom: Run, stops: Callable[[str, int], None]) -> None:
    stops("netloom.cli.verify._prove", 2)
    code, out, err = netloom("verify", "allgather:ring", "--ranks", "2:9", *LIMIT)
    found = json.loads(out)
    assert code == 2 and found["proved"] is False and found["stopped_s"] == 600.0
    assert [(case["ranks"], case["proved"]) for case in found["cases"]] == [(2, True), (3, True)]
    assert "2 of 8 numbers of ranks were examined" in err


def test_a_sweep_of_steps_gives_the_splits_that_were_simulated(netloom: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from netloom.training import Planner

    done, before = list[object](), Planner.simulated

    def simulated(planner: Planner, split: object) -> object:
        done.append(split)
        if len(done) > 2:
            _under_way[-1].stop()
        return before(planner, split)  # type: ignore[arg-type]

    monkeypatch.setattr(Planner, "simulated", simulated)
    line = ("step", "llama3-8b", "--machine", "dgx-h100", "--gpus", "16", "--global-batch", "32", "--sweep")
    code, out, _ = netloom(*line, *LIMIT)
    found = json.loads(out)
    assert code == 0 and found["stopped_s"] == 600.0
    assert sum(row["step_s"] is not None for row in found["splits"]) == 2


def test_compare_gives_the_networks_that_are_done(netloom: Run, stops: Callable[[str, int], None]) -> None:
    stops("netloom.compare.timed", 1)
    code, out, err = netloom("compare", "ring(4)", "torus(4,4)", "-c", "alltoall:pairwise", *LIMIT)
    assert code == 0 and [row["network"] for row in json.loads(out)] == ["ring(4)"]
    assert "note: stopped after 600 s: 1 network compared, the others are not shown" in err


def test_loads_gives_the_choices_that_are_done(netloom: Run, stops: Callable[[str, int], None]) -> None:
    stops("netloom.evaluate.answer", 1)
    line = ("loads", "-n", "torus(4,4)", "-t", "all-pairs", "-v", "static-direct", "-v", "adaptive-hybrid")
    code, out, err = netloom(*line, *LIMIT)
    found = json.loads(out)
    assert code == 0 and [row["variant"] for row in found["ranking"]] == ["static-direct"]
    assert found["stopped_s"] == 600.0 and "note: stopped after 600 s: 1 of 2 choices" in err


def test_models_that_were_not_asked_say_so(netloom: Run, stops: Callable[[str, int], None]) -> None:
    stops("netloom.compare.models._asked", 2)
    code, out, _ = netloom("compare-models", "-n", "torus(4,4)", "-c", "alltoall:pairwise", *LIMIT)
    found = json.loads(out)
    rungs = {one["rung"]: one for one in found["rungs"]}
    assert code == 0 and found["stopped_s"] == 600.0
    assert rungs["loads"]["time_s"] > 0 and rungs["packet"]["time_s"] is None
    assert rungs["packet"]["refused"] == "NL-E004 time: was over before its end"


def test_describe_leaves_the_bisection_out(netloom: Run, stops: Callable[[str, int], None]) -> None:
    stops("netloom.cli.describe.endpoint_bisection", 0)
    code, out, err = netloom("describe", "torus(4,4)", *LIMIT)
    found = json.loads(out)
    assert code == 0 and found["diameter"] == 4 and found["cost"]["total_usd"] > 0
    assert "bisection" not in found and found["stopped_s"] == 600.0
    assert "note: stopped after 600 s: the bisection is not known" in err


class Slow:
    """A clock that is stopped at one simulation."""

    def __init__(self, at: int) -> None:
        self.calls, self.at = 0, at

    def __call__(self, *args: object, **more: object) -> dict[str, object]:
        self.calls += 1
        if self.calls > self.at:
            _under_way[-1].stop()
        return {"time_s": float(self.calls), "finish_s": [1.0]}


@pytest.mark.parametrize(
    ("at", "sizes", "algorithms"),
    [(1, [1024], 1), (2, [1024], 2), (3, [1024], 2), (5, [1024, 2048], 2)],
)
def test_collectives_gives_whole_sizes(
    netloom: Run, monkeypatch: pytest.MonkeyPatch, at: int, sizes: list[int], algorithms: int
) -> None:
    """Of the first size also the algorithms that are done."""
    clock = Slow(at)
    monkeypatch.setattr("netloom.tuning.tables.simulated", lambda machine=None: clock)
    two = "allreduce:ring,allreduce:recursive-doubling"
    line = ("collectives", "-n", "torus(4,4)", "--algorithms", two, "--sizes", "1KiB,2KiB,4KiB")
    code, out, _ = netloom(*line, *LIMIT)
    (found,) = json.loads(out)["collectives"]
    assert code == 0 and sorted({row["size_bytes"] for row in found["rows"]}) == sizes
    assert len({row["algorithm"] for row in found["rows"]}) == algorithms
    assert [one["reason"] for one in found["skipped"]] == ["there was no time for it"] * (2 - algorithms)


STUDY = """title = "t"
[[experiment]]
name = "m"
evaluate = "time"
[experiment.axes]
network = ["ring(8)", "torus(32,32)"]
workload = ["alltoall:pairwise"]
size_bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
"""


def test_a_study_keeps_what_is_done_and_goes_on(netloom: Run) -> None:
    Path("study.toml").write_text(STUDY)
    code, out, err = netloom("run", "study.toml", "-q", "-j", "1", "--stop-after", "0.5")
    assert (code, out) == (130, "")
    assert "stopped after 0.5 s; finished runs are kept. Go on with: netloom run study.toml" in err


def measured(sizes: int) -> str:
    """Of four numbers of nodes."""
    return "collective,algorithm,library,nodes,ranks_per_node,bytes,time_s\n" + "".join(
        f"allgather,ring,,{nodes},2,{size},{1e-4 * (1 + size / 1e5)}\n"
        for nodes in (2, 3, 4, 5)
        for size in (1 << (8 + at) for at in range(sizes))
    )


def test_measurements_are_validated_row_by_row(netloom: Run, stops: Callable[[str, int], None]) -> None:
    stops("netloom.validation.held.time_s", 3)
    Path("times.csv").write_text(measured(3))
    code, out, err = netloom("validate", "times.csv", "--machine", "generic-hdr", *LIMIT)
    found = json.loads(out)
    assert code == 0 and found["stopped_s"] == 600.0 and found["rows_used"] == 3
    assert found["not_used"] == [{"reason": "there was no time for it", "rows": 9}]
    assert "note: stopped after 600 s: the first 3 rows; the others are not used" in err


@pytest.mark.parametrize(("function", "calls", "rows"), [("held._held", 3, 3), ("explain.Predictor", 1, 12)])
def test_measurements_are_held_row_by_row_and_faults_tried_one_by_one(
    netloom: Run, stops: Callable[[str, int], None], function: str, calls: int, rows: int
) -> None:
    stops(f"netloom.expectation.{function}", calls)
    Path("times.csv").write_text(measured(3))
    code, out, err = netloom("expect", "times.csv", "--machine", "generic-hdr", *LIMIT)
    found = json.loads(out)
    assert code == 0 and found["stopped_s"] == 600.0 and len(found["rows"]) == rows
    assert f"note: stopped after 600 s: {rows} rows; faults that could explain them were not all tried" in err
    over = "there was no time " + ("for it" if rows < 12 else "to try it")
    assert over in out


def test_a_fit_goes_without_its_trials(netloom: Run, stops: Callable[[str, int], None]) -> None:
    pytest.importorskip("scipy")
    stops("netloom.validation.fit._solved", 1)
    Path("times.csv").write_text(measured(10))
    code, out, err = netloom("calibrate", "times.csv", "--machine", "generic-hdr", *LIMIT)
    found = json.loads(out)
    assert code == 0 and found["stopped_s"] == 600.0 and found["held_out"] is None
    assert "note: stopped after 600 s: the costs are fitted" in err


def test_an_alarm_waits_for_imports_and_comes_again() -> None:
    """Python code that never asks, and a loop that does."""
    with pytest.raises(Stopped), stopping(0.01):
        while True:
            pass
    with pytest.raises(Stopped), stopping(0.01, alarm=False):
        while True:
            require_time()
    with stopping(None) as clock:
        require_time()
    assert not clock.stopped


def test_an_alarm_is_over_with_its_work() -> None:
    with stopping(0.05) as clock:
        pass
    sleep(0.1)
    assert not clock.stopped and not _under_way
