"""What a contest of mappings comes to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..scenario.search import Search
from .candidates import Candidate, finest, gains, rated, with_less_traffic
from .learned.ladder import LEARNED
from .methods import METHODS
from .rungs import rung

#: The mapping that the methods start from.
GIVEN = "as given"


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
    asked_instead_of
        The best by the finest rung, where another one was asked for.
    left_out
        What the simulations take no time for, as the calibration and the machine have it.
    sizes
        Where no size was given: the share of time that the best one saves at other sizes.
    """

    best: Candidate
    candidates: list[Candidate]
    rung: str
    gains: dict[str, float]
    skipped: list[tuple[str, str]]
    bounds: dict[str, float]
    notes: list[str] = field(default_factory=list)
    asked_instead_of: Candidate | None = None
    left_out: tuple[str, ...] = ()
    sizes: dict[int, float] = field(default_factory=dict)

    @property
    def start(self) -> Candidate:
        """The mapping before."""
        return self.candidates[0]

    @property
    def less_traffic(self) -> Candidate | None:
        """Another mapping that puts much less on the network for little more time, if there is one."""
        if self.asked_instead_of is not None:
            return None
        return with_less_traffic(self.candidates, self.best, self.rung)

    def taking(self, name: str, place: str) -> Decision:
        """The same with this candidate as the one that is taken; `place` is where its name was given.

        Raises
        ------
        NetloomError
            `NL-X010`: no method has that name, or it gave no mapping of its own.
        """
        require_method(name, place)
        known = {one.name: one for one in self.candidates}
        if name not in known:
            reason = dict(self.skipped).get(name, "no model was named")
            sentence = f"{name!r} gave no mapping of its own: {reason}"
            raise NetloomError([Fault("NL-X010", place, sentence, "", f"there are {', '.join(known)}")])
        taken = known[name]
        if taken is self.best:
            return self
        by = finest(self.start, taken)
        return replace(self, best=taken, rung=by, gains=gains(self.start, taken), asked_instead_of=self.best)

    def search(self) -> Search:
        """As the result of an optimiser: numbers of the finest rung that has rated both ends, in picoseconds."""
        by = rung(finest(self.start, self.best))
        values = [rated(one, by.decides) * 1e12 for one in (self.best, self.start)]
        return Search(
            self.best.slots, round(values[0]), round(values[1]), None, None, None, [], self.best.name,
            by.decided_by, tuple(self.notes),
        )  # fmt: skip


def require_method(name: str, place: str) -> None:
    """Refuses what no method is called: `NL-X010`."""
    names = [GIVEN, *(method.name for method in METHODS), LEARNED]
    if name not in names:
        raise NetloomError([Fault("NL-X010", place, f"no method is called {name!r}", "", did_you_mean(name, names))])
