"""The first screen of a study's report: the sentence, the numbers in their order, and the chart that leads."""

from __future__ import annotations

from pathlib import Path

from netloom import report
from netloom.study.answers import bests
from netloom.study.first import NUMBERS, SENTENCES, first_screen
from netloom.study.run import Finished, run_study

STUDY = """
title = "Rings and stars"
[[experiment]]
name = "time"
title = "One allreduce"
evaluate = "time"
[experiment.axes]
network = ["ring(8)", "star(8)"]
workload = "allreduce:ring"
size_bytes = ["8 KiB", "1 MiB"]
"""
BEST = """
[[experiment.best]]
column = "time_s"
each = ["size_bytes"]
"""
MESSAGES = """
[[experiment.best]]
column = "messages"
most = true
each = ["network", "size_bytes"]
"""
CLAIMS = """
[[experiment.claim]]
says = "right"
of = { column = "messages", where = { network = "ring(8)" } }
is = ">"
to = 0.0
[[experiment.claim]]
says = "wrong, and known to be"
of = { column = "messages", where = { network = "ring(8)" } }
is = "<"
to = 0.0
refuted = "messages are counted"
"""
SEARCH = """
[[experiment]]
name = "search"
evaluate = "hops"
[experiment.axes]
network = "random_shortcut(16,degree=5,seed=1)"
ranks = 8
placement = "random(seed=1)"
order = "two-opt(swaps=2000,seed=1)"
workload = ["broadcast:binomial", "allreduce:recursive-doubling"]
"""


def screen(tmp_path: Path, *parts: str) -> tuple[report.First, Finished]:
    (tmp_path / "study.toml").write_text(STUDY + "".join(parts))
    finished = run_study(tmp_path / "study.toml", tmp_path / "out", figures=False)
    return first_screen(finished.outcomes, finished.findings, []), finished


def test_the_best_runs_are_the_answer_and_the_numbers(tmp_path: Path) -> None:
    first, finished = screen(tmp_path, BEST)
    found = bests(finished.outcomes["time"])
    assert [best.group for best in found] == ["8 KiB", "1 MiB"]
    assert first.answer == ". ".join(f"One allreduce: {best.group}: {best.says}" for best in found) + "."
    rows = finished.outcomes["time"].table.rows
    assert [number.label for number in first.numbers] == ["8 KiB: least time", "1 MiB: least time", "runs"]
    for number, size in zip(first.numbers, ("8 KiB", "1 MiB"), strict=False):
        times = {row["network"]: row["time_s"] for row in rows if row["size_bytes"] == size}
        assert number.value == min(times.values())  # type: ignore[type-var]
        assert number.unit == "s"
        winner, other = sorted(times, key=lambda name: times[name])  # type: ignore[arg-type, return-value]
        # The winner, and how bad the other end is.
        assert number.note.startswith(f"{winner}, most ")
        assert other not in number.note
    assert first.numbers[-1].value == "4"


def test_claims_answer_where_nothing_is_best(tmp_path: Path) -> None:
    first, _ = screen(tmp_path, CLAIMS)
    assert first.answer == "1 of 2 claims confirmed, 1 refuted."
    assert [(number.label, number.value) for number in first.numbers] == [("claims confirmed", "1 of 2"), ("runs", "4")]


def test_a_study_without_either_says_its_main_number(tmp_path: Path) -> None:
    first, finished = screen(tmp_path)
    found = bests(finished.outcomes["time"])
    assert [(best.column, best.group) for best in found] == [("time_s", "8 KiB"), ("time_s", "1 MiB")]
    assert first.answer == ". ".join(f"One allreduce: {best.group}: {best.says}" for best in found) + "."
    assert [number.value for number in first.numbers] == [*(best.value for best in found), "4"]


def test_no_more_sentences_and_numbers_than_fit(tmp_path: Path) -> None:
    first, finished = screen(tmp_path, BEST, MESSAGES, CLAIMS)
    found = bests(finished.outcomes["time"])
    assert len(found) == 6
    assert first.answer == ". ".join(f"{best.head}: {best.says}" for best in found[:SENTENCES]) + "."
    # The last place is for the claims.
    assert [number.label for number in first.numbers] == [
        "8 KiB: least time",
        "1 MiB: least time",
        *(f"{best.group}: most messages" for best in found[2 : NUMBERS - 1]),
        "claims confirmed",
    ]
    assert len(first.numbers) == NUMBERS


def test_a_search_shows_its_largest_gain_with_the_start_and_the_bound(tmp_path: Path) -> None:
    first, finished = screen(tmp_path, SEARCH)
    rows = finished.outcomes["search"].table.rows
    gained = min(rows, key=lambda row: row["value"] / row["start_value"])  # type: ignore[operator, arg-type, return-value]
    (number,) = [number for number in first.numbers if number.label == "objective of the mapping"]
    assert (number.value, number.before) == (gained["value"], gained["start_value"])
    assert number.value < number.before  # type: ignore[operator]
    percent = 100 * (1 - number.value / number.before)  # type: ignore[operator]
    assert number.note.startswith(f"{percent:.0f} % less, bound ")


def test_the_first_chart_leads_and_leaves_its_place(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    finished = run_study(tmp_path / "study.toml", tmp_path / "out", figures=False)
    charts = [report.Chart(title, "line", {"x": [1], "y": [2]}, x="x", y="y") for title in ("one", "two")]
    text = report.Text("words", "")
    sections: list[report.Section] = [text, *charts]
    assert first_screen(finished.outcomes, [], sections).picture is charts[0]
    assert sections == [text, charts[1]]
