"""Values that a study refuses before anything runs, and runs that fail while the others go on."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from netloom.base.errors import NetloomError
from netloom.evaluate import evaluator
from netloom.study import prepare, run_study

LOADS = """
title = "t"
[[experiment]]
name = "e"
evaluate = "loads"
[experiment.axes]
network = "torus(4,4)"
workload = "uniform"
"""


def checked(text: str, folder: Path) -> None:
    (folder / "s.toml").write_text(text)
    prepare(folder / "s.toml")


def refused(text: str, folder: Path, *mentions: str) -> None:
    with pytest.raises(NetloomError) as caught:
        checked(text, folder)
    assert len(caught.value.faults) == 1, caught.value
    for words in mentions:
        assert words in str(caught.value), caught.value


@pytest.mark.parametrize(
    ("axis", "mentions"),
    [
        ("cores = [1, 0]", ("s.toml:9:13 cores must be an integer in 1..2147483647, got 0",)),
        ("cores = [1, 99999999999]", ("s.toml:9:13 cores must be", "got 99999999999")),
        ("cores = 'many'", ("cores must be an integer", "'many'")),
        ("seed = -1", ("seed must be an integer >= 0",)),
        ("fail = ['none', 'lnk:0-1']", ("s.toml:9:17 fail must be none, link:A-B", "got lnk:0-1")),
        ("fail = 'link:0; switch:3'", ("fail must be", "got link:0")),
        ("fail = 'links:many'", ("fail must be", "got links:many")),
    ],
)
def test_values_that_no_network_can_take(axis: str, mentions: tuple[str, ...], tmp_path: Path) -> None:
    refused(LOADS + axis + "\n", tmp_path, *mentions)


def test_failures_that_a_network_may_have(tmp_path: Path) -> None:
    written = ["link:a-b-c", "link:0-1#0; switch:3", "links:2%,seed=1,class=global", "switches: 4", "# nothing", "none"]
    checked(LOADS + f"fail = {json.dumps(written)}\n", tmp_path)


@pytest.mark.parametrize(
    ("option", "mention"),
    [
        ("increments = -3", "must be an integer in 1..10000, got -3"),
        ("rounds = -1", "must be an integer in 1..10000, got -1"),
        ("hottest = 9223372036854775808", "must be an integer in 0..1000"),
        ("tolerance = nan", "must be a number in 0.0..1.0"),
        ("tolerance = inf", "must be a number in 0.0..1.0"),
    ],
)
def test_options_out_of_range(option: str, mention: str, tmp_path: Path) -> None:
    refused(LOADS + f"[experiment.options]\n{option}\n", tmp_path, "options." + option.partition(" ")[0], mention)


@pytest.mark.parametrize("skip", ["true", "false"])
def test_a_run_that_fails_is_told_and_the_others_go_on(
    skip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics = evaluator("metrics")
    failing: list[Exception] = [MemoryError(), OverflowError("int too large")]

    def run(scenario: Any, options: dict[str, Any]) -> Any:
        if scenario.network.switches > 8 and failing:
            raise failing[0 if scenario.network.switches == 16 else 1]
        return metrics.run(scenario, options)

    monkeypatch.setattr(sys.modules["netloom.evaluate.metrics"], "EVALUATOR", replace(metrics, run=run))
    study = tmp_path / "s.toml"
    study.write_text(
        f'title = "t"\n[[experiment]]\nname = "m"\nevaluate = "metrics"\nskip_unsupported = {skip}\n'
        '[experiment.axes]\nnetwork = ["ring(8)", "ring(16)", "ring(32)"]\n'
    )
    done = run_study(study, tmp_path / "o", figures=False)
    assert len(done.outcomes["m"].table.rows) == 1 and (tmp_path / "o" / "report.html").exists()
    codes = {row["network"]: (row["code"], row["reason"]) for row in done.outcomes["m"].skipped.rows}
    assert codes["ring(16)"] == ("NL-X011", "run: not enough memory")
    assert codes["ring(32)"] == ("NL-X013", "run: internal error: OverflowError: int too large")
    # Whatever the study allows: this is no refusal of the evaluation.
    assert "NL-X011" in done.problems[0] and "and 1 more" in done.problems[0]
    # Nothing of it is kept.
    failing.clear()
    again = run_study(study, tmp_path / "o", figures=False)
    assert not again.problems and len(again.outcomes["m"].table.rows) == 3


JOBS = (
    LOADS.replace('workload = "uniform"', 'jobs = "two"\nworkload = "uniform"') + "[[experiment.jobs.two]]\nnodes = 4\n"
)


def test_lists_of_jobs_by_name(tmp_path: Path) -> None:
    checked(JOBS, tmp_path)
    refused(JOBS.replace('"two"', '"tow"'), tmp_path, "s.toml:8:1", "cannot be read", 'did you mean "two"?')
    # One fault, not also that no file is called as the list is.
    refused(JOBS.replace("nodes = 4", "nods = 4"), tmp_path, 'did you mean "nodes"?')
