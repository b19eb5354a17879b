"""Which sizes of a series packets are asked of, and which are left to flows.

The smallest and the largest size are asked of packets and of flows. Where both agree at the two ends of an interval,
flows answer the sizes inside; else the size in its middle is asked of packets, and its halves are treated alike.

That packets and flows agree at two ends says little of what is far from both. A permutation on torus(8,8) differs by
0.03 % at 8 B, by 9 % at 4 KiB, by 1.6 % at 64 KiB, and by 19 % at 8 MiB, which fill buffers. So an interval of many
sizes is halved in any case.

What is asked next depends on the records of the series alone. Any order in which runs end, and a study that was stopped
and goes on, come to the same rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .plan import Pair
from .sealed import Record

#: Flows and packets agree at a size if their times differ by no more than this share of that of packets.
AGREE = 0.02
#: Most sizes side by side that are left to flows. In 64 series (16 workloads, 4 networks, powers of two from 8 B; see
#: benchmarks/packets/series.py) 21 % of the rows of flows are off by more than `AGREE` without this bound, the worst by
#: 26 %; with it 0.5 %, the worst by 2.7 %.
MOST = 3
#: Sizes of a series of which one can be left to flows.
LEAST = 3
#: The least error that is stated: two ends that agree to the picosecond say less than that of the sizes between them.
LEAST_ERROR = 1e-4


@dataclass
class Look:
    """What a series has come to.

    Attributes
    ----------
    asked
        Runs that it needs by key, those that are finished included.
    left
        Sizes that flows have answered, by number, with the error that they state.
    """

    asked: dict[str, Pair] = field(default_factory=dict)
    left: dict[int, float] = field(default_factory=dict)

    def ask(self, pairs: Iterable[Pair]) -> None:
        """These runs are needed."""
        self.asked.update((run.key, (part, run)) for part, run in pairs)


class Series:
    """Runs by packets that differ in the message size alone, ordered by it, and the same scenarios by flows."""

    def __init__(self, packets: list[Pair], flows: list[Pair]) -> None:
        self.packets, self.flows = packets, flows
        #: Sizes that packets had answered before this try began: they are referees too.
        self._given: set[int] = set()
        #: By number of the size: how far flows are from packets, infinity where that is not known; why flows have
        #: no answer.
        self._apart: dict[int, float] = {}
        self._refused: dict[int, str] = {}

    def begin(self, done: Mapping[str, Record]) -> None:
        """Take what is in a journal."""
        self._apart, self._refused = {}, {}
        self._given = {i for i, (_, run) in enumerate(self.packets) if run.key in done}

    def look(self, done: Mapping[str, Record]) -> Look:
        """What is needed, and what flows answer, by the records that there are. O(sizes)."""
        made, last = Look(), len(self.packets) - 1
        made.ask([self.packets[0], self.packets[last]])
        self._within(made, 0, last, done)
        return made

    def refusal(self, done: Mapping[str, Record]) -> str:
        """Why flows have no answer at some size; "" if they have one wherever they were asked."""
        return next((why for i in range(len(self.flows)) if (why := self._refusal(i, done))), "")

    def _within(self, look: Look, a: int, b: int, done: Mapping[str, Record]) -> None:
        """The sizes between two that packets are asked of."""
        inside = range(a + 1, b)
        given = [i for i in inside if i in self._given]
        if len(given) == len(inside):
            look.ask(self.packets[i] for i in inside)
        elif len(inside) > MOST:
            self._cut(look, (a, middle(a, b), b), done)
        elif self._known(look, a, b, done):
            error = max(self._difference(a, done), self._difference(b, done))
            if self._refusal(a, done) or self._refusal(b, done):
                look.ask(self.packets[i] for i in inside)
            elif error > AGREE:
                self._cut(look, (a, middle(a, b), b), done)
            elif given:
                self._cut(look, (a, *given, b), done)
            else:
                self._leave(look, inside, error, done)

    def _cut(self, look: Look, at: Sequence[int], done: Mapping[str, Record]) -> None:
        """Ask packets of some sizes, and treat what lies between them alike."""
        look.ask(self.packets[i] for i in at)
        for a, b in pairwise(at):
            self._within(look, a, b, done)

    def _known(self, look: Look, a: int, b: int, done: Mapping[str, Record]) -> bool:
        """Whether packets and flows have both been asked of two sizes."""
        ends = [self.packets[a], self.packets[b], self.flows[a], self.flows[b]]
        look.ask(ends)
        return all(run.key in done for _, run in ends)

    def _leave(self, look: Look, inside: range, error: float, done: Mapping[str, Record]) -> None:
        """Leave sizes to flows; those that flows refuse are asked of packets after all."""
        look.ask(self.flows[i] for i in inside)
        for i in inside:
            if self._refusal(i, done):
                look.ask([self.packets[i]])
            elif self.flows[i][1].key in done:
                look.left[i] = max(error, LEAST_ERROR)

    def _refusal(self, i: int, done: Mapping[str, Record]) -> str:
        key = self.flows[i][1].key
        if i not in self._refused and key in done:
            record = done[key]
            code, place, expected, *_ = ("", "", "") if record["status"] == "done" else record["faults"][0]
            self._refused[i] = f"{code} {place}: {expected}" if code else ""
        return self._refused.get(i, "")

    def _difference(self, i: int, done: Mapping[str, Record]) -> float:
        """How far flows are from packets, over the time of packets."""
        if i not in self._apart:
            packets, flows = (time_of(done[pairs[i][1].key]) for pairs in (self.packets, self.flows))
            self._apart[i] = float("inf")
            if packets is not None and flows is not None and (packets > 0 or flows == packets):
                self._apart[i] = abs(flows - packets) / packets if flows != packets else 0.0
        return self._apart[i]


def middle(a: int, b: int) -> int:
    """The number between two."""
    return (a + b) // 2


def most_left(sizes: int) -> int:
    """How many sizes of a series flows answer where they agree with packets everywhere."""
    if sizes - 2 <= MOST:
        return max(sizes - 2, 0)
    half = middle(0, sizes - 1)
    return most_left(half + 1) + most_left(sizes - half)


def time_of(record: Record) -> float | None:
    """The time of a run; None if it has none."""
    value = record["row"].get("time_s") if record["status"] == "done" else None
    return float(value) if isinstance(value, (int, float)) else None
