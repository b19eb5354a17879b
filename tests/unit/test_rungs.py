"""Rungs: one list from which every command that compares models or mappings learns, and to which a plug-in adds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from netloom import _core
from netloom.base.registries import catalogue
from netloom.cli import main
from netloom.evaluate import ALL, evaluator
from netloom.evaluate.rungs import RUNGS, rungs
from netloom.reference.catalogue import rung_table

#: The whole of a new rung: one file, and no line elsewhere.
TOY = '''
"""A rung that counts."""
from netloom import plugin


class Toy(plugin.Evaluator):
    """Time by counting: a nanosecond for each rank times its endpoint."""

    name = "toy"
    inputs = ("machine", "network", "format", "part", "fail", "ranks", "cores", "node", "placement", "order", "mapping",
              "seats", "workload", "size_bytes")
    columns = (("time_s", "s", "end of the last rank"),)
    rung = plugin.Rung("toy", 4, "Counting", "toys", decides="toy_s", number=("time of toys", "time that toys count"),
                       model="toy", compared="toys")

    def evaluate(self, bound, options):
        return {"time_s": 1e-9 * sum(int(end) * (rank + 1) for rank, end in enumerate(bound.mapping))}
'''


@pytest.fixture
def run(tmp_path: Path, capsys):
    (tmp_path / "toy.py").write_text(TOY)

    def made(*args: str) -> str:
        with pytest.raises(SystemExit) as left:
            main([*args, "--plugin", str(tmp_path / "toy.py")])
        assert left.value.code == 0
        return capsys.readouterr().out

    return made


def test_a_plug_in_is_a_rung_of_every_command(run) -> None:
    job = ("-n", "torus(4,4)", "-t", "stencil(4,4)", "-q")
    timed = json.loads(run("simulate", *job, "--model", "toy", "--json"))
    assert timed["time_s"] == pytest.approx(1e-9 * sum(end * (end + 1) for end in range(16)))
    assert "time" in run("simulate", *job, "--model", "toy")
    compared = json.loads(run("compare-models", *job, "--json"))
    assert [one["rung"] for one in compared["rungs"]] == ["loads", "time", "packet", "toy"]
    assert compared["rungs"][3]["time_s"] == timed["time_s"]
    assert any(line.startswith("Toys take ") for line in compared["says"])
    mapped = json.loads(run("map", *job, "--placement", "random(seed=2)", "--json"))
    assert mapped["rung"] == "toy" and all("toy_s" in one for one in mapped["candidates"])
    assert "time of toys" in run("map", *job, "--placement", "random(seed=2)")
    assert [row["name"] for row in json.loads(run("list", "rungs", "--json"))][-1] == "toy"
    assert any("toys" in line for line in rung_table(rungs()))


def test_a_model_that_there_is_not_is_named(capsys) -> None:
    with pytest.raises(SystemExit) as left:
        main(["simulate", "-n", "torus(4,4)", "-c", "allreduce:ring", "--model", "packets"])
    assert left.value.code == 2 and 'did you mean "packet"?' in capsys.readouterr().err


def test_a_rung_without_a_record_refuses_what_needs_one(run, capsys) -> None:
    from netloom.evaluate.rungs import by_model

    run("list", "rungs")
    assert by_model("toy").name == "toy"
    with pytest.raises(SystemExit) as left:
        main(["simulate", "-n", "ring(4)", "-c", "allreduce:ring", "--model", "toy", "--critical-path"])
    assert left.value.code == 2 and "keeps no record" in capsys.readouterr().err


def test_the_shipped_rungs_are_evaluators_from_coarse_to_fine() -> None:
    assert [one.name for one in RUNGS] == [row.name for row in ALL if row.name in {one.name for one in RUNGS}]
    assert sorted(RUNGS, key=lambda one: one.fidelity) == list(RUNGS)
    known = {row["name"] for row in _core.evaluators()}
    for one in RUNGS:
        # Only one that needs a model's file has no model of the core.
        assert (one.name in known) == (not one.needs) and evaluator(one.name).summary
        assert not one.decides or one.number[0]
    assert [row["name"] for row in catalogue("rungs")][: len(RUNGS)] == [one.name for one in RUNGS]
