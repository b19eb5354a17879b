"""What is wrong with an experiment's `performance`, before anything runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from .. import _core
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..cost.model import cost_model
from ..cost.performance import weight_faults
from ..scenario import Calls
from ..scenario.ranks import alike
from . import codes
from .plan import Part, Plan
from .schema import Performance

#: The axis of what times are weighted over.
WORKLOAD = "workload"


def apart(axes: Sequence[str], asked: Performance) -> list[str]:
    """Axes by which runs are compared one by one: not those of the baseline, nor those that change with it."""
    own = {*asked.baseline, *asked.ignoring}
    return [axis for axis in axes if axis not in own]


def key_of(row: Mapping[str, object], names: Sequence[str]) -> tuple[object, ...]:
    """Values of these axes."""
    return tuple(row.get(name) for name in names)


def is_base(row: Mapping[str, object], asked: Performance) -> bool:
    """Whether a run is one of the baseline."""
    return all(row.get(name) == value for name, value in asked.baseline.items())


def in_folder(model: str, calls: Calls) -> str | Path:
    """A cost model by name, or its file next to the study."""
    return calls.folder / model if model.endswith(".toml") else model


def faults(plan: Plan, part: Part) -> Iterator[Fault]:
    """All of them. O(runs)."""
    asked = part.spec.performance
    if asked is None:
        return
    for code, path, sentence, got, hint in _found(part, asked, plan.calls):
        yield Fault(code, plan.loaded.source.at("experiment", part.index, "performance", *path), sentence, got, hint)


_Wrong = tuple[str, tuple[str, ...], str, str, str]


def _found(part: Part, asked: Performance, calls: Calls) -> Iterator[_Wrong]:
    columns = [column.name for column in part.evaluation.columns]
    for key, name in (("time", asked.time), ("bytes", asked.bytes)):
        if name not in columns:
            hint = did_you_mean(name, columns, "columns")
            yield codes.COLUMN, (key,), f'{part.evaluation.name} has no column "{name}"', "", hint
    for key, names in (("baseline", list(asked.baseline)), ("ignoring", asked.ignoring)):
        for name in names:
            if name not in part.labels:
                yield codes.NOTHING, (key,), f'"{name}" is no axis', "", did_you_mean(name, part.labels, "axes")
    for name, value in asked.baseline.items():
        if name in part.labels and value not in part.labels[name]:
            hint = did_you_mean(str(value), list(map(str, part.labels[name])), "values")
            yield codes.NOTHING, ("baseline", name), f'the axis has no value "{value}"', "", hint
    for one in weight_faults("", asked.weights, list(map(str, part.labels.get(WORKLOAD, ())))):
        yield codes.NOTHING, ("weights",), one.expected, one.got, one.hint
    for model in asked.models:
        try:
            cost_model(in_folder(model, calls))
        except NetloomError as error:
            for one in error.faults:
                yield one.code, ("models", model), one.expected, one.got, one.hint
    if not alike({*part.labels, *part.spec.options}):
        yield from _of_other_sizes(part, asked)


def _of_other_sizes(part: Part, asked: Performance) -> Iterator[_Wrong]:
    """As Navaridas 2009, section 6.2: networks with other numbers of endpoints cost, and do, something else."""
    by = apart(part.axes, asked)
    bases = {key_of(run.labels, by): run for run in part.runs if is_base(run.labels, asked)}
    counts: dict[str, int | None] = {}
    for run in part.runs:
        base = bases.get(key_of(run.labels, by), run)
        calls = [str(one.calls.get("network")) for one in (run, base)]
        for call in calls:
            if call not in counts:
                counts[call] = _endpoints(call)
        mine, its = (counts[call] for call in calls)
        if mine and its and mine != its:
            name, of = (", ".join(str(one.labels[axis]) for axis in asked.baseline) for one in (run, base))
            sentence = f"networks of one number of endpoints: {of} has {its:,}"
            hint = "give all the same ranks, or sizes that netloom size FAMILY --endpoints N lists"
            yield codes.BAD_VALUE, ("baseline",), sentence, f"{name} with {mine:,}", hint
            return


def _endpoints(network: str) -> int | None:
    """Of a call; None of what only building would tell."""
    try:
        return _core.expected(network)["endpoints"]
    except NetloomError:
        return None
