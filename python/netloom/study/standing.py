"""How far a study is: what ended, what is under way and for how long, and when all of it is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A run that a worker has: its experiment with the axes that tell it from others, and since when."""

    name: str
    since: float = field(default_factory=time.monotonic)

    @property
    def spent_s(self) -> float:
        """Its time so far."""
        return time.monotonic() - self.since


@dataclass
class Standing:
    """How far a study is.

    Parameters
    ----------
    done, total
        Runs, those of earlier tries included.
    experiment
        Of the last finished run.
    under_way
        Runs that workers have, as of the last look, in the order in which they got them.
    failed
        Runs that no worker could finish.
    spent_s
        What the finished runs of this try took, added up.
    left_s
        Estimated seconds until all are done; None where there is no estimate, or that time is over.
    guessed
        The estimate stands on no measured run.
    place
        Where workers can be watched: the address of Dask's dashboard.
    """

    done: int
    total: int
    experiment: str = ""
    under_way: Collection[UnderWay] = ()
    failed: int = 0
    spent_s: float = 0.0
    left_s: float | None = None
    guessed: bool = False
    place: str = ""


#: Told how far a study is: before the first run, after every run, and every second in between.
Report = Callable[[Standing], None]


@dataclass
class Forecast:
    """When the rest ends: what the runs are thought to take, and once some have ended, how wrong that was.

    Parameters
    ----------
    ahead, longest
        Estimated seconds of the runs that are not finished, all together, and of the longest.
    guessed
        Most of `ahead` stands on no measured run.
    """

    ahead: float
    longest: float = 0.0
    guessed: bool = False
    behind: float = 0.0
    begin: float = field(default_factory=time.monotonic)
    last: float = 0.0

    def ended(self, seconds: float) -> None:
        """Count a run that has ended as done; `seconds` is what was estimated for it."""
        self.ahead, self.behind, self.last = max(self.ahead - seconds, 0.0), self.behind + seconds, time.monotonic()
        self.guessed = False

    def left(self, cores: int) -> float | None:
        """Seconds until all are done; None once they should be."""
        now = time.monotonic()
        if self.behind:
            end = self.last + self.ahead * (self.last - self.begin) / self.behind
        else:
            end = self.begin + max(self.longest, self.ahead / max(cores, 1))
        return end - now if end > now else None
