"""A file of measurements beside the predictions of a study."""

from __future__ import annotations

from pathlib import Path

import pytest

from netloom.base.errors import NetloomError
from netloom.study import prepare, run_study
from netloom.study.measured import COLUMNS, Window, read, to_csv
from netloom.study.values import read_axis

STUDY = """
title = "Orders"
[[experiment]]
name = "one"
evaluate = "{evaluate}"
measured = "here.csv"
[experiment.axes]
network = "star(2)"
node = "node(sockets=2,cores=2)"
ranks = 8
order = {{ orders_of = [2, 2, 2], communicator = 2 }}
workload = "communicators(alltoall,2,bytes=64)"
"""


def windows(order: str) -> list[Window]:
    return [Window("one", {"order": order}, number, 2, 128, 10, 1e-3 * (1 + number)) for number in range(4)]


def test_windows_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "here.csv"
    made = [*windows("[0,1,2]"), Window("two", {"a": 1.5, "b": 'x,"y"'}, 0, 3, 0, 1, 0.1)]
    path.write_text(to_csv(made))
    assert read(str(path)) == made and made[0].time_s == pytest.approx(1e-4)


@pytest.mark.parametrize(
    "line", ["one,{},0,2,128,0,1e-3", "one,{},0,2,128,1,nan", "one,x,0,2,128,1,1", "one,[],0,2,128,1,1", "one,{},0,2"]
)
def test_another_table_is_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "here.csv"
    path.write_text(f"{','.join(COLUMNS)}\n{line}\n")
    with pytest.raises(NetloomError, match=r"NL-S031 .*here\.csv:2: is no row of a measurement"):
        read(str(path))
    path.write_text("src,dst,bytes\n")
    with pytest.raises(NetloomError, match=r"NL-S031 .*here\.csv:1: needs the columns experiment, run"):
        read(str(path))


def test_means_stand_in_the_main_table(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(STUDY.format(evaluate="time"))
    before = run_study(study, tmp_path / "before", figures=False)
    assert "measured_s" not in before.outcomes["one"].table.names()
    assert "Not measured yet: <code>mpirun" in (tmp_path / "before" / "report.html").read_text()
    (tmp_path / "here.csv").write_text(to_csv([*windows("[0,1,2]"), *windows("[9]")]))
    after = run_study(study, tmp_path / "after", figures=False)
    rows = {row["order"]: row for row in after.outcomes["one"].table.rows}
    assert rows["[0,1,2]"]["measured_s"] == pytest.approx(2.5e-4)
    rate = sum(128 / (1e-4 * (1 + number)) for number in range(4)) / 4
    assert rows["[0,1,2]"]["measured_bytes_per_s"] == pytest.approx(rate)
    assert rows["[1,0,2]"].get("measured_s") is None
    text = (tmp_path / "after" / "report.html").read_text()
    assert "1 run measured, in here.csv; it has 1 run that the study lacks" in text


def test_only_evaluations_with_communicators_are_measured(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(STUDY.format(evaluate="hops"))
    with pytest.raises(NetloomError, match=r"NL-S031 .*:6:1 experiment\[0\]\.measured: hops has no communicators"):
        prepare(study)


def test_orders_of_a_hierarchy_are_an_axis() -> None:
    every = read_axis({"orders_of": [2, 2, 4]})
    assert [value.label for value in every][:2] == ["[0,1,2]", "[0,2,1]"]
    assert every[0].value == "mixed-radix(0,1,2,levels=[2,2,4])"
    # Figure 2 of Swartvagher 2023: of communicators of four, [2,1,0] is similar to [2,0,1].
    assert [value.label for value in read_axis({"orders_of": [2, 2, 4], "communicator": 4})] == [
        "[0,1,2]", "[0,2,1]", "[1,0,2]", "[1,2,0]", "[2,0,1]",
    ]  # fmt: skip
    for raw in ({"orders_of": []}, {"orders_of": [2, True]}, {"orders_of": [2], "range": [1, 2]}, {"orders_of": "2,2"}):
        with pytest.raises(ValueError, match=r"orders_of takes|takes one of range"):
            read_axis(raw)
    with pytest.raises(ValueError, match="orders_of: communicator must be"):
        read_axis({"orders_of": [2, 2], "communicator": 3})
