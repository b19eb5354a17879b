"""One default for one thing: the command's option, the Python function's parameter and the evaluator's option agree."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import click
import pytest

import netloom
from netloom.calibration.fitting import fit
from netloom.cli.app import cli
from netloom.compare import compare
from netloom.evaluate import ALL
from netloom.network.size import size
from netloom.scenario.axes import BY_NAME
from netloom.scenario.search import optimiser_for

#: What a command is in Python: functions, and evaluators whose options it has.
FUNCTIONS: dict[str, Callable[..., object]] = {
    "calibrate": fit,
    "collectives": netloom.time_collective,
    "compare": compare,
    "describe": netloom.describe,
    "enumerate": netloom.enumerate_orders,
    "explain": netloom.place,
    "hops": netloom.hops,
    "loads": netloom.loads,
    "map": netloom.map_ranks,
    "simulate": netloom.simulate,
    "size": size,
    "verify": netloom.verify,
}
EVALUATORS = {
    "compare-models": ("packet",),
    "hops": ("hops",),
    "loads": ("loads",),
    "simulate": ("packet", "time"),
    "throughput": ("throughput",),
    "verify": ("verify",),
}
#: Options with another name in Python.
NAMES = {"optimise": "optimiser", "size": "size_bytes", "no_bisection": "bisection", "no_saturation": "saturation"}
#: Where the command's help says in words what its Python value says in another way, with the reason.
WORDED = {
    ("map", "optimise"): "depends on the objective: test_the_optimiser_of_a_map",
    ("throughput", "loads"): "ten loads, shortened",
    ("throughput", "warm_up"): "as many as the network needs",
    ("throughput", "cycles"): "as many as the network needs",
    ("throughput", "drain"): "as many as the network needs",
    ("simulate", "threads"): "0 is by the size of the network",
    ("compare-models", "threads"): "bounds all parallel work; 0 of packets is by the size of the network",
    ("compare", "routing"): "a policy, which the function takes as an input of the scenario",
    ("design", "routing"): "a policy of all candidates, which the function takes as a setting",
    ("design", "calibration"): "that of a network without a machine, which the row says in words",
}


def commands() -> dict[str, click.Command]:
    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


def said(option: click.Parameter) -> str | None:
    """The default that the command's help names, as text; None if it names none."""
    named = re.search(r"\[default: (.*?)\]", getattr(option, "help", None) or "")
    if named:
        return named[1]
    if isinstance(option, click.Option) and option.is_flag:
        given = option.default is True
        # A flag such as --no-bisection says the opposite.
        return str(given != str(option.name).startswith("no_")).lower()
    return None if option.default is None or "UNSET" in str(option.default) else str(option.default)


def in_python(command: str, name: str) -> dict[str, str]:
    """The defaults of the same thing in Python, by where they are."""
    found = {}
    function = FUNCTIONS.get(command)
    parameters = inspect.signature(function).parameters if function else {}
    if name in parameters and parameters[name].default is not inspect.Parameter.empty:
        found[function.__name__] = parameters[name].default  # type: ignore[union-attr]
    for row in ALL:
        if row.name in EVALUATORS.get(command, ()):
            found |= {f"evaluator {row.name}": option.default for option in row.options if option.name == name}
            axis = row.axis(name)
            if axis is not None:
                found[f"input of {row.name}"] = axis.default
    return {where: text_of(value) for where, value in found.items() if value is not None}


def text_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def options() -> list[tuple[str, click.Parameter]]:
    return [(name, option) for name, command in commands().items() for option in command.params]


def test_every_default_of_a_command_is_that_of_python() -> None:
    compared, differ = set(), []
    for command, option in options():
        name = NAMES.get(str(option.name), str(option.name))
        text = said(option)
        if text is None or (command, str(option.name)) in WORDED:
            continue
        for where, value in in_python(command, name).items():
            compared.add((command, name))
            if not alike(text, value):
                differ.append(f"{command} --{option.name}: {text}, {where}: {value}")
    assert differ == []
    # The walk reaches what it is for.
    assert {
        ("collectives", "sizes"),
        ("loads", "hottest"),
        ("verify", "size_bytes"),
        ("describe", "bisection"),
    } <= compared
    assert {("throughput", "switch"), ("calibrate", "noise"), ("size", "most"), ("simulate", "parallel")} <= compared
    assert len(compared) > 60


def alike(text: str, value: str) -> bool:
    """Numbers by value, texts as they are; no failures are called none."""
    try:
        return float(text) == float(value)
    except ValueError:
        return text == value or (text == "none" and value == "")


def test_inputs_of_scenarios_have_the_default_of_their_row() -> None:
    """Where a command names a default of its own, it is that of the row or of its evaluator."""
    for command, option in options():
        text = said(option)
        axis = BY_NAME.get(str(option.name))
        if text is None or axis is None or axis.default is None or (command, str(option.name)) in WORDED:
            continue
        # Jobs of `run` are processes.
        if command == "run" or option.name in inspect.signature(FUNCTIONS.get(command, text_of)).parameters:
            continue
        assert alike(text, str(axis.default)) or command in EVALUATORS, f"{command} --{option.name}"


@pytest.mark.parametrize(
    ("named", "objective", "optimiser"),
    [
        (None, "auto", "best"),
        (None, "default", "best"),
        (None, "hop-bytes", "auto"),
        ("two-opt", "auto", "two-opt"),
        ("auto", "auto", "auto"),
    ],
)
def test_the_optimiser_of_a_map(named: str | None, objective: str, optimiser: str) -> None:
    assert optimiser_for(named, objective) == optimiser


def test_map_ranks_finds_what_the_command_finds(netloom_json: Callable[..., Any]) -> None:
    job = {"workload": "stencil(4,4)", "ranks": 16, "order": "random(seed=1)"}
    found = netloom.map_ranks("torus(4,4)", **job)  # type: ignore[arg-type]
    command = netloom_json(
        "map", "-n", "torus(4,4)", "-t", "stencil(4,4)", "--ranks", "16", "--order", "random(seed=1)"
    )
    assert command["mapping"] == found.mapping.tolist()
    assert (command["value"], command["decided_by"]) == (found.value, found.decided_by)
    aimed = netloom.map_ranks("torus(4,4)", objective="hops", **job)  # type: ignore[arg-type]
    assert aimed.decided_by == "hops" and found.decided_by != "hops"


def test_a_proof_has_the_size_of_the_command(netloom_json: Callable[..., Any]) -> None:
    proof = netloom.verify("allreduce:ring", ranks=4)
    command = netloom_json("verify", "allreduce:ring", "--ranks", "4")["roots"][0]
    assert proof["total_bytes"] == command["total_bytes"] == 6 * 1024
    asked = netloom.evaluate({"collective": "allreduce:ring", "ranks": 4}, "verify")
    assert asked.total_bytes == proof["total_bytes"]
    assert netloom.verify("allreduce:ring", ranks=4, size_bytes="2 KiB")["total_bytes"] == 12 * 1024


@pytest.fixture
def netloom_json() -> Callable[..., Any]:
    import json

    from click.testing import CliRunner

    def run(*args: str) -> Any:
        done = CliRunner().invoke(cli, [*args, "--json"], catch_exceptions=False)
        return json.loads(done.stdout)

    return run
