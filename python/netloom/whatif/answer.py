"""The answer of a what-if question: curves, knees, indices, a map, and every run behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .. import _core
from ..plot.units import value_text
from . import written
from .best import Best
from .curves import Curve, Map
from .decision import Decision, ranked
from .emulator import Emulator
from .extrapolated import Extrapolation
from .indices import LEVEL, Index
from .knees import Knee
from .varied import Value, Varied


@dataclass(frozen=True)
class Settings:
    """How much is asked.

    Attributes
    ----------
    samples
        Rows of the sample for the indices, a power of two; each takes as many runs as there are parameters, and two.
    seed
        Of the sample and of the intervals.
    runs
        Most runs; where the sample needs more, an emulator is fitted on as many as are left. The map is cut.
    workers
        Processes at the same time.
    points
        Of a curve.
    plugins
        Files of one's own classes, which other processes load first.
    """

    samples: int = 256
    seed: int = 1
    runs: int = 5000
    workers: int = 1
    points: int = 17
    plugins: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """What a result is.

    Attributes
    ----------
    target
        The column, or the name of a function.
    unit
        Of it.
    least
        The least is best; False: the greatest.
    evaluator, model, assumptions
        What answered; empty for a function.
    ranks
        Least and most ranks by the name of what changes them: results over it are not of the same work. Empty where
        all have the same number, or it is given.
    other_work
        The sentence that says so.
    """

    target: str
    unit: str = ""
    least: bool = True
    evaluator: str = ""
    model: str = ""
    assumptions: tuple[str, ...] = ()
    ranks: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    other_work: str = ""

    def text(self, result: float) -> str:
        """A result as people read it."""
        return value_text(result, self.unit)


@dataclass(frozen=True)
class WhatIf:
    """Which parameter decides, and where more of it gives nothing.

    Attributes
    ----------
    asked, settings, varied
        The question.
    base
        The result at the base point; None where it was not reached.
    curves, knees
        One thing varied at a time; a knee for each range.
    indices
        By name; empty where none can be given.
    rows
        Of the sample that they are of; 0 for those of an emulator or of one parameter alone.
    map
        Of the two parameters with the greatest total index.
    emulator
        What the indices are of, where the runs were too dear.
    points
        Every run: values in the order of `varied`, result, what it was for.
    ended
        ``time`` or ``interrupted`` where there was no time for all of it.
    notes
        Sentences on what was done otherwise than asked.
    decision
        Which parameter decides, the runner-up, how sure, and what would change it; None where nothing does.
    best
        The best point that was found, and the knees of the curves through it; None where none was looked for.
    extrapolated
        What runs were extrapolated from, and how far they may be off; None where each was simulated as a whole.
    """

    asked: Asked
    settings: Settings
    varied: Sequence[Varied]
    base: float | None
    curves: Sequence[Curve]
    knees: Sequence[Knee]
    indices: Mapping[str, Index]
    rows: int
    map: Map | None
    emulator: Emulator | None
    points: Sequence[tuple[tuple[Value, ...], float, str]]
    ended: str = ""
    notes: Sequence[str] = field(default_factory=list)
    decision: Decision | None = None
    best: Best | None = None
    extrapolated: Extrapolation | None = None

    @property
    def ranked(self) -> list[str]:
        """Names, the greatest total index first."""
        return ranked(self.indices)

    @property
    def without_effect(self) -> list[str]:
        """Names of what changed no result at all, on its curve and in the sample."""
        same = {curve.varied.name for curve in self.curves if len(set(curve.results)) == 1}
        least = 0.01 if self.emulator is not None else 0.0
        return [one.name for one in self.varied if one.name in same and self._total(one.name) <= least]

    def _total(self, name: str) -> float:
        return self.indices[name].total if name in self.indices else 0.0

    def explain(self) -> list[str]:
        """The answer in sentences."""
        from .words import sentences

        return sentences(self)

    def to_dict(self) -> dict[str, object]:
        """All of it as plain data, as ``netloom whatif --json`` prints it."""
        names = [one.name for one in self.varied]
        return {
            "version": _core.version(),
            "decision": None if self.decision is None else written.decision(self.decision),
            "indices": {name: vars(self.indices[name]) for name in names if name in self.indices},
            "knees": [written.knee(one) for one in self.knees],
            "runs": [
                {"values": dict(zip(names, values, strict=True)), "result": result, "of": why}
                for values, result, why in self.points
            ],
            "parameters": [written.parameter(one) for one in self.varied],
            "target": self.asked.target,
            "unit": self.asked.unit,
            "best": "least" if self.asked.least else "greatest",
            "base": {"values": {one.name: one.base for one in self.varied}, "result": self.base},
            "curves": [written.curve(one) for one in self.curves],
            "best_point": None if self.best is None else written.best(self.best, names),
            "map": None if self.map is None else written.map_(self.map),
            "samples": self.rows,
            "level": LEVEL,
            "seed": self.settings.seed,
            "emulator": None if self.emulator is None else written.emulator(self.emulator),
            "without_effect": self.without_effect,
            "ranks_differ": {name: {"least": least, "most": most} for name, (least, most) in self.asked.ranks.items()},
            "extrapolated": None if self.extrapolated is None else vars(self.extrapolated),
            "sentences": self.explain(),
            "notes": list(self.notes),
            "ended": self.ended or None,
            "evaluator": self.asked.evaluator,
            "model": self.asked.model,
            "assumptions": list(self.asked.assumptions),
        }
