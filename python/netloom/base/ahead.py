"""What work is thought to take, said before it begins: on the command line a note, in Python a warning.

Estimates stand on counts (messages, pairs, cycles) and measured rates, never on a clock, and are wrong by a factor of
three or so. Next to them stands a question that is answered sooner.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from .quantities import amount_text

#: Work that is thought to take longer is announced.
LONG_S = 10.0
_told: ContextVar[bool] = ContextVar("told", default=False)
_times: ContextVar[float] = ContextVar("times", default=1.0)


class LongWork(UserWarning):
    """What was asked for is thought to take more than ten seconds."""


class Estimate(NamedTuple):
    """What work is thought to take.

    Attributes
    ----------
    counts
        What makes it long, such as "537 million messages".
    sooner
        A question that takes less.
    memory
        Bytes; 0 where little is kept.
    """

    seconds: float = 0.0
    counts: str = ""
    sooner: str = ""
    memory: float = 0.0


def announce(seconds: float, counts: str, sooner: str = "", memory: float = 0.0) -> None:
    """Say how long work takes and how many bytes, if that is long and nobody has said it of what this is a part of.

    Warns
    -----
    LongWork
    """
    seconds *= _times.get()
    if seconds > LONG_S and not _told.get():
        less = f"; sooner: {sooner}" if sooner else ""
        room = f" and {amount_text(memory)}" if memory else ""
        warnings.warn(f"about {duration(seconds)}{room} ({counts}){less}", LongWork, stacklevel=2)


@contextmanager
def announced(seconds: float = 0.0, counts: str = "", sooner: str = "", memory: float = 0.0) -> Iterator[None]:
    """As `announce`, and within it nothing more is said: it is part of that."""
    announce(seconds, counts, sooner, memory)
    before = _told.set(True)
    try:
        yield
    finally:
        _told.reset(before)


@contextmanager
def repeated(times: float) -> Iterator[None]:
    """What is announced within it is done that often, one after the other."""
    before = _times.set(times)
    try:
        yield
    finally:
        _times.reset(before)


def duration(seconds: float) -> str:
    """`50 s`, `12 min`, `7 h`, `65 days`, `3 years`: as people say how long something takes."""
    units = ((120.0, 1.0, "s"), (7200.0, 60.0, "min"), (172800.0, 3600.0, "h"), (63115200.0, 86400.0, "days"))
    for limit, unit, name in units:
        if seconds < limit:
            return f"{seconds / unit:.0f} {name}"
    return f"{seconds / 31557600:,.0f} years"


def many(count: float, things: str) -> str:
    """`12,000 messages`, `537 million messages`, `1.2 billion messages`."""
    for size, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if count >= size:
            return f"{count / size:.3g} {name} {things}"
    return f"{count:,.0f} {things}"
