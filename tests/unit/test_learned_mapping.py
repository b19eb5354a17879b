"""Mappings rated by a model: the evaluator `learned`, the ranking of drawn mappings, and what is refused."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.base.threads import limit_threads
from netloom.evaluate.ask import bound_job
from netloom.evaluate.contest import contest
from netloom.evaluate.learned.drawing import Drawing, Drawn, start_of
from netloom.evaluate.learned.predictor import Predictor
from netloom.evaluate.learned.ranking import Ranking, rank
from netloom.learning import Asked, Method, Model, Samples, learn, write_model
from netloom.scenario import Scenario
from netloom.study import prepare

from ..models import model_file

NETWORK, WORKLOAD = "torus(4,4,4)", 'stencil(8,16,bytes="64 KiB")'
FEATURES = ("bytes_max", "bytes_mean", "dilation_ao_mean")
INPUTS = {
    "network": NETWORK, "workload": WORKLOAD, "cores": 2, "routing": "dimension-ordered", "calibration": "pure",
}  # fmt: skip
#: What `learned` does not take.
OF_TIME = ("calibration",)


def scenario(**more: object) -> Scenario:
    return Scenario.from_dict(INPUTS | more)


def asked(**more: object) -> dict[str, object]:
    return {name: value for name, value in (INPUTS | more).items() if name not in OF_TIME}


@pytest.fixture(scope="module")
def model() -> Model:
    """The time of packets on a torus, learned from 40 orders."""
    orders = [f"random(seed={seed})" for seed in range(1, 25)]
    orders += [f"guided(swaps={swaps})" for swaps in range(20, 660, 40)]
    values, times = [], []
    for order in orders:
        found = netloom.evaluate(scenario(order=order), "packet", features=True)
        values.append([found[name] for name in FEATURES])
        times.append(found.time_s)
    origin = {"network": NETWORK, "workload": WORKLOAD}
    samples = Samples("drawn", FEATURES, np.array(values, dtype=float), "time_s", np.array(times), origin)
    return learn(samples, Asked(Method(trees=30))).model


@pytest.fixture(scope="module")
def path(model: Model, tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("models") / "halo.model"
    write_model(model, made)
    return str(made)


def written(model: Model, folder: Path, **changes: object) -> str:
    write_model(replace(model, **changes), folder / "other.model")  # type: ignore[arg-type]
    return str(folder / "other.model")


def code_of(error: NetloomError) -> str:
    return error.faults[0].code


def test_link_loads_have_the_features_of_packets_on_one_path(path: str) -> None:
    for order in ("random(seed=77)", "guided(swaps=200)"):
        packets = netloom.evaluate(scenario(order=order), "packet", features=True)
        found = netloom.evaluate(asked(order=order), "learned", model=path, extrapolate=True)
        assert found["features"] == pytest.approx({name: packets[name] for name in FEATURES}, rel=1e-12)


def test_the_prediction_is_that_of_the_trees(model: Model, path: str) -> None:
    found = netloom.evaluate(asked(order="random(seed=3)"), "learned", model=path)
    row = np.array([[found["features"][name] for name in FEATURES]])
    mean = np.mean([tree.predict(row.astype(np.float32)) for tree in model.fitted.estimators_])  # type: ignore[attr-defined]
    assert found.time_s == pytest.approx(mean, rel=1e-12)
    assert found["low_s"] < found.time_s < found["high_s"]
    packets = netloom.evaluate(scenario(order="random(seed=3)"), "packet")
    assert found["low_s"] <= packets.time_s <= found["high_s"]


def test_what_is_unlike_the_samples_is_refused_or_has_a_wider_interval(path: str) -> None:
    far = asked(order="random(seed=3)", workload='stencil(8,16,bytes="640 KiB")')
    with pytest.raises(NetloomError, match=r"NL-Q007.*workload is") as told:
        netloom.evaluate(far, "learned", model=path)
    assert code_of(told.value) == "NL-Q007"
    near = netloom.evaluate(asked(order="random(seed=3)"), "learned", model=path)
    wide = netloom.evaluate(far, "learned", model=path, extrapolate=True)
    assert wide["beyond"] > 1 and near["beyond"] == 0
    share = [(one["high_s"] - one["low_s"]) / one.time_s for one in (near, wide)]
    assert share[1] == pytest.approx(share[0] * (1 + wide["beyond"]), rel=1e-9)
    assert any(said.startswith("workload is") for said in wide.explain())


@pytest.mark.parametrize(("origin", "asked_with", "said"), [
    ({"routing": "minimal"}, {}, "routing is dimension-ordered"),
    ({"routing": "dimension-ordered"}, {}, ""),
    ({"routing": "dimension-ordered"}, {"routing": "auto"}, "routing is minimal"),
    ({"routing": "auto"}, {"routing": "auto"}, ""),
    ({"cores": "4"}, {}, "cores is 2"),
    ({"cores": "2"}, {}, ""),
])  # fmt: skip
def test_a_model_of_another_routing_or_other_nodes_is_refused(
    model: Model, tmp_path: Path, origin: dict[str, str], asked_with: dict[str, str], said: str
) -> None:
    other = written(model, tmp_path, origin={**model.origin, **origin})
    question = asked(order="random(seed=3)", **asked_with)
    if not said:
        found = netloom.evaluate(question, "learned", model=other, extrapolate=True)
        assert not any("and the model was learned on" in line for line in found.explain())
        return
    with pytest.raises(NetloomError, match=said):
        netloom.evaluate(question, "learned", model=other)


def test_a_model_that_does_not_say_where_it_is_from_is_taken_with_a_word(model: Model, tmp_path: Path) -> None:
    found = netloom.evaluate(asked(order="random(seed=3)"), "learned", model=written(model, tmp_path, origin={}))
    assert "the model does not say on which network and workload it was learned" in found.explain()


def test_a_call_in_other_words_is_the_same_network(path: str) -> None:
    found = netloom.evaluate(asked(network="torus( 4, 4,4 )", order="random(seed=3)"), "learned", model=path)
    assert found.time_s > 0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"target": "bytes_total"}, "predicts bytes_total, which is no time"),
        ({"features": ("bytes_max", "bytes_mean", "stalls_mean")}, "needs stalls_mean, which link loads do not tell"),
    ],
)
def test_models_of_other_questions_are_refused(
    model: Model, tmp_path: Path, changes: dict[str, object], words: str
) -> None:
    with pytest.raises(NetloomError, match=words) as told:
        netloom.evaluate(asked(), "learned", model=written(model, tmp_path, **changes))
    assert code_of(told.value) == "NL-Q008"


def test_without_a_model_it_says_how_to_make_one() -> None:
    with pytest.raises(NetloomError, match="names no model"):
        netloom.evaluate(asked(), "learned")


@pytest.mark.parametrize(("radix", "least"), [((), 1), ((7,), 20), ((2, 3), 20), ((2, 2, 3, 2), 50), ((5, 5, 2), 50)])
def test_drawn_mappings_have_the_slots_of_the_start_each_once(radix: tuple[int, ...], least: int) -> None:
    ranks = int(np.prod(radix, dtype=int))
    slots = np.random.default_rng(1).permutation(3 * ranks)[:ranks].astype(np.uint32)
    drawing, found = Drawing(Drawn(slots, radix), 5), []
    one = Drawn(slots, radix)
    for _ in range(50):
        one = drawing.anew() or drawing.changed(one) or one
        found.append(one.slots.tobytes())
        assert sorted(one.slots) == sorted(slots) and int(np.prod(one.radix, dtype=int)) == ranks
    assert len(set(found)) >= least


def test_digits_are_those_of_the_levels() -> None:
    assert start_of(bound_job(scenario())).radix == (2, 2, 2, 2, 2, 2, 2)
    three = bound_job(Scenario.from_dict({"network": "torus(3,4)", "workload": "stencil(3,4)"}))
    assert start_of(three).radix == (3, 2, 2)


def ranking(path: str, **more: object) -> Ranking:
    bound = bound_job(scenario(order="random(seed=9)"))
    return rank(bound, Predictor(bound, path, extrapolate=True), tried=60, **more)  # type: ignore[arg-type]


def test_the_ranking_is_the_same_on_any_number_of_threads(path: str) -> None:
    found = []
    for threads in (1, 2):
        limit_threads(threads)
        try:
            found.append(ranking(path))
        finally:
            limit_threads(None)
    assert found[0].facts() == found[1].facts()
    assert found[0].best.drawn.slots.tolist() == found[1].best.drawn.slots.tolist()


def test_the_best_one_was_simulated_and_beats_the_start(path: str) -> None:
    found = ranking(path)
    assert found.by in ("time", "packet") and len(found.ranked) == 60 and len(found.checked) >= 7
    assert found.best.simulated_s is not None and found.start.simulated_s is not None
    assert found.best.simulated_s == min(one.simulated_s or 1.0 for one in found.checked) < found.start.simulated_s
    assert found.correlation is not None and 0 < found.correlation <= 1


def test_map_follows_a_model_and_says_how_well_it_ranks(path: str) -> None:
    bound = {name: value for name, value in INPUTS.items() if name != "network"} | {"order": "random(seed=9)"}
    found = netloom.map_ranks(NETWORK, objective=f"learned:{path}", **bound)  # type: ignore[arg-type]
    assert found.method == "learned" and found.value < found.start_value
    assert sorted(found.mapping.tolist()) == sorted(list(range(64)) * 2)


def test_a_contest_has_the_mapping_that_a_model_ranks_first(path: str) -> None:
    bound = bound_job(scenario(order="random(seed=9)"))
    found = contest(bound, swaps=50, model=path)
    names = [one.name for one in found.candidates]
    skipped = dict(found.skipped)
    assert "learned" in names or "learned" in skipped
    assert all("learned_s" in one.worth for one in found.candidates)
    assert found.rung in ("time", "packet")
    plain = contest(bound, swaps=50)
    assert all("learned_s" not in one.worth for one in plain.candidates)


def test_a_model_and_another_optimiser_are_refused(path: str) -> None:
    with pytest.raises(NetloomError, match="auto where a model is the objective"):
        netloom.map_ranks(NETWORK, objective=f"learned:{path}", optimiser="two-opt", workload=WORKLOAD, cores=2)


STUDY = """\
title = "Models"
[[experiment]]
name = "a"
evaluate = "{evaluate}"
[experiment.axes]
network = "torus(4,4)"
workload = 'shift(k=5,bytes="1 MiB")'
{axes}
"""


@pytest.mark.parametrize(
    ("evaluate", "axes"),
    [
        ("learned", 'model = "links.model"\norder = "random(seed=1)"'),
        ("hops", "order = 'learned(model=\"links.model\",swaps=5,seed=3)'"),
        ("hops", "order = 'best(model=\"links.model\",swaps=5,seed=3)'"),
    ],
)
def test_a_run_of_a_study_is_known_by_what_is_in_the_model(tmp_path: Path, evaluate: str, axes: str) -> None:
    """A file that was changed under its name is another input, and the run is made again."""
    (tmp_path / "study.toml").write_text(STUDY.format(evaluate=evaluate, axes=axes))

    def keys() -> list[str]:
        return [run.key for part in prepare(tmp_path / "study.toml").parts for run in part.runs]

    shutil.copy(model_file(), tmp_path / "links.model")
    before = keys()
    assert keys() == before
    filled = np.geomspace(1.0, 1e9, 50)
    other = Samples("links", ("bytes_max",), filled[:, None], "time_s", filled * 2e-9, {})
    write_model(learn(other, Asked(Method("linear"))).model, tmp_path / "links.model")
    assert keys() != before
    (tmp_path / "links.model").unlink()
    with pytest.raises(NetloomError, match=r"links\.model"):
        prepare(tmp_path / "study.toml")


def test_an_input_among_the_options_of_an_evaluation_stands_once() -> None:
    cost = netloom.evaluate({"network": "torus(4,4)"}, "cost", cabinets="row-major")
    assert cost == netloom.evaluate({"network": "torus(4,4)", "cabinets": "row-major"}, "cost")
    with pytest.raises(NetloomError, match="stands in the scenario too"):
        netloom.evaluate({"network": "torus(4,4)", "cabinets": "row-major"}, "cost", cabinets="row-major")
