"""A table of times where simulating all of it would take too long: who cannot win is left out, unseen.

The sizes go from both ends inwards, so that those there is time for lie evenly apart; a size between two others is
begun where there is time to finish it. At a size the likely winners come first. An algorithm is left out there if it is
thought to take longer than the fastest by more than ties differ: its rounds or the bound of the network ask for more, a
smaller size took longer, or a larger one took so long that half of its share for these bytes is longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from math import inf, log
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..base.ahead import duration
from ..base.errors import NetloomError
from ..base.quantities import counted, size_text, time_text
from .usable import not_here

if TYPE_CHECKING:
    from .clock import Taken

#: At the first size at most this share of the seconds, so that the last gets its own; one simulation at most this.
AT_ONCE, EACH = 0.5, 0.25
#: Of the time of a larger size, in proportion to the bytes, what a smaller one takes at least.
SURE = 0.5


class Known(Protocol):
    """What is known of simulations before they run; `Effort` knows it."""

    @property
    def jumps(self) -> Sequence[int]:
        """Bytes at which times jump."""
        ...

    def seconds(self, name: str, size: int) -> float:
        """That one is thought to take."""
        ...

    def most_s(self, name: str, size: int) -> float:
        """As `seconds`, at most, and known at once."""
        ...

    def least_s(self, name: str, size: int) -> float:
        """Simulated seconds, at least."""
        ...

    def guess_s(self, name: str, size: int) -> float:
        """Simulated seconds, by guess."""
        ...

    def same(self, name: str, size: int) -> str:
        """The call as it is run; algorithms with one call are one."""
        ...


@dataclass(frozen=True)
class Contest:
    """Who competes.

    Attributes
    ----------
    margin
        Whoever is slower than the fastest by more than this share can be left out.
    per_byte
        Seconds a byte that the network asks of each algorithm.
    among
        Groups of algorithms of which each is to have its own fastest, besides that of all.
    own
        The call that a library runs by itself at a size, which is timed wherever there is time; None if there is none.
    """

    names: Sequence[str]
    margin: float
    per_byte: Mapping[str, float]
    among: Sequence[AbstractSet[str]] = ()
    own: Callable[[int], str | None] = lambda size: None


class Reasons(NamedTuple):
    """Why algorithms have no times, or none where they cannot win; and the sizes where they may win, untimed."""

    left_out: dict[str, str]
    elsewhere: dict[str, str]
    may_win: dict[str, list[int]]


@dataclass
class Sparing:
    """The times that were taken, and why others were not.

    Attributes
    ----------
    found
        By size and algorithm.
    refused
        Why algorithms cannot run here.
    """

    contest: Contest
    sizes: Sequence[int]
    known: Known
    budget_s: float
    found: dict[tuple[int, str], Taken] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    spent_s: float = 0.0
    under_way: int = -1

    def run(self, taken: Callable[[str, int], Taken], done: Callable[[int], None]) -> None:
        """Times what is worth it; `done` hears of how many sizes."""
        for number, size in enumerate(inwards(self.sizes)):
            self.under_way = size
            self._at(size, taken)
            done(number + 1)

    @property
    def timed(self) -> list[int]:
        """The sizes that have a time."""
        have = {size for size, _ in self.found}
        return [size for size in self.sizes if size in have]

    def forget_unfinished(self) -> None:
        """Forgets the times of the size that was under way."""
        self.found = {key: one for key, one in self.found.items() if key[0] != self.under_way}

    def _at(self, size: int, taken: Callable[[str, int], Taken]) -> None:
        left_s = self.budget_s - self.spent_s
        if size not in (self.sizes[0], self.sizes[-1]):
            if left_s <= 0 or self._thought_s(size) > left_s:
                return
        elif size != self.sizes[-1]:
            left_s *= AT_ONCE
        calls: dict[str, Taken] = {}
        wanted = self.contest.own(size)
        for name in self._ordered(size):
            if name in self.refused:
                continue
            call = self.known.same(name, size)
            if call in calls:
                self.found[size, name] = calls[call]
            elif (call == wanted or not self._why_lost(name, size)) and self._has_time(name, size, left_s):
                try:
                    calls[call] = self.found[size, name] = taken(name, size)
                except NetloomError as error:
                    self.refused[name] = not_here(error)
                    continue
                left_s -= self.known.seconds(name, size)
                self.spent_s += self.known.seconds(name, size)

    def _has_time(self, name: str, size: int, left_s: float) -> bool:
        """Whether there is time for a simulation; there is for the cheapest of all."""
        if not self.found and name == min(self.contest.names, key=lambda one: self.known.most_s(one, size)):
            return True
        return self.known.seconds(name, size) <= min(left_s, EACH * self.budget_s)

    def _thought_s(self, size: int) -> float:
        """What a size is thought to take, with a fastest time that is guessed from the sizes around it."""
        best = min(self._between(name, size) for name in self.contest.names)
        names = [name for name in self.contest.names if name not in self.refused]
        may = [name for name in names if self._least(name, size) <= best * (1 + self.contest.margin)]
        each = {self.known.same(name, size): self.known.seconds(name, size) for name in may}
        return sum(seconds for seconds in each.values() if seconds <= EACH * self.budget_s)

    def _between(self, name: str, size: int) -> float:
        """A time that is guessed from those of the sizes around it."""
        around = self._around(size)
        below, above = around[0], around[-1]
        low, high = self._time(name, below), self._time(name, above)
        if low is None or high is None or min(low, high, below) <= 0 or below == above:
            return inf if high is None else high
        return float(low * (high / low) ** (log(size / below) / log(above / below)))

    def _ordered(self, size: int) -> list[str]:
        """The fastest of the sizes around first, and what the library runs; those that take long last."""
        first = {name for near in self._around(size) if (name := self._fastest(near)) is not None}
        wanted = self.contest.own(size)

        def rank(name: str) -> tuple[bool, bool, float, float]:
            ahead = name in first or (wanted is not None and self.known.same(name, size) == wanted)
            seconds, time_s = (
                self.known.most_s(name, size),
                max(self.known.guess_s(name, size), self._least(name, size)),
            )
            return not ahead, seconds > EACH * self.budget_s, time_s, seconds

        return sorted(self.contest.names, key=rank)

    def _around(self, size: int) -> list[int]:
        below = [one for one in self.timed if one < size]
        above = [one for one in self.timed if one > size]
        return below[-1:] + above[:1]

    def _time(self, name: str, size: int) -> float | None:
        taken = self.found.get((size, name))
        return None if taken is None else float(taken["time_s"])

    def _fastest(self, size: int, group: AbstractSet[str] | None = None) -> str | None:
        names = [name for at, name in self.found if at == size and (group is None or name in group)]
        return min(names, key=lambda name: float(self.found[size, name]["time_s"])) if names else None

    def _least(self, name: str, size: int) -> float:
        """Seconds that an algorithm is thought to take at least at a size."""
        found = [self.known.least_s(name, size), self.contest.per_byte[name] * size]
        times = {at: float(taken["time_s"]) for (at, one), taken in self.found.items() if one == name}
        for at, time_s in times.items():
            if at <= size:
                found.append(time_s)
            elif not any(size < jump <= at for jump in self.known.jumps):
                found.append(SURE * time_s * size / at)
        return max(found)

    def _why_lost(self, name: str, size: int) -> str:
        """Why it is not among the fastest, "" where it may be: slower than the fastest of all groups that it is in."""
        least, said = self._least(name, size), ""
        for group in [None, *(group for group in self.contest.among if name in group)]:
            best = self._fastest(size, group)
            time_s = None if best is None else self._time(best, size)
            if best is None or time_s is None or least <= time_s * (1 + self.contest.margin):
                return ""
            said = (
                said or f"thought to take {time_text(least)} or more at {size_text(size)}, {best} {time_text(time_s)}"
            )
        return said

    def reasons(self) -> Reasons:
        """Why algorithms have no time, or not at all sizes that others have one at."""
        sizes, found = self.timed, Reasons(dict(self.refused), {}, {})
        for name in self.contest.names:
            missing = [size for size in sizes if (size, name) not in self.found]
            if name in self.refused or not missing:
                continue
            # More is known now than when there was no time.
            lost = {size: self._why_lost(name, size) for size in missing}
            unknown = [size for size in missing if not lost[size]]
            times = len(sizes) - len(missing)
            head = f"timed at {times} of {counted(len(sizes), 'size')}: " if times else ""
            if unknown:
                found.left_out[name] = head + self._too_long(name, unknown)
                found.may_win[name] = unknown
            elif times:
                found.elsewhere[name] = f"{head}cannot win at others: {lost[missing[0]]}"
            else:
                found.left_out[name] = f"cannot win: {lost[missing[0]]}"
        return found

    def _too_long(self, name: str, sizes: Sequence[int]) -> str:
        seconds = max(1.0, sum(self.known.seconds(name, size) for size in sizes))
        takes = f"takes about {duration(seconds)} at {counted(len(sizes), 'size')}: name it with --algorithms"
        return f"{takes}; it may win at {size_text(sizes[0])}" + (f" to {size_text(sizes[-1])}" if sizes[1:] else "")


def inwards(sizes: Sequence[int]) -> Iterator[int]:
    """The first, the last, then the middle of every gap, the largest gaps first."""
    if not sizes:
        return
    yield sizes[0]
    if len(sizes) > 1:
        yield sizes[-1]
    gaps = [(0, len(sizes) - 1)]
    while gaps:
        low, high = gaps.pop(0)
        middle = (low + high) // 2
        if low < middle < high:
            yield sizes[middle]
            gaps += [(low, middle), (middle, high)]
