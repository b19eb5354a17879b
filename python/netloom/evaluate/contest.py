"""Which mapping to take: every method proposes one, and all are rated by the finest rung that there is time for.

A method searches with a goal that is cheap to follow (bytes between nodes, hop-bytes, loads of links), the later ones
from the best mapping so far; what it finds is rated by evaluators, the same for all methods and for the start: loads of
links, then simulated time of flows, at last, for the few that are left, of finer rungs such as packets. The best of the
finest rung is taken, the start if nothing is better. Methods are left out once nothing can be gained, or nothing was.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from .. import _core, plugin
from ..base.ahead import Estimate, announced
from ..base.errors import NetloomError
from ..scenario.refusals import refuse_switches
from ..scenario.search import search, too_long_to_time
from . import ahead
from .candidates import (
    SAME,
    Candidate,
    best_of,
    better,
    by_link,
    equal,
    gains,
    rated,
)
from .decision import GIVEN, Decision
from .finalists import by_finer
from .learned.ladder import LEARNED, Ladder
from .least import alone, least_link_s
from .mapped import measured, require_askable
from .methods import ASK, METHODS, MOST_PLACES, MOST_RANKS, OF_PATHS, Method, Watch, call
from .rungs import finer, rung, rungs
from .sureness import at_other_size, free_of_cost, size_note

if TYPE_CHECKING:
    from ..base.arrays import Endpoints
    from ..plugin.rung import Worth
    from ..scenario import Question


#: Objectives that prove a bound, and the number of a candidate that it is of.
BOUNDS = {"inter-node": "inter_node_bytes", "hop-bytes": "hop_bytes"}
#: A contest ends so near to the bound, or, without a budget, when a search gains no more than so little.
NEAR, LITTLE = 0.01, 0.001
#: Why a contest ends at a bound.
PROVED = "no mapping can be much better"
#: Simulations that take more than this share of a budget wait until all mappings are known.
QUICK = 0.02
#: Most messages under way together that are simulated without a budget.
AT_ONCE = 1 << 17
#: The fault of a search that had too little time.
TOO_LITTLE = "NL-O009"


def contest(
    bound: Question,
    free: bool = False,
    seconds: float | None = None,
    swaps: int | None = None,
    seed: int | None = None,
    check: bool = True,
    model: str = "",
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
    check
        False: without the simulated time of a start that is worse anyway or has no rival, and without packets, which
        both tell how much is gained and how sure that is.
    model
        File of `netloom learn`: it predicts the time of every mapping, and ranks others, of which the first is tried.

    Raises
    ------
    NetloomError
        What is wrong with the scenario. A method that cannot be used is skipped, with its reason.

    Notes
    -----
    Cost: that of the methods, and one evaluation of loads, time and hops for each different mapping. It ends early
    where the worst link is as short as any mapping allows and time is within `NEAR` of it, or, without a budget, once a
    search from the best mapping gains nothing.
    """
    estimate = Estimate() if seconds is not None else ahead.of_contest(bound, not _too_long(bound, Watch(seconds)))
    with announced(*estimate):
        made = _Contest(bound, free, Watch(seconds), swaps, seed, Ladder(bound, model) if model else None)
        made.run()
        if check:
            made.time_start()
            by_finer(bound, made.found, made.watch, made.notes)
        best, by = best_of(made.found, made.behind(made.start))
        if note := size_note(bound):
            made.notes.append(note)
        sizes = at_other_size(bound, [made.start.slots, best.slots]) if check and best is not made.start else {}
    return Decision(
        best, made.found, by, gains(made.start, best), made.skipped, made.bounds, made.notes,
        left_out=tuple(free_of_cost(bound)),
        sizes={size: 1 - after / before if before else 0.0 for size, (before, after) in sizes.items()},
    )  # fmt: skip


