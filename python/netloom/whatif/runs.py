"""Runs at points: each once, in this process or in several, until there is no more time."""

from __future__ import annotations

import math
import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import dataclass, field, replace

from ..base import interrupt
from ..base.ahead import announced
from ..base.errors import Fault, NetloomError
from ..base.stopping import Stopped, require_time
from ..base.workers import Workers
from ..evaluate import evaluate
from ..results.rows import Cell
from ..scenario import Scenario
from .codes import NO_NUMBER
from .extrapolated import InPart, result_of
from .varied import Value, Varied, plain

#: Values by the name of what is varied.
Point = Mapping[str, Value]
#: The result at a point.
Function = Callable[[Point], float]
#: Runs here before other processes start, and seconds of work that are worth their start.
FIRST, WORTH_S = 4, 5.0
#: Points that a process is given at once; runs that wait for one.
BATCH, WAITING = 8, 4


@dataclass(frozen=True)
class OfScenario:
    """A scenario as a function of what is varied. It can be pickled if its inputs can.

    Attributes
    ----------
    keys
        By name of what is varied, the input that gets the value.
    plugins, machines
        Files and folders that a fresh process loads first.
    """

    scenario: Scenario
    evaluator: str
    options: Mapping[str, Cell]
    target: str
    keys: Mapping[str, str]
    plugins: tuple[str, ...] = ()
    machines: tuple[str, ...] = ()

    def begin(self) -> None:
        """What a fresh process does before its first run."""
        from .. import plugin
        from ..machine import search_in

        for path in self.plugins:
            plugin.load(path)
        if self.machines:
            search_in(*self.machines)

    def at(self, point: Point) -> Scenario:
        """The scenario with these values."""
        from ..scenario import Axes

        axes: Axes = {self.keys[name]: plain(value) for name, value in point.items()}  # type: ignore[assignment]
        return self.scenario.but(**axes)

    def __call__(self, point: Point) -> float:
        record = evaluate(self.at(point), self.evaluator, **self.options)  # type: ignore[arg-type]
        return result_of(required(record.get(self.target), self.target), record)  # type: ignore[arg-type]


def required(found: object, target: str) -> float:
    """The number that a run gives.

    Raises
    ------
    NetloomError
        `NL-U004` for anything else.
    """
    if isinstance(found, (int, float)) and not isinstance(found, bool) and math.isfinite(found):
        return float(found)
    words = "unknown" if found is None else str(found)
    hint = "name a column that is a number with --target"
    raise NetloomError([Fault(NO_NUMBER, target, "a finite number", words, hint)])


