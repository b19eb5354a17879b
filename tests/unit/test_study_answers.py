"""What a study comes to, and the page that links several."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import netloom
from netloom.study.index import write_index
from netloom.study.run import run_study

STUDY = """
title = "Rings & <others>"
[[experiment]]
name = "time"
title = "One allreduce"
evaluate = "time"
[experiment.axes]
network = ["ring(8)", "star(8)", { value = "star(8)", label = "another star" }]
workload = "allreduce:ring"
size_bytes = ["8 KiB", "1 MiB"]
[[experiment.best]]
%s
"""


def said(tmp_path: Path, best: str) -> list[str]:
    (tmp_path / "study.toml").write_text(STUDY % best)
    run_study(tmp_path / "study.toml", tmp_path / "out", figures=False, force=True)
    summary: dict[str, Any] = json.loads((tmp_path / "out/summary.json").read_text())
    assert {row["title"] for row in summary["answers"]} <= {"One allreduce"}
    return [row["says"] for row in summary["answers"]]


def test_the_best_of_each_group_with_its_lead_and_unit(tmp_path: Path) -> None:
    found = said(tmp_path, 'column = "time_s"\neach = ["size_bytes"]')
    assert len(found) == 2
    for line, size in zip(found, ("8 KiB", "1 MiB"), strict=True):
        ring, star = (
            netloom.simulate(net, workload="allreduce:ring", size_bytes=size)["time_s"]
            for net in ("ring(8)", "star(8)")
        )
        # Of equal networks both are named.
        names = ["ring(8)", "star(8) or another star"]
        (first, best), (second, _) = sorted(zip((ring, star), names, strict=True))
        less = f"{100 * (1 - first / second):.0f} % less than with .*"
        assert re.fullmatch(rf"{size}: \d+(\.\d+)? [mµn]?s with {re.escape(best)}, {less}", line), line


def test_the_most_and_a_choice_of_rows(tmp_path: Path) -> None:
    found = said(tmp_path, 'column = "messages"\nmost = true\nwhere = { network = "ring(8)" }')
    assert found == ["messages 112; all tie"]
    with pytest.raises(netloom.NetloomError, match="NL-S008"):
        said(tmp_path, 'column = "tiem_s"')


def test_no_seed_is_chosen_but_their_mean_compared(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        'title = "Draws"\n[[experiment]]\nname = "one"\nevaluate = "hops"\n[[experiment.best]]\ncolumn = "mean_hops"\n'
        '[experiment.axes]\nnetwork = "torus(8,8)"\nranks = 8\nworkload = "alltoall:pairwise"\n'
        'seed = { range = [1, 4] }\nplacement = ["linear", "random(seed={seed})"]\n'
    )
    run_study(tmp_path / "study.toml", tmp_path / "out", figures=False)
    (said,) = json.loads((tmp_path / "out/summary.json").read_text())["answers"]
    line, *drawn = (
        netloom.hops("torus(8,8)", workload="alltoall:pairwise", ranks=8, placement=placement)["mean_hops"]
        for placement in ("linear", *(f"random(seed={seed})" for seed in range(1, 5)))
    )
    mean = sum(drawn) / 4
    assert min(drawn) < mean and line < mean
    less = f"{100 * (1 - line / mean):.0f} % less than with random ({mean:.6g})"
    assert said["says"] == f"mean hops {line:.6g} with linear, {less}; means over seeds"


def test_the_page_links_reports_and_says_what_they_come_to(tmp_path: Path) -> None:
    answer = said(tmp_path, 'column = "time_s"\nwhere = { size_bytes = "1 MiB" }')
    page = write_index([tmp_path / "out"], tmp_path / "pages" / "index.html").read_text()
    assert 'href="../out/report.html"' in page and (tmp_path / "pages" / "../out/report.html").exists()
    assert "Rings &amp; &lt;others&gt;" in page and "<others>" not in page
    assert all(line in page for line in answer)


@pytest.mark.parametrize("text", ["", "[" * 100_000, "[]", '{"study": ', "9" * 10_000])
def test_what_is_no_study_is_refused_by_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "summary.json").write_text(text)
    with pytest.raises(netloom.NetloomError, match=r"NL-S030 .*summary.json.*"):
        write_index([tmp_path, tmp_path / "absent"], tmp_path / "index.html")
    assert not (tmp_path / "index.html").exists()
