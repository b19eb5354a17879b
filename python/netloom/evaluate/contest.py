"""Which mapping to take: every method proposes one, and all are rated by the finest rung that there is time for.

A method searches with a goal that is cheap to follow (bytes between nodes, hop-bytes, loads of links); what it finds is
rated by evaluators, the same for all methods and for the start: first loads of links, then simulated time of flows,
at last, for the few that are left, of packets. The best of the finest rung is taken, the start if nothing is better.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .. import _core, plugin
from ..base.arrays import ndarray
from ..base.errors import NetloomError
from ..scenario.search import Search, search, too_long_to_time
from .mapped import Worth, loads_of, measured, require_askable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..base.arrays import Endpoints
    from ..scenario import Bound


@dataclass(frozen=True)
class Method:
    """One way to a mapping.

    Attributes
    ----------
    name
        Of the candidate, for people.
    optimiser, objective
        Call texts.
    share
        Of a time budget.
    swaps
        Whether the optimiser takes ``swaps`` and ``seed``.
    free
        Only where any endpoint may be used.
    """

    name: str
    optimiser: str
    objective: str
    share: float
    swaps: bool = False
    free: bool = False


#: Constructions first, then searches; the last one simulates.
METHODS = (
    Method("boxes", "grid", "hop-bytes", 0.05),
    Method("orders of levels", "enumeration(tries=720)", "step-load", 0.1),
    Method("groups", "gather", "inter-node", 0.05),
    Method("bisection by nodes", "bisection", "inter-node", 0.05),
    Method("bisection", "bisection", "hop-bytes", 0.05),
    Method("bisection, spread", "bisection(spread=true)", "hop-bytes", 0.05, free=True),
    Method("coordinates", "geometric", "hop-bytes", 0.05),
    Method("curve", "partition(machine=curve)", "hops", 0.05),
    Method("greedy", "greedy", "hops", 0.05),
    Method("two-opt", "two-opt", "step-load", 0.1, swaps=True),
    Method("annealing", "anneal", "hop-bytes", 0.1, swaps=True),
    Method("guided search", "auto", "auto", 0.45, swaps=True),
)
#: Moves of two-opt and annealing without a budget; `auto` has its own number.
SWAPS = {"two-opt": 20_000, "anneal": 200_000}
#: Most ranks of the methods in Python.
MOST_RANKS = 1 << 15
#: Finalists that are rated by packets, and the most packet hops of one rating without a budget.
FINALISTS, PACKET_HOPS = 2, 1 << 21
PACKET_BYTES = 2048
#: Packet hops that are simulated in a second, a cautious number.
PACKET_PACE = 1_000_000
#: Rungs from coarse to fine, and the number of each that decides.
RUNGS = {"loads": "max_link_s", "time": "time_s", "packet": "packet_s"}
#: Objectives that prove a bound, and the number of a candidate that it is of.
BOUNDS = {"inter-node": "inter_node_bytes", "hop-bytes": "hop_bytes"}
#: Ratings that are this near are the same.
SAME = 1e-9
#: Share of a time budget that remains for ratings by time and packets, and the fault of a search that had too little.
RATING, TOO_LITTLE = 0.15, "NL-O009"


class Watch:
    """A budget of seconds, or none."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds, self.begun = seconds, time.monotonic()

    @property
    def left(self) -> float:
        """Seconds that remain; infinite without a budget."""
        return float("inf") if self.seconds is None else self.seconds - (time.monotonic() - self.begun)

    def part(self, share: float) -> float | None:
        """A share of the budget, at most what is left without the ratings; None without a budget."""
        if self.seconds is None:
            return None
        return max(0.02, min(share * self.seconds, self.left - RATING * self.seconds))


@dataclass(eq=False)
class Candidate:
    """A mapping and what it is worth.

    Attributes
    ----------
    worth
        As of `netloom.evaluate.mapped.measured`, and `packet_s`; None for what was not asked.
    """

    name: str
    slots: Endpoints
    worth: Worth


@dataclass(eq=False)
class Decision:
    """What a contest comes to.

    Attributes
    ----------
    best
        The candidate that is taken; perhaps the start.
    candidates
        The start first, then in the order of the methods; equal mappings once.
    rung
        The finest rung of both the start and the best one, which decided.
    gains
        By rung, the share that the best one saves of the start: negative if it is worse.
    skipped
        Method and reason, where one gave nothing new.
    bounds
        Of numbers of a candidate, below which no mapping can be.
    """

    best: Candidate
    candidates: list[Candidate]
    rung: str
    gains: dict[str, float]
    skipped: list[tuple[str, str]]
    bounds: dict[str, float]
    notes: list[str] = field(default_factory=list)

    @property
    def start(self) -> Candidate:
        """The mapping before."""
        return self.candidates[0]

    def search(self) -> Search:
        """As the result of an optimiser; values in picoseconds."""
        key = RUNGS[self.rung]
        values = [_rated(one, key) * 1e12 for one in (self.best, self.start)]
        return Search(
            self.best.slots, round(values[0]), round(values[1]), None, None, None, [], self.best.name,
            {"loads": "worst link", "time": "time", "packet": "time of packets"}[self.rung], tuple(self.notes),
        )  # fmt: skip


