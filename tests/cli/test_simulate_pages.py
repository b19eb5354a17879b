"""`netloom simulate --report`: timeline, hot links, steps, groups and jobs, and what of them is left out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from netloom.cli import simulate_run

Run = Callable[..., tuple[int, str, str]]
RING = ("simulate", "-n", "torus(4,4)", "-c", "allreduce:ring", "--size", "1MiB", "-q")
STEPS = """ranks = 16
[groups]
rows = { block = 4 }
[[step]]
on = "rows"
workload = "allgather:ring"
size = "64 KiB"
"""
TIMELINE = ("Timeline: what ranks do", "Hot links: use over the run", "Hot links over time", "torus(4,4): use of links")


def page_of(netloom: Run, *args: str) -> str:
    code, _, err = netloom(*args, "--report", "page.html")
    assert code == 0, err
    return Path("page.html").read_text()


@pytest.mark.parametrize("model", ["flow", "packet"])
def test_a_run_is_shown_over_time(model: str, netloom: Run) -> None:
    page = page_of(netloom, *RING, "--model", model)
    for words in (*TIMELINE, "Timeline: what each rank sends", "Time of each step", ">Hot links<", ">Link classes<"):
        assert words in page, words
    assert "ends last" in page and "the path leads from rank" in page and "The hottest link, of " in page


def test_a_page_changes_nothing_of_what_is_printed(netloom: Run) -> None:
    plain = netloom(*RING)[1]
    assert netloom(*RING, "--report", "page.html")[1] == plain
    shown = json.loads(netloom(*RING, "--json", "--report", "page.html")[1])
    assert shown == json.loads(netloom(*RING, "--json")[1]) and "critical_path" not in shown
    assert "critical_path" in json.loads(netloom(*RING, "--json", "--critical-path", "--report", "page.html")[1])


def test_jobs_are_shown_alone_and_together(netloom: Run) -> None:
    jobs = ("--job", "one=8: alltoall:pairwise", "--job", "<b>two</b>=8: allreduce:ring", "--size", "64KiB")
    page = page_of(netloom, "simulate", "-n", "torus(4,4)", *jobs, "-q")
    for words in ("Time of each job", "Timeline: what each job sends", "Time of each step of one", "slowdown"):
        assert words in page, words
    assert "<b>two</b>" not in page and "Time of each step of &lt;b&gt;two&lt;/b&gt;" in page


def test_steps_of_a_file_and_their_groups(netloom: Run) -> None:
    Path("steps.toml").write_text(STEPS)
    page = page_of(netloom, "simulate", "-n", "torus(4,4)", "-t", "steps.toml", "-q")
    for words in ("1: allgather:ring on rows", "Time of each group", ">Groups<", "12 to 15"):
        assert words in page, words


def test_a_run_of_too_many_messages_has_no_timeline(netloom: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate_run, "RECORDED", 479)
    page = page_of(netloom, *RING)
    assert (
        "Timeline: " not in page
        and "Of 480 messages, more than 479, no timeline, steps, hot links or times of calls" in page
    )
    assert "Timeline: " in page_of(netloom, *RING, "--critical-path")
    assert "Of 960 messages" in page_of(netloom, *RING, "--repetitions", "2")


def test_a_run_that_may_be_stopped_has_no_timeline(netloom: Run) -> None:
    page = page_of(netloom, *RING, "--stop-after", "100")
    assert "Timeline: " not in page and "A run that may be stopped is not recorded" in page


def test_many_rounds_and_ranks_make_no_larger_page(netloom: Run) -> None:
    small = len(page_of(netloom, *RING))
    large = len(page_of(netloom, "simulate", "-n", "torus(8,16)", "-c", "allreduce:ring", "--size", "1MiB", "-q"))
    assert large < small + 100_000
