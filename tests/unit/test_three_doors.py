"""Three doors, one room: the API, the command line and a study give the same bytes for the same scenario."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import netloom
from netloom import NetloomError, Scenario
from netloom.study import prepare
from netloom.study.execute import execute
from netloom.study.journal import Journal

NETWORKS = ("torus(4,4)", "ring(12)", "dragonfly(a=4,p=2,h=1,g=5)", "fat_tree(radix=4,levels=2)", "torus(2,3,p=2)")
WORKLOADS = (
    *("allreduce:ring", "alltoall:bruck", "broadcast:binomial", "uniform(seed=3,messages=40)", "shift(1)"),
    *("spread", 'all-pairs(bytes="1 KiB")', "is(class=S)", "stencil(2,3)"),
)
PLACEMENTS = ("linear", "random(seed=4)", "rdn", "rdr")
ORDERS = ("draw", "ascending", "two-opt(swaps=30,seed=1)")
CASES = 300
EVALUATORS = ("hops", "loads", "time")


def drawn(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """An evaluator and the axes of a scenario; some cannot be."""
    name = rng.choice(EVALUATORS)
    axes: dict[str, Any] = {"network": rng.choice(NETWORKS)}

    def maybe(axis: str, *values: Any, bad: Any = "no such", share: float = 0.35) -> None:
        if rng.random() < share:
            axes[axis] = bad if rng.random() < 0.06 else rng.choice(values)

    if name in ("loads", "time") and rng.random() < 0.3:
        axes["jobs"] = jobs(rng)
    else:
        maybe("workload", *WORKLOADS, bad="allreduce:rng", share=1)
        maybe("ranks", 4, 6, 8, "all", bad=500, share=0.7)
        maybe("order", *ORDERS)
        maybe("root", 0, 2, bad=-1)
    maybe("cores", 1, 2, 3, bad=0)
    maybe("placement", *PLACEMENTS, share=0.6)
    maybe("size_bytes", 16, "1 KiB", share=0.5)
    maybe("fail", "link:0-1", "switch:2", "links:10%,seed=2")
    if name != "hops":
        maybe("routing", "single-minimal", "minimal", bad="minimall", share=0.2)
    if name == "loads":
        maybe("variant", "SD", "AD", "static-indirect", bad="XX")
        maybe("seed", 1, 7, bad=-1)
    if name == "time":
        maybe("repetitions", 1, 3, bad=0)
        maybe("calibration", "pure", "simgrid-smpi")
        maybe("duplex", "full", "half")
        maybe("switch_latency", "100 ns")
        maybe("flops_per_s", "1 Gflops")
    return name, axes


def jobs(rng: random.Random) -> list[dict[str, Any]]:
    """One to three jobs; some do not fit."""
    made = []
    for number in range(rng.randint(1, 3)):
        job: dict[str, Any] = {"name": f"j{number}", "workload": rng.choice(WORKLOADS[:7])}
        job |= rng.choice(
            [{"nodes": 3}, {"nodes": 4}, {"share": "20%"}, {"node_list": [number, number + 5]}, {"ranks": 4}]
        )
        if rng.random() < 0.3:
            job["placement"] = rng.choice(PLACEMENTS)
        if rng.random() < 0.2:
            job["repetitions"] = 2
        made.append(job)
    return made


@pytest.fixture(scope="module")
def cases() -> list[tuple[str, dict[str, Any]]]:
    rng = random.Random(15)
    return [drawn(rng) for _ in range(CASES)]


def of_api(name: str, scenario: Scenario) -> dict[str, Any] | NetloomError:
    """What `netloom.evaluate` gives, through JSON, or what it refuses."""
    try:
        return dict(json.loads(json.dumps(netloom.evaluate(scenario, name).to_dict())))
    except NetloomError as error:
        return error


def of_command(name: str, file: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code and what `netloom evaluate FILE -e NAME --json` prints."""
    from netloom.cli import main

    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(["evaluate", str(file), "-e", name, "--json"])
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out, said.err


def study_of(name: str, axes: dict[str, Any]) -> str:
    """A study of one run with the same axes."""
    lines = ['title = "t"', "[[experiment]]", 'name = "e"', f'evaluate = "{name}"', "[experiment.axes]"]
    plain = {axis: "listed" if axis == "jobs" else value for axis, value in axes.items()}
    lines += [f"{axis} = {json.dumps(value)}" for axis, value in plain.items()]
    for job in axes.get("jobs", []):
        lines += ["[[experiment.jobs.listed]]", *(f"{key} = {json.dumps(value)}" for key, value in job.items())]
    return "\n".join(lines) + "\n"


def of_study(file: Path, out: Path) -> dict[str, Any] | list[tuple[str, ...]]:
    """Row and tables of a study's only run, or code, expectation, value and hint of its faults."""
    try:
        plan = prepare(file)
    except NetloomError as error:
        return faults_of(error)
    with Journal(out, plan.loaded.digest, plan.version, force=True) as journal:
        (record,) = execute(plan, journal, jobs=1).values()
    if record["status"] == "done":
        return {"record": record["row"], "tables": record["tables"]}
    return sorted((code, expected, got, hint) for code, _, expected, got, hint in record["faults"])


def faults_of(error: NetloomError) -> list[tuple[str, ...]]:
    """Without the place: a study says its file and line."""
    return sorted((fault.code, fault.expected, fault.got, fault.hint) for fault in error.faults)


def test_a_study_of_one_run_has_the_same_row_and_tables(
    cases: list[tuple[str, dict[str, Any]]], tmp_path: Path
) -> None:
    done, wrong = 0, []
    for number, (name, axes) in enumerate(cases):
        asked = of_api(name, Scenario(**axes))
        file = tmp_path / "s.toml"
        file.write_text(study_of(name, axes))
        found = of_study(file, tmp_path / f"o{number}")
        wanted: Any = (
            faults_of(asked) if isinstance(asked, NetloomError) else {key: asked[key] for key in ("record", "tables")}
        )
        done += isinstance(asked, dict)
        if found != wanted:
            wrong.append((name, axes, wanted, found))
    assert not wrong, f"{len(wrong)} of {CASES}, the first: {wrong[0]}"
    assert CASES / 3 < done < CASES


def test_the_command_prints_the_same(
    cases: list[tuple[str, dict[str, Any]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("netloom.cli.evaluate")
    for number, (name, axes) in enumerate(cases):
        scenario = Scenario(**axes)
        file = tmp_path / ("s.toml" if number % 2 else "s.json")
        file.write_text(scenario.to_toml() if number % 2 else scenario.to_json())
        asked = of_api(name, scenario)
        code, out, err = of_command(name, file, capsys)
        if isinstance(asked, NetloomError):
            assert code == 2 and not out and all(fault.expected in err for fault in asked.faults), (name, axes, err)
        else:
            assert code == 0 and out == json.dumps(asked, indent=2, ensure_ascii=False) + "\n", (name, axes)


def test_scenarios_come_back_from_toml_and_json(cases: list[tuple[str, dict[str, Any]]]) -> None:
    for _, axes in cases:
        scenario = Scenario(**axes)
        assert Scenario.from_toml(scenario.to_toml()) == scenario
        assert Scenario.from_json(scenario.to_json()) == scenario
        assert Scenario.from_dict(scenario.to_dict()) == scenario
