"""Notes on an answer: on what terms candidates stand next to each other, what was simulated, what has no price."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..base.quantities import percent
from ..evaluate.known_error import median_of
from .answer import Settings
from .candidate import Candidate
from .catalogue import Catalogue
from .families import WITH_NVLINK
from .measure import scenario_of
from .mix import Member, share_said
from .rule import Rule
from .steps import SAMPLED

#: How steps are timed where messages inside nodes have other costs.
STEPS_INSIDE = f"Of {WITH_NVLINK} steps are simulated by flows, {SAMPLED} one after another where more differ."
#: Share of the time of the mix from which on the error of what is simulated is quoted for the decision.
COVERED = 0.5


@dataclass(frozen=True)
class Told:
    """What is told of a decision."""

    settings: Settings
    rule: Rule
    parts: Catalogue
    best: Candidate

    @property
    def quoted(self) -> float | None:
        """The median error that is quoted of the decision; None where too little of it is simulated."""
        return self.model_error() if self.simulated() >= COVERED else None

    def model_error(self) -> float | None:
        """The median error of predictions like the simulated ones; None where nothing is simulated."""
        best = self.best
        timed: list[Member] = [one for one in self.rule.mix if one.rungs[-1] == "time"]
        return median_of(scenario_of(best.sized.call, timed[0].inputs, best.routing)) if timed else None

    def simulated(self) -> float:
        """The share of the time of the mix that is simulated by flows."""
        parts = [
            (member.weight * time_s, member.rungs[-1])
            for member, time_s in zip(self.rule.mix, self.best.bounds, strict=True)
        ]
        whole = math.fsum(time_s for time_s, _ in parts)
        return math.fsum(time_s for time_s, rung in parts if rung == "time") / whole if whole else 1.0

    def notes(self, ended: str, names: Sequence[str]) -> list[str]:
        """All of them."""
        said = [*self.parts.notes, *self.of_rails(names), *self.of_rungs()]
        if self.settings.routing == "adaptive":
            said.append(
                "With adaptive routing loads are an expectation, no bound: a candidate may be missing from the front."
            )
        if not self.parts.nics:
            said.append("Not priced: NICs, for which the catalogue has no [[nic]].")
        if ended:
            said.append(
                "There was no time for all: the front is of the candidates with a time, without failures and growth."
            )
        return said

    def of_rails(self, names: Sequence[str]) -> list[str]:
        """On what terms clusters with NVLink stand next to other families."""
        if WITH_NVLINK not in names:
            return []
        costs = self.rule.mix[0].inputs["calibration"]
        given = "" if self.settings.calibration else f", taken because {WITH_NVLINK} is among them"
        return [
            f"{WITH_NVLINK} has NVLink inside its nodes, which is not priced and shortens its times; the other "
            "families have none, so it does not stand next to them on equal terms.",
            f"The costs of software of all candidates are those of {costs}{given}, and collectives run as they are "
            "named on all of them, without the channels and protocols of a library such as NCCL.",
            *([STEPS_INSIDE] if any(one.rungs[-1] == "steps" for one in self.rule.mix) else []),
        ]

    def of_rungs(self) -> list[str]:
        """What was not simulated for every candidate, and which part of the time the quoted error is of."""
        said = []
        by = {rung: [one.workload for one in self.rule.mix if one.rungs[-1] == rung] for rung in ("steps", "loads")}
        if by["steps"]:
            said.append(
                f"Timed step by step ({SAMPLED} of them where more differ): what the busiest link needs, the longest "
                "route delays, and the software of the busiest rank takes, as if all ranks waited after each step: "
                f"{', '.join(by['steps'])} (too many messages to simulate for every candidate)."
            )
        if by["loads"]:
            effect = ""
            if self.settings.calibration:
                effect = f"; --calibration {self.settings.calibration} has no effect there"
            said.append(
                "Timed by link loads alone, without latency, waiting and software, a bound below the time: "
                f"{', '.join(by['loads'])} (too many messages to simulate for every candidate{effect})."
            )
        error, simulated = self.model_error(), self.simulated()
        if not simulated:
            return [*said, "No median error is quoted: it is known of flows alone, which time nothing here."]
        if error is None or simulated == 1:
            return said
        words = f"The median error of such predictions, {percent(error)}, is that of flows"
        rest = "steps and link loads, which time the rest, were held against no measurement"
        if simulated >= COVERED:
            return [*said, f"{words}, which time {share_said(simulated)} of the mix: {rest}."]
        return [*said, f"{words}; they time {share_said(simulated)} of the mix, so it is not quoted of it: {rest}."]
