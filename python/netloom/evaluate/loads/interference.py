"""How much longer two jobs take together than alone, simulated: what shared links really cost."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from ... import _core
from ...base.errors import NetloomError
from ...workload import messages
from .. import core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...scenario import Question

#: Messages of two jobs up to which they are simulated: a fraction of a second.
MOST_MESSAGES = 1 << 15


class Interference:
    """Simulations of pairs of jobs, made when asked for.

    Parameters
    ----------
    messages
        Of each job.
    """

    def __init__(self, bound: Question, messages: Sequence[int]) -> None:
        self.bound, self.messages = bound, messages
        self.slowdowns = cache(self._slowdowns)

    def _slowdowns(self, first: int, second: int) -> tuple[float, float] | None:
        """Time of each with the other over its time alone; None for too many messages, or what cannot be simulated.

        Cost: three simulations of flows.
        """
        if max(first, second) >= len(self.bound.jobs):
            # Background flows are no job here.
            return None
        if self.messages[first] + self.messages[second] > MOST_MESSAGES:
            return None
        try:
            together = self._times(first, second)
            alone = [*self._times(first), *self._times(second)]
        except NetloomError:
            return None
        if not all(alone):
            return None
        return together[0] / alone[0], together[1] / alone[1]

    def _times(self, *numbers: int) -> list[float]:
        jobs = [self.bound.jobs[number] for number in numbers]
        loads = []
        for job in jobs:
            size = self.bound.size_bytes if job.size_bytes is None else job.size_bytes
            load = self.bound.work.of(self.bound.work.source_of(job), job.ranks, job.root, size, "workload")
            loads.append(messages(load) if isinstance(load, _core.Sends) else load)
        found = _core.evaluate(core.several(self.bound, loads, placed=jobs), "time", {}, self.bound.progress)
        rows = found["tables"]["jobs"]
        ends, starts = cast("list[float]", rows["finish_s"]), cast("list[float]", rows["start_s"])
        return [end - start for start, end in zip(starts, ends, strict=True)]
