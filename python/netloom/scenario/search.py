"""The search for a better mapping of a scenario's job: one place, so that no caller forgets routing or calibration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from .. import _core, plugin
from ..base.arrays import ndarray
from ..base.errors import Fault, NetloomError
from ..mapping.place import places_of
from ..workload import Workload, messages
from .refusals import refuse_switches

if TYPE_CHECKING:
    from ..base.arrays import Endpoints
    from ..base.records import SearchFound
    from .question import Question

#: The optimiser where nobody names one: all methods, of which evaluators choose the best mapping; and the one that
#: searches for a named objective.
ALL_METHODS, FOR_OBJECTIVE = "best", "auto"
#: Objectives that name none.
NO_OBJECTIVE = ("auto", "default")
#: Before the file of a model that is the objective.
BY_MODEL = "learned:"
#: Objectives that look at links between switches only.
OF_SWITCHES = ("max-link-load", "contentions")
#: Messages, over all repetitions, beyond which one simulation takes more than seconds.
TIMED_MESSAGES = 1 << 21


def in_picoseconds(objective: str) -> bool:
    """True of objectives in picoseconds: simulated time, of whichever model, and time on the worst link."""
    return objective in ("time", "worst link", "learned time") or objective.startswith("time of ")


def too_long_to_time(messages: int, repetitions: int, share: Callable[[], float] = lambda: 1.0) -> str:
    """Why a workload is not simulated unless requested explicitly; empty if it is small enough.

    `share` gives the part of its messages that is simulated, where others do as these.
    """
    total = messages * repetitions
    long = total > TIMED_MESSAGES and total * share() > TIMED_MESSAGES
    return f"{total:,} messages take too long to simulate" if long else ""


class Wishes(TypedDict, total=False):
    """The axis `search`: options of an optimiser given as order."""

    start: str
    objective: str
    free: bool
    workload: Workload | str
    size_bytes: int


@dataclass(frozen=True, eq=False)
class Search:
    """The result of an optimiser.

    Attributes
    ----------
    slots
        Slot of every rank: its endpoint times the cores of an endpoint, plus the core.
    value, start_value
        The objective after and before; times are picoseconds.
    bound
        No mapping can be better; None or 0 if nothing is known.
    trace
        (evaluations, best value so far).
    decided_by
        The objective of these values: what `auto` resolved to.
    notes
        Lines for people: why time did not decide.
    facts
        What else an optimiser says, as JSON.
    """

    slots: Endpoints
    value: float
    start_value: float
    bound: float | None
    evaluations: int | None
    accepted: int | None
    trace: list[tuple[int, float]]
    method: str
    decided_by: str
    notes: tuple[str, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def timed(self) -> bool:
        """The values are picoseconds."""
        return in_picoseconds(self.decided_by)

    def curve(self) -> list[tuple[int, float]]:
        """(evaluations, best value) before the search, after 1, 10, 100, ... of them, and at its end."""
        if not self.trace:
            return []
        end, at = self.trace[-1][0], 1
        asked = [0]
        while at < end:
            asked.append(at)
            at *= 10
        asked += [end] if end else []
        return [(count, [value for n, value in self.trace if n <= count][-1]) for count in asked]

    def numbers(self) -> dict[str, float | None]:
        """The columns that a table of runs has of a search."""
        return {
            "start_value": self.start_value,
            "value": self.value,
            "bound": self.bound,
            "evaluations": self.evaluations,
        }


def optimiser_for(said: str | None, objective: str) -> str:
    """The optimiser of the command and of `netloom.map_ranks`: as named, else by whether there is an objective.

    Raises
    ------
    NetloomError
        `NL-A007` for one that cannot follow a model.
    """
    if objective.startswith(BY_MODEL):
        path = objective.removeprefix(BY_MODEL)
        if said not in (None, FOR_OBJECTIVE) or '"' in path:
            hint = "leave the optimiser out: a model ranks mappings"
            raise NetloomError([Fault("NL-A007", "optimiser", "auto where a model is the objective", str(said), hint)])
        return f'learned(model="{path}")'
    if said is not None:
        return said
    return ALL_METHODS if objective in NO_OBJECTIVE else FOR_OBJECTIVE


def _require_own(optimiser: str, objective: str, load: Workload | None) -> None:
    """Refuses what an optimiser that asks evaluators about the scenario cannot follow."""
    hint = "leave it out, or name an optimiser that searches for it"
    faults = []
    # Studies say hops where nobody says anything.
    if objective not in (*NO_OBJECTIVE, "hops") and not objective.startswith(BY_MODEL):
        faults.append(Fault("NL-A007", "objective", f"none: evaluators decide for {optimiser}", objective, hint))
    if load is not None:
        faults.append(Fault("NL-A007", "search.workload", f"none: {optimiser} asks about the job's own", "", hint))
    if faults:
        raise NetloomError(faults)


def search(
    bound: Question,
    optimiser: str,
    objective: str = "auto",
    free: bool = False,
    seconds: float | None = None,
    load: Workload | None = None,
    start: Endpoints | None = None,
) -> Search:
    """Improve the mapping of the only job.

    Parameters
    ----------
    free
        True: any endpoint of the network may be used, not only those of the placement.
    seconds
        Time budget; without one the optimiser's own number of evaluations decides, and the result is reproducible.
    load
        The workload to optimise for, instead of the job's.
    start
        Slot of every rank from which to begin, instead of the scenario's.

    Raises
    ------
    NetloomError
        What is wrong with the optimiser, its objective, or what the objective needs.
    """
    cls = plugin.find("optimisers", optimiser)
    if cls is not None and getattr(cls, "takes_scenario", False):
        _require_own(optimiser, objective, load)
        return plugin.decide(optimiser, bound, free, seconds)
    own = load if load is not None else bound.workload
    refuse_switches(own)
    begin = bound.place.start if start is None else start
    if cls is not None:
        given = own if isinstance(own, _core.Schedule) else messages(own)
        wanted = "hops" if objective == "auto" else objective
        made = plugin.optimise(optimiser, bound.site.slots, ndarray(begin), given, wanted, bound.site.cores, seconds)
        assert made is not None
        return Search(
            made["mapping"],
            *(made["value"], made["start_value"], made["bound"], made["evaluations"], made["accepted"]),
            *(made["trace"], made["method"], "hops"),
        )
    if isinstance(own, _core.Sends):
        own = messages(own)
    takes_clock = _core.takes_clock(objective)
    too_long = too_long_to_time(messages_of(own), bound.repetitions) if takes_clock else ""
    timed = takes_clock and (_core.needs_clock(objective) or not too_long)
    split = takes_clock or _core.takes_split(objective)
    routing = bound.site.routing_of(default=None if split else bound.site.one_path)
    cores = bound.site.cores
    job = _core.Job(
        "job",
        own,
        *places_of(begin, cores),
        cores=cores,
        routing=routing,
        repetitions=bound.repetitions if timed else 1,
    )
    asked = _core.Scenario(bound.site.routed, [job], machine=bound.site.settings, node=bound.site.node)
    found = _core.search(
        asked, optimiser, objective, free=free, timed=timed, one_path=bound.site.one_path if takes_clock else None,
        seconds=seconds, progress=bound.progress,
    )  # fmt: skip
    places, seats = found["mapping"], found["seats"]
    return Search(
        slots=places if cores == 1 else ndarray(places) * cores + ndarray(seats),
        value=found["value"],
        start_value=found["start_value"],
        bound=found["bound"],
        evaluations=found["evaluations"],
        accepted=found["accepted"],
        trace=found["trace"],
        method=found["method"],
        decided_by=found["decided_by"],
        notes=_notes(bound, found, too_long if takes_clock and not timed else "", seconds),
    )


def _notes(bound: Question, found: SearchFound, too_long: str, seconds: float | None) -> tuple[str, ...]:
    """Lines for people: why time did not decide, what the objective leaves out, and a budget that was too short."""
    decided_by = found["decided_by"]
    kept = seconds is not None and decided_by == "time" and (found["evaluations"] or 0) <= 1 and not found["accepted"]
    short = f"{seconds} s ended before another mapping was simulated; give more, or an objective such as step-load"
    levels = f"{decided_by} counts links between switches, not those inside nodes: step-load and time count both"
    lines = {
        f"{too_long}: {decided_by} decided": bool(too_long),
        levels: bound.site.node is not None and decided_by in OF_SWITCHES,
        short: kept and bound.ranks > 1 and found["start_value"] > 0,
    }
    return tuple(line for line, said in lines.items() if said)


def messages_of(load: Workload) -> int:
    """How many messages a workload has, once."""
    return int((load if isinstance(load, (_core.Schedule, _core.Traffic)) else messages(load)).messages)
