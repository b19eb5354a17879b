"""A learned correction of `time`: kept scores follow from kept rows, the page has them, and the rule can say yes."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks.validation import residual_page, residuals
from benchmarks.validation.cells import STAND_INS, Cell, read
from benchmarks.validation.residuals import CORRECTIONS, KEPT, PLAIN, WAYS, Table

PAGE = Path(__file__).parents[2] / "docs" / "validation.md"


@pytest.fixture(scope="module")
def cells() -> list[Cell]:
    return read()


def same(found: residuals.Outcome, kept: residuals.Outcome) -> bool:
    """Whether all numbers are."""
    numbers = (
        [one.r2, *(value for row in one.machines.values() for value in asdict(row).values())] for one in (found, kept)
    )
    return list(found.machines) == list(kept.machines) and np.allclose(*numbers, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("way", WAYS)
def test_scores_follow_from_the_rows(cells: list[Cell], way: str) -> None:
    names = [PLAIN, "one factor", "factor a collective"]
    found, kept = residuals.study(cells, [way], names)[way], residuals.read()[way]
    assert all(same(found[name], kept[name]) for name in names)


def test_what_least_squares_learn_follows_from_the_rows(cells: list[Cell]) -> None:
    pytest.importorskip("sklearn")
    found, kept = residuals.study(cells, ["machines"], ["linear"]), residuals.read()
    assert same(found["machines"]["linear"], kept["machines"]["linear"])


@pytest.mark.parametrize("name", ["extra-trees", "gradient-boosting"])
def test_what_trees_learn_follows_from_the_rows(cells: list[Cell], name: str) -> None:
    """On one machine; other versions of scikit-learn draw other trees."""
    sklearn = pytest.importorskip("sklearn")
    if sklearn.__version__ != json.loads(KEPT.read_text())["scikit_learn"]:
        pytest.skip("the kept scores are of another scikit-learn")
    made = residuals.table_of(cells)
    own = made.machines == "LUMI-G"
    left = made.residual[own] - residuals.corrected(made, ~own, own, name)
    kept = residuals.read()["machines"][name].machines["LUMI-G"]
    assert np.median(residuals.errors(left)) == pytest.approx(kept.median, rel=1e-6)


def test_the_page_says_what_was_found(cells: list[Cell]) -> None:
    """No correction is taken on machines left out; random rows would have had one taken."""
    text = PAGE.read_text(encoding="utf-8")
    assert text.endswith("\n" + residual_page.section())
    kept = residuals.read()
    taken = {way: [name for name in CORRECTIONS if by[name].verdict.accepted] for way, by in kept.items()}
    assert taken == {way: ["extra-trees"] if way == "rows" else [] for way in WAYS}
    by = kept["machines"]
    for name in CORRECTIONS:
        assert by[name].verdict.lower_on < by[name].verdict.machines / 2
        assert round(by[name].r2, 2) <= 0
    assert {one.machine for one in cells if one.machine in STAND_INS} == set(STAND_INS)


def test_the_rows_are_those_of_the_page(cells: list[Cell]) -> None:
    """Rows and median error of `time`, as the table of the page has them."""
    text = PAGE.read_text(encoding="utf-8")
    for title, of in (
        ("LUMI-G, host", lambda one: one.machine == "LUMI-G"),
        ("MareNostrum 5 ACC, host", lambda one: one.machine == "MareNostrum 5 ACC" and one.code != "nccl"),
        ("MareNostrum 5 ACC, NCCL", lambda one: one.machine == "MareNostrum 5 ACC" and one.code == "nccl"),
        ("Leonardo, host", lambda one: one.machine == "Leonardo"),
        ("Ten nodes of eight H100", lambda one: one.machine == "Ten nodes of H100"),
    ):
        line = next(line for line in text.splitlines() if line.startswith(f"| {title}"))
        columns = [one.strip() for one in line.split("|")]
        own = [abs(one.predicted_s / one.measured_s - 1) for one in cells if of(one)]
        assert (f"{len(own):,}", f"{100 * np.median(own):.1f} %") == (columns[4], columns[5])


def toy(*shifts: float) -> Table:
    """Machines whose residual depends on the bytes alike; each has a shift of its own besides."""
    like = Cell("", "", "mpi", "allreduce", "ring", 8, 1, 8, 1.0, 1.0, 0.5, 0.5, 1.0)
    sizes = [2**power for power in range(3, 27)]
    rows = [
        replace(like, machine=f"m{at}", bytes=size, measured_s=float(np.exp(shift + 0.05 * np.log(size))))
        for at, shift in enumerate(shifts)
        for size in sizes
    ]
    return residuals.table_of(rows)


def test_what_holds_on_all_machines_is_learned_and_taken() -> None:
    pytest.importorskip("sklearn")
    made = toy(0.0, 0.0, 0.0)
    for name in ("one factor", "linear", "extra-trees"):
        found = residuals.outcome(made, WAYS["machines"].thought(made, name))
        assert found.verdict.accepted
    assert max(one.median for one in residuals.outcome(made, made.residual).machines.values()) == 0


def test_what_is_of_each_machine_is_not_taken() -> None:
    pytest.importorskip("sklearn")
    made = toy(-0.7, 1.5, -0.7)
    found = residuals.outcome(made, WAYS["machines"].thought(made, "linear"))
    assert not found.verdict.accepted
    # Each is thought of from the two others alone.
    changed = replace(made, residual=np.where(made.machines == "m1", 99.0, made.residual))
    one = made.machines == "m1"
    assert np.array_equal(*(WAYS["machines"].thought(of, "one factor")[one] for of in (made, changed)))