def contest(
    bound: Bound, free: bool = False, seconds: float | None = None, swaps: int | None = None, seed: int | None = None
) -> Decision:
    """Try every method on the only job of a scenario and take the best mapping.

    Parameters
    ----------
    free
        Any endpoint of the network may be used, not only those of the placement; methods that only permute keep
        those.
    seconds
        Time budget of all together, of which every method has a share; the result then depends on the machine's speed.
        What finds nothing in its share is left out, and the notes say so.
    swaps, seed
        Of the methods that take them.

    Raises
    ------
    NetloomError
        What is wrong with the scenario. A method that cannot be used is skipped, with its reason.

    Notes
    -----
    Cost: that of the methods, and one evaluation of loads, time and hops for each different mapping.
    """
    watch = Watch(seconds)
    notes: list[str] = []
    start = Candidate("as given", bound.start, _loads(bound, bound.start, notes))
    if start.worth["max_link_s"] is None:
        require_askable(bound, bound.start)
    found: list[Candidate] = [start]
    skipped: list[tuple[str, str]] = []
    bounds: dict[str, float] = {}
    for name, made in _tried(bound, free, watch, swaps, seed, skipped, notes):
        same = next((other for other in found if _equal(made.slots, other.slots)), None)
        if same is not None:
            skipped.append((name, f"finds the same mapping as {same.name!r}"))
        else:
            found.append(Candidate(name, made.slots, _loads(bound, made.slots, notes)))
        if made.bound and made.decided_by in BOUNDS:
            key = BOUNDS[made.decided_by]
            bounds[key] = max(bounds.get(key, 0.0), made.bound)
    _by_time(bound, found, watch, notes)
    _by_packets(bound, found, watch, notes)
    best, rung = _best(found)
    return Decision(best, found, rung, _gains(start, best), skipped, bounds, notes)


def _tried(
    bound: Bound,
    free: bool,
    watch: Watch,
    swaps: int | None,
    seed: int | None,
    skipped: list[tuple[str, str]],
    notes: list[str],
) -> Iterator[tuple[str, Search]]:
    """What each method finds."""
    unfinished: list[str] = []
    for method in METHODS:
        if method.free and not free:
            skipped.append((method.name, "only where any endpoint may be used"))
            continue
        own = plugin.find("optimisers", method.optimiser) is not None
        if own and bound.ranks > MOST_RANKS:
            skipped.append((method.name, f"more than {MOST_RANKS} ranks"))
            continue
        call = _with_moves(method, watch, swaps, seed)
        try:
            made = search(bound, call, method.objective, free and not own, watch.part(method.share))
        except NetloomError as error:
            skipped.append((method.name, str(error).splitlines()[0]))
            unfinished += [method.name] if error.faults[0].code == TOO_LITTLE else []
            continue
        yield method.name, made
    if unfinished:
        notes.append(f"{watch.seconds:g} s are too few for {', '.join(unfinished)}")


def _with_moves(method: Method, watch: Watch, swaps: int | None, seed: int | None) -> str:
    """The method's call with a number of moves."""
    if not method.swaps:
        return method.optimiser
    own = SWAPS.get(method.optimiser) if swaps is None and watch.seconds is None else swaps
    said = {"swaps": own, "seed": seed}
    inside = ",".join(f"{key}={value}" for key, value in said.items() if value is not None)
    return f"{method.optimiser}({inside})" if inside else method.optimiser


def _loads(bound: Bound, slots: Endpoints, notes: list[str]) -> Worth:
    return measured(bound, slots, notes, ("loads", "hops")) | {"packet_s": None}


def _by_time(bound: Bound, found: list[Candidate], watch: Watch, notes: list[str]) -> None:
    """Simulated time of the start, then of the candidates whose worst link is least, while time is left."""
    if too_long := too_long_to_time(bound.listed.messages, bound.repetitions):
        notes.append(f"no time: {too_long}")
        return
    ranked = [found[0], *sorted(found[1:], key=_by_link)]
    longest = 0.0
    for number, one in enumerate(ranked):
        if (number and watch.left < longest) or watch.left <= 0:
            notes.append(f"{len(ranked) - number} of {len(ranked)} mappings were not simulated: no time was left")
            return
        begun = time.monotonic()
        one.worth |= {"time_s": measured(bound, one.slots, notes, ("time",))["time_s"]}
        longest = max(longest, time.monotonic() - begun)


