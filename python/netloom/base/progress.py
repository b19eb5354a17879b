"""How far long work is and how long it may still take: for log files, terminals and notebooks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from .ahead import duration
from .quantities import time_text

#: Seconds between two looks of a line that is written over.
LOOK_S = 0.2


class Simulated:
    """Knows how far a simulation is in its own time."""

    at_s = 0.0

    def simulated(self, at_s: float) -> None:
        """Called before each call with (done, total)."""
        self.at_s = at_s

    def words(self, done: int, total: int) -> str:
        """That time, and what all of it might be if the rest is like what there is; "" where nothing is simulated."""
        if not self.at_s:
            return ""
        whole = f" of about {time_text(self.at_s * total / done)}" if 0 < done <= total else ""
        return f"{time_text(self.at_s)}{whole} simulated"


class TimeLeft(Simulated):
    """A line on stderr with the time left, for the parameter `progress` of every function that takes one.

    Parameters
    ----------
    title
        What is under way.
    after_s
        When the first line is written, seconds >= 0; later ones whenever twice the time has passed. On a terminal one
        line is written over, five times a second.
    say
        What takes a line, instead of stderr.

    Examples
    --------
    >>> import netloom
    >>> watch = netloom.TimeLeft("simulation", after_s=10)
    >>> netloom.simulate("torus(4,4)", workload="allreduce:ring", progress=watch).messages
    480

    Notes
    -----
    The rest is taken to go on as what is done; a search with a time budget says how much of that is used. Use a new one
    for each call.
    """

    def __init__(self, title: str = "netloom", *, after_s: float = 10.0, say: Callable[[str], object] | None = None):
        self.title, self.begun, self.next = title, time.monotonic(), max(after_s, 0.0)
        self._over = say is None and sys.stderr.isatty()
        self._say, self._wide = say or self._write, 0

    def __call__(self, done: int, total: int) -> None:
        """Called by the work with how much of it is done."""
        spent = time.monotonic() - self.begun
        if spent < self.next:
            return
        self.next = spent + LOOK_S if self._over else max(2 * spent, spent + LOOK_S)
        words = ", ".join(filter(None, (f"{self.title}: {spent:.0f} s so far", self.words(done, total))))
        if 0 < done <= total:
            words += f", {100 * done / total:.0f} %, about {duration(spent * (total - done) / done)} left"
        self._say(words)

    def _write(self, words: str) -> None:
        if not self._over:
            print(words, file=sys.stderr, flush=True)
            return
        print(f"\r{words:<{self._wide}}", end="", file=sys.stderr, flush=True)
        self._wide = len(words)
