"""One time for all processes: offsets and drifts of their clocks, learnt from messages.

Processes of one machine read one clock. The first of each learns how its clock goes against that of another machine, in
rounds in which the number of machines that know doubles: the hierarchical scheme HCA of Hunold and Carpen-Amarie
(2018, "Hierarchical clock synchronization in MPI"; 2015, "MPI benchmarking revisited"). An offset is bounded on both
sides by single messages, as in SKaMPI (Worsch, Reussner and Augustin 2002): a clock that was read between sending and
receiving was read after the one and before the other. A line through such offsets at several times tells the drift.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mpi4py import MPI

#: Messages there and back for one offset, offsets for one line, and seconds from the first to the last of them.
EXCHANGES, POINTS, SPAN_S = 20, 10, 0.2

Read = Callable[[], float]


@dataclass(frozen=True)
class Line:
    """The time of another clock as `ahead_s + (1 + drift) · own`; errors are at most `error_s` where it was learnt."""

    ahead_s: float = 0.0
    drift: float = 0.0
    error_s: float = 0.0

    def __call__(self, own_s: float) -> float:
        """The other clock's time at a time of one's own."""
        return own_s + self.ahead_s + self.drift * own_s

    def back(self, other_s: float) -> float:
        """One's own time at a time of the other clock."""
        return (other_s - self.ahead_s) / (1.0 + self.drift)

    def then(self, farther: Line) -> Line:
        """From one's own clock through the other one to a third."""
        ahead = farther.ahead_s + (1.0 + farther.drift) * self.ahead_s
        drift = (1.0 + farther.drift) * (1.0 + self.drift) - 1.0
        return Line(ahead, drift, self.error_s + farther.error_s)


@dataclass(frozen=True)
class Offset:
    """How far another clock is ahead at a time of one's own, and half of the width that is left."""

    own_s: float
    ahead_s: float
    error_s: float


def offset(exchanges: Iterable[tuple[float, float, float]]) -> Offset:
    """The tightest bounds of exchanges: own time of sending, the other's time of answering, own time of receiving."""
    rows = list(exchanges)
    low = max(there - received for _, there, received in rows)
    high = min(there - sent for sent, there, _ in rows)
    own = sum(sent + received for sent, _, received in rows) / (2 * len(rows))
    # A clock that drifts while it is read may cross the bounds by less than one message takes.
    return Offset(own, (low + high) / 2, abs(high - low) / 2)


def line(offsets: Sequence[Offset]) -> Line:
    """The line of least squares through offsets, with the largest distance from one and that one's own error."""
    own = np.array([one.own_s for one in offsets])
    ahead = np.array([one.ahead_s for one in offsets])
    middle, mean = own.mean(), ahead.mean()
    spread = float(((own - middle) ** 2).sum())
    drift = float(((own - middle) * (ahead - mean)).sum()) / spread if spread > 0 else 0.0
    start = float(mean - drift * middle)
    error = max(abs(one.ahead_s - start - drift * one.own_s) + one.error_s for one in offsets)
    return Line(start, drift, error)


@dataclass(frozen=True)
class Clock:
    """The time of the first process, as this one knows it."""

    line: Line
    read: Read = time.perf_counter

    def now_s(self) -> float:
        """Of the first process's clock."""
        return self.line(self.read())

    def until(self, at_s: float) -> bool:
        """Waits, without sleeping, until a time of the first process's clock; False if it is over already."""
        own = self.line.back(at_s)
        if self.read() > own:
            return False
        while self.read() < own:
            pass
        return True


def synchronised(
    comm: MPI.Intracomm, *, read: Read = time.perf_counter, span_s: float = SPAN_S, apart: bool = False
) -> Clock:
    """A clock that all processes of a communicator share; all call it together.

    Parameters
    ----------
    read
        The clock of this process.
    span_s
        Seconds between the first and the last offset of a line: the longer, the better the drift is known.
    apart
        Each process has a clock of its own, as if it were alone on a machine.

    Notes
    -----
    O(log machines) rounds of `POINTS · EXCHANGES` messages there and back, each `span_s` long.
    """
    from mpi4py import MPI

    here = MPI.COMM_SELF.Dup() if apart else comm.Split_type(MPI.COMM_TYPE_SHARED, comm.Get_rank())
    firsts = comm.Split(0 if here.Get_rank() == 0 else MPI.UNDEFINED, comm.Get_rank())
    own = Line()
    if firsts != MPI.COMM_NULL:
        own = _to_first(firsts, read, span_s)
        firsts.Free()
    own = here.bcast(own)
    here.Free()
    return Clock(own, read)


def _to_first(comm: MPI.Comm, read: Read, span_s: float) -> Line:
    """The line to process 0: each learns from the one whose number lacks its lowest bit, and lines are joined."""
    number, size = comm.Get_rank(), comm.Get_size()
    step, learnt = 1, Line()
    while step < size:
        if number % (2 * step) == step:
            learnt = _learn(comm, number - step, read, span_s)
        elif number % (2 * step) == 0 and number + step < size:
            _teach(comm, number + step, read)
        step *= 2
    every: list[Line] = comm.allgather(learnt)
    made, at = Line(), number
    while at:
        made = made.then(every[at])
        at &= at - 1
    return made


def _learn(comm: MPI.Comm, other: int, read: Read, span_s: float) -> Line:
    time_s, found = np.zeros(1), []
    for point in range(POINTS):
        rows = []
        for _ in range(EXCHANGES):
            sent = read()
            comm.Send(time_s, other)
            comm.Recv(time_s, other)
            rows.append((sent, float(time_s[0]), read()))
        found.append(offset(rows))
        if point < POINTS - 1:
            time.sleep(span_s / (POINTS - 1))
    return line(found)


def _teach(comm: MPI.Comm, other: int, read: Read) -> None:
    time_s = np.zeros(1)
    for _ in range(POINTS * EXCHANGES):
        comm.Recv(time_s, other)
        time_s[0] = read()
        comm.Send(time_s, other)
