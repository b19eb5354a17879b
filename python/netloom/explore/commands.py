"""The command lines that give the page's numbers again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from ..evaluate import evaluator
from ..plugin import is_known
from ..scenario import Scenario
from ..scenario.axes import BY_NAME, Axis
from ..scenario.parameters import input_of, is_parameter, parameter_text
from ..workload import own_program

#: Command, and the evaluator that it asks.
COMMANDS = {"loads": "loads", "simulate": "time"}


def commands(scenario: Scenario) -> dict[str, str]:
    """By evaluator, the command that answers the same scenario; without those that need a rank file first."""
    if any(not isinstance(scenario[name], (str, int, float)) for name in scenario):
        return {}
    return {name: _command(command, name, scenario) for command, name in COMMANDS.items()}


def _command(command: str, name: str, scenario: Scenario) -> str:
    words = ["netloom", command]
    for axis in evaluator(name).axes:
        if axis.name in scenario and scenario[axis.name] != axis.default:
            words += _option(axis, str(scenario[axis.name]))
    taken = {axis.name for axis in evaluator(name).axes}
    for part in (one for one in scenario if is_parameter(one) and input_of(one) in taken):
        words += ["--set", parameter_text(part, scenario[part])]
    return shlex.join(words)


def _option(axis: Axis, text: str) -> Iterator[str]:
    flags = BY_NAME[axis.name].flags or ("",)
    if axis.kind == "workload":
        yield (
            "-c"
            if ":" in text.partition("(")[0]
            else "-a"
            if is_known("applications", text) or own_program(text)
            else "-t"
        )
    elif axis.name == "variant":
        yield "-v"
    else:
        yield flags[0]
    yield text
