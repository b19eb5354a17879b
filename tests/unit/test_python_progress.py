"""How far long calls are: a callback of (done, total), and a line with the time left."""

from __future__ import annotations

import io
from typing import Any

import pytest

import netloom
from netloom.base import progress as watching
from netloom.base.ahead import LongWork


class Clock:
    """Seconds that a test sets."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(watching, "time", made)
    return made


def test_lines_say_what_is_left_and_come_ever_more_rarely(clock: Clock) -> None:
    said: list[str] = []
    watch = netloom.TimeLeft("loads", after_s=10, say=said.append)
    for second in range(1, 101):
        clock.now = float(second)
        watch(second, 400)
    assert said == [
        "loads: 10 s so far, 2 %, about 390 s left".replace("390 s", "6 min"),
        "loads: 20 s so far, 5 %, about 6 min left",
        "loads: 40 s so far, 10 %, about 6 min left",
        "loads: 80 s so far, 20 %, about 5 min left",
    ]


def test_simulated_time_and_unknown_totals(clock: Clock) -> None:
    said: list[str] = []
    watch = netloom.TimeLeft("run", after_s=1, say=said.append)
    clock.now = 2.0
    watch(0, 0)
    watch.simulated(2e-6)
    clock.now = 8.0
    watch(1, 4)
    assert said == ["run: 2 s so far", "run: 8 s so far, 2 µs of about 8 µs simulated, 25 %, about 24 s left"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_has_one_line_that_is_written_over(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr(watching.sys, "stderr", shown)
    watch = netloom.TimeLeft("run", after_s=0)
    for now, done in ((100.0, 1), (100.1, 2), (101.0, 99)):
        clock.now = now
        watch(done, 100)
    first, second = shown.getvalue().split("\r")[1:]
    assert first.startswith("run: 100 s so far, 1 %, about 3 h left")
    assert second.startswith("run: 101 s so far, 99 %, about 1 s left") and "\n" not in shown.getvalue()
    assert len(second) >= len(first)


def test_stderr_gets_whole_lines(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    watch = netloom.TimeLeft("run", after_s=0)
    clock.now = 3.0
    watch(3, 4)
    assert capsys.readouterr().err == "run: 3 s so far, 75 %, about 1 s left\n"


CALLS = {
    "hops": lambda watch: netloom.hops("torus(4,4)", workload="uniform", progress=watch).messages,
    "simulate": lambda watch: netloom.simulate("torus(4,4)", workload="allreduce:ring", progress=watch).messages,
    "loads": lambda watch: netloom.loads("torus(4,4)", workload="allreduce:ring", progress=watch).messages,
    "map_ranks": lambda watch: netloom.map_ranks("torus(4,4)", workload="stencil(4,4)", progress=watch).value,
    "describe": lambda watch: netloom.describe("torus(4,4)", progress=watch)["switches"],
    "time_collective": lambda watch: (
        netloom.time_collective("ring(4)", "allgather", sizes="1KiB:2KiB", progress=watch).ranks
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_it_fits_every_function_that_takes_a_callback(name: str) -> None:
    said: list[str] = []
    call: Any = CALLS[name]
    assert call(netloom.TimeLeft(name, after_s=0, say=said.append)) > 0
    assert all(line.startswith(f"{name}: ") for line in said)


def test_what_a_callback_raises_ends_the_call() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    scenario = netloom.Scenario("torus(16,16,16)", workload="allreduce:ring", size_bytes="1 MiB")
    with pytest.warns(LongWork, match="33.5 million messages"), pytest.raises(KeyboardInterrupt):
        netloom.evaluate(scenario, "time", progress=stop, fold=False)
