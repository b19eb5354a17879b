"""Correlations, saturations and combinations of a study: their numbers, their words, what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import netloom
from netloom.results import Column, Table
from netloom.study.readings import combination, correlation, saturation
from netloom.study.reporting import chart_data
from netloom.study.run import prepare, run_study
from netloom.study.schema import Chart, Combine, Correlate, Experiment, Saturation

STUDY = """
title = "Readings"
[[experiment]]
name = "e"
evaluate = "time"
[experiment.axes]
calibration = "pure"
network = "star(8,bandwidth=\\"{gbps} GBps\\",latency=\\"{delay} ns\\")"
gbps = [1, 2, 4, 1000]
delay = [0, 100, 200]
workload = "alltoall:linear"
size_bytes = "1 KiB"
"""
CORRELATE = 'correlate = ["time_s", "bandwidth_bytes_per_s"]\n'
REST = """
[[experiment.saturation]]
column = "time_s"
along = "gbps"
each = ["delay"]
[[experiment.combine]]
column = "time_s"
free = { gbps = 1000, delay = 0 }
[[experiment.claim]]
id = "falls"
says = "more time is less bandwidth, by rank"
of = { table = "correlation", column = "spearman" }
expected = -1
tolerance = 1e-9
"""


def rows_of(table: dict[str, list[Any]]) -> Table:
    count = len(next(iter(table.values())))
    return Table(
        "t", [Column(name) for name in table], [{name: v[i] for name, v in table.items()} for i in range(count)]
    )


def test_a_pair_of_columns_is_the_short_form() -> None:
    spec = Experiment.model_validate({"name": "e", "evaluate": "hops", "correlate": ["a", "b"]})
    assert spec.correlate == [Correlate(columns=["a", "b"])]


def test_a_correlation_for_each_group() -> None:
    table = rows_of({"g": ["x"] * 3 + ["y"] * 3, "a": [1, 2, 3, 1, 2, 3], "b": [2, 4, 6, 3, 3, 3]})
    first, second = correlation.rows(Correlate(columns=["a", "b"], each=["g"]), table)
    assert (first["g"], first["rows"], first["pearson"], first["spearman"], first["kendall"]) == ("x", 3, 1.0, 1.0, 1.0)
    assert second == {"g": "y", "first": "a", "second": "b", "rows": 3, "note": "no correlation: b is constant"}
    assert correlation.sentence(first) == (
        "a and b over 3 rows: correlation 1 (Pearson), 1 (Spearman), 1 (Kendall's tau-b)"
    )


@pytest.mark.parametrize(
    ("values", "note"),
    [
        ([1, 2], "no correlation: fewer than 3 rows"),
        ([1, None, 3], "no correlation: b is not known in 1 of 3 rows"),
        ([1, float("inf"), 3], "no correlation: a value is not a finite number"),
        (["p", "q", "r"], "no correlation: b is no number, such as p"),
    ],
)
def test_a_word_stands_where_there_is_no_number(values: list[Any], note: str) -> None:
    table = rows_of({"a": list(range(len(values))), "b": values})
    (row,) = correlation.rows(Correlate(columns=["a", "b"]), table)
    assert row["note"] == note and "pearson" not in row


def test_a_program_against_its_collective_by_order() -> None:
    table = rows_of(
        {"order": [1, 2, 3, 4, 3, 2, 1, 1], "load": ["p"] * 4 + ["c"] * 4, "t": [10, 20, 30, 9, 3.0, 2.0, 0.5, 1.5]}
    )
    spec = Correlate(columns=["t"], between={"load": ["p", "c"]}, by=["order"])
    (row,) = correlation.rows(spec, table.where({"order": [1, 2, 3]}))
    assert (row["first"], row["second"], row["rows"], row["pearson"]) == ("t of p", "t of c", 3, pytest.approx(1.0))
    (row,) = correlation.rows(spec, table)
    assert row["note"] == "no correlation: t of c is not known in 1 of 4 rows"


def test_saturation_is_the_first_doubling_that_gains_less() -> None:
    table = rows_of({"x": [1, 2, 4, 8, 16], "t": [100.0, 60.0, 58.0, 40.0, 39.0]})
    ((row, steps),) = saturation.found(Saturation(column="t", along="x"), table)
    # From 2 to 4 it gains 3.3 %, but from 4 to 8 it gains again.
    assert (row["saturates_at"], row["gain_percent"]) == (8, pytest.approx(2.5))
    assert [step["gain_percent"] for step in steps] == pytest.approx([40.0, 100 / 30, 100 * 18 / 58, 2.5])
    ((row, _),) = saturation.found(Saturation(column="t", along="x", percent=2), table)
    assert row["note"] == "not up to 16: a doubling still gains 2 % or more" and "saturates_at" not in row


def test_a_step_of_another_factor_counts_as_its_share_of_doublings() -> None:
    assert saturation.gain(100.0, 25.0, 4.0) == pytest.approx(50.0)
    assert saturation.gain(100.0, 81.0, 4.0) == pytest.approx(10.0)
    assert saturation.gain(100.0, 400.0, 4.0, most=True) == pytest.approx(100.0)


@pytest.mark.parametrize(
    ("table", "note"),
    [
        ({"x": [1], "t": [1.0]}, "not known: x has fewer than 2 values"),
        ({"x": [0, 1], "t": [1.0, 2.0]}, "not known: x is no number above 0, such as 0"),
        ({"x": ["a", "b"], "t": [1.0, 2.0]}, "not known: x is no number above 0, such as a"),
        ({"x": [1, 2], "t": [1.0, None]}, "not known: t is no number above 0 at x 2"),
        ({"x": [1, 2], "t": [1.0, 0.0]}, "not known: t is no number above 0 at x 2"),
    ],
)
def test_saturation_without_numbers(table: dict[str, list[Any]], note: str) -> None:
    ((row, steps),) = saturation.found(Saturation(column="t", along="x"), rows_of(table))
    assert (row["note"], steps) == (note, [])


def test_two_causes_against_their_maximum_and_their_sum() -> None:
    table = rows_of({"x": [9, 1, 9, 1], "y": [0, 0, 5, 5], "t": [1.0, 10.0, 4.0, 12.0]})
    (row,) = combination.rows(Combine(column="t", free={"x": 9, "y": 0}), table)
    assert (row["first_value"], row["second_value"], row["got"]) == (1, 5, 12.0)
    assert (row["maximum"], row["sum"], row["nearer"]) == (10.0, 13.0, "sum")
    assert row["maximum_error_percent"] == pytest.approx(-100 / 6)
    assert row["sum_error_percent"] == pytest.approx(100 / 12)
    holes = rows_of({"x": [9, 1, 1], "y": [0, 0, 5], "t": [1.0, 10.0, 12.0]})
    (row,) = combination.rows(Combine(column="t", free={"x": 9, "y": 0}), holes)
    assert row["note"] == "not known: no value with y 5 alone"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("readings")
    (made / "study.toml").write_text(STUDY.replace("[experiment.axes]", f"{CORRELATE}[experiment.axes]") + REST)
    finished = run_study(made / "study.toml", made / "out", jobs=1, figures=False)
    assert finished.problems == []
    return made / "out"


def read(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"e-{table}.csv").open() as file:
        return list(csv.DictReader(file))


def test_readings_are_in_tables_report_and_json(folder: Path) -> None:
    (pair,) = read(folder, "correlation")
    assert pair["first"] == "time_s" and float(pair["spearman"]) == pytest.approx(-1.0)
    saturated = read(folder, "saturation")
    assert [row["delay"] for row in saturated] == ["0", "100", "200"]
    assert saturated[0]["note"] == "not up to 1000: a doubling still gains 5 % or more"
    page = (folder / "report.html").read_text()
    summary = json.loads((folder / "summary.json").read_text())
    assert {reading["table"] for reading in summary["readings"]} == {
        "correlation", "saturation", "doublings", "combination",
    }  # fmt: skip
    for answer in summary["answers"]:
        assert answer["says"].partition(":")[0].split(",")[0] in page
    assert "kendall" in page and "maximum_error_percent" in page


def test_flows_of_one_size_add_delay_to_transmission(folder: Path) -> None:
    rows = read(folder, "combination")
    assert len(rows) == 6 and all(row["nearer"] == "sum" for row in rows)
    assert all(float(row["sum_error_percent"]) == pytest.approx(0.0, abs=1e-6) for row in rows)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ('correlate = ["time_s", "tims_s"]\n', 'there is no column "tims_s"'),
        ('correlate = ["time_s"]\n', "must be two columns"),
        ('correlate = [{ columns = ["time_s"], between = { delay = [0, 100] } }]\n', "must have one column, one axis"),
        ('correlate = [{ columns = ["time_s"], between = { delay = [0, 7] }, by = ["gbps"] }]\n', 'the value "7"'),
        ('saturation = [{ column = "time_s", along = "gbit" }]\n', 'there is no column "gbit"'),
        ('saturation = [{ column = "time_s", along = "gbps", percent = 0 }]\n', "greater than 0"),
        ('combine = [{ column = "time_s", free = { gbps = 1000 } }]\n', "must have two axes"),
        ('combine = [{ column = "time_s", free = { gbps = 999, delay = 0 } }]\n', 'no run has the value "999"'),
        ('correlate = [{ columns = ["time_s", "messages"], where = { delay = 7 } }]\n', 'no run has the value "7"'),
    ],
)
def test_what_is_refused_before_anything_runs(tmp_path: Path, more: str, sentence: str) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY.replace("[experiment.axes]", f"{more}[experiment.axes]"))
    with pytest.raises(netloom.NetloomError, match=sentence):
        prepare(path)


def test_a_band_of_deciles() -> None:
    table = rows_of({"x": [1] * 11, "y": [float(n) for n in range(11)]})
    for band, limits in (("deciles", (1.0, 9.0)), (True, (0.0, 10.0))):
        data = chart_data(
            table, Chart.model_validate({"title": "t", "x": "x", "y": "y", "band": band, "aggregate": "mean"})
        )
        assert (data["low"], data["high"], data["y"]) == ([limits[0]], [limits[1]], [5.0])
