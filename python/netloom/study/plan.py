"""A loaded study as a list of runs: axes multiplied, placeholders filled, every name checked before anything runs."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..evaluate import Evaluator, evaluator
from ..evaluate.base import Options
from ..evaluate.ranks import SIZED, differ_said, ends, may_differ, ranks_of
from ..machine import names as machines
from ..scenario import Calls
from ..scenario.parameters import input_of
from . import codes
from .better import directed
from .load import Loaded, Source
from .measured import Measured
from .runs import Expansion, Run
from .schema import Experiment
from .sealed import Record
from .spared import Spared
from .unasked import answered
from .values import LIMIT, AxisValue, Scalar, placeholders, read_axis

#: Networks that are built to say whether their ranks differ.
NETWORKS = 256
#: The input that was none when studies had axes of their own called so.
MACHINE = "machine"


def is_label(groups: list[list[dict[str, AxisValue]]]) -> bool:
    """True of an axis `machine` next to a `network`, none of whose values is a machine.

    It names the rows, as in studies that are older than the input."""
    told = {name for rows in groups for name in rows[0]}
    values = {str(row[MACHINE].value) for rows in groups for row in rows if MACHINE in row}
    return {MACHINE, "network"} <= told and not any(text in machines() or text.endswith(".toml") for text in values)


@dataclass
class Part:
    """One experiment of the plan."""

    index: int
    spec: Experiment
    evaluation: Evaluator
    options: Options
    axes: list[str]
    labels: dict[str, list[Scalar]]
    runs: list[Run] = field(default_factory=list)
    #: What was measured of it, if the study names a file.
    measured: Measured | None = None

    @cached_property
    def other_work(self) -> str:
        """That runs differ in ranks, as nobody says how many there are; "" where they do not.

        Cost: O(runs), and a network for each that is another one, at most `NETWORKS`.
        """
        sized = [name for name, labels in self.labels.items() if input_of(name) in SIZED and len(labels) > 1]
        if not sized:
            return ""
        given: set[str] = set()
        asked: dict[tuple[Scalar | None, ...], Run] = {}
        for run in self.runs:
            values = run.values
            given |= {name for name, value in values.items() if value != "all"}
            asked.setdefault(tuple(values.get(name) for name in sized), run)
        if not may_differ(self.evaluation, given):
            return ""
        found = ends(ranks_of(self.evaluation, run.scenario(run.folder)) for run in [*asked.values()][:NETWORKS])
        return "" if found is None else differ_said(found, given)


#: A run, and the experiment that it is computed for.
Pair = tuple[Part, Run]


@dataclass
class Plan:
    """All experiments of a study, checked.

    Every run of it is computed. Another plan may choose among them by what earlier runs come to: see `sparing`.
    """

    loaded: Loaded
    version: str
    calls: Calls
    parts: list[Part]

    #: Whether `--fast` was given.
    fast: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """Of the study's file."""
        return self.loaded.source.name

    def runs(self) -> Iterator[Pair]:
        """Every run in order: the rows of the tables."""
        for part in self.parts:
            for run in part.runs:
                yield part, run

    def askable(self) -> Iterator[Pair]:
        """Every run that may be computed."""
        return self.runs()

    def together(self) -> Iterator[list[Pair]]:
        """The same runs in groups that depend on each other, each once."""
        return ([pair] for pair in {pair[1].key: pair for pair in self.runs()}.values())

    def first(self, done: Mapping[str, Record], only: Collection[str] | None = None) -> Iterator[Pair]:
        """What is known to be needed before any run of this try has ended; with `only`, of runs with these keys."""
        return (pair for pair in self.runs() if only is None or pair[1].key in only)

    def after(self, key: str, done: Mapping[str, Record]) -> Iterable[Pair]:
        """What is needed as well, now that the run of this key has ended; it may be known already."""
        return ()

    def lacking(self, done: Mapping[str, Record], only: Collection[str]) -> int:
        """How many of the runs with these keys are not done yet, as far as that is known. O(keys)."""
        return sum(key not in done for key in only)

    def answered(self, done: Mapping[str, Record]) -> Mapping[str, Record]:
        """The record of each run that is a row."""
        return done

    def spared(self, part: Part, done: Mapping[str, Record]) -> Spared | None:
        """What was left out of an experiment, or why nothing was; None where nobody asked for that."""
        return None

    def ahead(self, part: Part) -> str:
        """The same before anything has run, in a sentence; "" where nobody asked."""
        return ""


def make_plan(loaded: Loaded, version: str, plugins: str = "") -> Plan:
    """Expand a study.

    Parameters
    ----------
    version
        Of the core; part of every run's key, as is `plugins`, the digest of the user's own classes.

    Raises
    ------
    NetloomError
        All faults of all experiments.
    """
    calls = Calls(loaded.source.folder)
    faults: list[Fault] = []
    parts: list[Part] = []
    names: set[str] = set()
    total = 0
    for index, spec in enumerate(loaded.study.experiment):
        at = ("experiment", index)
        if spec.name.lower() in names:
            faults.append(Fault(codes.TWICE, loaded.source.at(*at, "name"), f'"{spec.name}" is used twice'))
        names.add(spec.name.lower())
        try:
            part = _Expansion(loaded.source, index, spec, calls, version, plugins, LIMIT - total).part()
        except NetloomError as error:
            faults += error.faults
            continue
        total += len(part.runs)
        parts.append(part)
    if faults:
        raise NetloomError(dict.fromkeys(faults))
    return Plan(loaded, version, calls, parts)


