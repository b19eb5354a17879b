"""From a scenario to the time of its jobs: a message pays its route's latency, then shares the bandwidth of links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import _core
from ...scenario import Bound
from ...scenario.background import flows
from ...workload import Workload, messages
from .. import core

if TYPE_CHECKING:
    from ...base.records import Found


def simulated(bound: Bound, trace: bool) -> tuple[Found, list[Workload]]:
    """What the core found, and the jobs' workloads."""
    jobs = bound.jobs
    loads: list[Workload] = []
    for number, job in enumerate(jobs):
        size = bound.size_bytes if job.size_bytes is None else job.size_bytes
        load = bound.work_of(bound.source_of(job), job.ranks, job.root, size, f"jobs[{number}].workload")
        loads.append(messages(load) if isinstance(load, _core.Sends) else load)
    asked = core.several(bound, loads, None, flows(bound.value("background")), bound.machine)
    settings = {"trace": trace, "seed": bound.integer("seed")}
    return _core.evaluate(asked, "time", settings, bound.progress), loads
