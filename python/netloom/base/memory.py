"""Memory that netloom may take: what the user says, else what the machine has free.

The core refuses what needs more before it takes any (`NL-X011`, with both numbers). Simulations that run at the same
time count together; the limit bounds other large things one by one, not their sum.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from .. import _core
from .quantities import parse_bytes

#: Seconds for which a number of free bytes is good enough.
FRESH_S = 1.0
_given: list[int] = []
_asked: list[float] = []


def limit_memory(size: str | int | None) -> None:
    """Set how much memory one network, file or search may take.

    Parameters
    ----------
    size
        Bytes, or a text such as `"4 GiB"`; None for what is free, which is the default.

    Raises
    ------
    NetloomError
        `NL-A008` if it is not a size.
    """
    _given[:] = [] if size is None else [parse_bytes(size, "memory")]
    _asked.clear()
    renew()


def given() -> int | None:
    """Bytes that were set; None for what is free."""
    return _given[0] if _given else None


def renew() -> None:
    """Tell the core what may be taken now. Costs a few small files of the system, once a second."""
    now = time.monotonic()
    if _asked and now - _asked[0] < FRESH_S:
        return
    _asked[:] = [now]
    if _given:
        _core.set_memory_limit(_given[0])
    else:
        _core.set_free_memory(free())


def free() -> int:
    """Bytes that this process can still take: of the machine, of its control group, of its address space."""
    return max(0, min((sys.maxsize, *_of_machine(), *_of_group(), *_of_process())))


def _of_machine() -> Iterator[int]:
    for line in _text("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            yield int(line.split()[1]) * 1024


def _of_group() -> Iterator[int]:
    for line in _text("/proc/self/cgroup").splitlines():
        kinds, _, path = line.partition(":")[2].partition(":")
        # Version 2 has one hierarchy without a name; a container sees its own group as the root.
        for below in {path, "/"} if kinds in ("", "memory") else ():
            if kinds:
                most, taken = "memory/{}/memory.limit_in_bytes", "memory/{}/memory.usage_in_bytes"
            else:
                most, taken = "{}/memory.max", "{}/memory.current"
            numbers = [_text(f"/sys/fs/cgroup/{name.format(below)}").strip() for name in (most, taken)]
            if all(number.isdecimal() for number in numbers):
                yield int(numbers[0]) - int(numbers[1])


def _of_process() -> Iterator[int]:
    try:
        import resource
    except ImportError:  # Windows has none.
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    pages = _text("/proc/self/statm").split()
    if most != resource.RLIM_INFINITY and pages:
        yield most - int(pages[0]) * resource.getpagesize()


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
