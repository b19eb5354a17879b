"""What a GPU did: kernels that communicate, with the calls in them, and the time in which it computed."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple


class Call(NamedTuple):
    """A call of a communication library.

    Parameters
    ----------
    kind
        A collective, "send", "recv".
    group
        What identifies its communicator on all its members.
    peer
        Root in the communicator, or of a message the other rank among all.
    order
        Its number in the communicator where the record has one; -1: by its place.
    counts
        Of an alltoall the bytes to each member; empty for equal ones.
    """

    kind: str
    group: tuple[str, tuple[int, ...]]
    bytes: int
    peer: int = 0
    order: int = -1
    counts: tuple[int, ...] = ()

    @property
    def is_message(self) -> bool:
        """Whether it has one other end."""
        return self.kind in ("send", "recv")


class Kernel(NamedTuple):
    """A kernel that communicates: begin and end in seconds, its stream, its calls, which go on at the same time."""

    begin: float
    end: float
    stream: int
    calls: tuple[Call, ...]


class Compute:
    """Intervals in which a GPU computes on any stream, in any order."""

    def __init__(self) -> None:
        self.begins, self.ends = array("d"), array("d")

    def add(self, begin: float, end: float) -> None:
        self.begins.append(begin)
        self.ends.append(end)

    def shift(self, by: float) -> None:
        """Moves all of them."""
        if by:
            self.begins = array("d", (one + by for one in self.begins))
            self.ends = array("d", (one + by for one in self.ends))

    def merged(self, cuts: list[float]) -> list[tuple[float, float]]:
        """One after another; a new one where a cut lies between its begin and that of the one before. O(n log n)."""
        import numpy as np

        begins, ends = np.frombuffer(self.begins), np.frombuffer(self.ends)
        made: list[tuple[float, float]] = []
        for at in np.lexsort((ends, begins)).tolist():
            begin, end = float(begins[at]), float(ends[at])
            if made and bisect_right(cuts, begin) == bisect_right(cuts, made[-1][0]):
                made[-1] = made[-1][0], max(made[-1][1], end)
            elif not made or end > made[-1][1]:
                made.append((begin if not made else max(begin, made[-1][1]), end))
        return made


@dataclass
class RankKernels:
    """One rank: kernels that communicate by their begin, what else its GPU does, and times of what is named."""

    rank: int
    place: str
    kernels: list[Kernel] = field(default_factory=list)
    compute: Compute = field(default_factory=Compute)
    marks: list[tuple[str, float]] = field(default_factory=list)

    def shift(self, by: float) -> None:
        """Moves all of it in time."""
        self.compute.shift(by)
        self.marks = [(name, at + by) for name, at in self.marks]
        self.kernels = [one._replace(begin=one.begin + by, end=one.end + by) for one in self.kernels]

    @property
    def begin(self) -> float:
        """Of its first kernel."""
        firsts = [one.begin for one in self.kernels[:1]]
        firsts += [min(self.compute.begins)] if len(self.compute.begins) else []
        return min(firsts, default=0.0)

    @property
    def end(self) -> float:
        """Of its last one."""
        lasts = [max(one.end for one in self.kernels)] if self.kernels else []
        lasts += [max(self.compute.ends)] if len(self.compute.ends) else []
        return max(lasts, default=0.0)
