"""Work that ends after a time with what is known so far (`--stop-after`).

The core looks for signals every 50 ms while it works, so an alarm ends its work as Ctrl-C does. Whoever has parts of an
answer catches `Stopped` and gives those; elsewhere nothing is known.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

#: Seconds after which an alarm that came in the middle of an import comes again.
AGAIN_S = 0.05
_under_way: list[Clock] = []


class Stopped(BaseException):
    """The time is over. No `Exception`: nobody takes it for a fault of the input."""


@dataclass
class Clock:
    """A time that work may take, and whether it is over.

    Attributes
    ----------
    seconds
        None for any time.
    stopped
        The work was ended.
    """

    seconds: float | None
    stopped: bool = False
    end: float = float("inf")
    done: bool = False

    def stop(self) -> None:
        """Say that the time is over."""
        self.stopped = True
        raise Stopped


@contextmanager
def stopping(seconds: float | None, alarm: bool = True) -> Iterator[Clock]:
    """`Stopped` is raised within it, wherever the work is, once `seconds` are over.

    Parameters
    ----------
    alarm
        False: only where the work asks, by `require_time`.

    Notes
    -----
    Only the main thread of Python gets alarms.
    """
    clock = Clock(seconds)
    if seconds is None:
        yield clock
        return
    clock.end = time.monotonic() + seconds

    def rung(number: int, frame: FrameType | None) -> None:
        # The core takes an exception in the middle of NumPy's import for a missing NumPy.
        if not (clock.done or clock.stopped or _imports(frame)):
            clock.stop()

    before = signal.signal(signal.SIGALRM, rung) if alarm else None
    _under_way.append(clock)
    try:
        if alarm:
            signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), AGAIN_S)
        yield clock
    finally:
        clock.done = True
        _under_way.remove(clock)
        if alarm:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)


def require_time() -> None:
    """For loops that stop between two steps.

    Raises
    ------
    Stopped
        If the time of any `stopping` is over.
    """
    for clock in _under_way:
        if time.monotonic() >= clock.end:
            clock.stop()


def left_s() -> float | None:
    """Seconds left of the `stopping` that is over first; None without one."""
    ends = [clock.end for clock in _under_way]
    return max(min(ends) - time.monotonic(), 0.0) if ends else None


def _imports(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
