"""`netloom explain-trace`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from netloom.base.stopping import Stopped
from netloom.explanation import Explained

Run = Callable[..., tuple[int, str, str]]
GOAL = """num_ranks 3
rank 0 {
 a: send 1000000b to 2 tag 1
}
rank 1 {
 a: calc 200
 b: send 1000000b to 2 tag 2
 b requires a
}
rank 2 {
 a: recv 1000000b from 0 tag 1
 b: recv 1000000b from 1 tag 2
}
"""
KEYS = {"time_s", "lost", "calls", "ranks", "links", "path", "what_if"}


@pytest.fixture
def goal(tmp_path: Path) -> str:
    (tmp_path / "run.goal").write_text(GOAL)
    return "run.goal"


def answered(netloom: Run, *words: str) -> dict[str, Any]:
    code, out, err = netloom("explain-trace", *words, "--json")
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def test_the_first_line_says_what_limits(netloom: Run, goal: str) -> None:
    code, out, err = netloom("explain-trace", goal, "-n", "star(3)", "--calibration", "pure", "-q")
    assert code == 0
    first = out.splitlines()[0]
    assert first.startswith("Bandwidth and contention limit this run most: with twice the bandwidth or with no conten")
    for heading in ("what if", "time of all ranks", "links that delayed messages share", "equal parts of the run"):
        assert f"\n\n{heading}\n" in out
    assert "note: left out: another algorithm: no collective is called" in err


def test_json_has_its_keys(netloom: Run, goal: str) -> None:
    found = answered(netloom, goal, "-n", "star(3)")
    assert set(found) >= KEYS
    assert all(set(row) == {"where", "part", "seconds", "share"} for row in found["lost"])
    assert all(set(row) == {"change", "time_s", "ratio", "means"} for row in found["what_if"])
    assert sum(row["share"] for row in found["lost"] if row["where"] == "run") == pytest.approx(1)
    assert found["path"]["total_s"] == found["time_s"]
    code, out, _ = netloom("simulate", "-n", "star(3)", "--trace", goal, "--json")
    assert code == 0 and json.loads(out)["time_s"] == found["time_s"]


def test_the_file_is_the_option_of_simulate(netloom: Run, goal: str) -> None:
    plain = answered(netloom, goal, "-n", "star(3)")
    assert answered(netloom, "--trace", goal, "-n", "star(3)") == plain
    assert answered(netloom, goal, "-n", "star(3)", "--from", "goal")["what_if"] == plain["what_if"]
    assert answered(netloom, f'trace("{goal}",bytes=2)', "-n", "star(3)")["time_s"] > plain["time_s"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("no.goal", "-n", "star(3)"), "NL-X001 no.goal"),
        (("run.goal",), "NL-X010 --network: is missing"),
        (("-n", "star(3)"), "exactly one is needed"),
        (("run.goal", "-n", "star(3)", "--trace", "run.goal"), "NL-X010 --trace: is given twice"),
        (("run.goal", "-n", "star(3)", "-c", "allreduce:ring"), "exactly one is needed"),
        (("run.goal", "-n", "star(2)"), "NL-"),
        (("run.goal", "-n", "star(3)", "--report", "page.pdf"), "NL-X010 --report"),
        (("run.goal", "-n", "star(3)", "--stop-after", "0"), "--stop-after must be a number > 0"),
    ],
)
def test_bad_input_is_one_line(netloom: Run, goal: str, words: tuple[str, ...], said: str) -> None:
    code, out, err = netloom("explain-trace", *words, "-q")
    assert (code, out) == (2, "")
    assert said in err and len([line for line in err.splitlines() if line.startswith("error: ")]) == 1


def test_what_is_known_in_time_stays(netloom: Run, goal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows before the one that takes too long."""
    plain = answered(netloom, goal, "-n", "star(3)")
    own = Explained._placed

    def late(self: Explained) -> tuple[float, str]:
        from netloom.base import stopping

        stopping._under_way[-1].stop()
        return own(self)

    monkeypatch.setattr(Explained, "_placed", late)
    code, out, err = netloom("explain-trace", goal, "-n", "star(3)", "--stop-after", "500", "--json", "-q")
    assert code == 0, err
    found = json.loads(out)
    rows = [row for row in plain["what_if"] if row["change"] != "better placement"]
    assert found["what_if"] == rows and found["stopped_s"] == 500
    assert found["lost"] == plain["lost"]
    assert "stopped after 500 s: 6 rows of what-if of 7" in err


def test_nothing_is_known_before_the_first_run(netloom: Run, goal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*words: object, **more: object) -> None:
        raise Stopped

    monkeypatch.setattr("netloom.cli.inputs.Asked.answer", late)
    code, out, err = netloom("explain-trace", goal, "-n", "star(3)", "--stop-after", "500")
    assert (code, out) == (2, "") and "NL-E004 --stop-after: nothing is known after 500 s" in err


def test_long_work_is_announced(netloom: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows together, once, before the first run."""
    monkeypatch.setattr("netloom.base.ahead.LONG_S", 1e-4)
    _, _, err = netloom("explain-trace", "-n", "torus(4,4)", "-c", "alltoall:pairwise", "-q")
    assert err.count("note: about") == 1


def test_a_page_begins_with_the_timeline(netloom: Run, goal: str, tmp_path: Path) -> None:
    code, _, err = netloom("explain-trace", goal, "-n", "star(3)", "--report", "why.html", "-q")
    assert code == 0, err
    page = (tmp_path / "why.html").read_text().partition("<main")[2]
    places = [
        page.index(words)
        for words in ("Timeline: what the time", "What if: the run with one thing changed", "What ranks do")
    ]
    assert places == sorted(places)
