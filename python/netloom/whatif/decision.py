"""The decision: which parameter, the runner-up, by how much, how sure, and what would change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..base.winner import margin_of
from ..evaluate import evaluator
from ..evaluate.known_error import median_of
from ..evaluate.rungs import rungs
from .changes import Change
from .emulator import Emulator
from .extrapolated import error_of
from .gains import Gain
from .indices import OUTSIDE, Index
from .knees import NOTHING, better
from .referee import BASE, Checked
from .runs import Function, OfScenario, Point


@dataclass(frozen=True)
class ModelError:
    """How far predictions like these were found to be off.

    Attributes
    ----------
    median
        As a share; None where it is not known.
    as_written
        It is that of the scenario as written: with the decision's best value nobody measured it.
    machine
        Whose it is; "" where no machine is named, and it is that of the default costs on machines that were measured.
    """

    median: float | None = None
    as_written: bool = False
    machine: str = ""


@dataclass(frozen=True)
class Sureness:
    """How sure the decision is.

    Attributes
    ----------
    apart
        The intervals of both total indices do not overlap, and the sample is not too small; None without a runner-up.
    lead
        How much worse the result is with the runner-up at its best value than with the decision at its own, as a
        share; below 0 where it is better, None where a result is not above 0.
    unexplained
        Share of the variance of held-out runs that the emulator does not explain; None without one.
    covers
        Whether that is more than the difference of both total indices.
    outside
        How far an index of the sample came out below 0 or above 1, at most: `indices.OUTSIDE` or less in one that is
        not too small.
    in_part
        The largest error of the runs of both gains that were extrapolated; 0 where none was.
    """

    apart: bool | None
    lead: float | None
    model_error: ModelError
    checked: Checked
    unexplained: float | None = None
    covers: bool | None = None
    changes: Sequence[Change] = field(default_factory=tuple)
    outside: float = 0.0
    in_part: float = 0.0

    @property
    def nothing(self) -> float:
        """The share below which a difference of gains is nothing: 2 %, or what was extrapolated may be off by."""
        return max(NOTHING, self.in_part)

    @property
    def tie(self) -> bool:
        """Whether the lead, either way, lies within the error of the model, or of what was extrapolated."""
        margin = max(margin_of(self.model_error.median), self.in_part)
        return self.lead is not None and abs_lead(self.lead) <= margin


def _turned(one: float, other: float, nothing: float) -> bool:
    """Whether a gain of that share or more is a loss of that much by another rung."""
    return max(one, other) >= 1 + nothing and min(one, other) <= 1 / (1 + nothing)


def abs_lead(lead: float) -> float:
    """A lead as that of whoever is ahead: 25 % worse is 0.25 either way."""
    return max(1 + lead, 1 / (1 + lead)) - 1


@dataclass(frozen=True)
class Decision:
    """Which parameter decides.

    Attributes
    ----------
    parameter, runner_up
        With the greatest total index, and the next one; None where one parameter is varied.
    totals
        Of both.
    gains
        Of both, from the base point to the best value of their curves.
    """

    parameter: str
    runner_up: str | None
    totals: Mapping[str, Index]
    gains: Mapping[str, Gain]
    sure: Sureness
    least: bool

    @property
    def leads(self) -> dict[str, float]:
        """By rung, the lead of the decision over the runner-up."""
        one, made = self.sure.checked, {}
        if self.runner_up is None or one.results is None:
            return {}
        for which, name in enumerate((one.rung, one.second)):
            made[name] = better(one.results[self.parameter][which], one.results[self.runner_up][which], self.least) - 1
        return made

    @property
    def rungs_agree(self) -> bool | None:
        """Whether the order of both gains is the same by both rungs, or they tie by both, and none is a loss by one.

        Where they tie by one rung alone, the rungs disagree: the other one names somebody who gains more.

        None where a rung is missing, or both parameters have their best values at the base point.
        """
        if not self.leads or all(one.value == one.curve.varied.base for one in self.gains.values()):
            return None
        ways = [self.sure.checked.gains(which, self.least) for which in (0, 1)]
        if any(_turned(ways[0][name], ways[1][name], self.sure.nothing) for name in ways[0]):
            return False
        first, second = self.leads.values()
        tied = [abs_lead(lead) <= self.sure.nothing for lead in (first, second)]
        return all(tied) if any(tied) else first * second > 0


def model_error(function: Function, decided: Point) -> ModelError:
    """The median error of predictions like the one with the decision's best value, or like that as written.

    Known of simulated time alone.
    """
    if not isinstance(function, OfScenario):
        return ModelError()
    simulated = any(one.simulated for one in rungs() if one.name == function.evaluator)
    if not simulated or function.target != evaluator(function.evaluator).headline:
        return ModelError()
    for scenario, as_written in ((function.at(decided), False), (function.scenario, True)):
        if (found := median_of(scenario)) is not None:
            machine = scenario.machine
            return ModelError(found, as_written, "" if machine is None else machine.name)
    return ModelError()


def decided(
    indices: Mapping[str, Index],
    gains: Mapping[str, Gain],
    sure: tuple[ModelError, Checked, Sequence[Change]],
    emulator: Emulator | None,
    least: bool,
) -> Decision | None:
    """The decision; None where no index is known, or nothing changes the result."""
    order = ranked(indices)
    if not order or indices[order[0]].total == 0 or any(name not in gains for name in order[:2]):
        return None
    first, second = order[0], order[1] if len(order) > 1 else None
    apart, lead, covers = None, None, None
    unexplained = None if emulator is None else 1 - emulator.r2
    outside = max(one.outside for one in indices.values())
    if second is not None:
        apart = indices[second].high < indices[first].low and outside <= OUTSIDE
        ends = gains[first].after, gains[second].after
        lead = better(*ends, least) - 1 if min(ends) > 0 else None
        if unexplained is not None:
            covers = unexplained > indices[first].total - indices[second].total
    both = [name for name in (first, second) if name is not None]
    in_part = max(error_of(gains[name].before, gains[name].after) for name in both)
    return Decision(
        first, second, {name: indices[name] for name in both}, {name: gains[name] for name in both},
        Sureness(apart, lead, sure[0], sure[1], unexplained, covers, sure[2], outside, in_part), least,
    )  # fmt: skip


def ranked(indices: Mapping[str, Index]) -> list[str]:
    """Names, the greatest total index first."""
    return sorted(indices, key=lambda name: -indices[name].total)


def to_check(gains: Sequence[Gain], base: Point) -> dict[str, tuple[Point, float]]:
    """The points that carry the decision, with their results, by the parameter that has its best value."""
    return {BASE: (base, gains[0].before)} | {one.name: ({**base, one.name: one.value}, one.after) for one in gains}
