"""A study that asks for nothing still says what it comes to."""

from __future__ import annotations

from pathlib import Path

import pytest

from netloom.study import prepare

STUDY = """
title = "Mine"
[[experiment]]
name = "a"
evaluate = "{evaluate}"
[experiment.axes]
network = ["torus(4,4)", "ring(16)", "star(16)"]
{more}
"""


def experiment(folder: Path, evaluate: str, more: str = ""):
    path = folder / "study.toml"
    path.write_text(STUDY.format(evaluate=evaluate, more=more))
    return prepare(path).parts[0].spec


@pytest.mark.parametrize(
    ("evaluate", "more", "column"),
    [
        ("time", 'workload = ["allreduce:ring", "allreduce:swing"]', "time_s"),
        ("hops", 'workload = "allreduce:ring"', "mean_hops"),
        ("metrics", "", "aspl"),
    ],
)
def test_the_main_number_and_its_bars(tmp_path: Path, evaluate: str, more: str, column: str) -> None:
    spec = experiment(tmp_path, evaluate, more)
    assert [best.column for best in spec.best] == [column]
    (chart,) = spec.chart
    assert (chart.kind, chart.x, chart.y) == ("bar", "network", column)
    assert chart.series == (["workload"] if evaluate == "time" else [])


def test_what_is_asked_is_left_alone(tmp_path: Path) -> None:
    spec = experiment(tmp_path, "metrics", '[[experiment.best]]\ncolumn = "diameter"')
    assert [best.column for best in spec.best] == ["diameter"] and not spec.chart


def test_bars_that_cannot_be_told_apart_are_not_drawn(tmp_path: Path) -> None:
    sizes = ", ".join(str(size) for size in range(1, 30))
    spec = experiment(tmp_path, "time", f'workload = "allreduce:ring"\nsize_bytes = [{sizes}]')
    assert spec.best and not spec.chart
