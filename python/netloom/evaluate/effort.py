"""What a method of a contest costs before it can be stopped, so that a budget of seconds is kept.

Two kinds of work have no end inside: the table of the paths between all switches that objectives over links read, and
the methods in Python. The first is measured on a sample of the job, the second follows from numbers of ranks.
"""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING

from .. import _core
from ..base.arrays import ndarray
from ..base.errors import NetloomError
from ..mapping.place import places_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..scenario import Bound
    from .contest import Method

#: Objectives that read tables of all paths, and how many of them: `auto` has one of all and one of single paths.
TABLES = {"step-load": 1, "auto": 2}
#: CPU seconds per rank and message, and per pair of ranks, of the methods in Python.
PYTHON = {"partition": (6.2e-5, 0.0), "partition(machine=curve)": (2.4e-5, 0.0), "greedy": (9.8e-6, 2.2e-8)}
#: Ranks of the sample. Up to so many sites a table is cheap.
SAMPLE = 192
#: Routings that may tell the endpoints of one switch apart: then a site is an endpoint.
BY_ENDPOINT = ("d-mod-k", "s-mod-k", "tables", "up-down")
#: Share of a budget that remains for ratings by time and packets.
RATING = 0.15
#: Share of the rest of a budget that a method may take which cannot be stopped.
SLICE = 0.5


class Effort:
    """Seconds by the clock that methods take at least, on this machine as busy as it is."""

    def __init__(self, bound: Bound, free: bool) -> None:
        self.bound, self.free = bound, free
        self.begun = time.monotonic(), time.process_time()

    def seconds(self, optimiser: str, objective: str) -> float:
        """Before the method can be stopped; 0 if that is short."""
        if optimiser in PYTHON:
            each, pair = PYTHON[optimiser]
            ranks, messages = self.bound.ranks, min(self.bound.listed.messages, self.bound.ranks**2)
            return (each * (ranks + messages) + pair * ranks**2) * self._busy()
        return TABLES.get(objective, 0) * self.table_s

    def _busy(self) -> float:
        """Seconds by the clock for a second of work, as seen until now: others may use the machine too."""
        passed, worked = time.monotonic() - self.begun[0], time.process_time() - self.begun[1]
        return max(1.0, passed / worked) if worked > 0.05 else 1.0

    @cached_property
    def table_s(self) -> float:
        """Seconds of one table of paths: those of a sample of the ranks, times the pairs. O(SAMPLE^2) paths."""
        import numpy as np

        bound = self.bound
        start = ndarray(bound.start)
        home = np.arange(bound.network.endpoints) if bound.node is not None or self._by_endpoint() else None
        of_endpoint = bound.network.endpoint_switch if home is None else home
        used = of_endpoint if self.free else of_endpoint[start // bound.cores]
        sites = len(np.unique(used))
        if sites <= SAMPLE:
            return 0.0
        sample = start[np.linspace(0, len(start) - 1, min(SAMPLE, len(start))).astype(int)]
        # The distances of all switches are made by the first search, not by a table.
        self._probe(sample[:2])
        passed = self._probe(sample) - self._probe(sample[:2])
        seen = len(np.unique(of_endpoint[sample // bound.cores]))
        return max(0.0, passed) * (sites / seen) ** 2

    def _by_endpoint(self) -> bool:
        return self.bound.routing_of().partition("(")[0] in BY_ENDPOINT

    def _probe(self, slots: NDArray[np.integer]) -> float:
        """Seconds of a search without moves over the ranks on these slots."""
        import numpy as np

        bound, ranks = self.bound, len(ndarray(slots))
        src, each = np.arange(ranks), np.ones(ranks, np.int64)
        load = _core.Traffic.from_flows("sample", ranks, src, np.roll(src, -1), each, each)
        places = places_of(ndarray(slots), bound.cores)
        job = _core.Job("sample", load, *places, cores=bound.cores, routing=bound.routing_of())
        asked = _core.Scenario(bound.routed, [job], machine=bound.machine, node=bound.node)
        begun = time.monotonic()
        try:
            _core.search(asked, "two-opt(swaps=0)", "step-load", free=False, timed=False, one_path=None)
        except NetloomError:
            # The method will say why.
            return 0.0
        return time.monotonic() - begun


class Watch:
    """A budget of seconds, or none."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds, self.begun = seconds, time.monotonic()
        #: By how much shares grow because methods with one are left out.
        self.stretch = 1.0

    @property
    def left(self) -> float:
        """Seconds that remain; infinite without a budget."""
        return float("inf") if self.seconds is None else self.seconds - (time.monotonic() - self.begun)

    def part(self, share: float) -> float | None:
        """A share of the budget, at most what is left without the ratings; None without a budget."""
        if self.seconds is None:
            return None
        return max(0.02, min(share * self.stretch * self.seconds, self.left - RATING * self.seconds))

    def refuses(self, method: Method, effort: Effort) -> str:
        """Why a method does not fit the budget; empty if it does."""
        if self.seconds is None:
            return ""
        if self.left <= 0:
            return "no time was left"
        needed = effort.seconds(method.optimiser, method.objective)
        allowed = self.part(method.share) if method.share else SLICE * self.left
        if allowed is None or needed <= allowed:
            return ""
        return f"needs about {needed:.2g} s that cannot be stopped, {max(0.0, allowed):.2g} s of the budget are its"
