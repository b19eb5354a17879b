"""What a library's own choice takes, next to the fastest algorithm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..base.errors import Fault, NetloomError
from ..library import Choice
from .codes import NOTHING_TIMED
from .tables import Timing, winners
from .write.names import canonical


@dataclass(frozen=True)
class Unchanged:
    """A size at which nothing is changed: the library chooses.

    Attributes
    ----------
    time_s, best_s
        Of the library's choice, and of the fastest algorithm that was timed.
    """

    size_bytes: int
    choice: Choice
    time_s: float
    best: str
    best_s: float

    @property
    def slower_by(self) -> float | None:
        """Time over that of the fastest; None where nothing takes time."""
        return self.time_s / self.best_s if self.best_s > 0 else None

    def facts(self) -> dict[str, object]:
        """As a JSON object."""
        named = {"size_bytes": self.size_bytes, **self.choice.facts(), "time_s": self.time_s}
        return named | {"best": self.best, "best_s": self.best_s, "slower_by": self.slower_by}


def unchanged(timing: Timing, choose: Callable[[int], Choice]) -> list[Unchanged]:
    """The library's choice at every size that was timed.

    Parameters
    ----------
    choose
        Gives the choice at a size.

    Raises
    ------
    NetloomError
        What the library says of the collective, and `NL-D003` where no other algorithm can be timed.

    Notes
    -----
    Cost: a simulation for each size at which the choice was not timed.
    """
    if timing.ask is None:
        raise NetloomError([Fault(NOTHING_TIMED, timing.collective, "only the sizes that were timed are known")])
    known = {canonical(name): name for name in timing.algorithms()}
    found = []
    for size, best, best_s in winners(timing):
        choice = choose(size)
        name = known.get(canonical(choice.call()))
        time_s = timing.time_s(name, size) if name is not None else None
        if time_s is None:
            time_s = timing.ask(choice.call(), size)
        found.append(Unchanged(size, choice, time_s, best, best_s))
    return found
