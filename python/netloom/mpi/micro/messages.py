"""Messages between pairs: ping-pong, exchange, overheads, message rate, the limit of eager sends."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .rows import Row
from .timing import Team, Time, Work, alone, of

#: Messages on the way at a time, where their rate is measured.
WINDOW = 64
#: How long the receiver of an eager message stays away, and tries of which one must return at once.
AWAY_S, TRIES = 6e-3, 8
#: Largest message that is looked at as an eager one, and how exactly the limit is found.
MOST_EAGER, EXACT = 1 << 20, 16


@dataclass(frozen=True)
class Binding:
    """The interpreter's part of calls, s: the same calls to nobody (`MPI_PROC_NULL`), without the clock's own part."""

    send: float
    receive: float
    start: float
    both: float
    clock: float


def binding(team: Team, seconds: float) -> tuple[Binding, list[Row]]:
    """Of this process; the rows are those of process 0."""
    from mpi4py import MPI

    none, message = MPI.PROC_NULL, [np.zeros(8, dtype=np.uint8), MPI.BYTE]
    comm = team.comm
    works: dict[str, Work] = {
        "clock": lambda: None,
        "send": lambda: comm.Send(message, none),
        "receive": lambda: comm.Recv(message, none),
        "start": lambda: comm.Isend(message, none),
        "both": lambda: comm.Sendrecv(message, none, 0, message, none),
    }
    times = {name: alone(work, seconds / len(works)) for name, work in works.items()}
    clock = times["clock"].seconds
    own = {name: max(one.seconds - clock, 0.0) for name, one in times.items() if name != "clock"}
    rows = [Row("binding", own.get(name, clock), name=name, count=one.count) for name, one in times.items()]
    return Binding(**own, clock=clock), rows


@dataclass
class Pairs:
    """Pairs that measure at the same time, as one process sees them.

    Parameters
    ----------
    chosen
        The two processes of each pair.
    """

    team: Team
    level: str
    chosen: Sequence[tuple[int, int]]
    binding: Binding

    def __post_init__(self) -> None:
        mine = [pair for pair in self.chosen if self.team.rank in pair]
        self.pair = mine[0] if mine else None
        self.is_first = self.pair is not None and self.pair[0] == self.team.rank

    @property
    def other(self) -> int:
        """The partner of this process."""
        assert self.pair is not None
        return self.pair[1] if self.is_first else self.pair[0]

    def _row(self, what: str, size: int, found: Time | None, seconds: float) -> Row:
        assert found is not None
        least = found.seconds / 100
        return Row(what, max(seconds, least), size, self.level, len(self.chosen), found.scatter, found.count)

    def pingpong(self, size: int, seconds: float) -> Row:
        """One way: half of there and back."""
        there, back = self._message(size), self._message(size)
        comm = self.team.comm

        def work() -> None:
            if self.is_first:
                comm.Send(there, self.other)
                comm.Recv(back, self.other)
            else:
                comm.Recv(back, self.other)
                comm.Send(there, self.other)

        found = self.team.timed(work if self.pair else None, seconds, self.is_first)
        calls = self.binding.send + self.binding.receive + self.binding.clock
        return self._row("pingpong", size, found, ((found.seconds if found else 0.0) - calls) / 2)

    def exchange(self, size: int, seconds: float) -> Row:
        """Both send at the same time."""
        there, back = self._message(size), self._message(size)
        comm = self.team.comm
        found = self.team.timed(
            (lambda: comm.Sendrecv(there, self.other, 0, back, self.other)) if self.pair else None, seconds
        )
        calls = self.binding.both + self.binding.clock
        return self._row("exchange", size, found, (found.seconds if found else 0.0) - calls)

    def rate(self, size: int, seconds: float) -> Row:
        """A message of many on the way at the same time."""
        from mpi4py import MPI

        comm = self.team.comm
        messages, short = [self._message(size) for _ in range(WINDOW)], self._message(0)

        def work() -> None:
            if self.is_first:
                MPI.Request.Waitall([comm.Isend(one, self.other) for one in messages])
                comm.Recv(short, self.other)
            else:
                MPI.Request.Waitall([comm.Irecv(one, self.other) for one in messages])
                comm.Send(short, self.other)

        found = self.team.timed(work if self.pair else None, seconds, self.is_first)
        whole = found.seconds if found else 0.0
        return self._row("rate", size, found, whole / WINDOW - self.binding.start)

    def overheads(self, size: int, seconds: float) -> list[Row]:
        """What a message takes of its sender, and of a receiver for whom it lies ready."""
        comm = self.team.comm
        message, ready = self._message(size), self._message(0)
        sends: list[float] = []
        receives: list[float] = []

        def work() -> None:
            if self.is_first:
                comm.Recv(ready, self.other)
                began = time.perf_counter()
                request = comm.Isend(message, self.other)
                sends.append(time.perf_counter() - began)
                request.Wait()
            else:
                comm.Send(ready, self.other)
                _stay_away(self.team, 50e-6)
                began = time.perf_counter()
                comm.Recv(message, self.other)
                receives.append(time.perf_counter() - began)

        self.team.timed(work if self.pair else None, seconds)
        every: list[tuple[list[float], list[float]]] = self.team.comm.allgather((sends[1:], receives[1:]))
        rows = []
        for what, samples, call in (
            ("send", [x for one, _ in every for x in one], self.binding.start),
            ("receive", [x for _, one in every for x in one], self.binding.receive),
        ):
            found = of(samples)
            rows.append(self._row(what, size, found, found.seconds - call - self.binding.clock))
        return rows

    def eager(self) -> Row:
        """The largest message whose blocking send returns while its receiver is away."""
        low, high = 0, 64
        while high <= MOST_EAGER and self._returns(high):
            low, high = high, 2 * high
        while high <= MOST_EAGER and high - low > EXACT:
            middle = (low + high) // 2
            low, high = (middle, high) if self._returns(middle) else (low, middle)
        return Row("eager", 0.0, low, self.level, len(self.chosen))

    def _returns(self, size: int) -> bool:
        comm, message, found = self.team.comm, self._message(size), False
        for _ in range(TRIES):
            self.team.meet()
            if self.pair and self.is_first:
                began = time.perf_counter()
                comm.Send(message, self.other)
                found |= time.perf_counter() - began < AWAY_S / 2
            elif self.pair:
                time.sleep(AWAY_S)
                comm.Recv(message, self.other)
            if self.team.agreed(found):
                return True
        return False

    def _message(self, size: int) -> list[object]:
        from mpi4py import MPI

        return [np.ones(size, dtype=np.uint8), MPI.BYTE]


def _stay_away(team: Team, seconds: float) -> None:
    """Neither MPI nor sleep, so that the core stays awake."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def sizes(most: int, middle: bool) -> list[int]:
    """0 and powers of two up to `most`; with `middle` the numbers between, which calibration leaves out."""
    powers = [1 << k for k in range(most.bit_length()) if 1 << k <= most]
    return [3 * one // 2 for one in powers if one > 2 and 3 * one // 2 <= most] if middle else [0, *powers]
