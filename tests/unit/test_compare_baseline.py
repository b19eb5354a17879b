"""Comparisons relative to one network: phi, rates, both for the price, in `compare` and in studies."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.compare import compare
from netloom.compare.pictures import chart
from netloom.compare.rows import Compared
from netloom.compare.words import notes, verdict
from netloom.cost import efficiency, performance
from netloom.cost.of_network import price
from netloom.plot import figure
from netloom.study.run import prepare, run_study

FULL, THIN, THINNER = "thin_tree(8,8,2)", "thin_tree(8,3,2)", "thin_tree(8,2,2)"
STENCIL, SHIFT = 'stencil(8,8,bytes="64 KiB")', 'shift(k=8,bytes="64 KiB")'
MODELS = ("unit", "per-port", "per-port-squared")


def rows_of(**more: object) -> list[Compared]:
    given = {"baseline": FULL, "spread": False, "calibration": "pure", **more}
    return compare([FULL, THIN, THINNER], [STENCIL, SHIFT], **given)  # type: ignore[arg-type]


def faults(**more: object) -> list[tuple[str, str]]:
    with pytest.raises(NetloomError) as wrong:
        rows_of(**more)
    return [(fault.code, fault.place) for fault in wrong.value.faults]


def test_phi_weighs_relative_times() -> None:
    """Navaridas 2009, section 6.1, on times taken from the rows."""
    for weights, (first, second) in (({}, (1, 1)), ({SHIFT: 3}, (1, 3)), ({STENCIL: 0, SHIFT: 0.5}, (0, 0.5))):
        rows = rows_of(weights=weights)
        base = [one["time_s"] for one in rows[0]["workloads"]]
        for row in rows:
            stencil, shift = (one["time_s"] / its for one, its in zip(row["workloads"], base, strict=True))
            assert row["phi"] == pytest.approx((first + second) / (first * stencil + second * shift), rel=1e-12)
        assert rows[0]["phi"] == 1 and rows[1]["phi"] < 1
    assert performance({"a": 2.0}) == 0.5 and performance({"a": 2.0, "b": 1.0}, {"a": 0}) == 1


@pytest.mark.parametrize(("model", "power"), [*zip(MODELS, range(3), strict=True)])
def test_efficiency_is_phi_for_switches_of_one_radix(model: str, power: int) -> None:
    """Section 6.2: S R^power, where R counts the ports of the top that are not plugged."""
    rows = rows_of(model=model)
    costs = [16 * 16**power, 11 * 11**power, 10 * 10**power]
    assert [row["usd"] for row in rows] == costs
    for row, cost in zip(rows, costs, strict=True):
        assert row["relative_price"] == cost / costs[0]
        phi = row["phi"]
        assert phi is not None and row["efficiency"] == pytest.approx(phi / (cost / costs[0]), rel=1e-12)
    assert efficiency(0.8354, 11, 16) == pytest.approx(1.2152, abs=1e-4)


def test_rates_are_bytes_over_time_and_price() -> None:
    """Jain 2016, section 6.4."""
    rows = rows_of()
    for row in rows:
        for one, base in zip(row["workloads"], rows[0]["workloads"], strict=True):
            sent = netloom.evaluate({"network": row["network"], "workload": one["workload"]}, "loads")["bytes_sent"]
            rate = sent / one["time_s"]
            assert one["bytes"] == sent > 0
            assert one["rate_bytes_per_s"] == pytest.approx(rate, rel=1e-12)
            assert row["usd"] is not None
            assert one["rate_per_usd"] == pytest.approx(rate / row["usd"], rel=1e-12)
            assert one["relative_rate"] == pytest.approx(base["time_s"] / one["time_s"], rel=1e-12)
            expected = base["time_s"] / one["time_s"] * rows[0]["usd"] / row["usd"]  # type: ignore[operator]
            assert one["relative_rate_per_usd"] == pytest.approx(expected, rel=1e-12)


def test_without_a_baseline_there_are_rates_and_nothing_relative() -> None:
    for row in rows_of(baseline=None):
        assert not {"phi", "efficiency", "baseline", "relative_price"} & set(row)
        for one in row["workloads"]:
            assert "rate_bytes_per_s" in one and "relative_time" not in one


def test_what_a_baseline_and_weights_must_be() -> None:
    assert faults(baseline="thin_tree(8,4,2)", weights={"shift": 2}) == [
        ("NL-A002", "compare.weights"),
        ("NL-A002", "compare.baseline"),
    ]
    assert faults(weights={SHIFT: -1, STENCIL: float("nan")}) == [("NL-A007", "compare.weights")] * 2
    assert faults(weights={SHIFT: 0, STENCIL: 0}) == [("NL-A007", "compare.weights")]
    assert faults(baseline=None, weights={SHIFT: 2}) == [("NL-A003", "compare.weights")]
    assert rows_of(baseline=" thin_tree(8, 8, 2)")[0]["baseline"] == FULL


def test_networks_of_several_sizes_are_refused_unless_the_work_is_alike() -> None:
    """The paper restricts performance for the price to networks of one size."""
    asked = {"baseline": FULL, "spread": False}
    with pytest.raises(
        NetloomError, match=r"as all others: thin_tree\(8,3,3\) has 512, got thin_tree\(8,8,2\) with 64"
    ):
        compare([FULL, "thin_tree(8,3,3)"], [SHIFT], **asked)  # type: ignore[arg-type]
    rows = compare([FULL, "thin_tree(8,3,3)"], [SHIFT], ranks=64, **asked)  # type: ignore[arg-type]
    assert rows[1]["phi"] is not None and rows[1]["efficiency"] is None and rows[0]["efficiency"] == 1
    assert any(line.startswith("no efficiency of thin_tree(8,3,3)") for line in notes(rows))
    # Without a workload nothing is refused: prices and distances are relative.
    assert compare([FULL, "thin_tree(8,3,3)"], baseline=FULL)[1]["relative_price"] is not None


def test_the_verdict_says_who_performs_best_for_the_price() -> None:
    said = verdict(rows_of(model="per-port-squared"))
    assert any("has the highest performance over the workloads: 1, phi relative to" in line for line in said), said
    assert any("highest performance for the price" in line and THIN in line for line in said), said


def test_the_radar_is_relative_to_the_baseline() -> None:
    rows = rows_of(model="unit")
    drawn = chart("radar", rows)
    table = drawn.table
    at = [i for i, name in enumerate(table["measure"]) if name == "switches per endpoint"]
    assert [table["relative"][i] for i in at] == [1.0, pytest.approx(16 / 11), pytest.approx(16 / 10)]
    assert {table["relative"][i] for i, name in enumerate(table["network"]) if name == FULL} == {1.0}
    assert f"1 is {FULL}" in drawn.caption
    best = chart("radar", rows_of(baseline=None, model="unit")).table["relative"]
    assert max(best) == 1.0  # type: ignore[type-var]


def test_a_radar_beyond_one_is_drawn_and_less_than_nothing_refused() -> None:
    pytest.importorskip("matplotlib")
    table = {"measure": ["a", "b", "c"], "value": [0.5, 1.0, 2.0]}
    assert figure("radar", table, x="measure", y="value").axes[0].get_ylim()[1] >= 2
    with pytest.raises(NetloomError, match="numbers >= 0"):
        figure("radar", {**table, "value": [0.5, 1.0, -1.0]}, x="measure", y="value")


def test_a_network_file_has_a_price_where_cables_have_none(tmp_path: Path) -> None:
    edges = tmp_path / "ring.edges"
    edges.write_text("0 1\n1 2\n2 0\n")
    net = netloom.network(str(edges), format="graph-golf")
    cost, says = price(net, "per-port")
    assert cost is not None and says == "per-port" and cost["total_usd"] == 9
    assert cost["cable_length_total_m"] is None and cost["unit"] == "ports"
    assert price(net)[0] is None


STUDY = f"""
title = "Thin trees"
[[experiment]]
name = "thin"
evaluate = "time"
options = {{ calibration = "pure", routing = "minimal", variant = "adaptive-direct" }}
[experiment.axes]
network = ["{FULL}", "{THIN}", "{THINNER}"]
workload = ['{STENCIL}', '{SHIFT}']
[experiment.performance]
baseline = {{ network = "{FULL}" }}
weights = {{ '{SHIFT}' = 2 }}
models = ["unit", "per-port", "per-port-squared"]
"""


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"{name}.csv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def test_a_study_has_the_numbers_of_compare(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    run_study(tmp_path / "s.toml", tmp_path / "out")
    for model in MODELS:
        rows = rows_of(model=model, weights={SHIFT: 2})
        found = [row for row in table(tmp_path / "out", "thin-performance") if row["price"] == model]
        assert [row["network"] for row in found] == [FULL, THIN, THINNER]
        for row, mine in zip(found, rows, strict=True):
            for key in ("phi", "usd", "relative_price", "efficiency"):
                assert float(row[key]) == pytest.approx(mine[key], rel=1e-12), key  # type: ignore[literal-required]
        rates = [row for row in table(tmp_path / "out", "thin-rates") if row["price"] == model]
        ours = [one for row in rows for one in row["workloads"]]
        for line, one in zip(rates, ours, strict=True):
            for key in ("rate_bytes_per_s", "relative_time", "relative_rate", "rate_per_usd", "relative_rate_per_usd"):
                assert float(line[key]) == pytest.approx(one[key], rel=1e-12), key  # type: ignore[literal-required]


def test_rows_of_a_zip_are_relative_within_their_group(tmp_path: Path) -> None:
    """Two sizes in one experiment: each tree against the full one of its size; a refused run leaves phi open."""
    rows = ", ".join(
        f'{{ tasks = {8**levels}, tree = "8:{up}", network = "thin_tree(8,{up},{levels})", workload = "{load}" }}'
        for levels in (2, 3)
        for up in (8, 4)
        for load in ("shift(k=8)", "shift(k=9)", *(["transpose"] if (up, levels) == (8, 2) else []))
    )
    text = STUDY.partition("[experiment.axes]")[0]
    text += f"[experiment.zip]\nrow = [{rows}]\n[experiment.performance]\n"
    text += 'baseline = { tree = "8:8" }\nignoring = ["network"]\nmodels = ["unit"]\n'
    (tmp_path / "s.toml").write_text(text)
    run_study(tmp_path / "s.toml", tmp_path / "out")
    found = {(row["tasks"], row["tree"]): row for row in table(tmp_path / "out", "thin-performance")}
    assert [float(found[size, "8:4"]["usd"]) for size in ("64", "512")] == [12, 112]
    assert float(found["512", "8:8"]["phi"]) == float(found["512", "8:8"]["efficiency"]) == 1
    # The full tree of 64 ran one workload more.
    assert found["64", "8:4"]["phi"] == "" and float(found["64", "8:4"]["relative_price"]) == 12 / 16
    assert found["512", "8:4"]["network"] == "thin_tree(8,4,3)"


@pytest.mark.parametrize(
    ("before", "after", "code", "place"),
    [
        (f'network = "{FULL}" }}', 'network = "star(4)" }', "NL-S009", "performance.baseline.network"),
        (f'network = "{FULL}" }}', 'netwrok = "star(4)" }', "NL-S009", "performance.baseline"),
        (f"'{SHIFT}' = 2", "shift = 2", "NL-S009", "performance.weights"),
        (f"'{SHIFT}' = 2", f"'{SHIFT}' = -2", "NL-S004", "performance.weights"),
        ('"unit", ', '"unti", ', "NL-K002", "performance.models.unti"),
        ("models =", 'time = "tiem_s"\nmodels =', "NL-S008", "performance.time"),
        ("models =", 'bytes = "byets"\nmodels =', "NL-S008", "performance.bytes"),
        ("models =", 'ignoring = ["size"]\nmodels =', "NL-S009", "performance.ignoring"),
        (f'"{THINNER}"]', '"thin_tree(8,2,3)"]', "NL-S004", "performance.baseline"),
    ],
)
def test_what_is_wrong_with_the_question_of_a_study(
    before: str, after: str, code: str, place: str, tmp_path: Path
) -> None:
    assert before in STUDY
    (tmp_path / "s.toml").write_text(STUDY.replace(before, after))
    with pytest.raises(NetloomError) as wrong:
        prepare(tmp_path / "s.toml")
    assert any(one.code == code and f"experiment[0].{place}" in one.place for one in wrong.value.faults), wrong.value
