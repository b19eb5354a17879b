"""The runs of an experiment: axes multiplied, placeholders filled, each run known by a key.

A million runs are the size this is made for: what runs share is kept once, and what a value is in canonical form is
found once per value, not once per run.
"""

from __future__ import annotations

import gc
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Protocol

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..evaluate import Evaluator
from ..evaluate.base import Options
from ..plugin import is_known
from ..results.table import matches
from ..scenario import Axis, Calls, Scenario
from ..scenario.axes import CALLS
from ..scenario.canonical import at_axis, is_optimiser
from ..scenario.parameters import checked, is_parameter, with_parameters
from ..scenario.sizes import without_unused
from . import codes
from .jobs import job_list
from .schema import Experiment
from .values import AxisValue, Scalar, fill, placeholders

_compact = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
#: Faults of one experiment, after which the rest of its runs is not looked at.
ENOUGH = 1000

Row = dict[str, AxisValue]
_NOTHING: dict[str, Scalar] = {}


@dataclass(frozen=True, slots=True)
class _Shape:
    """What all runs of an experiment share."""

    #: Axes, inputs with a value of their own, and all inputs that a run is known by; each in order.
    axes: tuple[str, ...]
    given: tuple[str, ...]
    known: tuple[str, ...]
    defaults: dict[str, Scalar]
    #: Some workload is made for a size; others of the experiment go without it.
    sized: bool
    folder: Path


@dataclass(frozen=True, slots=True)
class Run:
    """One row of an experiment's table, before it is computed. About half a kilobyte.

    Parameters
    ----------
    options
        Settings of the evaluation, those of axes included.
    extra
        Keys of the order's value when it is written as a table.
    key
        SHA-256 of what is computed: equal keys, equal results.
    """

    _shape: _Shape
    _labels: tuple[Scalar, ...]
    _values: tuple[Scalar, ...]
    _canonical: tuple[Scalar, ...]
    options: Options
    extra: dict[str, Scalar]
    key: str

    @property
    def labels(self) -> dict[str, Scalar]:
        """What the table shows per axis."""
        return dict(zip(self._shape.axes, self._labels, strict=True))

    @property
    def values(self) -> dict[str, Scalar]:
        """What the evaluation gets per input, placeholders filled."""
        return dict(zip(self._shape.given, self._values, strict=True))

    @property
    def calls(self) -> dict[str, Scalar]:
        """Canonical form of the same, defaults included."""
        own = dict(zip(self._shape.given, self._canonical, strict=True))
        return {name: own.get(name, self._shape.defaults.get(name, "")) for name in self._shape.known}

    @property
    def network(self) -> Scalar:
        """What the run is computed on: runs on one network are best computed one after another."""
        given = self._shape.given
        return self._values[given.index("network")] if "network" in given else ""

    @property
    def folder(self) -> Path:
        """To which file names are relative."""
        return self._shape.folder

    def inputs(self) -> dict[str, object]:
        """The inputs of the scenario that the run asks about."""
        search = {"search": self.extra} if self.extra else {}
        made: dict[str, object] = {**self.values, **search}
        return without_unused(made, self._shape.folder) if self._shape.sized else made

    def scenario(self, folder: Path) -> Scenario:
        """The scenario that the run asks about."""
        return Scenario.from_dict(self.inputs(), folder)


def asked_of(run: Run, evaluation: str, options: Options, stamp: Sequence[str]) -> Run:
    """The run that asks another evaluator with the same inputs about the same scenario.

    Its key is that of an experiment of its own; `stamp` is the version of the core and the digest of plug-ins.
    """
    content = _compact([evaluation, options, run.calls, run.extra, *stamp])
    return replace(run, options=options, key=hashlib.sha256(content.encode()).hexdigest())


class Asked(Protocol):
    """An experiment that was checked, and where its faults go."""

    spec: Experiment
    calls: Calls
    version: str
    plugins: str
    faults: list[Fault]

    def at(self, *path: str | int) -> str: ...
    def fault(self, code: str, path: tuple[str | int, ...], expected: str, got: str = "", hint: str = "") -> None: ...


@dataclass(slots=True)
class _Cell:
    """A value of an axis or option, and what is found of it once: its canonical form and that as JSON."""

    value: AxisValue
    name: str
    #: Its text depends on other axes.
    filled: bool
    canonical: Scalar = ""
    text: str = ""
    found: bool = False


