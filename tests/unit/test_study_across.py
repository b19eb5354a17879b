"""Charts over several experiments: what is refused before anything runs, and the numbers that are drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

import netloom
from netloom.cli.app import main
from netloom.report import Chart, Section, Text
from netloom.study.across import across
from netloom.study.run import Finished, prepare, run_study

STUDY = """
title = "Price and time"
[[experiment]]
name = "prices"
evaluate = "cost"
[experiment.axes]
network = ["ring(8)", "torus(4,2)", "star(8)"]
[[experiment]]
name = "times"
evaluate = "time"
[experiment.axes]
network = ["ring(8)", "torus(4,2)", "hypercube(3)"]
workload = ["allreduce:ring", "allreduce:recursive-doubling"]
size_bytes = ["8 KiB", "1 MiB"]
"""
PARETO = """
[[chart]]
title = "Both"
kind = "pareto"
by = ["network"]
measures = [
  { experiment = "prices", column = "total_usd" },
  { experiment = "times", column = "time_s", where = { workload = "allreduce:ring", size_bytes = "1 MiB" } },
]
"""
#: An experiment that is not there.
NAME = '"price",'
RADAR = """
[[chart]]
title = "Three"
kind = "radar"
by = ["network"]
measures = [
  { experiment = "prices", column = "total_usd", label = "price" },
  { experiment = "times", column = "time_s", aggregate = "max", label = "time" },
  { experiment = "times", column = "messages", aggregate = "max", label = "messages", most = true },
]
"""


def faults(tmp_path: Path, *charts: str) -> list[tuple[str, str, str, str]]:
    """Code, place without the file, sentence and hint."""
    file = tmp_path / "study.toml"
    file.write_text(STUDY + "".join(charts))
    try:
        prepare(file)
    except netloom.NetloomError as error:
        return [(f.code, f.place.removeprefix(f"{file}:"), f.expected, f.hint) for f in error.faults]
    return []


def line(part: str, *charts: str) -> int:
    """Line of the file in which `part` first stands."""
    text = STUDY + "".join(charts)
    return text[: text.index(part)].count("\n") + 1


def test_a_right_chart_is_accepted(tmp_path: Path) -> None:
    assert faults(tmp_path, PARETO, RADAR) == []


def test_all_faults_of_all_charts_with_line_and_nearest_name(tmp_path: Path) -> None:
    wrong = PARETO.replace('"prices"', '"price"').replace('"time_s"', '"tiem_s"')
    radar = RADAR.replace('by = ["network"]', 'by = ["netwrok"]')
    found = faults(tmp_path, wrong, radar)
    experiment, column, *by = found
    code, place, sentence, hint = experiment
    assert (code, sentence) == ("NL-S008", 'there is no experiment "price"')
    assert place.startswith(f"{line(NAME, wrong, radar)}:")
    assert place.endswith("chart[0].measures[0].experiment")
    assert "prices" in hint
    code, place, sentence, hint = column
    assert (code, sentence) == ("NL-S008", 'there is no column "tiem_s" in the experiment "times"')
    assert place.startswith(f"{line('tiem_s', wrong, radar)}:")
    assert place.endswith("chart[0].measures[1].column")
    assert "time_s" in hint
    # Once for each experiment that lacks it, though two measures are of "times".
    assert [sentence for _, _, sentence, _ in by] == [
        f'there is no column "netwrok" in the experiment "{name}"' for name in ("prices", "times")
    ]
    assert all(place.endswith("chart[1].by") and "network" in hint for _, place, _, hint in by)


def test_tables_and_conditions_are_checked(tmp_path: Path) -> None:
    table = PARETO.replace('column = "total_usd"', 'column = "total_usd", table = "setps"')
    # Told once: nothing else of the measure can be looked up.
    assert [(code, place.partition(" ")[2], sentence) for code, place, sentence, _ in faults(tmp_path, table)] == [
        ("NL-S008", "chart[0].measures[0].table", 'cost has no table "setps"')
    ]
    value = faults(tmp_path, PARETO.replace('size_bytes = "1 MiB"', 'size_bytes = "2 MiB"'))
    assert [(code, place.partition(" ")[2], sentence) for code, place, sentence, _ in value] == [
        ("NL-S009", "chart[0].measures[1].where.size_bytes", 'no run in the experiment "times" has the value "2 MiB"')
    ]
    assert "1 MiB" in value[0][3]
    (condition,) = faults(tmp_path, PARETO.replace("size_bytes =", "size_byte ="))
    assert condition[:1] == ("NL-S008",)
    assert condition[1].endswith("chart[0].measures[1].where.size_byte")


def test_beside_the_faults_of_an_experiment(tmp_path: Path) -> None:
    best = '[[experiment.best]]\ncolumn = "no_such"\n'
    found = faults(tmp_path, best, PARETO.replace('"prices"', '"price"'))
    assert [place.partition(" ")[2] for _, place, _, _ in found] == [
        "experiment[1].best[0].column",
        "chart[0].measures[0].experiment",
    ]


@pytest.mark.parametrize("options", [["--check"], []])
def test_the_command_refuses_it_before_it_runs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], options: list[str]
) -> None:
    file, out = tmp_path / "study.toml", tmp_path / "out"
    file.write_text(STUDY + PARETO.replace('"prices"', '"price"'))
    with pytest.raises(SystemExit) as left:
        main(["run", str(file), "-o", str(out), *options])
    said = capfd.readouterr().err
    assert left.value.code == 2, said
    assert "NL-S008" in said
    assert "chart[0].measures[0].experiment" in said
    assert not out.exists()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    folder = tmp_path_factory.mktemp("across")
    (folder / "study.toml").write_text(STUDY + PARETO + RADAR)
    return run_study(folder / "study.toml", folder / "out", figures=False)


def drawn(finished: Finished, which: int, **changes: object) -> Section:
    chart = finished.plan.loaded.study.chart[which].model_copy(update=changes)
    return across(chart, finished.outcomes)


def one(finished: Finished, experiment: str, column: str, **where: object) -> float:
    """The only number of these rows."""
    (row,) = finished.outcomes[experiment].table.where(dict(where)).rows
    value = row[column]
    assert isinstance(value, (int, float))
    return value


def test_a_front_has_the_networks_that_both_experiments_have(finished: Finished) -> None:
    chart = drawn(finished, 0)
    assert isinstance(chart, Chart)
    assert isinstance(chart.table, dict)
    columns = chart.table
    # The star has no time and the hypercube no price.
    assert list(columns["name"]) == ["ring(8)", "torus(4,2)"]
    for i, name in enumerate(columns["name"]):
        price = one(finished, "prices", "total_usd", network=name)
        time = one(finished, "times", "time_s", network=name, workload="allreduce:ring", size_bytes="1 MiB")
        assert (columns[chart.x][i], columns[chart.y][i]) == (price, time)


def test_a_radar_sets_each_measure_against_its_best(finished: Finished) -> None:
    chart = drawn(finished, 1)
    assert isinstance(chart, Chart)
    assert isinstance(chart.table, dict)
    rows = list(zip(*(chart.table[name] for name in ("measure", "name", "relative")), strict=True))
    found = {(str(measure), str(name)): relative for measure, name, relative in rows}
    names = ("ring(8)", "torus(4,2)")
    assert set(found) == {(measure, name) for measure in ("price", "time", "messages") for name in names}
    prices = {name: one(finished, "prices", "total_usd", network=name) for name in names}
    rows_of = finished.outcomes["times"].table.rows
    most = {
        column: {name: max(float(row[column]) for row in rows_of if row["network"] == name) for name in names}  # type: ignore[arg-type]
        for column in ("time_s", "messages")
    }
    for name in names:
        assert found["price", name] == pytest.approx(min(prices.values()) / prices[name])
        assert found["time", name] == pytest.approx(min(most["time_s"].values()) / most["time_s"][name])
        # More is better here: the largest is 1.
        assert found["messages", name] == pytest.approx(most["messages"][name] / max(most["messages"].values()))


def test_experiments_that_share_no_value_are_said_to(finished: Finished) -> None:
    first, second = finished.plan.loaded.study.chart[0].measures
    apart = [first.model_copy(update={"where": {"network": "star(8)"}}), second]
    text = drawn(finished, 0, measures=apart)
    assert isinstance(text, Text)
    assert text.body == "No value of network has all of these measures."


def test_a_radar_relative_to_a_chosen_network(finished: Finished) -> None:
    chart = drawn(finished, 1, baseline=["ring(8)"])
    assert isinstance(chart, Chart)
    assert isinstance(chart.table, dict)
    rows = list(zip(*(chart.table[name] for name in ("measure", "name", "relative")), strict=True))
    found = {(str(measure), str(name)): relative for measure, name, relative in rows}
    prices = {name: one(finished, "prices", "total_usd", network=name) for name in ("ring(8)", "torus(4,2)")}
    assert {found[measure, "ring(8)"] for measure in ("price", "time", "messages")} == {1.0}
    assert found["price", "torus(4,2)"] == pytest.approx(prices["ring(8)"] / prices["torus(4,2)"])
    assert "ring(8): more than 1 is better" in chart.caption
    none = drawn(finished, 1, baseline=["star(8)"])
    assert isinstance(none, Text) and none.body.startswith("star(8), the baseline, has not all")


def test_a_baseline_of_a_radar_is_checked(tmp_path: Path) -> None:
    wrong = faults(tmp_path, RADAR.replace("by =", 'baseline = ["ring(9)"]\nby ='))
    assert any(code == "NL-S009" and "ring(9)" in sentence for code, _, sentence, _ in wrong), wrong
    two = faults(tmp_path, RADAR.replace("by =", 'baseline = ["ring(8)", "8"]\nby ='))
    assert "one value for each axis of by" in two[0][2]
    front = faults(tmp_path, PARETO.replace("by =", 'baseline = ["ring(8)"]\nby ='))
    assert "of a radar alone" in front[0][2]
