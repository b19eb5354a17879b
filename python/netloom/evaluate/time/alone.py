"""Jobs and steps of a simulated run by themselves: what they would take without the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from ... import _core
from ...workload import Workload, messages
from .. import core
from ..channels import with_enough
from .of_core import Recorded, recorded

if TYPE_CHECKING:
    from ...base.records import Found
    from ...jobs import PlacedJob
    from ...scenario import Question
    from ..base import Options

#: Options of the evaluators that are not of the result.
_SHOWN = (
    "critical_path",
    "trace",
    "calls",
    "communicators",
    "stop_after_s",
    "details",
    "links",
    "occupancy",
    "counts",
    "histogram",
)


def loads_of(bound: Question) -> list[Workload]:
    """The workload of each job, as the evaluators of time make them."""
    made: list[Workload] = []
    for number, job in enumerate(bound.jobs):
        size = bound.size_bytes if job.size_bytes is None else job.size_bytes
        load = bound.work.of(bound.work.source_of(job), job.ranks, job.root, size, f"jobs[{number}].workload")
        made.append(messages(load) if isinstance(load, _core.Sends) else load)
    return made


def count(load: Workload) -> int:
    """Messages of a workload, once. O(messages) for programs."""
    if isinstance(load, (_core.Schedule, _core.Traffic)):
        return load.messages
    return _core.Traffic.of_programs(load).messages if isinstance(load, _core.Programs) else 0


class Alone:
    """Simulations of some jobs of a scenario without the others and without background flows.

    Parameters
    ----------
    evaluator
        `time` or `packet`.
    options
        Of the run with all of them.
    """

    def __init__(self, bound: Question, evaluator: str, options: Options) -> None:
        self.bound, self.evaluator = bound, evaluator
        self._own = {name: value for name, value in options.items() if name not in _SHOWN}

    def job(self, job: PlacedJob, load: Workload) -> tuple[float, Recorded]:
        """Seconds from its start to the end of its last rank, and its record. Cost: one simulation."""
        settings = self._own | {"trace": True, "seed": self.bound.integer("seed")}

        def by(routing: str | None) -> Found:
            asked = core.several(self.bound, [load], routing, [], self.bound.site.settings, placed=[job])
            return _core.evaluate(asked, self.evaluator, settings, self.bound.progress)

        made = recorded(with_enough(self.bound, by)[0])
        ends: Sequence[float] = [float(end) for end in made["finish_s"][0]]
        return max((end for end in ends if isfinite(end)), default=job.start_s) - job.start_s, made

    def part(self, job: PlacedJob, load: Workload) -> Recorded:
        """The record of a part of what a job does, once, when all its ranks begin together. Cost: one simulation."""
        return self.job(replace(job, repetitions=1, start_s=0.0), load)[1]