def _by_packets(bound: Bound, found: list[Candidate], watch: Watch, notes: list[str]) -> None:
    """Simulated time of packets, of the start and the best by flows, where that is short."""
    timed = [one for one in found if one.worth["time_s"] is not None]
    if timed[:1] != found[:1] or len(timed) < 2:
        return
    finalists = [found[0], *sorted(timed[1:], key=lambda one: _rated(one, "time_s"))[:FINALISTS]]
    # Every hop of every packet, with the two links of endpoints.
    sent = bound.listed if isinstance(bound.listed, _core.Traffic) else _core.Traffic.of_schedule(bound.listed)
    hops = max(_rated(one, "hop_bytes") for one in finalists) + 2 * sent.bytes
    packets = bound.repetitions * (hops / PACKET_BYTES + 4 * sent.messages)
    if packets > PACKET_HOPS or packets * len(finalists) / PACKET_PACE > watch.left:
        return
    for one in finalists:
        one.worth |= {"packet_s": measured(bound, one.slots, notes, ("packet",))["packet_s"]}


def _by_link(one: Candidate) -> tuple[float, ...]:
    return tuple(_rated(one, key) for key in ("max_link_s", "inter_node_bytes", "hop_bytes"))


def _rated(one: Candidate, key: str) -> float:
    """A number of a candidate; infinite if unknown."""
    number = one.worth.get(key)
    return float("inf") if number is None else float(number)


def _best(found: list[Candidate]) -> tuple[Candidate, str]:
    """The best by the finest rung that the start and another one have, and that rung; coarser rungs break ties."""
    start = found[0]
    known = [rung for rung, key in RUNGS.items() if start.worth.get(key) is not None]
    rated = {rung: [one for one in found if one.worth.get(RUNGS[rung]) is not None] for rung in known}
    rung = next((rung for rung in reversed(known) if len(rated[rung]) > 1), known[-1] if known else "loads")
    keys = [RUNGS[rung], "max_link_s", "inter_node_bytes", "hop_bytes"]

    def order(one: Candidate) -> tuple[float, ...]:
        return tuple(_rounded(_rated(one, key)) for key in keys)

    best = min(rated.get(rung, [start]), key=order)
    return (start if _rated(best, keys[0]) >= _rated(start, keys[0]) * (1 - SAME) else best), rung


def _rounded(number: float) -> float:
    """Nine digits: what differs less is rounding."""
    return float(f"{number:.9g}")


def _gains(start: Candidate, best: Candidate) -> dict[str, float]:
    """By rung, the share that is saved."""
    found = {}
    for rung, key in RUNGS.items():
        before, after = start.worth.get(key), best.worth.get(key)
        if before is not None and after is not None:
            found[rung] = 1 - after / before if before else 0.0
    return found


def _equal(a: Endpoints, b: Endpoints) -> bool:
    return bool((ndarray(a) == ndarray(b)).all())


def link_seconds(bound: Bound, slots: Endpoints) -> NDArray[np.float64]:
    """Seconds that the bytes of every directed link take: switch links, injection, ejection. O(messages · path)."""
    made = loads_of(bound, slots)
    speeds: NDArray[np.float64] = ndarray(bound.network.link_bandwidth_bytes_per_s)
    return made.link_bytes / speeds


def sure(decision: Decision) -> str:
    """How sure a decision is, in a sentence: which rungs were asked, and whether they agree."""
    gains = decision.gains
    if decision.best is decision.start:
        others = len(decision.candidates) - 1
        return f"no other of {others} different mappings is better by {WORDS[decision.rung]}; the start is kept"
    said = ", ".join(f"{WORDS[rung]} {_percent(gain)}" for rung, gain in gains.items())
    if min(gains.values()) < -SAME:
        return f"unsure, the rungs disagree: {said}; measure both mappings"
    if max(gains.values()) < SMALL:
        return f"too little to count on: {said}"
    timed = [gain for rung, gain in gains.items() if rung != "loads"]
    if len(timed) < 2:
        return f"fair, no finer rung was affordable: {said}"
    if max(timed) > 2 * min(timed) + SMALL:
        return f"the direction is sure, the amount is not: {said}"
    return f"as sure as models can be, flows and packets agree: {said}"


#: Gains below this are within what models leave out.
SMALL = 0.02


def _percent(gain: float) -> str:
    return f"{abs(100 * gain):.1f} % {'less' if gain >= 0 else 'more'}"


#: Rungs in words.
WORDS = {"loads": "worst link", "time": "flows", "packet": "packets"}


def reason(decision: Decision) -> str:
    """Why the best mapping is better: what fell most of what can be counted."""
    if decision.best is decision.start:
        return ""
    words: dict[str, tuple[str, Callable[[float], str]]] = _reasons()
    falls = []
    for key, (name, text) in words.items():
        before, after = (_rated(one, key) for one in (decision.start, decision.best))
        if before not in (0.0, float("inf")) and after < before * (1 - SAME):
            falls.append((1 - after / before, f"{name} from {text(before)} to {text(after)}"))
    if not falls:
        return "ranks that wait for each other meet sooner: neither bytes nor loads fell"
    return "less " + ", ".join(said for _, said in sorted(falls, reverse=True))


def _reasons() -> dict[str, tuple[str, Callable[[float], str]]]:
    from ..base.quantities import amount_text, time_text

    return {
        "inter_node_bytes": ("bytes between nodes", amount_text),
        "hop_bytes": ("bytes times hops", amount_text),
        "max_link_s": ("time on the worst link", time_text),
    }
