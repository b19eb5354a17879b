"""Chapter 4 of Jain 2016: kept scores from the samples again, by NumPy and SciPy where nothing is fitted."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats
from sklearn.ensemble import ExtraTreesRegressor

from netloom.cli import main
from netloom.learning import NINETEEN, Asked, Method, Samples, learn

from ..findings import ROOT, digest
from ..measured import MODULES
from . import learning_best as best
from . import learning_data as data
from . import learning_page as page
from . import learning_quantiles as quantiles
from . import learning_scores as scores

HALO = next(one for one in data.SETS if one.name == "2d-halo-16-kib-1024")


def share_in_order(x: np.ndarray, y: np.ndarray) -> float:
    """The formula of section 4.2.2, pair by pair."""
    right = [(x[i] >= x[j] and y[i] >= y[j]) or (x[i] < x[j] and y[i] < y[j]) for i in range(len(x)) for j in range(i)]
    return sum(right) / len(right)


def test_sets_have_the_samples_of_table_4_4() -> None:
    """84 mappings of a kernel, 208 and 103 of MILC, 94 and 103 of pF3D; no two orders of a set are the same."""
    assert sum(one.code.mappings[one.nodes] for one in data.SETS) == 1516
    for one in data.there():
        orders = data.table().where({"set": one.name}).columns["order"]
        assert len(set(orders)) == len(orders) == one.code.mappings[one.nodes]
        assert data.times(one).min() > 0


@pytest.mark.parametrize("asked", ["max bytes", "H1"])
def test_kept_scores_of_given_features_come_out_again(asked: str) -> None:
    """Ten splits drawn, fitted and scored without netloom: RCC and R2 by their formulas, tau-b by SciPy."""
    times, values = data.times(HALO), data.features(HALO, scores.columns(asked))
    draws = np.random.Generator(np.random.PCG64(1))
    found = []
    for _ in range(10):
        order = draws.permutation(84)
        train, test = np.sort(order[:56]), np.sort(order[56:])
        made = ExtraTreesRegressor(n_estimators=100, random_state=1).fit(values[train], times[train])
        x, y = times[test], made.predict(values[test])
        r2 = 1 - np.sum((x - y) ** 2) / np.sum((x - np.mean(x)) ** 2)
        found.append((share_in_order(x, y), r2, stats.kendalltau(x, y).statistic))
    kept = [scores.score(HALO, asked, by) for by in ("rcc", "r2", "kendall_tau_b")]
    assert np.mean(found, axis=0) == pytest.approx(kept, abs=1e-4)


def test_a_forest_predicts_what_a_walk_down_its_trees_gives() -> None:
    """By the arrays of its nodes, on every mapping of a set: the mean of the leaves that are reached."""
    values, times = data.of(HALO).values, data.times(HALO)
    made = Method(trees=20).made()
    made.fit(values[:56], times[:56])
    walked = np.zeros(len(values))
    for tree in (one.tree_ for one in made.estimators_):  # type: ignore[attr-defined]
        for row, sample in enumerate(values.astype(np.float32)):
            node = 0
            while tree.children_left[node] != -1:
                left = sample[tree.feature[node]] <= tree.threshold[node]
                node = tree.children_left[node] if left else tree.children_right[node]
            walked[row] += tree.value[node].item() / 20
    assert made.predict(values) == pytest.approx(walked, rel=1e-12)


@pytest.mark.parametrize("learner", best.LEARNERS)
def test_kept_scores_of_a_best_subset_come_out_again(learner: str) -> None:
    """The search takes minutes; what it chose is fitted again."""
    line = best.kept()[HALO.name, learner, "rcc"]
    features = tuple(NINETEEN[name] for name in line["features"])  # type: ignore[attr-defined]
    found = data.of(HALO)
    part = Samples(found.place, features, found.of(features), found.target, found.observed, found.origin)
    made = learn(part, Asked(Method(learner)))
    for rows in ("test", "held_out"):
        again = {name: getattr(made.model.scores[name], rows) for name in ("rcc", "r2")}
        assert again == pytest.approx(line[rows], abs=1e-4)


def test_what_is_kept_is_of_the_samples_as_they_are() -> None:
    """Whoever packs other samples runs `python -m tests.papers.jain_2016.learning`."""
    keys = {one.name: scores.key(one) for one in data.there()}
    for line in (*scores.lines(), *scores.lines(best.FILE)):
        assert keys[str(line["set"])] == line["key"], line["set"]
    assert {str(line["set"]) for line in scores.lines()} == {one.name for one in data.chosen()}
    assert {str(line["set"]) for line in scores.lines(best.FILE)} == {one.name for one in data.there()}
    for line in scores.lines(quantiles.FILE):
        sets = data.chosen(quantiles.JOINED[str(line["joined"])])
        assert line["key"] == digest([scores.key(one) for one in sets]), line["joined"]


def test_the_command_of_the_page_learns_from_one_set(capsys: pytest.CaptureFixture[str]) -> None:
    """Labels of sets choose them; network and workload are the same in all rows of one."""
    command = next(line for line in page.HEAD.splitlines() if line.startswith("$ netloom learn"))
    (_, _, path, *options) = command.removeprefix("$ ").split()
    with pytest.raises(SystemExit) as ended:
        main(["learn", str(ROOT / path), *options, "--json", "-q"])
    assert ended.value.code == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["rcc"]["held_out"] > 0.9


def test_the_page_is_made_of_what_is_kept() -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.render()


def test_every_figure_names_claims_that_a_module_makes() -> None:
    from ..statements import homes

    known = {name for name, home in homes().items() if "learning_" in home}
    assert {name for one in page.FIGURES for name in one.claims} <= known
    assert {f"learning_{one.module}" for one in page.FIGURES} <= set(MODULES)
