"""What `netloom.evaluate.answers` declares is what answers hold: names, types, and the stub made from it."""

from __future__ import annotations

import ast
from array import array

import numpy as np
import pytest

import netloom
from netloom.evaluate import ALL, evaluator
from netloom.evaluate.answer import Answer
from netloom.reference.answers import HOME, SOURCE, evaluator_of, render, values
from netloom.reference.answers import answers as declared

from ..models import model_file

CLASSES = {
    evaluator_of(node.name): {name: kind for name, kind, _ in values(node)}
    for node in declared(ast.parse(SOURCE.read_text()))
}
RING = netloom.Scenario("torus(4,4)", ranks=16, workload="allreduce:ring", size_bytes="64 KiB")
LONG = netloom.Scenario("torus(32,32)", workload="alltoall:pairwise", size_bytes=1 << 20)
JOBS = [{"name": name, "ranks": 4, "workload": "allreduce:ring"} for name in "ab"]
#: Scenarios and options that between them leave no value without a number.
CASES: dict[str, list[tuple[netloom.Scenario, dict[str, object]]]] = {
    "hops": [
        (RING, {}),
        (RING.but(workload="shift(k=0)", size_bytes=1), {}),
        (netloom.Scenario("complete(1)", ranks=1, workload="broadcast:linear"), {}),
        (RING.but(order="two-opt(swaps=100)"), {"trace": True}),
    ],
    "loads": [
        (RING, {"contentions": True}),
        (RING.but(node="node(sockets=2,cores=2)", ranks=32), {}),
        (netloom.Scenario("torus(4,4)", jobs=JOBS), {"arrays": True}),
        (netloom.Scenario("complete(1)", ranks=1, workload="broadcast:linear"), {}),
    ],
    "time": [
        (RING, {}),
        (RING, {"trace": True, "critical_path": True}),
        (netloom.Scenario("torus(4,4)", jobs=JOBS), {}),
        (netloom.Scenario("torus(4,4)", workload="cg(class=S)"), {}),
        (LONG, {"stop_after_s": 0.1}),
    ],
    "packet": [
        (RING, {}),
        (RING, {"trace": True, "critical_path": True}),
        (RING, {"details": True}),
        (netloom.Scenario("star(4)", workload="shift(k=1,bytes=1000000)"), {"fast": True}),
        (LONG, {"stop_after_s": 0.1}),
    ],
    "throughput": [
        (netloom.Scenario("torus(4,4)", workload="uniform", routing="minimal"), {"saturation": False}),
    ],
    "metrics": [(netloom.Scenario("torus(4,4)"), {"bisection": True}), (netloom.Scenario("complete(1)"), {})],
    "cost": [(netloom.Scenario("torus(4,4)"), {})],
    "learned": [(RING, {"model": model_file()})],
    "verify": [(netloom.Scenario(collective="allreduce:ring", ranks=4), {})],
}
#: Keys that only a recorded run has.
RECORDED = {"trace", "critical_path"}
PLAIN: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "str": (str,), "bool": (bool,)}
PLAIN |= {"None": (type(None),), "list": (list,), "dict": (dict,), "tuple": (tuple,), "Vector": (np.ndarray,)}
PLAIN |= {"Trace": (dict,), "CriticalPath": (dict,)}


def fits(value: object, kind: ast.expr) -> bool:
    if isinstance(kind, ast.BinOp):
        return fits(value, kind.left) or fits(value, kind.right)
    if isinstance(kind, ast.Subscript):
        assert isinstance(kind.value, ast.Name)
        inner = kind.slice
        if kind.value.id == "list" and isinstance(value, list) and ast.unparse(inner) in PLAIN:
            return all(fits(item, inner) for item in value)
        return isinstance(value, PLAIN[kind.value.id])
    name = "None" if isinstance(kind, ast.Constant) else ast.unparse(kind)
    if isinstance(value, bool) and name != "bool":
        return False
    return isinstance(value, PLAIN[name])


def test_the_stub_is_current() -> None:
    assert HOME.read_text() == render(), "python -m netloom.reference.answers"


def test_every_evaluator_has_its_class_and_every_column_is_declared() -> None:
    assert list(CASES) and set(CLASSES) == set(CASES) == {row.name for row in ALL}
    missing = {row.name: {column.name for column in row.columns} - set(CLASSES[row.name]) for row in ALL}
    assert not any(missing.values()), missing


def answers(name: str) -> list[Answer]:
    return [netloom.evaluate(scenario, name, **options) for scenario, options in CASES[name]]


@pytest.mark.parametrize("name", CASES)
def test_answers_hold_what_is_declared(name: str) -> None:
    declared = CLASSES[name]
    for answer in answers(name):
        assert type(answer).__module__.startswith("netloom.evaluate")
        assert set(declared) - RECORDED <= set(answer) <= set(declared)
        wrong = {
            key: f"{type(answer[key]).__name__}, not {declared[key]}"
            for key in answer
            if not fits(answer[key], ast.parse(declared[key], mode="eval").body)
        }
        assert wrong == {}


@pytest.mark.parametrize("name", CASES)
def test_none_is_declared_only_where_it_happens(name: str) -> None:
    """A type that says `| None` for no reason makes every script ask for nothing."""
    allowed = {"throughput", "verify", "cost"}  # What their cases do not reach is known from the core's documentation.
    found = {key for answer in answers(name) for key in answer if answer[key] is None}
    said = {key for key, kind in CLASSES[name].items() if "| None" in kind}
    assert found <= said
    if name not in allowed:
        assert said - found <= {"value", "start_value", "bound", "evaluations"}, said - found


@pytest.mark.parametrize("name", CASES)
def test_attributes_and_subscripts_are_the_same(name: str) -> None:
    answer = answers(name)[0]
    own = {*dir(Answer), "model"}
    assert [key for key in answer if key not in own and getattr(answer, key) is not answer[key]] == []
    assert set(answer) <= set(dir(answer)) and answer._ipython_key_completions_() == list(answer)
    with pytest.raises(AttributeError, match="mesages"):
        answer.mesages  # noqa: B018


def test_columns_of_the_core_do_not_leave() -> None:
    """Commands start without NumPy; who scripts gets arrays."""
    made = netloom.evaluate(RING, "time")["finish_s"]
    assert isinstance(made, np.ndarray) and not isinstance(made, array)
    assert evaluator("time").name == "time"
