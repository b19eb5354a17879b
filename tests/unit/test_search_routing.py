"""An optimiser that stands as a study's order optimises for the routing of its own run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import netloom
from netloom.study import run_study

STUDY = """
title = "t"
[[experiment]]
name = "e"
evaluate = "loads"
options = {{ contentions = true }}
[experiment.axes]
network = "torus(3,5)"
workload = "alltoall:bruck"
size_bytes = 64
order = {{ value = "two-opt(swaps=60,seed=1)", objective = "{objective}" }}
routing = ["single-minimal", "dimension-ordered"]
"""


@pytest.mark.parametrize(("objective", "column"), [("max-link-load", "max_bytes"), ("contentions", "contentions")])
def test_the_value_is_that_under_the_routing_of_the_run(objective: str, column: str, tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(STUDY.format(objective=objective))
    rows = run_study(file, tmp_path / "o", figures=False).outcomes["e"].table.rows
    assert [row["routing"] for row in rows] == ["single-minimal", "dimension-ordered"]
    assert [row["value"] for row in rows] == [row[column] for row in rows], json.dumps(rows)
    # The two routings start apart, so that an objective which ignores them would show.
    assert rows[0]["start_value"] != rows[1]["start_value"]


def test_axes_are_the_table() -> None:
    from netloom.evaluate import evaluator
    from netloom.evaluate.ask import LoadInputs
    from netloom.scenario.axes import AXES, Axes

    assert list(Axes.__annotations__) == [axis.name for axis in AXES]
    options = {option.name for option in evaluator("loads").options}
    assert set(LoadInputs.__annotations__) == set(Axes.__annotations__) | options
    assert set(netloom.Scenario("ring(4)")) == {"network"}
    assert "cores" not in netloom.Scenario("ring(4)")