class Expansion:
    """Makes the runs of one experiment."""

    def __init__(
        self,
        asked: Asked,
        evaluation: Evaluator,
        options: Options,
        groups: list[list[Row]],
        fixed: dict[str, Scalar],
    ) -> None:
        self.asked, self.groups = asked, groups
        self.inputs = {axis.name: axis for axis in evaluation.axes}
        told = [name for rows in groups for name in rows[0]] + list(fixed)
        self.inputs |= {name: axis for name in told if is_parameter(name) and (axis := evaluation.axis(name))}
        #: Inputs that a run is known by.
        self.read = {name: axis for name, axis in self.inputs.items() if axis.kind != "table"}
        self.axes = tuple(name for rows in groups for name in rows[0])
        #: Axes that are settings of the evaluation.
        self.settings = {o.name: o for o in evaluation.options if o.name in self.axes and o.name not in self.inputs}
        self.options, self.name = options, evaluation.name
        self.fixed = [_Cell(AxisValue(value, value, at=("axes",)), name, False) for name, value in fixed.items()]
        self.names = (*fixed, *self.axes)
        self.lists = bool(asked.spec.jobs)
        self.heads: dict[tuple[Scalar, ...], tuple[Options, str]] = {}
        self.tail = "," + _compact([asked.version, asked.plugins])[1:]

    def runs(self) -> list[Run]:
        """All runs in order; faults are those of the experiment."""
        # Millions of small objects that all stay: looking for garbage among them takes half of the time.
        collecting = gc.isenabled()
        gc.disable()
        try:
            return list(self._runs())
        finally:
            if collecting:
                gc.enable()

    def _runs(self) -> Iterator[Run]:
        spec, faults = self.asked.spec, self.asked.faults
        table = [
            [tuple(_Cell(v, name, bool(placeholders(v.value))) for name, v in row.items()) for row in rows]
            for rows in self.groups
        ]
        chosen = [row[0] for row in table]
        shape, slots, texts = self._shape([*self.fixed, *(cell for row in chosen for cell in row)])
        given = [self.names.index(name) for name in shape.given]
        moving = [i for i, name in enumerate(self.axes) if self._moves(name, table)]
        order = self.axes.index("order") if "order" in self.axes else None
        special = any(cell.value.extra for rows in table for row in rows for cell in row)
        last: tuple[int, ...] = ()
        before = len(self.fixed)
        filled: dict[str, _Cell] = {}
        for combination in product(*table):
            if len(faults) > ENOUGH:
                faults[:] = dict.fromkeys(faults)
                if len(faults) > ENOUGH:
                    return
            cells = [cell for row in combination for cell in row]
            if (spec.only or spec.exclude) and not self._wanted({c.name: c.value.label for c in cells}):
                continue
            if moving or self.lists:
                now = tuple(id(cells[i]) for i in moving)
                if now != last or self.lists:
                    made = self._filled(cells)
                    if made is None:
                        return
                    filled, last = made, now
            exact = [*self.fixed, *cells]
            if filled:
                exact = [filled.get(cell.name, cell) for cell in exact]
            found = [cell.found or self._find(cell) for cell in exact]
            if not all(found):
                continue
            if special:
                self._check_extra(cells, exact)
            extra = dict(cells[order].value.extra) if special and order is not None else _NOTHING
            parts = texts.copy()
            for slot, i in slots:
                parts[slot] = exact[i].text
            options, head = self._with_settings(exact)
            content = f"{head}{','.join(parts)}}},{_compact(extra) if extra else '{}'}{self.tail}"
            yield Run(
                shape,
                tuple([cell.value.label for cell in exact[before:]]),
                tuple([exact[i].value.value for i in given]),
                tuple([exact[i].canonical for i in given]),
                options,
                extra,
                hashlib.sha256(content.encode()).hexdigest(),
            )

    def _with_settings(self, exact: list[_Cell]) -> tuple[Options, str]:
        """The settings of a run, shared by all runs that have them, and how its key begins."""
        own = tuple(cell.value.value for cell in exact if cell.name in self.settings) if self.settings else ()
        if own not in self.heads:
            names = (cell.name for cell in exact if cell.name in self.settings)
            options = {**self.options, **dict(zip(names, own, strict=False))}
            self.heads[own] = options, _compact([self.name, options])[:-1] + ",{"
        return self.heads[own]

    def _shape(self, first: list[_Cell]) -> tuple[_Shape, list[tuple[int, int]], list[str]]:
        """What runs share; where each input's JSON goes among those of all in the order of their names; these."""
        own = {cell.name for cell in first}
        defaults: dict[str, Scalar] = {}
        for name, axis in self.read.items():
            if name not in own and axis.default is not None:
                cell = _Cell(AxisValue(axis.default, axis.default, at=("axes",)), name, False)
                if self._find(cell):
                    defaults[name] = cell.canonical
        known = [name for name in self.read if name in own or name in defaults]
        texts = [_text(name, defaults[name]) if name in defaults else "" for name in sorted(known)]
        places = {name: place for place, name in enumerate(sorted(known))}
        slots = [(places[name], i) for i, name in enumerate(self.names) if name in places]
        given = tuple(name for name in self.names if name in self.inputs)
        return _Shape(self.axes, given, tuple(known), defaults, self._sized(), self.asked.calls.folder), slots, texts

    def _sized(self) -> bool:
        """Whether the experiment has a workload that is made for a size."""
        cells = [cell for rows in self.groups for row in rows for cell in row.items()]
        texts = {str(value.value) for name, value in cells if name == "workload"}
        return any(is_known("collectives", text) for text in texts)

    def _moves(self, name: str, table: list[list[tuple[_Cell, ...]]]) -> bool:
        """Whether what placeholders become depends on the axis."""
        if self.lists:
            return True
        cells = [cell for rows in table for row in rows for cell in row]
        return any(cell.filled and (cell.name == name or name in placeholders(cell.value.value)) for cell in cells)

    def _wanted(self, labels: dict[str, Scalar]) -> bool:
        spec = self.asked.spec
        if spec.only and not any(matches(labels, condition) for condition in spec.only):
            return False
        return not any(matches(labels, condition) for condition in spec.exclude)

    def _filled(self, cells: list[_Cell]) -> dict[str, _Cell] | None:
        """The cells whose values depend on others, with what they become here; None after a fault of the study."""
        try:
            values = fill({cell.name: cell.value for cell in cells})
        except KeyError as error:
            self.asked.fault(codes.PLACEHOLDER, ("axes",), f"{{{error.args[0]}}} leads back to itself")
            return None
        except ValueError as error:
            self.asked.fault(codes.PLACEHOLDER, ("axes",), str(error))
            return None
        everything = {cell.name: cell.value.value for cell in self.fixed} | values
        made: dict[str, _Cell] = {}
        for cell in (*self.fixed, *cells):
            value = self._listed(cell.name, everything)
            if value != cell.value.value or cell.filled:
                made[cell.name] = new = _Cell(replace(cell.value, value=value), cell.name, False)
                # Numbers are shown as numbers, even if they come from another axis.
                if cell.filled and cell.value.label == cell.value.value and self._find(new):
                    new.value = replace(new.value, label=new.canonical)
        return made

    def _listed(self, name: str, values: dict[str, Scalar]) -> Scalar:
        """The value of an input; in place of the name of a job list of the experiment, the list itself."""
        value, axis, lists = values[name], self.inputs.get(name), self.asked.spec.jobs
        if axis is None or axis.kind != "jobs" or value not in lists:
            return value
        try:
            return job_list(lists[str(value)], values)
        except NetloomError as error:
            at = self.asked.at("jobs", str(value))
            self.asked.faults += [Fault(f.code, f"{at} {f.place}", f.expected, f.got, f.hint) for f in error.faults]
            # A missing file of that name is not a separate fault.
            return ""

    def _find(self, cell: _Cell) -> bool:
        """Finds a cell's canonical form; False with faults."""
        axis = self.read.get(cell.name)
        if axis is None:
            option = self.settings.get(cell.name)
            wrong = option.accepts(cell.value.value) if option else ""
            if wrong:
                self.asked.fault(codes.EVALUATION, cell.value.at, wrong, json.dumps(cell.value.value))
                return False
            cell.canonical, cell.found = cell.value.value, True
            return True
        try:
            cell.canonical = self.asked.calls.canonical(axis.kind, cell.value.value)
            self._check_parameter(cell)
        except NetloomError as error:
            self._blame(cell, axis, error)
            return False
        cell.text, cell.found = _text(cell.name, cell.canonical), True
        return True

    def _check_parameter(self, cell: _Cell) -> None:
        """Refuses a parameter that the first call of its input does not take, and a setting that there is not."""
        if not is_parameter(cell.name):
            return
        checked(cell.name, cell.value.value)
        name, _, key = cell.name.partition(".")
        rows = [row[name] for rows in self.groups for row in rows[:1] if name in row]
        bases = [value.value for value in rows] + [one.value.value for one in self.fixed if one.name == name]
        if name in CALLS and bases and isinstance(bases[0], str) and not placeholders(bases[0]):
            whole = with_parameters(name, bases[0], {key: cell.value.value})
            self.asked.calls.canonical(self.inputs[name].kind, str(whole))

    def _blame(self, cell: _Cell, axis: Axis, error: NetloomError) -> None:
        asked = self.asked
        at = asked.at(*cell.value.at)
        for f in at_axis(error, axis):
            # A name that is not a file may be a list of the study.
            meant = did_you_mean(str(cell.value.value), asked.spec.jobs, "lists") if axis.kind == "jobs" else ""
            asked.faults.append(Fault(f.code, _join(at, f.place), f.expected, f.got, meant or f.hint))

    def _check_extra(self, cells: list[_Cell], exact: list[_Cell]) -> None:
        values = {cell.name: cell.value.value for cell in exact}
        for cell in cells:
            if cell.value.extra and (cell.name != "order" or not is_optimiser(str(values["order"]))):
                words = "start, objective and free belong to an optimiser as order"
                self.asked.fault(codes.AXIS, cell.value.at, words)


def _text(name: str, value: Scalar) -> str:
    """A name and a value as they stand in a JSON object."""
    return _compact({name: value})[1:-1]


def _join(at: str, place: str) -> str:
    """`study.toml:12:3 torus.dims`: position from the file, subject from the call."""
    position = at.partition(" ")[0]
    return f"{position} {place}"