@dataclass
class Runs:
    """Results of a function, each computed once.

    Attributes
    ----------
    function
        The result at a point.
    varied
        What a point has values of.
    workers
        Processes at the same time, 1 for this one alone.
    said
        Called with the runs done and those that are planned.
    results
        Of each point that was run, in the order in which they were asked for.
    planned
        All runs, those to come too.
    ended
        Why there is no more: ``time`` or ``interrupted``; "" as long as there is.
    seconds
        That runs took, without the first, and how many they were.
    """

    function: Function
    varied: Sequence[Varied]
    workers: int = 1
    said: Callable[..., object] | None = None
    results: dict[tuple[Value, ...], float] = field(default_factory=dict)
    of: dict[tuple[Value, ...], str] = field(default_factory=dict)
    planned: int = 0
    ended: str = ""
    seconds: tuple[float, int] = (0.0, 0)
    _workers: Workers | None = None

    def at(self, points: Sequence[tuple[Value, ...]], why: str) -> list[float | None]:
        """Results at points, in their order; None where there was no time for a run.

        Raises
        ------
        NetloomError
            What is wrong with a point.
        Stopped, KeyboardInterrupt
            If nothing is known yet.
        """
        left = [point for point in dict.fromkeys(points) if point not in self.results]
        if left and not self.ended:
            try:
                for point, result in self._run(left):
                    self.results[point], self.of[point] = result, why
                    if self.said is not None:
                        self.said(len(self.results), max(self.planned, len(self.results)))
                    require_time()
                    interrupt.require_go_on()
            except (Stopped, KeyboardInterrupt) as stop:
                self.close()
                if not self.results:
                    raise
                self.ended = "time" if isinstance(stop, Stopped) else "interrupted"
        return [self.results.get(point) for point in points]

    def each_s(self) -> float:
        """Seconds of a run, of all workers together."""
        took, runs = self.seconds
        return took / runs / self.workers if runs else 0.0

    def close(self) -> None:
        """Ends the other processes."""
        if self._workers is not None:
            self._workers.close()
            self._workers = None

    def _run(self, points: Sequence[tuple[Value, ...]]) -> Iterator[tuple[tuple[Value, ...], float]]:
        """Points with their results; where much is left other processes do it."""
        for number, point in enumerate(points):
            left = len(points) - number
            known = self.seconds[1] >= FIRST
            if (
                self.workers > 1
                and known
                and (self._workers or self._worth(max(left, self.planned - len(self.results))))
            ):
                yield from self._together(points[number:])
                return
            begun = time.monotonic()
            try:
                found = _result(self.function, self.named(point), quiet=bool(self.results))
            except NetloomError as error:
                raise self._at(error, point) from None
            took, runs = self.seconds
            # The first run loads and builds what the others find.
            self.seconds = (took + time.monotonic() - begun, runs + 1) if self.results else self.seconds
            yield point, found

    def _worth(self, left: int) -> bool:
        took, runs = self.seconds
        if took / runs * left <= WORTH_S:
            return False
        try:
            pickle.dumps(self.function)
        except Exception:  # Objects of one's own: no other process can have them.
            self.workers = 1
            return False
        return True

    def _together(self, points: Sequence[tuple[Value, ...]]) -> Iterator[tuple[tuple[Value, ...], float]]:
        if self._workers is None:
            self._workers = Workers(self.workers, _begin, self.function)
        batches = iter([points[at : at + BATCH] for at in range(0, len(points), BATCH)])
        under_way: list[tuple[Sequence[tuple[Value, ...]], Future[list[float | NetloomError]]]] = []
        while True:
            while len(under_way) < WAITING * self.workers and (batch := next(batches, None)) is not None:
                under_way.append((batch, self._workers.submit(_batch, [self.named(point) for point in batch])))
            if not under_way:
                return
            batch, future = under_way.pop(0)
            made = self._workers.result(future)
            for point, found in zip(batch, made, strict=False):
                if isinstance(found, NetloomError):
                    self.close()
                    raise self._at(found, point)
                yield point, found

    def _at(self, error: NetloomError, point: tuple[Value, ...]) -> NetloomError:
        """The faults of a run, each with the point in its place."""
        where = ", ".join(f"{one.name} = {one.text(value)}" for one, value in zip(self.varied, point, strict=True))
        return NetloomError(replace(one, place=f"{one.place} at {where}") for one in error.faults)

    def named(self, point: tuple[Value, ...]) -> dict[str, Value]:
        """Values by name."""
        return {one.name: value for one, value in zip(self.varied, point, strict=True)}


def _result(function: Function, point: Point, quiet: bool) -> float:
    # What a run takes was said of the first one.
    with announced() if quiet else nullcontext():
        found = function(point)
    return found if isinstance(found, InPart) else float(found)


_function: Function | None = None


def _begin(function: Function) -> None:
    """What a fresh process does first."""
    global _function
    if isinstance(function, OfScenario):
        function.begin()
    _function = function


def _batch(points: Sequence[Point]) -> list[float | NetloomError]:
    """Results of some points, up to the first that cannot be run."""
    assert _function is not None
    made: list[float | NetloomError] = []
    for point in points:
        try:
            made.append(_result(_function, point, quiet=True))
        except NetloomError as error:
            return [*made, error]
    return made
