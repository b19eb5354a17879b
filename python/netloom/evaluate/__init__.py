"""All questions about a scenario: the evaluators by name, and the one function that runs them.

A new evaluator is a folder here with its row `EVALUATOR`, and its name in `NAMES`. From the row come the command
`netloom evaluate`, the study's `evaluate`, its axes, options, columns, charts and docs.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast, overload

from .. import _core, plugin
from ..base.arrays import ndarray
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..scenario import Calls, Progress, Question, Scenario, Workshop, require_known
from ..scenario.axes import BY_NAME
from ..scenario.canonical import check
from ..scenario.effect import without_effect
from .answer import Answer, Row
from .base import ChartKind, Evaluator, Option, Options
from .own import row_of

if TYPE_CHECKING:
    from ..base.records import Row as RegistryRow
    from ..results.rows import Cell
    from ..scenario import Axes
    from .answers import (
        CostAnswer,
        HopsAnswer,
        LearnedAnswer,
        MetricsAnswer,
        PacketAnswer,
        TimeAnswer,
        VerifyAnswer,
    )
    from .loads.result import Loads
    from .throughput import Throughput

    #: What a scenario can be given as.
    Given = Scenario | Mapping[str, object] | str | Path

__all__ = [
    "ALL",
    "Answer",
    "ChartKind",
    "Evaluator",
    "Option",
    "Row",
    "answer",
    "bound_of",
    "evaluate",
    "evaluator",
    "names",
]

#: In the order in which docs list them; each is a folder here, which is loaded when it is asked.
NAMES = ("metrics", "hops", "loads", "learned", "time", "packet", "throughput", "verify", "cost")


def __getattr__(name: str) -> tuple[Evaluator, ...]:
    if name != "ALL":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple(map(evaluator, NAMES))


def names() -> list[str]:
    """Names of all evaluators, plug-ins included."""
    return [*NAMES, *plugin.names("evaluators")]


def rows() -> list[RegistryRow]:
    """The evaluators as rows of `netloom.catalogue`."""
    return [
        {
            "name": row.name,
            "aliases": [],
            "summary": row.summary,
            "params": [
                {"name": o.name, "kind": type(o.default).__name__, "default": o.default, "help": o.help}
                for o in row.options
            ],
            "signature": row.name,
            "example": row.name,
            "restrictions": "",
            "source": row.model,
        }
        for row in map(evaluator, NAMES)
    ]


def evaluator(name: str) -> Evaluator:
    """The evaluator of that name.

    Raises
    ------
    NetloomError
        `NL-A002` with the nearest name.
    """
    if name in NAMES:
        row: Evaluator = import_module(f".{name.replace('-', '_')}", __name__).EVALUATOR
        return row
    own = plugin.find("evaluators", name) if isinstance(name, str) else None
    if own is not None:
        return row_of(own)
    hint = did_you_mean(str(name), names(), "evaluators")
    raise NetloomError([Fault("NL-A002", "evaluator", f'nothing is called "{name}"', "", hint)])


@overload
def evaluate(
    scenario: Given, evaluator_name: Literal["hops"], *, progress: Progress | None = None, **options: Cell
) -> HopsAnswer: ...
@overload
def evaluate(
    scenario: Given, evaluator_name: Literal["loads"], *, progress: Progress | None = None, **options: Cell
) -> Loads: ...
@overload
def evaluate(
    scenario: Given, evaluator_name: Literal["time"], *, progress: Progress | None = None, **options: Cell
) -> TimeAnswer: ...
@overload
def evaluate(
    scenario: Given, evaluator_name: Literal["packet"], *, progress: Progress | None = None, **options: Cell
) -> PacketAnswer: ...
@overload
def evaluate(
    scenario: Given, evaluator_name: Literal["throughput"], *, progress: Progress | None = None, **options: Cell
) -> Throughput: ...
@overload
def evaluate(
    scenario: Given, evaluator_name: Literal["metrics"], *, progress: Progress | None = None, **options: Cell
) -> MetricsAnswer: ...
@overload
def evaluate(
    scenario: Given, evaluator_name: Literal["verify"], *, progress: Progress | None = None, **options: Cell
) -> VerifyAnswer: ...
@overload
def evaluate(
    scenario: Given, evaluator_name: Literal["cost"], *, progress: Progress | None = None, **options: Cell
) -> CostAnswer: ...
@overload
def evaluate(
    scenario: Given, evaluator_name: Literal["learned"], *, progress: Progress | None = None, **options: Cell
) -> LearnedAnswer: ...
@overload
def evaluate(scenario: Given, evaluator_name: str, *, progress: Progress | None = None, **options: Cell) -> Answer: ...
def evaluate(scenario: Given, evaluator_name: str, *, progress: Progress | None = None, **options: Cell) -> Answer:
    """Answer a question about a scenario.

    Parameters
    ----------
    scenario
        A `Scenario`, a mapping of its inputs, or a file of one (TOML or JSON).
    evaluator_name
        `"hops"`, `"loads"`, `"time"`, ...: `netloom list evaluators` names them.
    options
        Of the evaluator, such as `hottest=10`; also inputs that the scenario lacks, such as `model="halo.model"`.

    Returns
    -------
    Answer
        Of its evaluator: `netloom.evaluate.answers` lists their values and types.

    Examples
    --------
    >>> import netloom
    >>> netloom.evaluate({"network": "torus(4,4)"}, "metrics").diameter
    4

    Raises
    ------
    NetloomError
        All that is wrong with the inputs together; `NL-H003` for one that the evaluator does not know; what the
        evaluation reports.
    """
    if isinstance(scenario, (str, Path)):
        scenario = Scenario.read(scenario)
    elif not isinstance(scenario, Scenario):
        scenario = Scenario.from_dict(scenario)
    row = evaluator(evaluator_name)
    workshop = Workshop(Calls(scenario.folder))
    by_name = {axis.name: axis for axis in row.axes}
    taken = {option.name for option in row.options}
    inputs = {name: options.pop(name) for name in list(options) if name in by_name and name not in taken}
    if twice := [name for name in inputs if name in scenario]:
        place = f"{row.name}.{twice[0]}"
        raise NetloomError([Fault("NL-A003", place, "stands in the scenario too", "", "give it once")])
    if inputs:
        scenario = scenario.but(**cast("Axes", inputs))
    require_known(scenario, by_name, row.name)
    check(by_name, scenario, workshop.calls)
    made = answer(row, scenario, workshop, settings(row, options), progress or _silent)
    if "finish_s" in made.more:
        ends = made.more["finish_s"]
        made.more["finish_s"] = [ndarray(job) for job in ends] if isinstance(ends, list) else ndarray(ends)
    return made


def answer(row: Evaluator, scenario: Scenario, workshop: Workshop, options: Options, progress: Progress) -> Answer:
    """The answer of an evaluator, stamped with its model; Python, commands and studies all end here."""
    bound = bound_of(row, scenario, workshop, progress)
    made = row.run(bound, dict(options))
    made.without_effect = _without_effect(row, bound, options)
    made.chosen = bound.chosen.sentences()
    made.evaluator = row.name
    if not made.model:
        made.model, made.assumptions = row.model, row.assumptions
    made.version = _core.version()
    return made


def _without_effect(row: Evaluator, bound: Question, options: Options) -> dict[str, str]:
    """Given inputs and options that changed nothing, with the reason."""
    found = without_effect(bound, [axis.name for axis in row.axes], row.idle)
    for option in row.options:
        given = options[option.name] != option.default
        if given and option.name in row.idle_options and (why := row.idle_options[option.name](bound)):
            found[option.name] = why
    return found


def bound_of(row: Evaluator, scenario: Scenario, workshop: Workshop, progress: Progress) -> Question:
    """The scenario as an evaluator sees it, with defaults."""
    own = {axis.name: axis.default for axis in row.axes if axis != BY_NAME.get(axis.name)}
    return Question(scenario, workshop, progress, own)


def settings(row: Evaluator, given: Options) -> Options:
    """The options of an evaluator with their defaults.

    Raises
    ------
    NetloomError
        `NL-A003` for one that it does not have, `NL-A007` for a value out of range.
    """
    known = {option.name: option for option in row.options}
    faults = []
    for name, value in given.items():
        if name not in known:
            hint = did_you_mean(name, known, f"options of {row.name}")
            faults.append(Fault("NL-A003", f"{row.name}.{name}", f"is no option of {row.name}", "", hint))
        elif wrong := known[name].accepts(value):
            faults.append(Fault("NL-A007", f"{row.name}.{name}", wrong, repr(value)))
    if faults:
        raise NetloomError(faults)
    return {name: given.get(name, option.default) for name, option in known.items()}


def _silent(done: int, total: int) -> None:
    return None
