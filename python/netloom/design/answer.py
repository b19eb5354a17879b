"""The answer: candidates, the front, the decision, the runner-up, how sure, and what would change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from .. import _core
from .around import Around, Failed
from .candidate import GOALS, Candidate
from .catalogue import Cable, Catalogue
from .crossing import Change
from .families import LeftOut
from .grown import Growth
from .mix import Member
from .robust import Robust, RungCheck, Sureness
from .rule import Rule


@dataclass(frozen=True)
class Settings:
    """How the question is asked.

    Attributes
    ----------
    goal
        ``time``, ``per-usd`` or ``per-watt``; "" takes ``time`` with a budget and ``per-usd`` without.
    size_bytes
        Of collectives; 1 MiB by default.
    routing
        A policy of `netloom compare` that link loads know, for all candidates.
    calibration
        Costs of software, as of a scenario; "" for its default.
    failed_links, failed_switches
        How many fail at random: a number, or a share such as ``1%``.
    seed
        Of the failures.
    least_ports, most_ports
        Switches of the catalogue that are used.
    nvlink
        Nodes of eight GPUs have NVLink, so rail-optimised clusters are candidates too.
    workers
        Processes at the same time.
    prune
        False: all candidates climb to the last rung, whether they may be on the front or not.
    plugins
        Files of one's own classes, which other processes load first.
    """

    goal: str = ""
    size_bytes: int | str | None = None
    routing: str = "spray"
    calibration: str = ""
    failed_links: str = "1%"
    failed_switches: str = "1"
    seed: int = 1
    least_ports: int = 2
    most_ports: int = 4096
    nvlink: bool = False
    workers: int = 1
    prune: bool = True
    plugins: tuple[str, ...] = ()


@dataclass(frozen=True)
class Design:
    """Networks for a number of endpoints, and which one to build.

    Attributes
    ----------
    endpoints, budget_usd, settings, rule, catalogue
        The question; the budget is None without one.
    candidates
        The best first; behind them those whose last rung was left out, and those without a time.
    left_out
        What is no candidate, with the reason.
    around
        By name of a candidate of the front: failures, bisection, growth.
    sure
        How sure the decision is; None where there is none.
    counts
        By rung, the candidates that were asked.
    ended
        ``time`` or ``interrupted`` where there was no time for all of it.
    notes
        Sentences on what was done otherwise than asked.
    beyond
        Candidates over the budget that have a time, since another price could bring them within it.
    """

    endpoints: int
    budget_usd: float | None
    settings: Settings
    rule: Rule
    catalogue: Catalogue
    candidates: Sequence[Candidate]
    left_out: Sequence[LeftOut]
    around: Mapping[str, Around]
    sure: Sureness | None
    counts: Mapping[str, int]
    ended: str = ""
    notes: Sequence[str] = field(default_factory=list)
    beyond: Sequence[Candidate] = ()

    @property
    def mix(self) -> Sequence[Member]:
        return self.rule.mix

    @property
    def ranked(self) -> list[Candidate]:
        """Those with a time, the best first."""
        return self.rule.ranked(self.candidates)

    @property
    def decision(self) -> Candidate | None:
        """The best one."""
        order = self.ranked
        return order[0] if order else None

    @property
    def runner_up(self) -> Candidate | None:
        """The next best one."""
        order = self.ranked
        return order[1] if len(order) > 1 else None

    @property
    def unknown(self) -> list[Candidate]:
        """Those without a time that may be better than the decision."""
        best = self.decision
        limit = inf if best is None else self.rule.value(best)
        return [one for one in self.candidates if not (one.final or one.refused) and self.rule.value(one) < limit]

    @property
    def front(self) -> list[Candidate]:
        """Those that no other beats in time, price and power at once, the cheapest first."""
        return sorted((one for one in self.candidates if one.on_front), key=lambda one: (one.usd, one.watts, one.name))

    def time_s(self, one: Candidate) -> float:
        """The weighted time of a candidate, or the bound below it."""
        return one.time([member.weight for member in self.mix])

    def explain(self) -> list[str]:
        """The answer in sentences."""
        from .words import sentences

        return sentences(self)

    def to_dict(self) -> dict[str, object]:
        """All of it as plain data, as ``netloom design --json`` prints it."""
        best, second = self.decision, self.runner_up
        return {
            "version": _core.version(),
            "candidates": [self._candidate(one) for one in self.candidates],
            "decision": None if best is None else best.sized.call,
            "runner_up": None if second is None else second.sized.call,
            "goal": self.rule.goal,
            "goal_is": GOALS[self.rule.goal],
            "endpoints": self.endpoints,
            "budget_usd": self.budget_usd,
            "workloads": [
                {"workload": one.workload, "weight": one.weight, "rung": one.rungs[-1], "messages": one.messages}
                for one in self.mix
            ],
            "sure": None if self.sure is None else _sure(self.sure),
            "beyond_budget": [self._candidate(one) for one in self.beyond],
            "left_out": [{"name": one.name, "reason": one.reason} for one in self.left_out],
            "asked": dict(self.counts),
            "routing": self.settings.routing,
            "calibration": self.mix[0].inputs["calibration"],
            "seed": self.settings.seed,
            "catalogue": _catalogue(self.catalogue),
            "sentences": self.explain(),
            "notes": list(self.notes),
            "ended": self.ended or None,
        }

    def _candidate(self, one: Candidate) -> dict[str, object]:
        times = {member.workload: time_s for member, time_s in zip(self.mix, one.bounds, strict=True)}
        seen = {rung: some for rung in one.by_rung if (some := one.seen(rung))}
        made: dict[str, object] = {
            "network": one.sized.call,
            "name": one.name,
            "family": one.sized.family,
            "variant": one.sized.variant,
            "switch": one.sized.switch.name,
            "time_s": None if one.refused or not one.by_rung else self.time_s(one),
            "bound": not one.final,
            "usd": one.usd,
            "watts": one.watts,
            "on_front": one.on_front,
            "worse_than": one.worse_than or None,
            "refused": one.refused or None,
            "times_s": times,
            "by_rung_s": {rung: one.by(rung, self.mix, some) for rung, some in seen.items()},
            "by_rung_of": {rung: [self.mix[at].workload for at in some] for rung, some in seen.items()},
            "routing": one.routing[0],
            "variant_of_routing": one.routing[1],
            "usd_of": dict(one.bill.usd_of),
            "switches": one.bill.switches,
            "cables": one.bill.cables,
            "media": dict(one.bill.media),
            "cable_m": one.bill.cable_m,
            "longest_m": one.bill.longest_m,
            "radix": one.bill.radix,
        }
        if one.name in self.around:
            made |= _around(self.around[one.name])
        return made


def _around(one: Around) -> dict[str, object]:
    return {
        "failed_links": _failed(one.links),
        "failed_switches": _failed(one.switches),
        "failure_draws": {"links": _draws(one.links), "switches": _draws(one.switches)},
        "bisection": None if one.bisection is None else {"share": one.bisection[0], "exact": one.bisection[1]},
        "growth": _growth(one.growth),
        "no_growth": one.no_growth or None,
    }


def _failed(one: Failed | None) -> dict[str, object] | None:
    if one is None:
        return None
    return {"slowdown": one.slowdown, "endpoints_lost": one.lost, "refused": one.refused or None}


def _draws(one: Failed | None) -> dict[str, object] | None:
    """Each draw for itself: the worst slow-down and the most endpoints lost need not be of the same one."""
    if one is None:
        return None
    draws = [
        {"slowdown": draw.slowdown, "endpoints_lost": draw.lost, "refused": draw.refused or None} for draw in one.draws
    ]
    return {"failed": one.failed, "of": one.of, "draws": draws}


def _growth(one: Growth | None) -> dict[str, object] | None:
    if one is None:
        return None
    return {
        "network": one.network,
        "spliced": one.spliced,
        "usd": one.usd,
        "switches": one.switches,
        "cables": one.cables,
        "unused_usd": one.unused_usd,
        "unused_switches": one.unused_switches,
        "unused_cables": one.unused_cables,
        "moved": one.moved,
        "cables_between_switches": list(one.between),
        "pairs_with_fewer_cables": one.fewer,
    }


def _sure(one: Sureness) -> dict[str, object]:
    return {
        "lead": one.lead,
        "tie": one.tie,
        "model_error": one.model_error,
        "by_rung": {rung: _check(check) for rung, check in one.by_rung.items()},
        "decided_by": list(one.decided_by),
        "may_be_better": one.unknown,
        "by_price": [{"of": name, "factor": factor, "best": _call(best)} for name, factor, best in one.by_price],
        "robust_over_mix": _robust(one.robust_mix),
        "robust_over_prices": _robust(one.robust_price),
        "changes": [_change(change) for change in one.changes],
    }


def _robust(one: Robust | None) -> dict[str, object] | None:
    if one is None:
        return None
    regrets = [None if regret == inf else regret for regret in (one.regret, one.of_decision[0])]
    return {
        "network": one.chosen.sized.call, "regret": regrets[0], "worst": one.worst,
        "decision_regret": regrets[1], "decision_worst": one.of_decision[1],
    }  # fmt: skip


def _call(one: Candidate | None) -> str | None:
    return None if one is None else one.sized.call


def _check(one: RungCheck) -> dict[str, object]:
    return {
        "best": one.best.sized.call, "best_by_times": one.expected.sized.call, "better": one.better,
        "agrees": one.agrees, "workloads": list(one.workloads), "share_of_time": one.share,
    }  # fmt: skip


def _change(one: Change) -> dict[str, object]:
    return {
        "kind": one.kind, "of": one.of, "factor": one.factor, "share": one.share, "best": _call(one.to),
        "over_budget": one.over, "bound": one.bound,
    }  # fmt: skip


def _catalogue(one: Catalogue) -> dict[str, object]:
    return {
        "title": one.title,
        "notes": list(one.notes),
        "layout": {**vars(one.floor), "endpoint_m": one.endpoint_m},
        "switches": [vars(switch) for switch in one.switches],
        "cables": [_cable(cable) for cable in one.cables],
        "nics": [vars(nic) for nic in one.nics],
    }


def _cable(one: Cable) -> dict[str, object]:
    line = one.line
    return {
        "name": line.name, "gbps": one.gbps, "usd": line.usd, "usd_per_m": line.usd_per_m,
        "usd_per_m2": line.usd_per_m2, "max_m": None if line.max_m == inf else line.max_m, "watts": one.watts,
        "date": one.date, "source": one.source, "estimate": one.estimate,
    }  # fmt: skip
