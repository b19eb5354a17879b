"""What a library's own choice takes, next to the fastest algorithm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.errors import NetloomError
from ..library import Choice
from .tables import Timing, winners
from .write.names import canonical

if TYPE_CHECKING:
    from ..scenario import Question


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


def unchanged(
    timing: Timing, choose: Callable[[int], Choice], run: Callable[[str, int], str] = lambda name, size: name
) -> list[Unchanged]:
    """The library's choice at every size that was timed; without `timing.ask`, where the choice was.

    Parameters
    ----------
    choose
        Gives the choice at a size.
    run
        Gives the call with which the library runs an algorithm at a size.

    Raises
    ------
    NetloomError
        What the library says of the collective.

    Notes
    -----
    Cost: a simulation for each size at which the choice was not timed.
    """
    names, found = timing.algorithms(), []
    for size, best, best_s in winners(timing):
        choice = choose(size)
        known = {canonical(run(name, size)): name for name in names if timing.time_s(name, size) is not None}
        name = known.get(canonical(choice.call()))
        time_s = timing.time_s(name, size) if name is not None else None
        if time_s is None and timing.ask is not None:
            time_s = timing.ask(choice.call(), size)
        if time_s is not None:
            found.append(Unchanged(size, choice, time_s, best, best_s))
    return found


def own_call(bound: Question, collective: str) -> Callable[[int], str | None]:
    """What the scenario's library runs by itself at a size; None where it has nothing, or there is no library."""

    def call(size: int) -> str | None:
        try:
            return bound.chosen.choice(collective, bound.ranks, size).call() if bound.text("library") else None
        except NetloomError:
            # Whoever shows the choice says why there is none.
            return None

    return call
