"""What a study chooses by a column: the greatest of what is better great, unless it says otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import netloom
from netloom.study.emit import best
from netloom.study.run import prepare, run_study

SATURATION = """
title = "Routes"
[[experiment]]
name = "routes"
evaluate = "throughput"
options = { details = false, loads = "0.5" }
best = [{ column = "saturation"%s }]
[experiment.axes]
network = "torus(4,4)"
workload = "uniform"
routing = ["minimal", "dimension-ordered"]
"""
TIMES = """
title = "Rates"
[[experiment]]
name = "times"
evaluate = "time"
%s
[experiment.axes]
network = ["ring(8)", "star(8)", "hypercube(3)"]
workload = "alltoall:pairwise"
size_bytes = "1 MiB"
"""
LESS = 'compare = [{ column = "time_s", baseline = { network = "ring(8)" }, as = "%s", name = "to_ring" }]\n'


def answers(tmp_path: Path, text: str) -> tuple[list[str], list[dict[str, Any]]]:
    """Sentences, and rows of the first experiment."""
    file, out = tmp_path / "study.toml", tmp_path / "out"
    file.write_text(text)
    (outcome,) = run_study(file, out, figures=False, force=True).outcomes.values()
    summary = json.loads((out / "summary.json").read_text())
    return [row["says"] for row in summary["answers"]], [*outcome.table.rows]


@pytest.mark.parametrize(("said", "wins"), [("", max), (", most = true", max), (", most = false", min)])
def test_the_greatest_saturation_is_best(tmp_path: Path, said: str, wins: Any) -> None:
    (sentence,), rows = answers(tmp_path, SATURATION % said)
    chosen = wins(rows, key=lambda row: row["saturation"])
    assert rows[0]["saturation"] != rows[1]["saturation"]
    assert f"with {chosen['routing']}," in sentence


@pytest.mark.parametrize(("how", "wins"), [("percent-less", max), ("ratio", min), ("difference", min)])
def test_what_is_derived_goes_the_way_of_its_column(tmp_path: Path, how: str, wins: Any) -> None:
    (sentence,), rows = answers(tmp_path, TIMES % (LESS % how + 'best = [{ column = "to_ring" }]'))
    fastest = min(rows, key=lambda row: row["time_s"])
    assert wins(rows, key=lambda row: row["to_ring"]) == fastest
    assert f"with {fastest['network']}" in sentence


def test_the_best_rate_for_the_money_is_the_greatest(tmp_path: Path) -> None:
    asked = 'performance = { baseline = { network = "ring(8)" } }\nbest = [{ column = "%s", table = "rates" }]'
    (rate,), _ = answers(tmp_path, TIMES % (asked % "relative_rate"))
    (time,), rows = answers(tmp_path, TIMES % (asked % "relative_time"))
    fastest = min(rows, key=lambda row: row["time_s"])["network"]
    assert f"with {fastest}" in rate and f"with {fastest}" in time


def test_rank_files_are_of_the_run_with_the_greatest_rate(tmp_path: Path) -> None:
    emit = 'emit = { formats = ["rankfile"], by = "%s" }'
    file = tmp_path / "study.toml"
    bandwidths = """
title = "Collectives"
[[experiment]]
name = "times"
evaluate = "time"
%s
[experiment.axes]
network = "ring(8)"
workload = ["allgather:ring", "alltoall:pairwise"]
placement = ["linear", "random(seed=1)"]
size_bytes = "1 MiB"
"""
    chosen = {}
    for by in ("bandwidth_bytes_per_s", "time_s"):
        file.write_text(bandwidths % (emit % by))
        (outcome,) = run_study(file, tmp_path / "out", figures=False, force=True).outcomes.values()
        (chosen[by],) = (one.run.labels for one in best(outcome))
    assert chosen["bandwidth_bytes_per_s"] == chosen["time_s"]


def test_a_pareto_front_is_not_drawn_of_a_rate(tmp_path: Path) -> None:
    front = """
[[chart]]
title = "Front"
kind = "pareto"
by = ["network"]
measures = [{ experiment = "times", column = "time_s" }, { experiment = "times", column = "%s"%s }]
"""
    file = tmp_path / "study.toml"
    file.write_text(TIMES % "" + front % ("total_bytes", ""))
    prepare(file)
    file.write_text(TIMES % "" + front % ("bandwidth_bytes_per_s", ", most = false"))
    prepare(file)
    file.write_text(TIMES % "" + front % ("bandwidth_bytes_per_s", ""))
    with pytest.raises(netloom.NetloomError, match='of "bandwidth_bytes_per_s" more is'):
        prepare(file)


def test_a_column_made_from_itself_is_refused(tmp_path: Path) -> None:
    itself = 'compare = [{ column = "x", baseline = { network = "ring(8)" }, name = "x" }]\nbest = [{ column = "x" }]'
    file = tmp_path / "study.toml"
    file.write_text(TIMES % itself)
    with pytest.raises(netloom.NetloomError, match='there is no column "x"'):
        prepare(file)