class _Expansion:
    """Work on one experiment; faults gather here."""

    def __init__(
        self, source: Source, index: int, spec: Experiment, calls: Calls, version: str, plugins: str, room: int
    ) -> None:
        self.source, self.index, self.spec, self.calls = source, index, spec, calls
        self.version, self.plugins, self.room = version, plugins, room
        self.faults: list[Fault] = []

    def at(self, *path: str | int) -> str:
        return self.source.at("experiment", self.index, *path)

    def fault(self, code: str, path: tuple[str | int, ...], expected: str, got: str = "", hint: str = "") -> None:
        self.faults.append(Fault(code, self.at(*path), expected, got, hint))

    def done(self) -> None:
        if self.faults:
            raise NetloomError(dict.fromkeys(self.faults))

    def part(self) -> Part:
        try:
            evaluation = evaluator(self.spec.evaluate)
        except NetloomError as error:
            for fault in error.faults:
                self.fault(codes.EVALUATION, ("evaluate",), fault.expected, fault.got, fault.hint)
            self.done()
            raise
        groups, wheres = self.groups()
        if is_label(groups):
            evaluation = replace(evaluation, axes=tuple(axis for axis in evaluation.axes if axis.name != MACHINE))
        options = self.options(evaluation)
        self.check_axes(evaluation, groups, wheres)
        self.done()
        labels = {name: list(dict.fromkeys(row[name].label for row in rows)) for rows in groups for name in rows[0]}
        self.check_conditions(labels)
        count = math.prod(len(rows) for rows in groups)
        if count > self.room:
            sentence = f"multiply to {count} runs; a study has at most {LIMIT}"
            self.fault(codes.TOO_MANY, ("axes",), sentence, "", "shorten an axis, or zip two")
        self.done()
        spec = directed(answered(self.spec, evaluation, labels), evaluation)
        part = Part(self.index, spec, evaluation, options, list(labels), labels)
        part.runs = Expansion(self, evaluation, options, groups, self.fixed(evaluation)).runs()
        self.done()
        if not part.runs:
            self.fault(codes.NOTHING, ("axes",), "only and exclude leave no run")
        self.check_partners(part)
        self.done()
        return part

    def options(self, evaluation: Evaluator) -> Options:
        """Settings of all runs; an axis with the name of an option replaces it run by run."""
        known = {option.name: option for option in evaluation.options}
        made = {name: option.default for name, option in known.items()}
        for key, value in self.spec.options.items():
            if key in known and self.is_axis(key):
                self.fault(codes.TWICE, ("options", key), f'"{key}" is an axis too')
                continue
            if key not in known and evaluation.axis(key) is not None and key not in self.spec.axes:
                continue  # The same input for all runs: it goes to `fixed`.
            if key not in known:
                hint = did_you_mean(key, known, f"options of {evaluation.name}")
                self.fault(codes.EVALUATION, ("options", key), f"is no option of {evaluation.name}", "", hint)
                continue
            wrong = known[key].accepts(value)
            if wrong:
                self.fault(codes.EVALUATION, ("options", key), wrong, json.dumps(value, default=str))
            made[key] = value
        return made

    def fixed(self, evaluation: Evaluator) -> dict[str, Scalar]:
        """Inputs of the scenario that stand among the options: the same for all runs, and no column of the table."""
        return {
            key: value for key, value in self.spec.options.items() if evaluation.axis(key) and not self.is_axis(key)
        }

    def is_axis(self, name: str) -> bool:
        return name in self.spec.axes or any(name in row for rows in self.spec.zip.values() for row in rows)

    def groups(self) -> tuple[list[list[dict[str, AxisValue]]], dict[str, tuple[str | int, ...]]]:
        """Axes and zips alike as lists of rows; and where each axis stands in the file."""
        groups = [
            [{name: replace(value, at=("axes", name, i))} for i, value in enumerate(values)]
            for name, values in self.spec.axes.items()
        ]
        wheres: dict[str, tuple[str | int, ...]] = {name: ("axes", name) for name in self.spec.axes}
        for name, rows in self.spec.zip.items():
            columns = list(rows[0])
            made: list[dict[str, AxisValue]] = []
            for i, row in enumerate(rows):
                if set(row) != set(columns) or not row:
                    self.fault(codes.AXIS, ("zip", name, i), f"must have the keys {', '.join(columns) or '(none)'}")
                    continue
                try:
                    read = {column: read_axis(row[column]) for column in columns}
                except ValueError as error:
                    self.fault(codes.BAD_VALUE, ("zip", name, i), str(error))
                    continue
                made.append({c: replace(values[0], at=("zip", name, i, c)) for c, values in read.items()})
                if any(len(values) != 1 for values in read.values()):
                    self.fault(codes.BAD_VALUE, ("zip", name, i), "takes one value per key in each row")
            for column in columns:
                if column in wheres:
                    self.fault(codes.TWICE, ("zip", name), f'the axis "{column}" is given twice')
                wheres[column] = ("zip", name)
            if made:
                groups.append(made)
        return groups, wheres

    def check_axes(
        self,
        evaluation: Evaluator,
        groups: list[list[dict[str, AxisValue]]],
        wheres: dict[str, tuple[str | int, ...]],
    ) -> None:
        names = set(wheres)
        used: set[str] = set()
        for rows in groups:
            for row in rows:
                for value in row.values():
                    asked = placeholders(value.value)
                    used |= asked
                    for missing in asked - names:
                        hint = did_you_mean(missing, names, "axes")
                        sentence = f"{{{missing}}} names no axis"
                        self.fault(codes.PLACEHOLDER, value.at, sentence, "", hint)
        for listed, jobs in self.spec.jobs.items():
            asked = placeholders(json.dumps(jobs, default=str))
            used |= asked
            for missing in sorted(asked - names):
                hint = did_you_mean(missing, names, "axes")
                self.fault(codes.PLACEHOLDER, ("jobs", listed), f"{{{missing}}} names no axis", "", hint)
        for spec in evaluation.axes:
            # A machine has a network.
            if spec.default is None and not {spec.name, "machine"} & {*names, *self.spec.options}:
                sentence = f'the evaluation {evaluation.name} needs the axis "{spec.name}": {spec.help}'
                self.fault(codes.AXIS, ("axes",), sentence)
        if evaluation.either and not {*names, *self.spec.options} & set(evaluation.either):
            sentence = f"the evaluation {evaluation.name} needs one of the axes {', '.join(evaluation.either)}"
            self.fault(codes.AXIS, ("axes",), sentence)
        columns = {column.name for group in (evaluation.columns, *evaluation.tables.values()) for column in group}
        options = [option.name for option in evaluation.options]
        useful = names & {*used, *options, "seed"} | {name for name in names if evaluation.axis(name) is not None}
        # A zip's further columns name its rows.
        useful |= {name for rows in groups for name in rows[0] if useful & set(rows[0])}
        for name in sorted(names):
            if name in columns:
                self.fault(codes.AXIS, wheres[name], f'{evaluation.name} has a column "{name}"; rename the axis')
            elif name not in useful:
                hint = did_you_mean(name, [*(spec.name for spec in evaluation.axes), *options], "axes and options")
                self.fault(
                    codes.AXIS, wheres[name], f"{evaluation.name} does not take it, and no placeholder", "", hint
                )

    def check_conditions(self, labels: dict[str, list[Scalar]]) -> None:
        for kind in ("only", "exclude"):
            for i, condition in enumerate(getattr(self.spec, kind)):
                for name, wanted in condition.items():
                    self.check_condition((kind, i, name), name, wanted, labels)
        for i, compare in enumerate(self.spec.compare):
            for name, wanted in compare.baseline.items():
                self.check_condition(("compare", i, "baseline", name), name, wanted, labels)

    def check_partners(self, part: Part) -> None:
        """Refuses a comparison in which no run has the one that it is set against: its column would be empty."""
        for i, compare in enumerate(self.spec.compare):
            if compare.to:
                continue
            base = compare.baseline
            keys = [axis for axis in part.axes if axis not in base and axis not in compare.ignoring]
            first = [all(run.labels[name] == value for name, value in base.items()) for run in part.runs]
            groups = [tuple(run.labels[key] for key in keys) for run in part.runs]
            there = {group for group, is_first in zip(groups, first, strict=True) if is_first}
            if not part.runs or all(first) or any(g in there and not f for g, f in zip(groups, first, strict=True)):
                continue
            zips = [rows[0].keys() for rows in self.spec.zip.values() if base.keys() & rows[0].keys()]
            along = sorted({name for names in zips for name in names} & set(keys))
            said = "no run differs from one of these in nothing else" if there else "only and exclude leave no such run"
            hint = f"ignoring = {json.dumps(along)}, which change with it" if along and there else ""
            self.fault(codes.NOTHING, ("compare", i, "baseline"), said, "", hint)

    def check_condition(
        self, path: tuple[str | int, ...], name: str, wanted: object, labels: dict[str, list[Scalar]]
    ) -> None:
        if name not in labels:
            self.fault(codes.NOTHING, path, "is no axis", "", did_you_mean(name, labels, "axes"))
            return
        for value in wanted if isinstance(wanted, list) else [wanted]:
            if value not in labels[name]:
                shown = [str(label) for label in labels[name]]
                hint = did_you_mean(str(value), shown, "values")
                self.fault(codes.NOTHING, path, f'the axis has no value "{value}"', "", hint)