class _Contest:
    """The mappings so far, and what is known of them."""

    def __init__(
        self, bound: Question, free: bool, watch: Watch, swaps: int | None, seed: int | None, ladder: Ladder | None
    ) -> None:
        self.ladder = ladder
        self.bound, self.free, self.watch, self.swaps, self.seed = bound, free, watch, swaps, seed
        refuse_switches(bound.messages)
        self.notes: list[str] = []
        self.skipped: list[tuple[str, str]] = []
        self.unfinished: list[str] = []
        #: Seconds of the longest simulation, and a search that gained nothing.
        self.longest, self.idle = 0.0, ""
        self.too_long = _too_long(bound, watch)
        self.start = Candidate(GIVEN, bound.place.start, self._loads(bound.place.start))
        if self.start.worth["max_link_s"] is None:
            require_askable(bound, bound.place.start)
        self.found = [self.start]
        self.made: dict[str, Endpoints] = {}
        link = least_link_s(bound)
        self.bounds: dict[str, float] = {} if link is None else {"max_link_s": link}

    def run(self) -> None:
        """All methods, then the simulations that waited."""
        if self.too_long:
            self.notes.append(f"no time: {self.too_long}")
        for method in METHODS:
            if reason := self.over() or self._unfit(method):
                self.skipped.append((method.name, reason))
            else:
                self._try(method)
        if self.ladder is not None:
            self._try_model(self.ladder)
        if self.unfinished:
            self.notes.append(f"{self.watch.seconds:g} s are too few for {', '.join(self.unfinished)}")
        if not self.too_long and len(self.found) > 1:
            self._time_others()

    def time_start(self) -> None:
        """Simulated time of the start, which is compared with, if another mapping was simulated or time is left."""
        if not self.too_long and self.start.worth["time_s"] is None and self.watch.left > self.longest:
            self._time(self.start)

    def over(self) -> str:
        """Why no other method is tried; empty if one is."""
        best = self.best
        link, least = rated(best, "max_link_s"), self.bounds.get("max_link_s", 0.0)
        shortest = rated(best, "hop_bytes") <= self.bounds.get("hop_bytes", -1.0)
        # Packets that meet on few hops wait less; where they are simulated, fewer hops may count.
        if link <= least * (1 + SAME) and (shortest or not self._finer_may_tell(best)):
            self._time_quick()
            if best is self.start:
                self.time_start()
            time_s = best.worth["time_s"]
            if time_s is not None and time_s * (1 - NEAR) <= least * self.bound.repetitions:
                return f"{PROVED}: {best.name!r} is within {100 * NEAR:g} % of it"
            if time_s is None and shortest:
                return f"{PROVED}: {best.name!r} has the least worst link and the fewest bytes times hops"
        if self.idle and self.watch.seconds is None:
            return f"{self.idle} gained nothing"
        return "" if self.watch.left > 0 else "no time was left"

    def _finer_may_tell(self, best: Candidate) -> bool:
        """True if a rung finer than flows would rate two mappings such as the best."""
        return any(at.affordable is None or at.affordable(self.bound, [best] * 2, self.watch) for at in finer())

    @property
    def best(self) -> Candidate:
        """The best mapping so far: by time if that of all that may be best is known, else by the worst link."""
        timed = all(one.worth["time_s"] is not None or self.behind(one) for one in self.found)
        return min(self.found, key=lambda one: ((rated(one, "time_s"),) if timed else ()) + by_link(one))

    def behind(self, one: Candidate) -> bool:
        """True if the worst link of a mapping alone takes longer than the best one in all."""
        least = min(rated(other, "time_s") for other in self.found)
        return rated(one, "max_link_s") * self.bound.repetitions > least

    def _unfit(self, method: Method) -> str:
        """Why a method is not for this job; empty if it is."""
        places = min(self.bound.ranks, self.bound.network.switches)
        if method.free and not self.free:
            return "only where any endpoint may be used"
        if method.free is False and self.free and self.watch.seconds is None:
            return "only where the endpoints are given, or with --seconds"
        blind = method.blind and not alone(self.bound) and self.bound.network.endpoints > self.bound.network.switches
        if (method.long or blind) and self.watch.seconds is None and self.swaps is None:
            why = "it cannot tell the nodes of a switch apart" if blind else "it takes long"
            return f"{ASK}: {why}"
        if method.grid and self.bound.network.grid is None:
            return "the network has no coordinates"
        if method.shared and alone(self.bound):
            return "every rank has a node of its own"
        if plugin.find("optimisers", method.optimiser) is not None and self.bound.ranks > MOST_RANKS:
            return f"more than {MOST_RANKS} ranks"
        if method.objective in OF_PATHS and places > MOST_PLACES and self.watch.seconds is None:
            return f"the paths between more than {MOST_PLACES:,} switches take minutes to list: give --seconds"
        # With the first move of a search nothing repeats any more.
        timed = method.objective == "time"
        return too_long_to_time(self.bound.messages.messages, self.bound.repetitions) if timed else ""

    def _try(self, method: Method) -> None:
        """What a method finds, rated."""
        timed = self.watch.seconds is not None
        if not method.objective:
            self._try_order(method)
            return
        own = plugin.find("optimisers", method.optimiser) is not None
        text = call(method, self.bound.ranks, self.bound.messages.messages, timed, self.swaps, self.seed)
        if method.improves:
            self._time_quick()
        before, free = self.best, self.free and not own and not method.fixed
        try:
            made = search(
                self.bound, text, method.objective, free, self.watch.part(method.share), start=self._from(method)
            )
        except NetloomError as error:
            self.skipped.append((method.name, str(error).splitlines()[0]))
            self.unfinished += [method.name] if error.faults[0].code == TOO_LITTLE else []
            return
        if made.bound and made.decided_by in BOUNDS:
            key = BOUNDS[made.decided_by]
            self.bounds[key] = max(self.bounds.get(key, 0.0), made.bound)
        self.made[method.name] = made.slots
        if same := next((other for other in self.found if equal(made.slots, other.slots)), None):
            self.skipped.append((method.name, f"finds the same mapping as {same.name!r}"))
        else:
            self.found.append(Candidate(method.name, made.slots, self._loads(made.slots)))
        if method.improves:
            self._time_quick()
            if not better(before, self.best, LITTLE):
                self.idle = repr(method.name)

    def _try_order(self, method: Method) -> None:
        """The start in another order of the same slots, unless its worst link takes longer than that of the best."""
        text = method.optimiser if self.seed is None else f"{method.optimiser}(seed={self.seed})"
        slots = _core.reorder(self.bound.site.slots, self.start.slots, text)
        one = Candidate(method.name, slots, self._loads(slots))
        if rated(one, "max_link_s") > rated(self.best, "max_link_s") * (1 + SAME):
            self.skipped.append((method.name, f"its worst link takes longer than that of {self.best.name!r}"))
        else:
            self.found.append(one)

    def _try_model(self, ladder: Ladder) -> None:
        """The mapping that a model ranks first."""
        slots, reason = ladder.first(self.watch, self.swaps, self.seed)
        if slots is None or (same := next((one.name for one in self.found if equal(slots, one.slots)), "")):
            self.skipped.append((LEARNED, reason or f"finds the same mapping as {same!r}"))
            self.notes.append(f"{LEARNED}: {self.skipped[-1][1]}")
        else:
            self.found.append(Candidate(LEARNED, slots, self._loads(slots)))

    def _from(self, method: Method) -> Endpoints | None:
        """Where a method begins; None for the start."""
        if not method.after:
            return None
        if method.after == "best":
            return self.best.slots
        if method.after in self.made:
            return self.made[method.after]
        key = method.after if method.after in self.start.worth else "hop_bytes"
        return min(self.found, key=lambda one: (rated(one, key), *by_link(one))).slots

    def _time_quick(self) -> None:
        """Simulated time of all that may be best, the least worst link first, where that is quick and there are two."""
        if len(self.found) < 2 or self.too_long:
            return
        for one in sorted((one for one in self.found if one.worth["time_s"] is None), key=by_link):
            quick = self.watch.seconds is None or self.longest <= QUICK * self.watch.seconds
            if quick and self.watch.left > 0 and not self.behind(one):
                self._time(one)

    def _loads(self, slots: Endpoints) -> Worth:
        coarse = [at.name for at in rungs() if at.fidelity < rung("time").fidelity and not at.needs]
        order = ("loads", *(name for name in coarse if name != "loads"))
        worth = measured(self.bound, slots, self.notes, order) | {at.decides: None for at in finer()}
        return worth if self.ladder is None else worth | {"learned_s": self.ladder.predicted_s(slots)}

    def _time(self, one: Candidate) -> None:
        """Simulated time of flows."""
        begun = time.monotonic()
        one.worth |= {"time_s": measured(self.bound, one.slots, self.notes, ("time",))["time_s"]}
        self.longest = max(self.longest, time.monotonic() - begun)

    def _time_others(self) -> None:
        """Simulated time of those that waited, the least worst link first, while time is left."""
        waiting = sorted((one for one in self.found if one.worth["time_s"] is None), key=by_link)
        for number, one in enumerate(waiting):
            if self.behind(one):
                return
            if self.watch.left < self.longest or self.watch.left <= 0:
                left = len(waiting) - number
                self.notes.append(f"{left} of {len(self.found)} mappings were not simulated: no time was left")
                return
            self._time(one)


def _too_long(bound: Question, watch: Watch) -> str:
    """Why no time is simulated; empty if it is."""
    at_once = bound.messages.messages if isinstance(bound.messages, _core.Traffic) else 0
    if watch.seconds is None and at_once > AT_ONCE:
        return f"{at_once:,} messages at once take long to simulate: give --seconds"
    return ahead.too_long(bound)
