"""How well each fault explains measured times: simulated with it, on the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..base.stopping import Stopped
from ..machine import load
from ..validation import Predictor
from ..validation.predict import time_s
from .answer import Finding, LeftOut
from .faults import FAULTS, Hypothesis
from .sound import Sound, Way

if TYPE_CHECKING:
    from pathlib import Path

    from ..machine import Machine
    from .assumed import Assumed

#: Of a fault that was not tried in all its ways.
OVER = "there was no time to try it"
#: Rows that faults are tried on, spread evenly over those of the log.
MOST_ROWS = 16
#: A fault that explains less is not reported.
LEAST = 0.1
#: A fault whose errors on the first rows are by this factor larger than without it is not tried on the others.
HOPELESS = 1.5
NOTHING = "explains nothing"
#: Faults whose mean logarithmic errors differ by less cannot be told apart, however many rows there are.
ALIKE = 0.01

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class Against:
    """What a log is held against.

    Parameters
    ----------
    machine
        A name, a file or a machine.
    inputs
        Of the scenario, in place of the machine's.
    """

    machine: str | Path | Machine
    inputs: Mapping[str, object] = field(default_factory=dict)


class Explainer:
    """Tries faults on a machine.

    Parameters
    ----------
    against
        The sound machine.
    predictor
        Of it.
    rows
        That are compared.
    """

    def __init__(self, against: Against, predictor: Predictor, rows: Sequence[Assumed]) -> None:
        self._against, self._workshop = against, predictor.workshop
        self._rows = rows
        self._sound_s = [one.expected_s for one in rows]
        self._sound = Sound(predictor, rows)
        self.left_out: list[LeftOut] = []

    def findings(self, progress: Callable[[float], object]) -> list[Finding]:
        """Faults that explain some of the error, the best first; each in the way that explains most. None without rows.

        Parameters
        ----------
        progress
            Called with the share that is done.

        Notes
        -----
        Cost: a simulation of each row for each way of each fault.
        """
        if not self._rows:
            return []
        ways = [(one, one.ways(self._sound)) for one in FAULTS]
        total, done = sum(len(of) for _, of in ways if not isinstance(of, str)), 0
        made, over = [], False
        for fault, of in ways:
            if isinstance(of, str) or over:
                self.left_out.append(LeftOut(fault.name, of if isinstance(of, str) else OVER))
                continue
            tried: list[Finding] = []
            reason = ""
            try:
                for way in of:
                    progress(done / total)
                    done += 1
                    found = self._tried(fault, way)
                    if isinstance(found, str):
                        reason = reason or found
                    else:
                        tried.append(found)
            except Stopped:
                over = True
                self.left_out.append(LeftOut(fault.name, OVER))
                continue
            best = max(tried, key=lambda one: one.explains, default=None)
            if best is None or all(self._is_sound(one.times_s) for one in tried):
                self.left_out.append(LeftOut(fault.name, reason or "changes no time of this log"))
            elif best.explains >= LEAST:
                made.append(best)
            else:
                self.left_out.append(LeftOut(fault.name, NOTHING))
        return self._told_apart(sorted(made, key=lambda one: -one.explains))

    def _tried(self, fault: Hypothesis, way: Way) -> Finding | str:
        """The fault in one of its ways; why it cannot be simulated, or need not be."""
        times = self._times(way)
        if isinstance(times, str):
            return times
        before, after = self._error(self._sound_s), self._error(times)
        place = way.curve or load(self._against.machine).name
        share = 1.0 - after / before if before else 0.0
        return Finding(fault.name, place, way.says, share, fault.remedy, way.inputs, times_s=tuple(times))

    def _times(self, way: Way) -> list[float] | str:
        """Of all rows with the fault; a quarter of them first, which shows most faults that lead nowhere."""
        chosen = [(at, one) for at, one in enumerate(self._rows) if way.curve in ("", one.curve)]
        predictor = Predictor(self._against.machine, {**self._against.inputs, **way.inputs}, self._workshop)
        times = list(self._sound_s)
        for part in (chosen[::4], [one for at, one in enumerate(chosen) if at % 4]):
            own = [one.prepared.row for _, one in part]
            start = len(predictor.prepared)
            predictor.prepare([replace(one, algorithm=way.algorithm) for one in own] if way.curve else own)
            if predictor.dropped:
                return predictor.dropped[0][1]
            for (at, _), one in zip(part, predictor.prepared[start:], strict=True):
                times[at] = time_s(one)
                if not times[at] > 0.0:
                    return "some messages take no time"
            if self._is_hopeless(times, [at for at, _ in part]):
                return NOTHING
        return times

    def _is_hopeless(self, times: Sequence[float], rows: Sequence[int]) -> bool:
        """Whether these rows come out further off than on the sound machine by far."""
        with_fault, without = (
            sum(abs(math.log(self._rows[at].row.time_s / of[at])) for at in rows) for of in (times, self._sound_s)
        )
        return with_fault > HOPELESS * without + LEAST * len(rows)

    def _error(self, times: Sequence[float]) -> float:
        """Mean of the logarithms of measured over simulated, their signs left out."""
        return sum(abs(math.log(one.row.time_s / at)) for one, at in zip(self._rows, times, strict=True)) / len(times)

    def _is_sound(self, times: Sequence[float]) -> bool:
        return all(abs(math.log(one / own)) < 1e-3 for one, own in zip(times, self._sound_s, strict=True))

    def _told_apart(self, findings: Sequence[Finding]) -> list[Finding]:
        """The same with the names of those that come out as near."""
        errors = [self._error(one.times_s) for one in findings]
        return [
            replace(
                one,
                equal=tuple(
                    other.what
                    for other, theirs in zip(findings, errors, strict=True)
                    if other is not one and _are_alike(own, theirs, len(self._rows))
                ),
            )
            for one, own in zip(findings, errors, strict=True)
        ]


def _are_alike(one: float, other: float, rows: int) -> bool:
    """Whether noise, of which the smaller of two mean errors is a measure, may be all that makes them differ."""
    return abs(one - other) < max(ALIKE, 2.0 * min(one, other) / math.sqrt(rows))


def spread(rows: int) -> list[int]:
    """At most `MOST_ROWS` of the numbers of n rows, the first and the last among them."""
    last, most = rows - 1, MOST_ROWS - 1
    return list(range(rows)) if last <= most else [round(at * last / most) for at in range(MOST_ROWS)]
