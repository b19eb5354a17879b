"""`netloom describe`, `convert` and `simulate` of traces."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

GOAL = """num_ranks 2
rank 0 {
 a: calc 5000
 b: send 100000b to 1 tag 3
 b requires a
}
rank 1 {
 a: recv 100000b from 0 tag 3
 b: calc 1000
 b requires a
}
"""
FORMATS = {"goal": "goal", "goal-binary": "bin", "chakra": "et", "smpi": "trace"}


Run = Callable[..., tuple[int, str, str]]


def seconds(run: Run, *words: str) -> float:
    code, out, err = run("simulate", "-n", "complete(2)", "--calibration", "pure", "--json", *words)
    assert code == 0, err
    found: float = json.loads(out)["time_s"]
    return found


@pytest.fixture
def goal(tmp_path: Path) -> Path:
    path = tmp_path / "run.goal"
    path.write_text(GOAL)
    return path


def test_a_trace_is_described(netloom: Run, goal: Path) -> None:
    code, out, _ = netloom("describe", str(goal), "--json")
    found = json.loads(out)
    assert code == 0
    assert {key: found[key] for key in ("format", "ranks", "events", "calls", "bytes", "communicators")} == {
        "format": "goal", "ranks": 2, "events": 4, "calls": {"recv": 1, "send": 1}, "bytes": 100000,
        "communicators": [{"ranks": 2}],
    }  # fmt: skip
    code, out, _ = netloom("describe", str(goal))
    assert code == 0
    assert "(goal)" in out


@pytest.mark.parametrize("option", ["--switches", "--part 0", "--lft x", "--no-bisection", "--fail link:0-1"])
def test_options_of_networks_are_refused(netloom: Run, goal: Path, option: str) -> None:
    code, _, err = netloom("describe", str(goal), *option.split())
    assert code == 2
    assert "is about a network" in err
    assert netloom("convert", str(goal), str(goal.parent / "x.et"), "--routing", "minimal")[0] == 2


@pytest.mark.parametrize("to", FORMATS)
def test_a_trace_takes_the_same_time_in_every_format(netloom: Run, goal: Path, to: str) -> None:
    """5 µs, the message from then on, 1 µs."""
    expected = 5e-6 + 3e-7 + 100000 / 12.5e9 + 1e-6
    target = goal.parent / f"again.{FORMATS[to]}"
    assert netloom("convert", str(goal), str(target), "--to", to)[0] == 0
    read = target if to != "chakra" else target.with_suffix(".0.et")
    assert seconds(netloom, "--trace", str(read)) == pytest.approx(expected, rel=1e-12)
    code, _, err = netloom("simulate", "-n", "complete(2)", "--trace", str(read), "--from", to, "-q")
    assert code == 0, err
    back = goal.parent / "back.goal"
    assert netloom("convert", str(read), str(back))[0] == 0
    assert seconds(netloom, "--trace", str(back)) == pytest.approx(expected, rel=1e-12)


def test_a_trace_is_scaled(netloom: Run, goal: Path) -> None:
    expected = 2 * 5e-6 + 3e-7 + 150000 / 12.5e9 + 0.5 * 1e-6
    text = f'trace("{goal}",compute="0=2; 1=0.5",bytes=1.5)'
    assert seconds(netloom, "--application", text) == pytest.approx(expected, rel=1e-12)
    assert seconds(netloom, "--trace", text) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('trace("{0}",size=2)', "NL-A003"),
        ('trace("{0}",bytes="x")', "NL-A007"),
        ('trace("{0}",compute="0:2")', "NL-A007"),
        ('trace("{0}",compute="0-7=2")', "NL-F009"),
        ('trace("{0}",bytes=-1)', "NL-F009"),
        ('chakra("{0}")', "NL-F0"),
        ('trace("{0}.none")', "NL-X001"),
    ],
)
def test_what_is_wrong_is_one_line(netloom: Run, goal: Path, text: str, code: str) -> None:
    exit_code, out, err = netloom("simulate", "-n", "complete(2)", "--trace", text.format(goal))
    assert exit_code == 2
    assert not out
    assert code in err
    assert "Traceback" not in err


def test_chakra_is_a_file_for_each_rank(netloom: Run, goal: Path) -> None:
    assert netloom("convert", str(goal), "-", "--to", "chakra")[0] == 2
    assert netloom("convert", str(goal), str(goal.parent / "step.et"))[0] == 0
    (goal.parent / "step.1.et").unlink()
    (goal.parent / "step.0.et").rename(goal.parent / "step.2.et")
    code, _, err = netloom("describe", str(goal.parent / "step.2.et"))
    assert code == 2
    assert "rank 0" in err


def test_a_run_is_written_for_other_viewers(netloom: Run, goal: Path) -> None:
    """The ranks' intervals add up to their ends, and a message has two ends."""
    path = goal.parent / "run.json"
    words = ["simulate", "-n", "complete(2)", "--calibration", "pure", "--trace", str(goal), "--timeline", str(path)]
    code, _, err = netloom(*words)
    assert code == 0, err
    events = json.loads(path.read_text())["traceEvents"]
    busy = {rank: sum(e["dur"] for e in events if e["ph"] == "X" and e["tid"] == rank) for rank in (0, 1)}
    message_us = 0.3 + 100000 / 12.5e9 * 1e6
    assert busy == pytest.approx({0: 5 + message_us, 1: 5 + message_us + 1})
    ends = [(e["ph"], e["tid"], e["ts"]) for e in events if e["name"] == "message"]
    assert [one[:2] for one in ends] == [("s", 0), ("f", 1)]
    assert ends[1][2] - ends[0][2] == pytest.approx(message_us)
