"""The question: endpoints, a mix of workloads, a budget, parts; and the steps to its answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.stopping import Stopped
from ..compare.policy import OWN, POLICIES
from ..scenario.usual import GPUS, HOSTS
from .answer import Design, Settings
from .around import Around, around, failures, growths
from .candidate import GOALS, Candidate, front, goal_of
from .catalogue import Catalogue, catalogue
from .codes import BAD_CATALOGUE, BAD_SETTING, NO_CANDIDATE, OVER_BUDGET, UNKNOWN_FAMILY
from .crossing import wanted
from .families import FAMILIES, NO_NVLINK, WITH_NVLINK, LeftOut, Sized, sized
from .grown import Growth
from .ladder import Ladder, packets
from .measure import Job
from .mix import members, weighted
from .pool import Pool
from .robust import sureness
from .rule import Rule, may_win
from .told import Told

#: Endpoints that are designed for; seeds; processes.
LEAST, MOST, MOST_SEED, MOST_WORKERS = 2, 1 << 17, (1 << 32) - 1, 1024
#: How often it is asked at most which candidates without a time could be the best under a price error, and which could
#: change the decision at a price or a weight that is nearer than those of candidates with a time.
MOST_ROUNDS, ROUNDS = 8, 4


def design(
    endpoints: int,
    workloads: Mapping[str, float] | Sequence[str],
    *,
    budget_usd: float | None = None,
    families: Sequence[str] = (),
    parts: str | Path | Catalogue | None = None,
    how: Settings | None = None,
    progress: Callable[..., object] | None = None,
) -> Design:
    """Networks of every family for n endpoints, priced and timed, and which one to build.

    Parameters
    ----------
    endpoints
        From 2 to 131,072.
    workloads
        Collectives, patterns, applications, files of traces or steps, each with its weight: a mapping, or texts such as
        ``"alltoall:pairwise=2"``. The time of the mix is the sum of the times, each times its weight; weights are
        made to sum to 1.
    budget_usd
        Most that may be spent, in US dollars.
    families
        Of `FAMILIES`; all of them by default.
    parts
        A catalogue of switches, cables and NICs, or the file of one; by default the one that is shipped.
    how
        Goal, size of collectives, routing, failures, processes.
    progress
        Called with the pieces of work done and those that are known of.

    Returns
    -------
    Design
        All candidates, those on the Pareto front of time, price and power, and the decision.

    Raises
    ------
    NetloomError
        `NL-Z001` to `NL-Z006`; what is wrong with a workload.

    Notes
    -----
    Bounds by hops and loads decide which candidates may be on the front; those get simulated time where the workload
    has at most 65,536 messages, and so do those that another price or weight may make the best, over the budget or not.
    Collectives with more are timed step by step by what the busiest link needs and what software takes, other workloads
    by the link loads of all messages together, a bound below the time. Cost: one `loads` for each candidate and
    workload, one `time` or up to twelve steps for those that are simulated, five more `loads` for those on the front,
    seven where endpoints are lost.

    Examples
    --------
    >>> import netloom
    >>> found = netloom.design(64, ["alltoall:pairwise"], families=["fat-tree", "torus"])
    >>> found.decision.sized.family
    'fat-tree'
    """
    settings = checked(endpoints, budget_usd, how or Settings())
    names = _families(families, settings.nvlink)
    made = parts if isinstance(parts, Catalogue) else catalogue(parts)
    more = {"size_bytes": settings.size_bytes, "calibration": settings.calibration or usual(names)}
    mix = members(weighted(workloads), endpoints, more)
    rule = Rule(settings.goal, mix, math.inf if budget_usd is None else budget_usd)
    pool = Pool(settings.workers, endpoints, settings.plugins, _machines(), progress)
    steps = _Steps(endpoints, settings, rule, made, pool)
    try:
        return steps.answered(names, budget_usd)
    finally:
        pool.close()


def checked(endpoints: int, budget_usd: float | None, how: Settings) -> Settings:
    """The settings with their goal, if they are in range.

    Raises
    ------
    NetloomError
        `NL-Z001`.
    """
    faults = []
    ranges: dict[str, tuple[object, int, int]] = {
        "--endpoints": (endpoints, LEAST, MOST), "--seed": (how.seed, 0, MOST_SEED),
        "--jobs": (how.workers, 1, MOST_WORKERS),
        "--least-ports": (how.least_ports, 2, 4096), "--most-ports": (how.most_ports, 2, 4096),
    }  # fmt: skip
    for name, (value, least, most) in ranges.items():
        if type(value) is not int or not least <= value <= most:
            faults.append(Fault(BAD_SETTING, name, f"an integer in {least}..{most}", repr(value)))
    if not faults and how.least_ports > how.most_ports:
        words = f"at least --least-ports, {how.least_ports}"
        faults.append(Fault(BAD_SETTING, "--most-ports", words, str(how.most_ports), "leave one of the two out"))
    if budget_usd is not None and not 0 < budget_usd < math.inf:
        faults.append(Fault(BAD_SETTING, "--budget", "a number of US dollars above 0", f"{budget_usd:g}"))
    if how.goal and how.goal not in GOALS:
        faults.append(Fault(BAD_SETTING, "--goal", f"one of {', '.join(GOALS)}", f'"{how.goal}"'))
    known = [OWN, *(name for name in POLICIES if name != "hashed")]
    if how.routing not in known:
        hint = did_you_mean(how.routing, known, "policies")
        faults.append(Fault(BAD_SETTING, "--routing", f"one of {', '.join(known)}", f'"{how.routing}"', hint))
    for name, text in (("--failed-links", how.failed_links), ("--failed-switches", how.failed_switches)):
        if not _much(text):
            faults.append(Fault(BAD_SETTING, name, "a number from 0 on, or a share such as 1%", f'"{text}"'))
    if faults:
        raise NetloomError(faults)
    return replace(how, goal=how.goal or ("per-usd" if budget_usd is None else "time"))


def _much(text: str) -> bool:
    """Whether it is a number of things or a share of them."""
    number, percent, rest = text.partition("%")
    try:
        return not rest and (0 <= float(number) < 100 if percent else int(number) >= 0)
    except ValueError:
        return False


def usual(families: Sequence[str]) -> str:
    """The calibration of all candidates where none is given: that of GPUs where clusters of them are candidates."""
    return GPUS if WITH_NVLINK in families else HOSTS


def _families(names: Sequence[str], nvlink: bool) -> list[str]:
    """Those that are asked for; clusters with NVLink are where they are named, or nodes have it."""
    faults = []
    for name in names:
        if name not in FAMILIES:
            hint = did_you_mean(name, FAMILIES, "families")
            faults.append(Fault(UNKNOWN_FAMILY, "--family", f'no family is called "{name}"', "", hint))
    if faults:
        raise NetloomError(faults)
    if nvlink and names and WITH_NVLINK not in names:
        hint = f"leave it out, or add --family {WITH_NVLINK}"
        raise NetloomError([Fault(BAD_SETTING, "--nvlink", "has no effect on these families", "", hint)])
    return [name for name in FAMILIES if (name in names if names else nvlink or name != WITH_NVLINK)]


def _machines() -> tuple[str, ...]:
    """Where this process looks for machines, for others to look there too."""
    from ..machine.presets import folders

    return tuple(str(folder.resolve()) for folder in folders())


@dataclass
class _Steps:
    """From the question to the answer."""

    endpoints: int
    settings: Settings
    rule: Rule
    parts: Catalogue
    pool: Pool

    def answered(self, names: Sequence[str], budget_usd: float | None) -> Design:
        shapes, left_out = self.shapes(names)
        if len(names) == len(FAMILIES) - 1 and WITH_NVLINK not in names:
            left_out.append(LeftOut(WITH_NVLINK, NO_NVLINK))
        self.pool.planned = len(shapes) * (1 + sum(len(one.rungs) for one in self.rule.mix))
        every = self.priced(shapes, left_out)
        self.require_goal(every)
        able, beyond = self.affordable(every, left_out)
        everyone = [*able, *beyond]
        ladder = Ladder(self.rule.mix, self.pool, self.settings.prune)
        ended, known = "", dict[str, Around]()
        try:
            ladder.climb(able)
            self.require_times(able)
            for rounds, asked in ((MOST_ROUNDS, may_win), (ROUNDS, wanted)):
                # Another price or weight may make another one the best, so it needs a time.
                for _ in range(rounds):
                    if not (more := asked(self.rule, everyone)):
                        break
                    ladder.further(more)
            self.mark(able)
            packets([one for one in able if one.on_front], self.rule.mix, self.pool)
            known = self.around([one for one in able if one.on_front])
        except (Stopped, KeyboardInterrupt) as stop:
            self.mark(able)
            if not self.rule.ranked(able):
                raise
            ended = "time" if isinstance(stop, Stopped) else "interrupted"
        order = self.rule.ranked(able)
        rest = sorted(
            (one for one in able if one not in order),
            key=lambda one: (bool(one.refused), self.rule.value(one), one.name),
        )
        told = Told(self.settings, self.rule, self.parts, order[0])
        return Design(
            self.endpoints, budget_usd, self.settings, self.rule, self.parts, [*order, *rest], left_out, known,
            sureness(self.rule, everyone, told.quoted), ladder.counts, ended, told.notes(ended, names),
            [one for one in beyond if one.timed],
        )  # fmt: skip

    def shapes(self, names: Sequence[str]) -> tuple[list[Sized], list[LeftOut]]:
        """Instances of the families with each switch of the range."""
        switches = [
            one for one in self.parts.switches if self.settings.least_ports <= one.ports <= self.settings.most_ports
        ]
        if not switches:
            got = ", ".join(f"{one.ports}" for one in self.parts.switches)
            words = f"a range with a switch of the catalogue, of {got} ports"
            raise NetloomError(
                [
                    Fault(
                        BAD_SETTING,
                        "--least-ports, --most-ports",
                        words,
                        f"{self.settings.least_ports}..{self.settings.most_ports}",
                    )
                ]
            )
        found, left_out = [], list[LeftOut]()
        for switch in switches:
            for name in names:
                some, others = sized(name, switch, self.endpoints)
                found += some
                left_out += others
        if not found:
            hint = "ask for fewer endpoints, more families, or switches with more ports"
            words = f"no candidate: {left_out[0].name}: {left_out[0].reason}" if left_out else "no candidate"
            raise NetloomError([Fault(NO_CANDIDATE, f"--endpoints {self.endpoints}", words, "", hint)])
        return found, left_out

    def priced(self, shapes: Sequence[Sized], left_out: list[LeftOut]) -> list[Candidate]:
        """Each with its bill."""
        jobs = [
            Job(one.call, "bill", (), self.settings.routing, parts=(one.switch, self.parts, self.endpoints))
            for one in shapes
        ]
        made = []
        for one, done in zip(shapes, self.pool.map(jobs), strict=True):
            if done.bill is None:
                if done.refused.startswith("catalogue:"):
                    raise NetloomError([Fault(BAD_CATALOGUE, "catalogue", done.refused.partition(": ")[2])])
                left_out.append(LeftOut(f"{one.family} {one.variant}, {one.switch.name}", done.refused))
            else:
                made.append(Candidate(one, done.bill, done.routing, [0.0] * len(self.rule.mix)))
        if not made:
            raise NetloomError(
                [Fault(NO_CANDIDATE, f"--endpoints {self.endpoints}", f"no candidate: {left_out[-1].reason}")]
            )
        return made

    def require_goal(self, every: Sequence[Candidate]) -> None:
        """Nothing is ranked by a time that is multiplied by 0."""
        goal = self.rule.goal
        none = [one for one in every if not goal_of(goal, 1.0, one.usd, one.watts)]
        if none:
            of, key = ("price", "usd") if goal == "per-usd" else ("power", "watts")
            words = f"{len(none):,} of {len(every):,} candidates have a {of} of 0, such as {none[0].name}"
            hint = f"give {key} of these parts in the catalogue, or --goal time"
            raise NetloomError([Fault(BAD_SETTING, f"--goal {goal}", words, "", hint)])

    def affordable(
        self, every: Sequence[Candidate], left_out: list[LeftOut]
    ) -> tuple[list[Candidate], list[Candidate]]:
        """Those that the budget pays for, and those that are over it."""
        able = [one for one in every if one.usd <= self.rule.limit_usd]
        if not able:
            least = min(every, key=lambda one: (one.usd, one.name))
            got = f"{self.rule.budget_usd:,.0f}"
            words = f"at least {math.ceil(least.usd):,} USD, the price of {least.name}"
            raise NetloomError([Fault(OVER_BUDGET, "--budget", words, got)])
        beyond = [one for one in every if one.usd > self.rule.limit_usd]
        left_out += [LeftOut(one.name, f"{one.usd:,.0f} USD, more than the budget") for one in beyond]
        return able, beyond

    def require_times(self, able: Sequence[Candidate]) -> None:
        if not self.rule.ranked(able):
            why = next((one.refused for one in able if one.refused), "no time is known")
            raise NetloomError([Fault(NO_CANDIDATE, "--workload", f"no candidate runs the mix: {why}")])

    def mark(self, able: Sequence[Candidate]) -> None:
        """Who is on the front, of those with a time."""
        known = [one for one in able if one.timed]
        weights = [member.weight for member in self.rule.mix]
        for one, on in zip(known, front([(one.time(weights), one.usd, one.watts) for one in known]), strict=True):
            one.on_front = on

    def around(self, some: Sequence[Candidate]) -> dict[str, Around]:
        """Failures, bisection and growth of those on the front."""
        fail = failures(self.settings.failed_links, self.settings.failed_switches, self.settings.seed)
        found = around(some, self.rule.mix, self.settings.routing, fail, self.pool)
        grown = growths(some, self.endpoints, self.parts, self.settings.routing, self.pool)
        return {
            one.name: Around(
                *parts, growth if isinstance(growth, Growth) else None, growth if isinstance(growth, str) else ""
            )
            for one, parts, growth in zip(some, found, grown, strict=True)
        }
