"""`netloom evaluate`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from .options import (
    as_json,
    machines,
    no_progress,
    plugins,
    refused,
    settings_of,
    stop_after,
    stop_seconds,
    threads,
    within,
)
from .output import emit_facts, emit_json, emit_table, progress, say, show

if TYPE_CHECKING:
    from ..evaluate import Answer
    from ..scenario import Scenario

EPILOG = """\b
Examples:
  netloom evaluate scenario.toml
  netloom evaluate scenario.toml -e loads --option hottest=10 --json
  netloom evaluate - -e time < scenario.toml

\b
A scenario has the inputs of one question, and several jobs as tables [[job]]:
  network = "torus(8,8)"
  workload = "allreduce:ring"
  ranks = 64
netloom list evaluators names the questions.
"""


@click.command(epilog=EPILOG)
@click.argument("scenario", metavar="SCENARIO.toml|SCENARIO.json|-")
@click.option(
    "-e", "--evaluator", default="hops", show_default=True, metavar="NAME",
    help="Which evaluator answers; see netloom list evaluators.",
)  # fmt: skip
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Of the evaluator; may be repeated.")
@stop_after
@threads
@no_progress
@machines
@plugins
@as_json
def command(scenario: str, evaluator: str, options: tuple[str, ...], quiet: bool, json_: bool) -> None:
    """Answer a question about a scenario, a file that holds all its inputs."""
    from ..evaluate import evaluate
    from ..evaluate import evaluator as named
    from ..evaluate.base import STOP

    row = named(evaluator)
    settings = settings_of(row, dict(pair(text) for text in options))
    asked = scenario_of(scenario)
    stops = any(option.name == STOP.name for option in row.options)
    if stops and (seconds := stop_seconds()) is not None:
        settings[STOP.name] = seconds
    less = "ask of fewer ranks, or fewer messages"
    with nullcontext() if stops else within(less), progress(evaluator, quiet or json_) as callback:
        found = evaluate(asked, evaluator, progress=callback, **settings)
    if json_:
        emit_json(found.to_dict())
    else:
        _show(found)


def pair(text: str) -> tuple[str, str]:
    """The name and the value of `--option KEY=VALUE`."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise refused("--option", f"{text!r} is no KEY=VALUE", "for example --option hottest=10")
    return name.strip(), value


def scenario_of(path: str) -> Scenario:
    """The scenario of a file, or of stdin."""
    from ..scenario import Scenario

    if path != "-":
        return Scenario.read(path)
    text = sys.stdin.read().removeprefix("\ufeff")
    read = Scenario.from_json if text.lstrip().startswith("{") else Scenario.from_toml
    return read(text, place="stdin")


def _show(found: Answer) -> None:
    """The record, the tables, their explanation, and the model."""
    emit_facts({name: value for name, value in found.record.items() if value is not None})
    for name, rows in found.tables.items():
        if rows:
            columns = [key for key in rows[0] if any(row.get(key) is not None for row in rows)]
            click.echo(f"\n{name}")
            emit_table(columns, [[row.get(key) for key in columns] for row in rows])
    lines = found.explain()
    if lines:
        click.echo()
    for sentence in lines:
        say(show(sentence))
    click.echo(f"\nmodel: {found.model} (netloom {found.version})")
    for sentence in found.assumptions:
        say(f"  {sentence}", 2)
