"""The methods of a contest of mappings: which optimisers, in which order, and from where each goes on."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ..base.errors import Fault

#: Why a method is not tried that takes long.
ASK = "only where --seconds or --swaps are given"
#: Moves that are not worse, most of them guided.
DESCENT = "guided(t_start=0,t_end=0)"
#: Annealing on the endpoints that the bisection of all of them chose.
SPREAD = "annealing, spread"
#: Ranks that are bisected onto nodes, and these nodes where few messages between them go far.
BY_NODES, NODES = "bisection by nodes", "nodes of few messages"
#: Hops of messages, whatever their size, made few with hardly more bytes times hops: short ones wait for latency.
FEW_MESSAGES = "hops(keep=hop-bytes,slack=0.05)"
#: Loads of steps made lower with hardly more bytes times hops: most of the gain, and room for other jobs.
NEAR_LOAD = "step-load(keep=hop-bytes,slack=0.05)"
#: Moves of a rank in a row without a lower value that end a search without a budget: where anything is to be gained, it
#: is found sooner.
PATIENCE = 2


@dataclass(frozen=True)
class Method:
    """One way to a mapping.

    Attributes
    ----------
    name
        Of the candidate, for people.
    optimiser, objective
        Call texts; without an objective the first is an order of the ranks.
    share
        Of a time budget.
    quick
        The call without a budget, where it is another one: half as long for results that are 0.5 % worse.
    moves
        Of a rank, where nobody says and there is no budget; 0 if the optimiser takes no `swaps` and `seed`.
    after
        Where it begins: at the start (empty), at the best mapping so far (`best`), at the one with the least of
        this number, or at what this method found (with the least hop-bytes if it was not tried).
    free
        True: only where any endpoint may be used; False: only where not, or with a budget.
    fixed
        Moves ranks among the endpoints where it begins, also where any may be used: the paths between the others are
        most of the work.
    shared
        Only where ranks share a node.
    blind
        Looks at switches only: of little use where ranks share nodes and a switch has several of these; then as
        `long`.
    grid
        Only on a network with coordinates.
    long
        Only where seconds or moves are given: without these an answer is soon there.
    """

    name: str
    optimiser: str
    objective: str
    share: float
    quick: str = ""
    moves: int = 0
    after: str = ""
    free: bool | None = None
    fixed: bool = False
    shared: bool = False
    blind: bool = False
    grid: bool = False
    long: bool = False

    @property
    def improves(self) -> bool:
        """It goes on from the best."""
        return self.after == "best"


#: Constructions first, the cheap ones before the others; then searches that go on from what is there.
METHODS = (
    Method("groups", "gather", "inter-node", 0.05),
    Method("boxes", "grid", "hop-bytes", 0.05, grid=True),
    Method(BY_NODES, "bisection", "inter-node", 0.2, quick="bisection(tries=1)", shared=True),
    Method(NODES, "bisection(nodes=true)", FEW_MESSAGES, 0.05, after=BY_NODES, shared=True),
    Method("shuffled", "random", "", 0.0),
    Method("annealing", "guided", "hop-bytes", 0.05, moves=200, blind=True),
    Method("greedy", "greedy", "hops", 0.05, blind=True),
    Method("bisection, spread", "bisection(spread=true)", "hop-bytes", 0.1, free=True),
    Method("bisection", "bisection", "hop-bytes", 0.1, free=False, blind=True),
    Method("coordinates", "geometric", "hop-bytes", 0.05),
    Method("curve", "partition(machine=curve)", "hops", 0.05, grid=True),
    Method(SPREAD, "guided", "hop-bytes", 0.05, moves=200, after="bisection, spread", free=True, fixed=True),
    Method("loads, few hops", DESCENT, NEAR_LOAD, 0.1, moves=30, after=SPREAD, fixed=True, blind=True),
    Method("loads of steps", DESCENT, "step-load", 0.4, moves=30, after="best", fixed=True),
    Method("time", DESCENT, "time", 0.1, moves=1, after="best", fixed=True, long=True),
    Method("orders of levels", "enumeration(tries=720)", "step-load", 0.1, long=True),
    Method("guided search", "auto", "auto", 0.6, moves=40, after="best", long=True),
)
#: Most ranks of the methods in Python.
MOST_RANKS = 1 << 15
#: Objectives over the paths between all places, and the most places without a budget.
OF_PATHS, MOST_PLACES = ("step-load", NEAR_LOAD), 1 << 11
#: Messages that the descent by time simulates without a budget, and that all moves of one over paths follow.
SIMULATED, FOLLOWED = 1 << 18, 1 << 19


def call(method: Method, ranks: int, messages: int, timed: bool, swaps: int | None, seed: int | None) -> str:
    """A method's call with a number of moves: as asked, or n per rank unless seconds decide."""
    if not method.moves:
        return method.optimiser if timed else method.quick or method.optimiser
    moves = swaps
    if method.objective == "time":
        most = max(SIMULATED // max(messages, 1), 1)
        moves = most if swaps is None else min(swaps, most)
    elif swaps is None and not timed:
        moves = method.moves * ranks
        if method.objective in OF_PATHS:
            moves = min(moves, max(FOLLOWED * ranks // max(messages, 1), 1))
    # Seconds and moves that were asked for are used.
    patience = PATIENCE * ranks if method.optimiser == DESCENT and swaps is None and not timed else None
    said = {"swaps": moves, "seed": seed, "patience": patience}
    inside = [f"{key}={value}" for key, value in said.items() if value is not None]
    name, _, own = method.optimiser.partition("(")
    inside += [own.removesuffix(")")] if own else []
    return f"{name}({','.join(inside)})" if inside else name


def no_counts(optimiser: str, **given: object) -> list[Fault]:
    """`NL-A006` for each parameter of a call that is given and no integer of at least 0."""
    return [
        Fault("NL-A006", f"{optimiser}.{name}", "an integer >= 0", repr(value))
        for name, value in given.items()
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0)
    ]


class Watch:
    """A budget of seconds, or none."""

    #: Share of a budget that remains for ratings by time and packets.
    RATING = 0.15

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
        return max(0.02, min(share * self.seconds, self.left - self.RATING * self.seconds))
